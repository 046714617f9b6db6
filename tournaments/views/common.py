"""What several views of this app need."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest


def signed_in_user(request: HttpRequest) -> User:
    """The official behind a request that a permission decorator let in."""
    return cast(User, request.user)
