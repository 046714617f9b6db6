"""Files that leave through the browser, under a Chinese name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from tournaments.workbooks import Sheet, write_workbook

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_NOT_IN_FILE_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')


def file_response(
    content: bytes, content_type: str, name: str, extension: str, *, download: bool
) -> HttpResponse:
    """The file called `<name>.<extension>` (RFC 5987 keeps Chinese), shown in the browser or downloaded."""
    response = HttpResponse(content, content_type=content_type)
    safe = _NOT_IN_FILE_NAMES.sub("_", name).strip(" .") or "file"
    disposition = content_disposition_header(download, f"{safe}.{extension}")
    response["Content-Disposition"] = disposition or "inline"
    return response


def workbook_response(sheets: Sequence[Sheet], name: str) -> HttpResponse:
    """Sheets as an .xlsx to download."""
    return file_response(write_workbook(sheets), XLSX, name, "xlsx", download=True)
