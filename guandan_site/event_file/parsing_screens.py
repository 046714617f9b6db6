"""The hall's projectors in an event file: their keys travel, so that they find the spare laptop."""

import re

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import Fields

KEY = re.compile(r"[-a-zA-Z0-9_]{8,40}")
"""What an address can hold; a shorter one could be guessed."""


def read_screens(top: Fields) -> tuple[doc.ScreenEntry, ...]:
    """The screens; each key and each name stands for one of them only."""
    entries = [(fields, _screen(fields)) for fields in top.objects("screens", ())]
    for attribute in ("key", "name"):
        seen: set[str] = set()
        for fields, entry in entries:
            value = getattr(entry, attribute)
            if value in seen:
                fields.note(attribute, Fault.DUPLICATE, value=value)
            seen.add(value)
    return tuple(entry for _, entry in entries)


def _screen(fields: Fields) -> doc.ScreenEntry:
    key = fields.text("key", longest=limits.LONGEST_SCREEN_NAME)
    if not KEY.fullmatch(key):
        fields.note("key", Fault.BAD_SLUG)
    return doc.ScreenEntry(
        name=fields.text("name", longest=limits.LONGEST_SCREEN_NAME),
        key=key,
        roles=_roles(fields),
        seconds=fields.whole("seconds", limits.PAGE_SECONDS, least=5, most=120),
        distance=fields.choice("distance", doc.Distance, doc.Distance.NEAR),
        notice=fields.text("notice", "", longest=limits.LONGEST_NOTICE, blank=True),
        extra=fields.extra(),
    )


def _roles(fields: Fields) -> tuple[str, ...]:
    roles = []
    for path, role in fields.items("roles"):
        if role not in list(doc.ScreenRole):
            known = [str(each) for each in doc.ScreenRole]
            fields.faults.note(path, Fault.UNKNOWN_VALUE, value=role, known=known)
        roles.append(str(role))
    if not roles:
        fields.note("roles", Fault.MISSING)
    return tuple(roles)
