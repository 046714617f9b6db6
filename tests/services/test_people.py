"""Users, their roles and the back room's door."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.builders import make_user
from tournaments.access import may
from tournaments.log import Act
from tournaments.models import LogEntry
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF, DIRECT
from tournaments.selectors.people import people, role_of
from tournaments.services.events import remove_official
from tournaments.services.people import LastAdministrator, UsernameTaken, change_user, create_user


def change(user: User, **changes) -> User:
    facts = {"full_name": "", "role": role_of(user), "is_active": True, "by": None} | changes
    return change_user(user=user, **facts)


def test_a_new_user_has_a_role_and_can_sign_in(client, administrator):
    user = create_user(
        username="li", full_name="小李", password="first-word", role=ASSISTANT, by=administrator
    )
    assert client.login(username="li", password="first-word")
    assert (role_of(user), user.is_staff, user.get_full_name()) == (ASSISTANT, False, "小李")
    entry = LogEntry.objects.get(act=Act.USER_CREATED)
    assert (entry.event, entry.subject) == (None, "小李")
    assert "first-word" not in str(entry.new)
    with pytest.raises(UsernameTaken):
        create_user(username="li", full_name="", password="other-word", role=CHIEF, by=None)


def test_the_back_room_opens_with_the_administrators_role_and_shuts_with_it(administrator):
    user = create_user(username="li", full_name="", password="first-word", role=ADMINISTRATOR, by=None)
    assert user.is_staff
    assert not change(user, role=CHIEF).is_staff
    assert change(user, role=ADMINISTRATOR).is_staff


def test_the_last_administrator_stays(administrator):
    for changes in ({"role": CHIEF}, {"is_active": False}):
        with pytest.raises(LastAdministrator):
            change(administrator, **changes)
    administrator.refresh_from_db()
    assert (administrator.is_active, role_of(administrator)) == (True, ADMINISTRATOR)
    User.objects.create_superuser("root", password="pw-root-1")
    assert role_of(change(administrator, role=CHIEF)) == CHIEF


def test_a_superuser_is_an_administrator(db):
    root = User.objects.create_superuser("root", password="pw-root-1")
    assert role_of(root) == ADMINISTRATOR
    assert change(root, role=ASSISTANT).is_staff


def test_a_new_password_opens_an_account_that_wrong_ones_have_locked(client, administrator, settings):
    settings.AXES_ENABLED = True
    user = create_user(username="li", full_name="小李", password="first-word", role=ASSISTANT, by=None)
    sign_in = {"username": "li", "password": "first-word"}
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        client.post("/login/", sign_in | {"password": "wrong"})
    assert client.post("/login/", sign_in).status_code == 429
    change(user, password="second-word", by=administrator)
    assert client.post("/login/", sign_in | {"password": "second-word"}).status_code == 302


def test_a_new_password_is_logged_without_its_letters(administrator, assistant):
    changed = change(assistant, password="secret-word", full_name="小李", by=administrator)
    assert changed.check_password("secret-word")
    entry = LogEntry.objects.get(act=Act.USER_CHANGED)
    assert (entry.old, entry.new) == ({"full_name": ""}, {"full_name": "小李", "password": True})


def test_rights_end_at_once(event, chief):
    assert may(chief, DIRECT, event)
    remove_official(event=event, user=chief, by=None)
    assert not may(User.objects.get(pk=chief.pk), DIRECT, event)


@pytest.mark.parametrize("users", [3, 30])
def test_the_list_takes_four_queries_at_any_size(users, event, django_assert_num_queries):
    for number in range(users):
        make_user(f"user{number}", CHIEF, event)
    with django_assert_num_queries(4):
        assert len(people()) == users
