"""What the people in the hall do and what is watched while they do it."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Dialog, Error, Page, Request, Response

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
NO_FAULTS = (
    "Failed to load resource: the server responded with a status of 4",
    "Failed to load resource: net::ERR_INTERNET_DISCONNECTED",
    "htmx:afterRequest",
    "htmx:sendError",
)
"""What Chromium and htmx say of refusals, which a page shows itself, and of a network that a test took."""


class Watch:
    """Notes what no page may ever do: speak in the console, ask other servers, fail, open a dialog."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.origin = page, origin
        self.complaints: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("dialog", self._dialog)
        page.on("request", self._request)
        page.on("response", self._response)

    def _note(self, text: str) -> None:
        self.complaints.append(f"{self.page.url}: {text}")

    def _console(self, message: ConsoleMessage) -> None:
        if not message.text.startswith(NO_FAULTS):
            self._note(f"console {message.type}: {message.text}")

    def _error(self, error: Error) -> None:
        self._note(f"script: {error}")

    def _dialog(self, dialog: Dialog) -> None:
        self._note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:")):
            self._note(f"asks {request.url}")

    def _response(self, response: Response) -> None:
        is_missing = response.status == 404 and response.request.resource_type not in {"document", "fetch"}
        if response.status >= 500 or is_missing:
            self._note(f"answer {response.status} of {response.url}")


DESK = {"width": 1366, "height": 768}
PROJECTOR = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
PUBLIC = (
    "/",
    "/login/",
    "/e/demo/",
    "/e/demo/find/?q=王",
    "/e/demo/draw/",
    "/e/demo/s1/r3/draw/?by=number&q=王",
    "/e/demo/s1/r3/changes/",
    "/e/demo/s1/r3/why/1/",
    "/e/demo/s1/standings/?q=王",
    "/e/demo/teams/31/",
    "/e/demo/rules/",
    "/e/demo/departments/",
    "/e/bracket/",
    "/e/bracket/s1/cross-table/",
    "/e/bracket/s2/bracket/",
    "/e/bracket/s2/standings/",
    "/e/bracket/s2/r1/draw/",
    "/e/bracket/s1/standings/",
    "/e/bracket/rules/",
    "/e/final/s1/bracket/",
    "/e/empty/",
    "/e/empty/draw/",
    "/e/empty/screen/",
    "/e/demo/screen/",
    "/e/demo/screen/northwall23/",
    "/e/nowhere/",
    "/past/",
    "/past/departments/",
)
ASSISTANT = (
    "/",
    "/e/demo/desk/",
    "/e/demo/desk/s1/r3/results/",
    "/e/demo/desk/s1/r2/results/",
    "/e/demo/desk/prints/",
    "/e/demo/desk/s1/r3/results/7/sheet/",
    "/e/final/desk/s1/r2/results/",
    "/e/final/desk/s1/r2/results/2/sheet/",
    "/e/empty/desk/",
    "/e/empty/desk/roster/",
    "/e/demo/desk/clock/",
    "/e/arrivals/desk/check-in/",
    "/e/demo/desk/check-in/",
    "/e/demo/desk/check-in/5/",
    "/e/demo/desk/teams/5/replace/",
)
CHIEF = (
    "/e/demo/desk/screens/",
    "/e/demo/desk/screens/1/",
    "/e/demo/desk/",
    "/e/waiting/desk/",
    "/e/demo/desk/roster/",
    "/e/demo/desk/roster/import/",
    "/e/demo/desk/roster/add/",
    "/e/demo/desk/teams/5/",
    "/e/demo/desk/teams/5/withdraw/",
    "/e/demo/desk/draw/",
    "/e/demo/desk/s1/r3/versions/",
    "/e/demo/desk/tables/",
    "/e/demo/desk/draw/s1/r3/why/1/",
    "/e/draft/desk/draw/",
    "/e/draft/desk/draw/swap/?team=1&team=2",
    "/e/finished/desk/draw/",
    "/e/finished/desk/",
    "/e/demo/desk/clock/",
    "/e/demo/desk/s1/r2/results/?correct=3",
    "/e/demo/desk/s1/r3/results/1/history/",
    "/e/demo/desk/penalties/",
    "/e/phones/desk/s1/r1/check/",
    "/e/phones/desk/s1/r1/codes/",
    "/e/demo/desk/stages/",
    "/e/bracket/desk/stages/",
    "/e/bracket/desk/prizes/",
    "/e/bracket/desk/prints/",
    "/e/final/desk/draw/",
    "/e/final/desk/stages/",
    "/e/finished/desk/prizes/",
    "/e/finished/desk/prints/",
    "/e/demo/desk/log/",
)
ADMINISTRATOR = (
    "/",
    "/events/new/",
    "/users/",
    "/users/new/",
    "/users/1/",
    "/e/demo/desk/settings/",
    "/e/demo/desk/officials/",
    "/e/demo/desk/rules/",
    "/e/draft/desk/rules/",
    "/e/demo/desk/rules/discipline/",
    "/e/phones/desk/rules/confirmation/",
    "/e/demo/desk/settings/prizes/",
    "/events/plan/",
    "/events/plan/?teams=24&department=5&tables=10&starts=13:00&ends=18:00&minutes=45&pause=10",
    "/e/bracket/desk/rules/?stage=2",
    "/e/demo/desk/snapshots/",
    "/e/demo/desk/snapshots/1/restore/",
)
PAGES = {"": PUBLIC, "assistant": ASSISTANT, "chief": CHIEF, "administrator": ADMINISTRATOR}
"""The pages to look at, by who looks at them."""
GUIDE = ("/help/", "/help/day/", "/help/trouble/", "/help/network/")
"""Chapters with pictures, many sections and a wide table; they are written in Chinese alone."""
