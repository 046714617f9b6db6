"""What goes wrong on a day: each fault is brought about, put right as officials would, and looked at."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.engine.levels import parse_level
from tests.concurrency.day_office import DESK, EVENT, Levels, Office, Seat
from tests.concurrency.day_phones import Duty
from tests.concurrency.visitors import Page, Visitor

COMING_BACK = 15
"""Seconds after a power cut in which the hall catches up."""


@dataclass
class Faults:
    """The day's faults. Those at a table take one that nobody else works on."""

    office: Office
    late: int
    done: list[str] = field(default_factory=list)
    seats: dict[int, list[Seat]] = field(default_factory=dict)
    kept: list[Seat] = field(default_factory=list)
    """Tables of the present round that nobody else works on."""

    def keep_tables(self, number: int, seats: list[Seat], names: Sequence[str]) -> list[Seat]:
        """Keeps a table for each of the faults that need one; the others are left to the hall."""
        wanted = sum(FAULTS[name] in AT_A_TABLE for name in names)
        self.seats[number], self.kept = seats, seats[:wanted]
        return seats[wanted:]

    def take(self) -> Seat:
        """A table for a fault of its own."""
        return self.kept.pop(0)

    def line(self, who: Visitor, number: int) -> Page:
        return who.get(f"{DESK}s1/r{number}/results/")

    def happen(self, name: str, number: int) -> None:
        """One fault in a round."""
        FAULTS[name](self, number)
        self.done.append(f"round {number}: {name}")

    # Teams

    def late_team(self, number: int) -> None:
        """Comes after the publication; sits at a new last table with the team that had the bye."""
        office, address = self.office, f"{DESK}check-in/{self.late}/"
        office.act_on_team(office.assistants[0], self.late, "come")
        office.did("teams_checked_in")
        page = office.chief.get(address)
        page = office.chief.submit(page, page.form("/seat/"))
        assert page.status == 200, page.text
        office.did("round_published")
        seated = office.seats(number)
        assert self.late in {seated[-1].home, seated[-1].away}
        assert [seat.table for seat in seated] == list(range(1, office.teams // 2 + 1))

    def absent_team(self, number: int) -> None:
        """Says beforehand that it misses a round, excused: it is not drawn."""
        team = self.office.teams // 2
        office = self.office
        office.act_on_team(
            office.assistants[1], team, "miss", round_number=number, span="one", excused="on", note="值班"
        )
        office.did("teams_absent")

    def withdrawal(self, number: int) -> None:
        """Goes home: not drawn any more."""
        office, team = self.office, self.office.teams - 1
        page = office.assistants[2].get(f"{DESK}teams/{team}/withdraw/")
        form = page.form("/withdraw/")
        page = office.assistants[2].submit(page, form, from_round=number, reason="队员受伤")
        assert page.status == 200, page.text
        office.did("team_withdrawn")

    def replacement(self, number: int) -> None:
        """A player gives way to another: earlier rounds keep the old name."""
        office, team = self.office, 2
        who = office.assistants[3]
        page = who.get(f"{DESK}teams/{team}/replace/")
        form = page.form("/replace/")
        leaves = form.options["leaves"][0]
        page = who.submit(page, form, leaves=leaves, comes="替补队员", from_round=number, note="临时出差")
        assert page.status == 200, page.text
        assert leaves in office.visitor().get(f"{EVENT}s1/r1/draw/").text
        office.did("player_replaced")

    def no_show(self, number: int) -> None:
        """Does not come to its table: forfeits."""
        office, seat = self.office, self.take()
        page = office.act_on_team(office.assistants[4], seat.away, "forfeit")
        office.did("result_entered")
        office.holds(number, seat, ("", "x"))
        assert page.status == 200
        self._confirm_forfeit(number, seat)

    def _confirm_forfeit(self, number: int, seat: Seat) -> None:
        page = self.office.assistants[5].get(f"{DESK}s1/r{number}/check/")
        if page.has_form(f"/check/{seat.table}/"):
            form = page.form(f"/check/{seat.table}/")
            answer = self.office.assistants[5].submit(page, form, htmx=True, home_level="", away_level="x")
            assert answer.status == 200, answer.text
            self.office.did("result_confirmed")

    # Slips

    def stale_save(self, number: int) -> None:
        """Two assistants have the same line open; the second sees both values and chooses."""
        office, seat = self.office, self.take()
        first, second = office.assistants[0], office.assistants[1]
        seen = self.line(second, number)
        office.enter(first, self.line(first, number), number, seat, ("7", "10"))
        form = seen.form(f"/results/{seat.table}/")
        refused = second.submit(seen, form, htmx=True, home_level="10", away_level="7")
        assert refused.status == 422
        assert "stale-pair" in refused.text
        (mine,) = [
            button for button in refused.form(f"/results/{seat.table}/").buttons if button[0] == "accept"
        ]
        form = refused.form(f"/results/{seat.table}/")
        assert second.submit(refused, form, mine, htmx=True).status == 200
        office.did("result_changed")
        office.holds(number, seat, ("10", "7"))
        office.check(first, number, seat, ("10", "7"))

    def typed_wrong(self, number: int) -> None:
        """The assistant sees the slip once more and corrects the line before anybody else looked."""
        office, seat, who = self.office, self.take(), self.office.assistants[2]
        office.enter(who, self.line(who, number), number, seat, ("A", "2"))
        page = self.line(who, number)
        answer = who.submit(
            page, page.form(f"/results/{seat.table}/"), htmx=True, home_level="A", away_level="Q"
        )
        assert answer.status == 200
        office.did("result_changed")
        office.holds(number, seat, ("A", "Q"))
        office.check(office.assistants[3], number, seat, ("A", "Q"))

    def missing_slip(self, number: int) -> None:
        """A slip does not come: the desk names the table and does not offer to close; then it is found."""
        office, seat, who = self.office, self.take(), self.office.assistants[4]
        page = office.chief.get(DESK)
        assert re.search(rf'<a class="chip (waiting|late)" [^>]*>{seat.table}</a>', page.text), page.text
        assert not page.has_form("/round/close/")
        office.enter(who, self.line(who, number), number, seat, ("K", "K"))
        office.check(office.assistants[5], number, seat, ("K", "K"))

    def blind_mismatch(self, number: int) -> None:
        """The second look says something else: both stand side by side and the chief decides by the slip."""
        office, seat = self.office, self.take()
        office.enter(office.assistants[0], self.line(office.assistants[0], number), number, seat, ("9", "6"))
        who = office.assistants[1]
        page = who.get(f"{DESK}s1/r{number}/check/")
        answer = who.submit(
            page, page.form(f"/check/{seat.table}/"), htmx=True, home_level="6", away_level="9"
        )
        assert answer.status == 200
        office.did("result_disputed")
        self._decide(number, seat, ("6", "9"))

    def phones_disagree(self, number: int) -> None:
        """The two phones of a table say different things; the chief decides."""
        office, seat = self.office, self.take()
        home, away = office.phones[seat.home], office.phones[seat.away]
        home.sit_down(Duty(seat.token, "home", levels=("J", "5"), enters=True))
        away.sit_down(Duty(seat.token, "away", objects=("5", "J")))
        self._until(lambda: "disputed" in home.states and "disputed" in away.states)
        office.did("result_stated", "result_disputed")
        self._decide(number, seat, ("J", "5"))

    def _decide(self, number: int, seat: Seat, levels: Levels) -> None:
        chief = self.office.chief
        page = chief.get(f"{DESK}s1/r{number}/check/")
        form = page.form(f"/check/{seat.table}/decide/")
        page = chief.submit(
            page,
            form,
            choice="other",
            home_level=levels[0],
            away_level=levels[1],
            reason="以签字的成绩单为准",
        )
        assert page.status == 200, page.text
        self.office.did("dispute_decided")
        self.office.holds(number, seat, levels)

    def wrong_way_round(self, number: int) -> None:
        """Found when the next round is seated: the chief corrects with a reason and keeps the draw."""
        before = self.office.seats(number)
        self._correct(number, "keep")
        self.office.did("draw_kept")
        assert self.office.seats(number) == before

    def wrong_way_round_redrawn(self, number: int) -> None:
        """The same, but the fewest tables are drawn again and published in a new version."""
        before = self.office.seats(number)
        self._correct(number, "fewest")
        now = self.office.seats(number)
        changed = [seat for seat, old in zip(now, before, strict=True) if seat != old]
        assert 0 < len(changed) < len(before)
        self.office.did("round_published")

    def _correct(self, number: int, way: str) -> None:
        office, past = self.office, number - 1
        decided = [seat for seat in self.seats[past] if self._is_decided(past, seat)]
        for seat in sorted(decided, key=lambda seat: -self._gap(past, seat)):
            home, away = office.stored[past, seat.table][2]
            page = office.chief.get(f"{DESK}s1/r{past}/results/?correct={seat.table}")
            form = page.form(f"/results/{seat.table}/", field="reason")
            page = office.chief.submit(page, form, home_level=away, away_level=home, reason="两队写反了")
            form = page.form(f"/correct/{seat.table}/")
            if way in form.options["way"]:  # nobody may sit better by other tables
                break
        page = office.chief.submit(page, form, way=way)
        assert page.status == 200, page.text
        office.did("result_changed")
        office.holds(past, seat, (away, home))

    def _is_decided(self, number: int, seat: Seat) -> bool:
        levels = self.office.stored[number, seat.table][2]
        return "x" not in levels and len(set(levels)) == 2

    def _gap(self, number: int, seat: Seat) -> int:
        home, away = (parse_level(level) for level in self.office.stored[number, seat.table][2])
        return abs(home - away)

    # The table's phones

    def call_the_referee(self, number: int) -> None:
        """A table calls; the desk sees it and somebody goes."""
        office, seat = self.office, self.take()
        office.sit_at(seat, ("8", "3"))
        office.did("result_stated", "result_entered")
        office.holds(number, seat, ("8", "3"))
        page = office.visitor().get(f"/t/{seat.token}/")
        reason = next(button[1] for button in page.form("/call/").buttons)
        office.phones[seat.away].call(reason)
        office.did("referee_called")
        who = office.assistants[6]
        page = who.get(DESK)
        (answer,) = [form for form in page.forms if "/calls/" in form.action]
        assert who.submit(page, answer).status == 200
        office.did("call_answered")
        assert "called seen" in office.visitor().get(f"/t/{seat.token}/").text

    # The hall

    def server_killed(self, number: int) -> None:
        """The power fails in the middle of a round; the laptop comes back."""
        begun = time.monotonic()
        self.office.server.kill()
        time.sleep(2 / self.office.hurry)
        self.office.server.start()
        self.office.diary.disturbed.append((begun, time.monotonic() + COMING_BACK))

    def publication_withdrawn(self, number: int) -> None:
        """The chief takes the tables back, nobody sees them any more, and publishes them again."""
        office = self.office
        page = office.chief.get(f"{DESK}draw/")
        page = office.chief.submit(page, page.form("/draw/withdraw/"))
        assert page.status == 200
        office.did("publication_withdrawn")
        assert office.visitor().get(f"{EVENT}s1/r{number}/draw/").status == 404
        office.publish(number)
        assert office.visitor().get(f"{EVENT}s1/r{number}/draw/").status == 200

    def table_breaks(self, number: int) -> None:
        """Before play begins a table breaks: its match goes to a free one, in a new version."""
        office, seat = self.office, office_seat(self.office.seats(number))
        free = self.office.teams // 2 + 3
        address = f"{DESK}draw/s1/r{number}/tables/"
        page = office.chief.get(address)
        page = office.chief.submit(page, page.form("/tables/"), table=seat.table, to=free)
        page = office.chief.submit(page, page.form("/tables/", field="reason"), reason="桌腿断了")
        assert page.status == 200, page.text
        office.did("round_published")
        assert [(each.home, each.away) for each in office.seats(number) if each.table == free] == [
            (seat.home, seat.away)
        ]

    def draw_changed_by_hand(self, number: int) -> None:
        """The chief swaps two teams in the draft."""
        office = self.office
        page = office.chief.get(f"{DESK}draw/")
        teams = [value for name, value in tick_boxes(page) if name == "team"]
        page = office.chief.get(f"{DESK}draw/swap/?team={teams[1]}&team={teams[3]}")
        page = office.chief.submit(page, page.form("/draw/swap/", field="first"))
        assert page.status == 200, page.text
        office.did("draft_changed")

    def projector_away(self, number: int) -> None:
        """A projector loses its network; the desk sees it, and afterwards it shows the present again."""
        office, projector = self.office, self.office.projectors[0]
        self._until(lambda: 'class="screen-contact online"' in office.chief.get(f"{DESK}screens/").text)
        projector.is_away.set()
        self._until(lambda: 'class="screen-contact silent"' in office.chief.get(f"{DESK}screens/").text)
        news = projector.news
        projector.is_away.clear()
        page = office.chief.get(f"{DESK}screens/")
        page = office.chief.submit(page, page.form("/notice/", field="notice"), notice="请勿远离赛场")
        assert page.status == 200, page.text
        office.did("notice_posted")
        self._until(lambda: projector.news > news)

    def rights_end(self, number: int) -> None:
        """An assistant's rights are removed: the open line is not saved any more, somebody else enters it."""
        office, seat, who = self.office, self.take(), self.office.leaver
        page = self.line(who, number)
        officials = office.admin.get(f"{DESK}officials/")
        place = officials.text.index(f'<div class="muted small">{who.name}</div>')
        key = re.findall(r'name="remove" value="(\d+)"', officials.text[place:])[0]
        press = ("remove", key)
        office.admin.submit(officials, officials.form("/officials/", press), press)
        office.did("officials_changed")
        refused = who.submit(
            page, page.form(f"/results/{seat.table}/"), htmx=True, home_level="9", away_level="8"
        )
        assert refused.status == 404
        office.enter(office.assistants[0], self.line(office.assistants[0], number), number, seat, ("9", "8"))
        office.check(office.assistants[1], number, seat, ("9", "8"))
        office.appoint_again(who.name)

    # Judgements

    def penalty(self, number: int) -> None:
        """Points are taken, and given back: both acts stand in the log, the standings are as before."""
        office = self.office
        before = office.visitor().get(f"{EVENT}s1/standings/").text
        page = self._penalised(number, reason="多次延误")
        assert office.visitor().get(f"{EVENT}s1/standings/").text != before
        page = office.chief.submit(page, page.form("/cancel/", field="why"), why="查明无责")
        assert page.status == 200, page.text
        office.did("penalty_cancelled")
        assert office.visitor().get(f"{EVENT}s1/standings/").text == before

    def _penalised(self, number: int, reason: str) -> Page:
        office = self.office
        page = office.chief.get(f"{DESK}penalties/")
        form = page.form("/penalties/", field="rule")
        page = office.chief.submit(page, form, number=1, round_number=number, rule="slow_play")
        form = page.form("/penalties/give/")
        page = office.chief.submit(page, form, action="points_taken", amount=2, reason=reason)
        assert page.status == 200, page.text
        office.did("penalty_given")
        return page

    def appeal(self, number: int) -> None:
        """A team contests its penalty; its page says that the appeal is open, then how it was answered."""
        office, who = self.office, self.office.assistants[5]
        self._penalised(number, reason="出牌过慢")
        page = who.get(f"{DESK}appeals/")
        form = page.form("/appeals/", field="text")
        against = form.options["penalty"][-1]
        page = who.submit(page, form, number=1, round_number=number, penalty=against, text="对手也慢")
        assert page.status == 200, page.text
        office.did("appeal_received")
        shown = office.visitor().get(f"{EVENT}teams/1/").text
        page = office.chief.get(f"{DESK}appeals/")
        form = page.form("/decide/")
        page = office.chief.submit(page, form, outcome="rejected", answer="维持原判")
        assert page.status == 200, page.text
        office.did("appeal_decided")
        assert office.visitor().get(f"{EVENT}teams/1/").text != shown

    def reopened(self, number: int) -> None:
        """The last round is opened again with a reason, and closed."""
        office = self.office
        page = office.chief.get(f"{DESK}draw/")
        page = office.chief.submit(page, page.form("/round/reopen/"), reason="核对成绩单")
        assert page.status == 200, page.text
        office.did("round_reopened")
        office.close(number)

    def _until(self, holds: Callable[[], bool], seconds: float = 90) -> None:
        until = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < until, "in vain"
            time.sleep(0.3)


def office_seat(seats: list[Seat]) -> Seat:
    """A table in the middle of the hall."""
    return seats[len(seats) // 2]


def tick_boxes(page: Page) -> list[tuple[str, str]]:
    """The boxes of the draft, in the order of the tables."""
    return [(name, value) for form in page.forms for name, values in form.options.items() for value in values]


FAULTS: Mapping[str, Callable[[Faults, int], None]] = {
    "late team takes a new table": Faults.late_team,
    "absent team": Faults.absent_team,
    "withdrawal": Faults.withdrawal,
    "replacement player": Faults.replacement,
    "team does not come": Faults.no_show,
    "stale save by two assistants": Faults.stale_save,
    "typed wrong, corrected before the close": Faults.typed_wrong,
    "missing slip": Faults.missing_slip,
    "blind re-entry mismatch": Faults.blind_mismatch,
    "dispute between two phones": Faults.phones_disagree,
    "wrong way round, next round seated": Faults.wrong_way_round,
    "wrong way round, fewest tables drawn again": Faults.wrong_way_round_redrawn,
    "table calls the referee": Faults.call_the_referee,
    "server killed and restarted": Faults.server_killed,
    "publication withdrawn and republished": Faults.publication_withdrawn,
    "table breaks": Faults.table_breaks,
    "draft changed by hand": Faults.draw_changed_by_hand,
    "projector away and back": Faults.projector_away,
    "assistant's rights removed": Faults.rights_end,
    "penalty given and cancelled": Faults.penalty,
    "appeal": Faults.appeal,
    "round reopened": Faults.reopened,
}
AT_A_TABLE = {
    Faults.no_show,
    Faults.stale_save,
    Faults.typed_wrong,
    Faults.missing_slip,
    Faults.blind_mismatch,
    Faults.phones_disagree,
    Faults.call_the_referee,
    Faults.rights_end,
}
"""Those that take a table of their own."""
