"""The picture of a bracket (对阵图): where every match, line and label stands.

What is written comes in as `BracketTexts`; `templates/pairing/bracket.svg` sets a `Drawing` as SVG, on the
page, on the projector and on paper. A large bracket comes in several drawings: the last rounds, then the
parts before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from pairing.bracket_parts import (
    COLUMN_GAP,
    GAP,
    HEADING,
    LINE,
    MARGIN,
    PADDING,
    SMALL,
    TYPE,
    Box,
    BracketTexts,
    Drawing,
    Label,
    Line,
    Side,
    shortened,
    text_width,
)
from pairing.engine.bracket import BracketEntry, BracketState, Purpose, Slot, WinnerOf
from pairing.engine.types import TeamId

ZONE_HEADING = 30
ONE_SIDED_ENTRIES = 32
"""More entries than this are drawn from both sides towards the middle."""
TOP_ROUNDS = 4
"""The last rounds of a large bracket that its first drawing shows."""
_WIDE = {False: 152, True: 122}
"""Most pixels for names, by whether the picture has two sides."""
HALL_ENTRIES, HALL_ROUNDS, _WIDE_IN_HALL = 8, 3, 140
"""What a projector holds in type that the last row reads; small texts are as large as the names there."""
NARROWEST_NAMES = 98
_CROWN = 2 * LINE + 12
"""Height of the champion's box."""


def bracket_drawings(state: BracketState, texts: BracketTexts, *, most: int = 64) -> tuple[Drawing, ...]:
    """The picture of a bracket, or of its last rounds and then of its parts, each of at most `most` entries.

    A part ends with the match that leads into the last rounds. Nothing in a picture overlaps, whatever the
    names: those that are too long are shortened.
    """
    main = [entry for entry in state.entries if entry.match.purpose is Purpose.MAIN]
    if _Tree(main).entries <= most:
        return (_Picture(state, texts, main, is_top=True).drawing(),)
    last = main[-1].match.round
    top = _top(main, last, most)
    parts = _parts(main, min((entry.match.round for entry in top), default=last), most)
    pictures = [_Picture(state, texts, top, is_top=True)] if top else []
    pictures += [_Picture(state, texts, part, is_top=False) for part in parts]
    return tuple(picture.drawing() for picture in pictures)


def hall_drawings(state: BracketState, texts: BracketTexts) -> tuple[Drawing, ...]:
    """What a hall reads of a bracket: the round in play and the next two, some matches a picture.

    The last rounds stand together with the champion. Rounds that are over are left out, and so are later ones
    that nobody has reached; the matches for lower places have a picture of their own once somebody is in it.
    """
    main = [entry for entry in state.entries if entry.match.purpose is Purpose.MAIN]
    last, is_final_group = main[-1].match.round, _has(state, Purpose.FINAL_GROUP)
    current = min((entry.match.round for entry in main if not entry.is_over), default=last)
    count = 1 if is_final_group else HALL_ROUNDS
    top = [entry for entry in main if entry.match.round > last - count]
    if current > last - count and _Tree(top).entries <= HALL_ENTRIES:
        made = partial(_Picture, state, texts, top, is_top=True, is_for_hall=True)
        pictures = [made(lowered=made().missing_above_final())]
    else:
        window = [entry for entry in main if current <= entry.match.round < current + HALL_ROUNDS]
        pictures = [
            _Picture(state, texts, part, is_top=False, is_for_hall=True)
            for part in _together(_trees(window), HALL_ENTRIES)
            if any(entry.match.round == current and not entry.match.is_bye for entry in part)
        ]
    lower = [entry for entry in state.entries if entry.match.purpose is Purpose.PLACEMENT]
    if any(entry.home is not None or entry.away is not None for entry in lower):
        pictures.append(_Picture(state, texts, lower, is_top=False, is_for_hall=True))
    return tuple(picture.drawing() for picture in pictures)


def _has(state: BracketState, purpose: Purpose) -> bool:
    return any(entry.match.purpose is purpose for entry in state.entries)


