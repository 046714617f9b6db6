"""Moments as an event file writes them."""

from datetime import datetime

from django.utils import timezone


def moment(text: str) -> datetime:
    """A moment as written; one without an offset is the venue's time."""
    written = datetime.fromisoformat(text)
    return timezone.make_aware(written) if timezone.is_naive(written) else written


def optional_moment(text: str | None) -> datetime | None:
    """The same, or nothing."""
    return moment(text) if text else None
