"""The choices of the rules as sentences: for the form that sets them and the sheet that states them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from pairing.engine.groups import GroupMethod
from pairing.engine.knockout import BracketOrder, Byes, PlayedOut
from pairing.engine.types import FirstRound, Method, Rematch, SameDepartment
from pairing.format_rules import ScheduleKind
from scoring.engine.confirmation import ConfirmedBy
from scoring.engine.rules import Bonus, EqualLevels, PassRule, StrikePenalty, StrikeWhen, UnfinishedDeal
from tournaments.discipline import (
    FirstDeal,
    Partners,
    PartnersFrom,
    PlayerChange,
    Signals,
    Signatures,
    TributeReturn,
)
from tournaments.models import StageFormat

FIRST_ROUNDS = {
    FirstRound.RANDOM: gettext_lazy("Round 1 is drawn by lot."),
    FirstRound.HALVES: gettext_lazy("Round 1: the first half of the list meets the second half."),
    FirstRound.ENTRY_ORDER: gettext_lazy("Round 1: neighbours on the list meet, 1 with 2, 3 with 4."),
    FirstRound.SEEDED: gettext_lazy("Round 1: by seeds, the first seed meets the last."),
}
METHODS = {
    Method.ADJACENT: gettext_lazy(
        "From round 2 high meets high: each team, from the top, meets the best-ranked team it may meet "
        "such that all below can still be paired."
    ),
    Method.CLOSEST: gettext_lazy("From round 2 all tables together are as close in rank as the rules allow."),
}
REMATCHES = {
    Rematch.NEVER: gettext_lazy("No two teams meet twice."),
    Rematch.AVOID: gettext_lazy("Two teams meet twice only where it cannot be avoided."),
}
SAME_DEPARTMENTS = {
    SameDepartment.NEVER: gettext_lazy("Teams of one department never meet."),
    SameDepartment.AVOID: gettext_lazy("Teams of one department meet only where it cannot be avoided."),
    SameDepartment.ROUND1: gettext_lazy("Teams of one department do not meet in round 1."),
    SameDepartment.ALLOW: gettext_lazy("Teams of one department may meet."),
}
PASS_RULES = {
    PassRule.PARTNER_NOT_LAST: gettext_lazy("A is passed by going out first with the partner not last."),
    PassRule.ANY_HEAD: gettext_lazy("A is passed by going out first."),
    PassRule.DOUBLE_ONLY: gettext_lazy("A is passed only by going out first and second."),
    PassRule.REACH: gettext_lazy("Reaching A wins the game."),
    PassRule.NO_LAST: gettext_lazy("A is passed when neither partner is last."),
}
EQUAL_LEVELS = {
    EqualLevels.TIE: gettext_lazy("Equal levels at time-up are a tie."),
    EqualLevels.FIRST_TO_REACH: gettext_lazy("At equal levels the side that reached the level first wins."),
    EqualLevels.DECLARER: gettext_lazy("At equal levels the side whose level is being played wins."),
    EqualLevels.OFF_STAGE: gettext_lazy("At equal levels the side whose level is not being played wins."),
    EqualLevels.EXTRA_DEAL: gettext_lazy("At equal levels one more deal decides."),
    EqualLevels.EXTRA_GAME: gettext_lazy("At equal levels one more game decides."),
}
UNFINISHED_DEALS = {
    UnfinishedDeal.VOID: gettext_lazy("The deal under way at time-up does not count."),
    UnfinishedDeal.HEAD_PLUS_ONE: gettext_lazy(
        "In the deal under way at time-up a side that already went out first rises one level."
    ),
    UnfinishedDeal.TRAILING_BY_ONE: gettext_lazy(
        "A side exactly one level behind wins when it already went out first in the deal under way."
    ),
}
STRIKE_PENALTIES = {
    StrikePenalty.BACK_TO_2: gettext_lazy("goes back to 2"),
    StrikePenalty.BACK_TO_J: gettext_lazy("goes back to J"),
    StrikePenalty.LOSE: gettext_lazy("loses the game"),
}
BONUSES = {
    Bonus.THREE_DOUBLES_TO_TARGET: gettext_lazy("Three doubles running go straight to A."),
    Bonus.FIRST_STREAK: gettext_lazy(
        "One player first three times running: one more level; four times: two more, and so on."
    ),
    Bonus.LAST_STREAK: gettext_lazy(
        "One player last three times running, and each time after that: one level less."
    ),
}
STRIKE_KINDS = {
    StrikeWhen.OWN_DEAL: gettext_lazy(
        "A deal declared at one's own A that does not pass is a failed attempt."
    ),
    StrikeWhen.ANY_DEAL: gettext_lazy("Every deal that a side at A does not pass is a failed attempt."),
}
FORMATS: dict[str, str | Promise] = {
    StageFormat.SWISS.value: pgettext_lazy("on the rule sheet", "Swiss system"),
    StageFormat.ROUND_ROBIN.value: pgettext_lazy("on the rule sheet", "Round robin"),
    StageFormat.KNOCKOUT.value: pgettext_lazy("on the rule sheet", "Knockout"),
}
GROUPINGS = {
    GroupMethod.DRAW: gettext_lazy("Groups are drawn by lot, departments spread evenly."),
    GroupMethod.SNAKE: gettext_lazy("Groups are filled in a snake by seeds, departments spread evenly."),
    GroupMethod.NUMBERS: gettext_lazy("Groups go by team number, in turn; with two groups odd and even."),
    GroupMethod.GIVEN: gettext_lazy("Groups are set by the organiser."),
}
SCHEDULES = {
    ScheduleKind.ROUNDS: gettext_lazy("Played round after round in the hall."),
    ScheduleKind.SELF: gettext_lazy("Teams find their own time for each match."),
}
BRACKETS = {
    BracketOrder.NUMBERS: gettext_lazy("By team number: 1 meets 2, 3 meets 4; neighbouring winners meet."),
    BracketOrder.DRAW: gettext_lazy("One draw by lot makes the whole bracket."),
    BracketOrder.REDRAWN: gettext_lazy("The winners are drawn anew for every round."),
    BracketOrder.SEEDED: gettext_lazy(
        "By seeds: the first meets the last, the strongest meet as late as possible."
    ),
}
BYES = {
    Byes.BEST: gettext_lazy("Where the field fills no full bracket, the best entries have a bye in round 1."),
    Byes.LAST: gettext_lazy("Where the field fills no full bracket, the last entries have a bye in round 1."),
    Byes.EACH_ROUND: gettext_lazy("In each round with an odd number the last team has the bye."),
}
PLAYED_OUT = {
    PlayedOut.TWO_THIRDS: gettext_lazy(
        "There is no match for third place: both losing semi-finalists are third."
    ),
    PlayedOut.THIRD_PLACE: gettext_lazy("The losers of the semi-finals play for third place."),
    PlayedOut.TO_EIGHT: gettext_lazy("All places to the eighth are played out."),
    PlayedOut.FINAL_GROUP: gettext_lazy("The last three teams meet each other in a final group."),
}
WITHDRAWALS = {
    "keep": gettext_lazy("When a team withdraws, its results stand."),
    "annul": gettext_lazy("When a team withdraws, all its results of the stage are annulled."),
    "no_place": gettext_lazy("A team that withdraws gets no final place; results against it stand."),
}
TRIBUTE_RETURNS = {
    TributeReturn.NINE: gettext_lazy("A card of at most 9 is given back for a tribute."),
    TributeReturn.TEN: gettext_lazy("A card of at most 10 is given back for a tribute."),
    TributeReturn.JACK: gettext_lazy("A card of at most J is given back for a tribute."),
    TributeReturn.ANY: gettext_lazy("Any card may be given back for a tribute."),
}
FIRST_DEALS = {
    FirstDeal.DRAW: gettext_lazy("Who leads the first deal is decided by turning a card."),
    FirstDeal.HOME: gettext_lazy("The home side shuffles and leads the first deal."),
    FirstDeal.AWAY: gettext_lazy("The away side shuffles and leads the first deal."),
}
SIGNALS = {
    Signals.MATCH_LOST: gettext_lazy("Signals and talk: a warning, then the match is lost."),
    Signals.DISQUALIFIED: gettext_lazy("Signals and talk: a warning, then the team is disqualified."),
}
PLAYER_CHANGES = {
    PlayerChange.FORFEIT: gettext_lazy("Players are not changed: whoever does so forfeits the match."),
    PlayerChange.ROSTER: gettext_lazy("Players may change between matches, within the roster only."),
}
SIGNATURES = {
    Signatures.BOTH: gettext_lazy("Both sides sign the result slip; what is signed is final."),
    Signatures.WINNER: gettext_lazy("The winner brings the signed result slip to the referees."),
}
PARTNERS = {
    Partners.NUMBERS: gettext_lazy("Players without a partner draw numbers: equal numbers play together."),
    Partners.MIXED: gettext_lazy("Mixed partners: men and women draw apart, equal numbers play together."),
}
PARTNERS_FROM = {
    PartnersFrom.ANY: gettext_lazy("Partners may come from any department."),
    PartnersFrom.SAME: gettext_lazy("Partners come from one department."),
    PartnersFrom.DIFFERENT: gettext_lazy("Partners come from different departments."),
}
ROUND_NAMES = {
    "first": pgettext_lazy("round of a knockout", "first round"),
    "third_place": pgettext_lazy("round of a knockout", "match for third place"),
    "2": pgettext_lazy("round of a knockout", "final"),
    "4": pgettext_lazy("round of a knockout", "semi-finals"),
    "8": pgettext_lazy("round of a knockout", "quarter-finals"),
    "places_5_to_8": pgettext_lazy("round of a knockout", "matches for places 5 to 8"),
}

CONFIRMED_BY = {
    ConfirmedBy.OFFICIAL: gettext_lazy(
        "A result stands once a second official has entered the same from the slip."
    ),
    ConfirmedBy.PHONES: gettext_lazy(
        "A result stands once both teams have confirmed it on their table’s phone page."
    ),
    ConfirmedBy.EITHER: gettext_lazy(
        "A result stands once a second official has entered the same from the slip, or both teams have "
        "confirmed it on their table’s phone page."
    ),
}