def _trees(entries: Sequence[BracketEntry]) -> list[list[BracketEntry]]:
    """All that leads to each match that leads no further here."""
    tree = _Tree(entries)
    return [tree.below(root) for root in tree.roots]


def _together(trees: Sequence[list[BracketEntry]], most: int) -> Iterator[list[BracketEntry]]:
    """Several trees in one part, as far as it holds them."""
    together: list[BracketEntry] = []
    for part in trees:
        if together and _Tree([*together, *part]).entries > most:
            yield together
            together = []
        together = [*together, *part]
    yield together


def _top(main: Sequence[BracketEntry], last: int, most: int) -> list[BracketEntry]:
    """As many of the last rounds as fit one drawing, at most TOP_ROUNDS; none when even one does not."""
    for rounds in range(TOP_ROUNDS, 0, -1):
        top = [entry for entry in main if entry.match.round > last - rounds]
        if _Tree(top).entries <= most:
            return top
    return []


def _parts(main: Sequence[BracketEntry], top: int, most: int) -> Iterator[list[BracketEntry]]:
    """The trees that end in one round, as late a one as leaves them small enough; several together."""
    for number in range(top, 0, -1):
        tree = _Tree([entry for entry in main if entry.match.round <= number])
        trees = [tree.below(root) for root in tree.roots if root.match.round == number]
        if all(_Tree(part).entries <= most for part in trees):
            break
    yield from _together(trees, most)


class _Tree:
    """Matches and which of them lead to which; a match that nothing here leads to is a leaf."""

    def __init__(self, entries: Sequence[BracketEntry]) -> None:
        self.by_key = {entry.match.key: entry for entry in entries}
        led_on = {key for entry in entries for key in _sources(entry)}
        self.roots = [entry for entry in entries if entry.match.key not in led_on]
        self.leaves = [entry for entry in entries if not self.children(entry)]
        self.entries = sum(1 if entry.match.is_bye else 2 for entry in self.leaves)

    def children(self, entry: BracketEntry) -> list[BracketEntry]:
        """The matches that the two sides come from, the upper first."""
        return [self.by_key[key] for key in _sources(entry) if key in self.by_key]

    def below(self, root: BracketEntry) -> list[BracketEntry]:
        """The match and all that lead to it, in order of the rounds."""
        found, level = [], [root]
        while level:
            found.append(level)
            level = [child for entry in level for child in self.children(entry)]
        return list(chain.from_iterable(reversed(found)))


def _sources(entry: BracketEntry) -> list[str]:
    return [slot.match for slot in (entry.match.home, entry.match.away) if isinstance(slot, WinnerOf)]


@dataclass(frozen=True, slots=True)
class _Widths:
    """How the width of a box is shared out; the same for all boxes of a picture."""

    number: int
    names: int
    score: int

    @property
    def box(self) -> int:
        return self.number + self.names + self.score + 2 * PADDING


