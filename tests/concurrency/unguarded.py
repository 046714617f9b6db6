"""The program without its guards, for controls: every statement commits alone, no row is locked, whoever
saves last wins. A proof that still holds here proves nothing."""

from typing import Any

from django.db.models import QuerySet
from django.db.transaction import Atomic

from guandan_site.wsgi import application
from scoring import second_looks, services
from scoring.models import Result

__all__ = ["application"]


def _no_lock(rows: QuerySet[Any], *_arguments: Any, **_options: Any) -> QuerySet[Any]:
    return rows


def _overwrite(
    match: Any, completed: Any, _stored: Any, by: Any, version: int, confirmation: Any, **_more: Any
) -> Result:
    columns = services._columns(completed) | {
        "version": version,
        "entered_by": by,
        "confirmation": confirmation,
    }
    result, _created = Result.objects.update_or_create(match=match, defaults=columns)
    return result


def _confirm_whatever(
    event: Any, match: Any, stored: Result, how: Any, by: Any, _by_name: str = ""
) -> Result:
    columns = services.confirmation_columns(how, by)
    Result.objects.filter(pk=stored.pk).update(**columns, version=services.next_version(event, stored))
    return Result.objects.get(pk=stored.pk)


Atomic.__enter__ = lambda _self: None  # type: ignore[method-assign]
Atomic.__exit__ = lambda _self, *_error: None  # type: ignore[method-assign]
QuerySet.select_for_update = _no_lock  # type: ignore[method-assign]
services.write_result = _overwrite
second_looks.confirm = _confirm_whatever
