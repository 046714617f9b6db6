"""The users' pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.builders import make_event, make_user
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF
from tournaments.selectors.people import role_of

NEW = {"username": "li", "full_name": "小李", "role": ASSISTANT, "password": "first-word"}


def test_create_a_user(client, administrator_client):
    assert administrator_client.post("/users/new/", NEW).status_code == 303
    user = User.objects.get(username="li")
    assert role_of(user) == ASSISTANT
    assert client.login(username="li", password="first-word")
    page = administrator_client.get("/users/").content.decode()
    assert "小李" in page
    assert "新建用户" in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"username": "ADMINISTRATOR"}, "这个账号已经有了"),
        ({"username": "a b"}, "id_username"),
        ({"password": "12345678"}, "数字"),
        ({"password": "short1"}, "太短了，至少要 8 个字符"),
        ({"username": "wangwei2", "password": "wangwei2"}, "相似"),
        ({"role": "皇帝"}, "皇帝"),
    ],
)
def test_refused_users_keep_what_was_typed(changes, message, administrator_client):
    response = administrator_client.post("/users/new/", {**NEW, "full_name": "留着的名字", **changes})
    assert response.status_code == 422
    assert message in response.content.decode()
    assert "留着的名字" in response.content.decode()
    assert User.objects.count() == 1


def test_change_role_password_and_access(client, administrator_client):
    user = make_user("li", ASSISTANT)
    client.force_login(user)
    address = f"/users/{user.pk}/"
    facts = {"full_name": "李老师", "role": CHIEF, "is_active": "on", "password": "second-word"}
    assert administrator_client.post(address, facts).status_code == 303
    user.refresh_from_db()
    assert (user.get_full_name(), role_of(user), user.check_password("second-word")) == (
        "李老师",
        CHIEF,
        True,
    )
    assert "退出" not in client.get("/").content.decode()
    del facts["is_active"]
    administrator_client.post(address, facts | {"password": ""})
    assert not client.login(username="li", password="second-word")


def test_an_own_new_password_keeps_the_session(administrator, administrator_client):
    facts = {"full_name": "", "role": ADMINISTRATOR, "is_active": "on", "password": "second-word"}
    administrator_client.post(f"/users/{administrator.pk}/", facts)
    assert administrator_client.get("/users/").status_code == 200


def test_the_last_administrator_stays(administrator, administrator_client):
    facts = {"full_name": "", "role": CHIEF, "is_active": "on", "password": ""}
    response = administrator_client.post(f"/users/{administrator.pk}/", facts)
    assert response.status_code == 422
    assert "最后一位管理员" in response.content.decode()
    assert role_of(User.objects.get(pk=administrator.pk)) == ADMINISTRATOR


def test_nobody_is_not_found(administrator_client):
    assert administrator_client.get("/users/999999/").status_code == 404


@pytest.mark.parametrize("users", [3, 30])
def test_the_list_takes_the_same_queries_at_any_size(
    users, event, administrator_client, django_assert_num_queries
):
    for number in range(users):
        make_user(f"user{number}", CHIEF, event)
    with django_assert_num_queries(9):
        administrator_client.get("/users/")


def test_only_the_newest_events_of_a_person_are_named(administrator_client):
    make_user("li", ASSISTANT, *(make_event(slug=f"cup{n}", teams=0) for n in range(1, 6)))
    page = administrator_client.get("/users/").content.decode()
    assert "cup5 掼蛋赛、cup4 掼蛋赛、cup3 掼蛋赛" in page
    assert "另有 2 项" in page
    assert "cup2 掼蛋赛" not in page


def test_names_are_never_code(administrator_client):
    user = make_user("li", CHIEF)
    User.objects.filter(pk=user.pk).update(first_name="<img src=x onerror=alert(1)>")
    for address in ("/users/", f"/users/{user.pk}/"):
        assert "<img src=x" not in administrator_client.get(address).content.decode()
