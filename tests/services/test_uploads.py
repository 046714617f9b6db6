"""Kept uploads when two assistants import at the same time."""

from __future__ import annotations

import pytest

from tournaments.uploads import keep_upload, kept_upload


@pytest.fixture
def uploads(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "uploads"
    folder.mkdir()
    return folder


def test_a_file_that_another_upload_forgot_a_moment_ago_is_no_obstacle(event, assistant, uploads):
    """A name in the folder behind which there is nothing any more: so it looks when both clear up at once."""
    (uploads / ("0" * 32)).symlink_to(uploads / "gone")
    upload = keep_upload(event=event, user=assistant, filename="list.csv", data=b"1")
    kept = kept_upload(upload.handle, event=event, user=assistant)
    assert kept is not None
    assert kept.data == b"1"
