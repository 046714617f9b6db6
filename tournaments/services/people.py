"""Creating users and changing what they may do; the role decides who enters the back room."""

from __future__ import annotations

from axes.utils import reset as forget_wrong_passwords
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction

from tournaments.log import Act, actor_name, record_act
from tournaments.roles import ADMINISTRATOR
from tournaments.selectors.people import administrators, role_of


class UsernameTaken(Exception):
    """Another user has this account name."""


class LastAdministrator(Exception):
    """The change would leave nobody who can set up events and users."""


def create_user(*, username: str, full_name: str, password: str, role: str, by: User | None) -> User:
    """A new user who can sign in at once; without `by` the person made the account. Raises UsernameTaken."""
    try:
        with transaction.atomic():
            user = User.objects.create_user(username, password=password, first_name=full_name)
            _set_role(user, role)
            new = {"username": username, "full_name": full_name, "role": role}
            record_act(event=None, act=Act.USER_CREATED, by=by or user, subject=actor_name(user), new=new)
            return user
    except IntegrityError as error:
        raise UsernameTaken from error


@transaction.atomic
def change_user(
    *, user: User, full_name: str, role: str, is_active: bool, by: User | None, password: str = ""
) -> User:
    """New name, role or access, and a new password unless it is empty; what was before ends at once.

    With a new password the account may sign in at once, however often a wrong one was typed before.
    Raises LastAdministrator. A superuser keeps being an administrator, whatever role is asked for.
    """
    # Locking the administrators' rows keeps two of them from demoting each other at the same moment.
    remaining = set(administrators().select_for_update().values_list("pk", flat=True)) - {user.pk}
    user = User.objects.get(pk=user.pk)
    old = {"full_name": user.get_full_name(), "role": role_of(user), "is_active": user.is_active}
    user.first_name, user.last_name, user.is_active = full_name, "", is_active
    if password:
        user.set_password(password)
        forget_wrong_passwords(username=user.username)
    user.save()
    _set_role(user, role)
    new = {"full_name": full_name, "role": role_of(user), "is_active": is_active}
    if not remaining and not (new["role"] == ADMINISTRATOR and is_active):
        raise LastAdministrator
    _record_change(user, old, new, by, has_new_password=bool(password))
    return user


def _set_role(user: User, role: str) -> None:
    user.groups.set(Group.objects.filter(name=role))
    user.is_staff = user.is_superuser or role == ADMINISTRATOR
    user.save(update_fields=["is_staff"])


def _record_change(
    user: User, old: dict[str, object], new: dict[str, object], by: User | None, *, has_new_password: bool
) -> None:
    changed = [name for name in new if old[name] != new[name]]
    before, after = {name: old[name] for name in changed}, {name: new[name] for name in changed}
    if has_new_password:
        after["password"] = True
    if after:
        record_act(event=None, act=Act.USER_CHANGED, by=by, subject=actor_name(user), old=before, new=after)
