"""Names that are hard to show: attacks, and names as long as the roster takes them."""

from __future__ import annotations

PAYLOADS = (
    "<img src=/x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<svg/onload=alert(3)>",
    "{{7*7}}${7*7}",
    '=HYPERLINK("http://x.test","赛")',
    '"><b onmouseover=alert(4)>',
    "' autofocus onfocus=alert(5) '",
    "javascript:alert(6)",
    "{% debug %}{{ settings }}",
    "</title></style><h1>标题</h1>",
    "&lt;b&gt;&amp;amp;&#39;",
    "<!--注释--><a href=//x.test>",
)
"""Twelve attacks, none longer than a player's name may be."""
EVENT_NAME = "决赛</title><svg onload=alert(3)>"

NAME = "阿依古丽·买买提明江·吐尔逊古丽·阿卜杜热西提汗·欧阳慕容"
LONG_NAMES = {number: (f"{NAME}{number % 10}", f"{NAME}甲") for number in range(3, 601, 7)}
"""Every seventh team has players with names of 30 characters."""
SCREEN_KEY = "northwall23"
"""In the address of the first screen of every event."""
