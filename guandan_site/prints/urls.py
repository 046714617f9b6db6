"""Addresses of the sheets."""

from django.urls import URLPattern, path, register_converter

from guandan_site.prints import check_in, departments, formats, penalties, prize_views, versions, views


class DrawSheetName:
    """One of a round's sheets."""

    regex = "draw-by-table|draw-by-number|slips|cards"

    def to_python(self, value: str) -> str:
        """As it is."""
        return value

    to_url = to_python


class CheckInOrder:
    """How a check-in sheet is ordered."""

    regex = "by_number|by_department"

    def to_python(self, value: str) -> str:
        """As it is."""
        return value

    to_url = to_python


register_converter(DrawSheetName, "draw_sheet")
register_converter(CheckInOrder, "check_in_order")
PRINTS = "e/<slug:slug>/desk/prints/"
ROUND = f"{PRINTS}s<int:stage>/r<int:number>/"

urlpatterns: list[URLPattern] = [
    path(PRINTS, views.prints, name="prints"),
    path(f"{PRINTS}roster.pdf", views.roster_pdf, name="roster_pdf"),
    path(f"{PRINTS}partners.pdf", views.partners_pdf, name="partners_pdf"),
    path(f"{PRINTS}check-in-<check_in_order:order>.pdf", check_in.check_in_pdf, name="check_in_pdf"),
    path(f"{PRINTS}team-cards.pdf", check_in.team_cards_pdf, name="team_cards_pdf"),
    path(f"{PRINTS}penalties.pdf", penalties.penalties_pdf, name="penalties_pdf"),
    path(f"{PRINTS}rules.pdf", views.rule_sheet_pdf, name="rule_sheet_pdf"),
    path(f"{PRINTS}departments.pdf", views.roster_by_department_pdf, name="roster_by_department_pdf"),
    path("e/<slug:slug>/desk/prizes/", prize_views.prizes, name="prizes"),
    path("e/<slug:slug>/desk/prizes/tie/", prize_views.prize_tie, name="prize_tie"),
    path(f"{PRINTS}prizes.pdf", prize_views.prizes_pdf, name="prizes_pdf"),
    path(f"{PRINTS}prizes.xlsx", prize_views.prizes_xlsx, name="prizes_xlsx"),
    path(f"{PRINTS}certificates.pdf", prize_views.certificates_pdf, name="certificates_pdf"),
    path(f"{ROUND}<draw_sheet:sheet>.pdf", views.draw_pdf, name="draw_pdf"),
    path(f"{ROUND}v<int:version>/<draw_sheet:sheet>.pdf", versions.draw_version_pdf, name="draw_version_pdf"),
    path(f"{ROUND}draw.xlsx", views.draw_xlsx, name="draw_xlsx"),
    path(f"{ROUND}standings.pdf", views.standings_pdf, name="standings_pdf"),
    path(f"{ROUND}standings.xlsx", views.standings_xlsx, name="standings_xlsx"),
    path(f"{PRINTS}s<int:stage>/bracket.pdf", formats.bracket_pdf, name="bracket_pdf"),
    path(f"{PRINTS}s<int:stage>/cross-table.pdf", formats.cross_table_pdf, name="cross_table_pdf"),
    path(f"{PRINTS}s<int:stage>/cross-table.xlsx", formats.cross_table_xlsx, name="cross_table_xlsx"),
    path(f"{PRINTS}department-ranking.pdf", departments.departments_pdf, name="departments_pdf"),
    path(f"{PRINTS}department-ranking.xlsx", departments.departments_xlsx, name="departments_xlsx"),
    path(f"{PRINTS}s<int:stage>/final.pdf", views.final_pdf, name="final_pdf"),
    path(f"{PRINTS}s<int:stage>/final.xlsx", views.final_xlsx, name="final_xlsx"),
]
