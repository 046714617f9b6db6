"""QR codes of addresses: lines for a screen, a picture for paper."""

from __future__ import annotations

import io
from functools import lru_cache

import segno

BORDER = 2
"""Light modules round a code; the paper or card beside it is light too."""


def qr_svg(address: str) -> str:
    """The code as an SVG that takes the size its class is given."""
    svg: str = _code(address).svg_inline(border=BORDER, omitsize=True, svgclass="qr", lineclass=None)
    return svg


@lru_cache(maxsize=1024)
def qr_png(address: str) -> bytes:
    """The code as a PNG of one pixel a module; slips and cards of a table share it."""
    png = io.BytesIO()
    _code(address).save(png, kind="png", border=BORDER)
    return png.getvalue()


def _code(address: str) -> segno.QRCode:
    """Level M: a smudge on a slip does no harm."""
    return segno.make(address, error="m", micro=False)