class _Picture:
    """Places one drawing. With `is_top` the champion and what is played for besides belong to it."""

    def __init__(
        self,
        state: BracketState,
        texts: BracketTexts,
        main: Sequence[BracketEntry],
        *,
        is_top: bool,
        is_for_hall: bool = False,
        lowered: int = 0,
    ) -> None:
        self.texts, self.tree = texts, _Tree(main)
        self.first = min(entry.match.round for entry in main)
        self.last = max(entry.match.round for entry in main)
        besides = {Purpose.MAIN, Purpose.PLACEMENT} if is_for_hall else {Purpose.MAIN}
        others = [entry for entry in state.entries if entry.match.purpose not in besides]
        self.others = [entry for entry in others if entry.match.round >= self.first] if is_top else []
        self.final = self._final() if is_top else None
        self.champion = state.champion if texts.champion_team is None else texts.champion_team
        self.three = [entry for entry in self.others if entry.match.purpose is Purpose.FINAL_GROUP]
        self.is_two_sided = self.tree.entries > ONE_SIDED_ENTRIES and not self.three
        roots = self.tree.roots
        self.has_middle = len(roots) == 1 and len(self.tree.children(roots[0])) == 2
        self.small = TYPE if is_for_hall else SMALL
        self.widths = self._widths(
            [*main, *self.others], _WIDE_IN_HALL if is_for_hall else _WIDE[self.is_two_sided]
        )
        self.boxes: dict[str, Box] = {}
        self.lines: list[Line] = []
        self.headings: dict[int, str] = {}
        self.zones: list[Label] = []
        self.top = self.below = self.start = HEADING + lowered + self.small - SMALL

    def _widths(self, entries: Sequence[BracketEntry], most: int) -> _Widths:
        """Boxes just wide enough for the names in them, within limits."""
        texts = self.texts
        teams = [
            texts.teams[team] for entry in entries for team in (entry.home, entry.away) if team is not None
        ]
        scores = [score for entry in entries for score in texts.scores.get(entry.match.key, ())]
        if any(entry.match.is_bye for entry in entries):
            scores.append(texts.bye)
        number = max((text_width(text.number, TYPE) for text in teams), default=0)
        names = max((text_width(text.names, TYPE) for text in teams), default=0)
        awaited = [
            self._awaited(slot)
            for entry in entries
            for slot, team in ((entry.match.home, entry.home), (entry.match.away, entry.away))
            if team is None
        ]
        waiting = max((text_width(text, self.small) for text in awaited), default=0)
        score = max((text_width(score, TYPE) for score in scores), default=0)
        return _Widths(
            number + 8, min(max(names + 4, waiting, NARROWEST_NAMES), most), score + 8 if score else 0
        )

    def _final(self) -> BracketEntry | None:
        """The match that makes the champion, if the bracket goes so far."""
        last = self.tree.roots[-1]
        is_final = last.match.winner_places is not None and last.match.winner_places.last == 1
        return last if is_final and len(self.tree.roots) == 1 else None

    def drawing(self) -> Drawing:
        """The picture, moved to its place and as large as what is in it."""
        if self.is_two_sided:
            self._two_sides()
        else:
            self._side(self.tree.roots, is_left=True)
        self._final_group()
        crown = self._crown()
        self._besides()
        boxes = [*self.boxes.values(), *crown]
        step = self.widths.box // 2
        headings = (
            Label(self._x(column) + step, HEADING - 14, text)
            for column, text in self.headings.items()
            if text
        )
        return Drawing(
            width=max(box.right for box in boxes) + MARGIN,
            height=max(box.bottom for box in boxes) + MARGIN,
            lines=tuple(sorted(self.lines, key=lambda line: (line.is_won, line.is_last))),
            boxes=tuple(boxes),
            headings=tuple(headings),
            zones=tuple(self.zones),
            entries=self.tree.entries,
            small=self.small,
        )

    def missing_above_final(self) -> int:
        """By how much the picture has to go down so that the champion stands above the final."""
        self.drawing()
        before = self.boxes[self.final.match.key] if self.final else None
        return max(0, HEADING + _CROWN + 2 * GAP - before.y) if before else 0

    # The way to the final

    def _two_sides(self) -> None:
        """Half of the trees from the left, half from the right; the final stands between them."""
        roots = self.tree.roots
        if self.has_middle:
            upper, lower = self.tree.children(roots[0])
            self._side([upper], is_left=True)
            self._side([lower], is_left=False)
            halves = (self.boxes[upper.match.key], self.boxes[lower.match.key])
            self._put(roots[0], sum(box.middle for box in halves) // 2, self._column(self.last, is_left=True))
            self._join(roots[0])
        else:
            half = (len(roots) + 1) // 2
            self._side(roots[:half], is_left=True)
            self._side(roots[half:], is_left=False)

    def _side(self, roots: Sequence[BracketEntry], *, is_left: bool) -> None:
        self.start, self.zone = self.top, 0
        for root in roots:
            self._place(root, is_left)
        self.below = max(self.below, self.start)

    def _place(self, entry: BracketEntry, is_left: bool) -> Box:
        """Puts a match in the middle of those that lead to it, the leaves one below the other."""
        children = [self._place(child, is_left) for child in self.tree.children(entry)]
        column = self._column(entry.match.round, is_left)
        if children:
            middle = (children[0].middle + children[-1].middle) // 2
        else:
            self._zone(entry, column)
            height = _height(entry)
            middle = self.start + height // 2
            self.start += height + GAP
        box = self._put(entry, middle, column, self.texts.matches.get(entry.match.key, ""))
        self._join(entry)
        return box

    def _zone(self, entry: BracketEntry, column: int) -> None:
        """A line of its own above the first match of a zone."""
        zone = entry.match.zone
        if zone != self.zone and zone in self.texts.zones:
            self.zones.append(Label(self._x(column), self.start + 12, self.texts.zones[zone], "start"))
            self.start += ZONE_HEADING
        self.zone = zone

    def _column(self, number: int, is_left: bool) -> int:
        """Columns count from the left; the right side mirrors the left one."""
        if is_left:
            return number - self.first
        return 2 * (self.last - self.first) + (not self.has_middle) - (number - self.first)

    def _x(self, column: int) -> int:
        return MARGIN + column * (self.widths.box + COLUMN_GAP)

    def _put(self, entry: BracketEntry, middle: int, column: int, note: str = "") -> Box:
        key, height = entry.match.key, _height(entry)
        x, y = self._x(column), middle - height // 2
        box = self._box(entry, x, y, " · ".join(filter(None, [note, self.texts.notes.get(key, "")])))
        self.boxes[key] = box
        if entry.match.purpose is not Purpose.PLACEMENT:
            self.headings.setdefault(column, self.texts.rounds.get(entry.match.round, ""))
        return box

    def _is_live(self, key: str) -> bool:
        """Whether a match is being played; a note beside a score says something else."""
        return key in self.texts.notes and key not in self.texts.scores

    def _box(self, entry: BracketEntry, x: int, y: int, note: str) -> Box:
        kind = "bye" if entry.match.is_bye else "live" if self._is_live(entry.match.key) else "match"
        widths = self.widths
        return Box(
            x=x,
            y=y,
            width=widths.box,
            height=_height(entry),
            kind=kind,
            sides=tuple(self._sides(entry, y)),
            note=note,
            number_x=x + PADDING + widths.number - 8,
            names_x=x + PADDING + widths.number,
            score_x=x + widths.box - PADDING,
        )

    def _sides(self, entry: BracketEntry, y: int) -> Iterator[Side]:
        match, scores = entry.match, self.texts.scores.get(entry.match.key, ("", ""))
        base = y + LINE // 2 + TYPE * 3 // 8
        if match.is_bye:
            slot = match.home
            yield self._written(entry.home, slot, base, self.texts.bye, "known" if entry.home else "waiting")
            return
        sides = ((match.home, entry.home), (match.away, entry.away))
        for place, ((slot, team), score) in enumerate(zip(sides, scores, strict=True)):
            state = "waiting" if team is None else _state(entry, team)
            yield self._written(team, slot, base + place * LINE, score, state)

    def _written(self, team: TeamId | None, slot: Slot, y: int, score: str, state: str) -> Side:
        widths = self.widths
        if team is None:
            full = self._awaited(slot)
            return Side(y, "", shortened(full, widths.names, self.small), full, score, state)
        text = self.texts.teams[team]
        return Side(y, text.number, shortened(text.names, widths.names), text.full, score, state)

    def _awaited(self, slot: Slot) -> str:
        """Who a side without a team waits for, unless a line shows it."""
        is_drawn = isinstance(slot, WinnerOf) and slot.match in self.tree.by_key
        return "" if is_drawn else self.texts.waiting.get(slot, "")

    def _join(self, entry: BracketEntry) -> None:
        """The lines from those that lead to a match to its sides."""
        box = self.boxes[entry.match.key]
        slots = ((entry.match.home, entry.home), (entry.match.away, entry.away))
        for place, (slot, team) in enumerate(slots):
            source = self.boxes.get(slot.match) if isinstance(slot, WinnerOf) else None
            if source is not None:
                y = box.middle if entry.match.is_bye else box.y + LINE // 2 + place * LINE
                self.lines.append(Line(_way(source, box, y), team is not None))

    # What stands beside it

    def _crown(self) -> list[Box]:
        """The champion: above the final, or beside it where there is no room."""
        last = self.final or (self.three[1] if self.three else None)
        if last is None:
            return []
        text = None if self.champion is None else self.texts.teams[self.champion]
        before = self.boxes[last.match.key]
        height, widths = _CROWN, self.widths
        above = before.y - 2 * GAP - height
        if self.final and above >= HEADING:
            x, y = before.x, above
            path = f"M{before.x + widths.box // 2} {before.y}V{y + height}"
        else:
            x, y = before.right + COLUMN_GAP, before.middle - height // 2
            path = f"M{before.right} {before.middle}H{x}"
        if self.final:
            self.lines.append(Line(path, text is not None, is_last=True))
        names = "" if text is None else shortened(text.names, widths.names + widths.score)
        number, full = ("", "") if text is None else (text.number, text.full)
        side = Side(y + LINE + 12 + TYPE * 3 // 4, number, names, full, "", "won" if text else "waiting")
        kind = "champion" if text else "open"
        names_x = x + PADDING + widths.number
        return [Box(x, y, widths.box, height, kind, (side,), self.texts.champion, names_x - 8, names_x, x)]

    def _final_group(self) -> None:
        """The matches of the final three, one below the other in a column of their own."""
        height = 2 * LINE + 2 * GAP
        middle = (HEADING + self.below - GAP) // 2
        top = max(middle - len(self.three) * height // 2, HEADING + GAP)
        column = self.last - self.first + 1
        for place, entry in enumerate(self.three):
            name = self.texts.matches.get(entry.match.key, "")
            box = self._put(entry, top + place * height + LINE, column, name)
            self.below = max(self.below, box.bottom + GAP)

    def _besides(self) -> None:
        """Third place below the final; the matches for lower places below all others of their rounds."""
        others = [entry for entry in self.others if entry.match.purpose is not Purpose.FINAL_GROUP]
        tree = _Tree(others)
        for root in tree.roots:
            if root.match.purpose is Purpose.THIRD_PLACE and self.final:
                self._below_final(root)
        lower = [root for root in tree.roots if root.match.key not in self.boxes]
        rounds = {entry.match.round for root in lower for entry in tree.below(root)}
        columns = {self._x(self._column(number, is_left=True)) for number in rounds}
        above = [box.bottom for box in self.boxes.values() if box.x in columns]
        self.start = max(above, default=self.below) + 2 * GAP
        for root in lower:
            self._place_lower(root, tree)

    def _below_final(self, entry: BracketEntry) -> None:
        final = self.boxes[self.final.match.key] if self.final else None
        if final is not None:
            name = self.texts.matches.get(entry.match.key, "")
            column = self._column(entry.match.round, is_left=True)
            box = self._put(entry, final.bottom + 2 * GAP + LINE, column, name)
            self.below = max(self.below, box.bottom + GAP)

    def _place_lower(self, entry: BracketEntry, tree: _Tree) -> Box:
        children = [self._place_lower(child, tree) for child in tree.children(entry)]
        column = self._column(entry.match.round, is_left=True)
        if children:
            middle = (children[0].middle + children[-1].middle) // 2
        else:
            middle = self.start + LINE
            self.start += 2 * LINE + 2 * GAP
        box = self._put(entry, middle, column, self.texts.matches.get(entry.match.key, ""))
        self._join(entry)
        return box


def _height(entry: BracketEntry) -> int:
    return LINE if entry.match.is_bye else 2 * LINE


def _state(entry: BracketEntry, team: TeamId) -> str:
    if entry.winner == team:
        return "won"
    return "lost" if entry.is_over else "known"


def _way(source: Box, target: Box, y: int) -> str:
    """From the middle of one box to a side of the next, in right angles."""
    if source.x < target.x:
        start, end = source.right, target.x
        bend = end - COLUMN_GAP // 2
    else:
        start, end = source.x, target.right
        bend = end + COLUMN_GAP // 2
    return f"M{start} {source.middle}H{bend}V{y}H{end}"
