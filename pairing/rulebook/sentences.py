"""Sentences one after another, as each language sets them."""

from collections.abc import Iterable


def joined(sentences: Iterable[str]) -> str:
    """One line of sentences: Chinese full stops carry their own space, Latin ones need one."""
    spaced = (f"{each} " if each.isascii() or each.endswith(".") else each for each in sentences)
    return "".join(spaced).rstrip()
