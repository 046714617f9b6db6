"""Where phones find this server: what the administrator set, else what the request and the machine know."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse

from tournaments.models import Event

ANYWHERE = ("192.0.2.1", 9)
"""An address of no machine: nothing is sent to it, it only makes the system choose its own one."""


def phones_address(request: HttpRequest, event: Event) -> str:
    """The event's page as a phone in the hall reaches it."""
    base = event.public_address.rstrip("/") or own_address(request)
    return base + reverse("event", args=[event.slug])


def reaches_phones(address: str) -> bool:
    """Whether a phone can follow the address: one of this very machine leads every phone to itself."""
    return not _is_this_machine(urlsplit(address).hostname or "localhost")


def own_address(request: HttpRequest) -> str:
    """The address that was asked; for a browser on this very machine the machine's own in the network."""
    host, _colon, port = request.get_host().partition(":")
    if _is_this_machine(host):
        host = _in_the_network() or host
    return f"{request.scheme}://{host}{_colon}{port}"


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_the_network() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANYWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])
