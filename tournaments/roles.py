"""The three roles as Django groups, and who may do what (the table of rights)."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

MANAGE = "tournaments.manage_event"
DIRECT = "tournaments.direct_play"
CORRECT = "tournaments.correct_results"
ASSIST = "tournaments.assist_play"
READ_LOG = "tournaments.read_log"

ADMINISTRATOR = "管理员"
CHIEF = "主裁判"
ASSISTANT = "裁判助理"
ROLE_NAMES: dict[str, str | Promise] = {
    ADMINISTRATOR: pgettext_lazy("role", "administrator"),
    CHIEF: pgettext_lazy("role", "chief referee"),
    ASSISTANT: pgettext_lazy("role", "assistant referee"),
}
"""The groups in the reader's language."""

RIGHTS = {
    ASSISTANT: [ASSIST],
    CHIEF: [ASSIST, DIRECT, CORRECT, READ_LOG],
    ADMINISTRATOR: [ASSIST, DIRECT, CORRECT, READ_LOG, MANAGE],
}


def ensure_roles(**_kwargs: Any) -> None:
    """Makes the three groups and gives them their permissions; runs after every migration."""
    # Django makes permissions in the same signal, for this app perhaps only after this function.
    create_permissions(apps.get_app_config("tournaments"), verbosity=0)
    for name, rights in RIGHTS.items():
        group, _created = Group.objects.get_or_create(name=name)
        codenames = [right.split(".")[1] for right in rights]
        own = Permission.objects.filter(content_type__app_label="tournaments", codename__in=codenames)
        extra = _back_room_permissions() if name == ADMINISTRATOR else Permission.objects.none()
        group.permissions.set([*own, *extra])


def _back_room_permissions() -> Any:
    """What an administrator may touch in Django's admin: the roster, never results or the log."""
    roster = Permission.objects.filter(
        content_type__app_label="tournaments", content_type__model__in=["department", "team", "player"]
    )
    return roster | Permission.objects.filter(
        content_type__app_label="tournaments", codename__in=["view_event", "view_logentry"]
    )
