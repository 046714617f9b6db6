"""An event as it was before anything was played, for the next time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from guandan_site.event_file.document import EventDocument, EventHead, StageEntry, TeamEntry
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.storing import store_event
from pairing.beginnings import entry_rules
from pairing.models import Screen
from tournaments.log import Act, record_act
from tournaments.models import Event, Official

SCREEN_FIELDS = ("name", "roles", "seconds", "distance")


@dataclass(frozen=True)
class NewHead:
    """What a copy is called and when it is played."""

    name: str
    slug: str
    starts_at: datetime | None
    is_public: bool


def fresh_copy(document: EventDocument, head: NewHead, *, with_teams: bool) -> EventDocument:
    """The event's settings, rules, prizes and departments under a new name; nothing that was played or drawn.

    With the teams come their numbers, players and remarks, and nobody has withdrawn.
    """
    return EventDocument(
        event=_head(document.event, head),
        departments=document.departments,
        teams=tuple(_team(team) for team in document.teams) if with_teams else (),
        stages=tuple(_stage(stage, with_teams=with_teams) for stage in document.stages),
        extra=document.extra,
    )


def _head(event: EventHead, head: NewHead) -> EventHead:
    return replace(
        event,
        name=head.name,
        slug=head.slug,
        starts_at=head.starts_at.isoformat() if head.starts_at else None,
        is_public=head.is_public,
        is_rehearsal=False,
        archived_at=None,
        broken_tables=(),
        prize_ties=(),
    )


def _team(team: TeamEntry) -> TeamEntry:
    return TeamEntry(
        id=team.id,
        number=team.number,
        players=team.players,
        department=team.department,
        name=team.name,
        session=team.session,
        remark=team.remark,
    )


def _stage(stage: StageEntry, *, with_teams: bool) -> StageEntry:
    is_given = with_teams and not entry_rules(stage.rules).sources
    return StageEntry(
        id=stage.id,
        name=stage.name,
        format=stage.format,
        rounds_planned=stage.rounds_planned,
        teams=stage.teams if is_given else None,
        rules=_without_meetings(stage),
        first_table=stage.first_table,
        last_table=stage.last_table,
    )


def _without_meetings(stage: StageEntry) -> dict[str, object]:
    """The rules without the meetings that were set or forbidden by hand for certain teams."""
    rules = dict(stage.rules)
    pairing = rules.get("pairing")
    if isinstance(pairing, dict):
        rules["pairing"] = {
            key: value for key, value in pairing.items() if key not in {"forced", "forbidden"}
        }
    return rules


@transaction.atomic
def copy_event(
    *, event: Event, head: NewHead, with_teams: bool, by: User, act: Act = Act.EVENT_COPIED
) -> Event:
    """A new event like this one, with its officials and projectors. Raises EventExists."""
    copied = store_event(fresh_copy(document_of(event), head, with_teams=with_teams), author=by)
    Official.objects.bulk_create(
        Official(event=copied, user_id=user) for user in event.officials.values_list("user_id", flat=True)
    )
    Screen.objects.bulk_create(
        Screen(event=copied, **screen) for screen in event.screens.order_by("pk").values(*SCREEN_FIELDS)
    )
    record_act(event=copied, act=act, by=by, subject=event.name, new={"teams": with_teams})
    copied.refresh_from_db()
    return copied
