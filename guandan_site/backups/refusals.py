"""Why nothing can be kept in a folder."""

from __future__ import annotations

import errno
from enum import StrEnum


class Refusal(StrEnum):
    """Why nothing can be kept in a folder."""

    MISSING = "missing"
    SERVED = "served"
    FULL = "full"
    READ_ONLY = "read_only"
    FORBIDDEN = "forbidden"
    BROKEN = "broken"


OF_ERROR = {
    errno.ENOENT: Refusal.MISSING,
    errno.ENOTDIR: Refusal.MISSING,
    errno.ENAMETOOLONG: Refusal.MISSING,
    errno.ELOOP: Refusal.MISSING,
    errno.ENOSPC: Refusal.FULL,
    errno.EDQUOT: Refusal.FULL,
    errno.EROFS: Refusal.READ_ONLY,
    errno.EACCES: Refusal.FORBIDDEN,
    errno.EPERM: Refusal.FORBIDDEN,
}


class FolderRefused(Exception):
    """The folder is not there, or nothing can be kept in it."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason

    @classmethod
    def by(cls, error: OSError) -> FolderRefused:
        """In our words what the system says."""
        return cls(OF_ERROR.get(error.errno or 0, Refusal.BROKEN))
