"""Cleaning of the text that people type into cells: blanks, full-width digits, invisible characters."""

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from tournaments.roster.types import MAX_NUMBER

# Controls, soft hyphen, joiners, direction marks, fillers, variation selectors, surrogates, tags.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_BLANKS = re.compile("(?:[^\\S\n]|\u2800)+")
_AROUND_LINE_END = re.compile(" *\n[ \n]*")

# Digits and letters only: the full-width brackets of 5月15日（星期四） are how Chinese is written.
_FULL_WIDTH = {
    code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
# PDF copies carry Kangxi radicals that look like the common characters and are not equal to them.
_RADICALS = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2E80, 0x2FD6)}
_TRANSLATION = {**_FULL_WIDTH, **_RADICALS}

CJK = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_DOT = re.compile(f"(?<=[{CJK}])\\s*[•・‧∙⋅･᛫]\\s*(?=[{CJK}])")
_CJK_GAP = re.compile(f"(?<=[{CJK}·])\\s+(?=[{CJK}·])")
_KEY_DROPS = re.compile("[\\s·•・‧∙⋅･᛫.]+")

# What every Chinese font has: Latin, Greek, Cyrillic, punctuation, the common characters, full-width forms.
_UNUSUAL = re.compile(
    "[^\t\n\x20-\u024f\u0370-\u04ff\u2010-\u2027\u2030-\u205e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
)
_LATIN_1_ONLY = re.compile("[\xa1-\xff]{2,}")
_SCIENTIFIC = re.compile(r"[0-9](?:\.([0-9]+))?[eE]\+?([0-9]{1,2})")
_TEAM_NUMBER = re.compile(
    r"(?:第|no\.?|#|编号|组号)?\s*([0-9]{1,9})(?:\.0*)?\s*[号组队对、.]?", re.IGNORECASE
)
_STRONG_SEPARATOR = re.compile(r"[、，,/\\;；&＆+＋|｜/\n]")
_DASH = re.compile(f"(?<=[{CJK}])\\s*[-－—–~～]+\\s*(?=[{CJK}])")
_AND = re.compile(f"(?<=[{CJK}]{{2}})[和与及](?=[{CJK}]{{2}})")
_TWO_CJK = re.compile(f"[{CJK}·]{{2,}}")

NOBODY = frozenset({"无", "待定", "暂无", "空", "空缺", "缺", "未定", "none", "n/a", "tbd"})


def clean_text(raw: str) -> str:
    """The text as a person sees it: no invisible characters, one blank for many, plain digits and letters.

    Line ends inside a cell stay, because they may part two names. Cleaning a clean text changes nothing.
    """
    text = INVISIBLE.sub("", _LINE_END.sub("\n", raw))
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_TRANSLATION))
    text = _BLANKS.sub(" ", text)
    return _AROUND_LINE_END.sub("\n", text).strip(" \n")


def tidy(text: str) -> str:
    """A clean text in one line: a blank inside a Chinese name goes, inside a Latin name it stays."""
    flat = text.replace("\n", " ")
    return _CJK_GAP.sub("", _DOT.sub("·", flat))


def same_key(text: str) -> str:
    """Equal for texts that mean the same person or department: blanks, dots, case and width do not count."""
    return _KEY_DROPS.sub("", unicodedata.normalize("NFKC", text)).casefold()


def plain_number(text: str) -> str:
    """A number as Excel stores it, as a person writes it: `7.0` → `7`, `1.3912340001E10` → `13912340001`."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite() or abs(number.adjusted()) > 30:
        return text
    if number != number.to_integral_value():
        # Excel stores binary fractions: 0.1 + 0.2 is kept with 17 digits and shown with 15 at most.
        number = Decimal(f"{number:.15g}")
    plain = f"{number:f}"
    return (plain.rstrip("0").rstrip(".") or "0") if "." in plain else plain


def plain_scientific(text: str) -> str | None:
    """`1.3912340001E+10` as digits; None when its digits are lost, as in `1.39E+10`. Other texts stay."""
    match = _SCIENTIFIC.fullmatch(text)
    if match is None:
        return text
    return plain_number(text) if len(match[1] or "") >= int(match[2]) else None


def team_number(text: str) -> int | None:
    """The number of a team from texts such as `7`, `007`, `第7组`, `7号`; None when it is none."""
    match = _TEAM_NUMBER.fullmatch(unicodedata.normalize("NFKC", text).strip())
    number = int(match[1]) if match else 0
    return number if 1 <= number <= MAX_NUMBER else None


def is_nobody(text: str) -> bool:
    """Whether a cell for a player says that there is none: empty, a dash, `无`, `待定`."""
    return not any(character.isalnum() for character in text) or text.casefold() in NOBODY


def is_garbled(text: str) -> bool:
    """Whether an earlier program destroyed the letters: U+FFFD, or GBK bytes taken for Latin (`ÕÔÃô`)."""
    return "\ufffd" in text or _LATIN_1_ONLY.fullmatch(text) is not None


def unusual_characters(text: str) -> str:
    """The characters that fonts of printers and projectors may lack, each once, in order."""
    return "".join(dict.fromkeys(_UNUSUAL.findall(text)))


def split_names(text: str) -> tuple[str, ...]:
    """The names in one cell, tidied; parts that say nobody are left out.

    Commas, slashes, `&`, `+` and line ends part names; else a dash or a blank between two Chinese names, else
    `和`. The dot of 买买提·艾力 never does.
    """
    parts = [part for part in _STRONG_SEPARATOR.split(text) if not is_nobody(part.strip())]
    if len(parts) == 1:
        parts = _weakly_parted(parts[0])
    names = (tidy(part.strip(" 。.")) for part in parts)
    return tuple(name for name in names if not is_nobody(name))


def _weakly_parted(text: str) -> list[str]:
    for separator in (_DASH, None, _AND):
        parts = _parted_by_blank(text) if separator is None else separator.split(text, maxsplit=1)
        if len(parts) > 1:
            return parts
    return [text]


def _parted_by_blank(text: str) -> list[str]:
    """`张三 李四` is two names and `张 三 李 四` too; `张 三` and `John Smith` are one."""
    names: list[str] = []
    loose = ""
    for token in text.split():
        if len(token) > 1 and not _TWO_CJK.fullmatch(token):
            return [text]
        loose += token if len(token) == 1 else ""
        if len(token) > 1:
            names += [loose, token] if loose else [token]
            loose = ""
        elif len(loose) == 2:
            names, loose = [*names, loose], ""
    return [*names, loose] if loose else names
