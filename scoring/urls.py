"""Addresses of this app's pages."""

from django.urls import path

from scoring.views import (
    appeals,
    checks,
    confirmation,
    departments,
    group_results,
    penalties,
    results,
    standings,
    table_codes,
    table_phone,
    table_sheet,
)

ROUND = "e/<slug:slug>/desk/s<int:stage>/r<int:round>/"
RESULTS = f"{ROUND}results/"
CHECKS = f"{ROUND}check/"

GROUP_RESULTS = "e/<slug:slug>/desk/s<int:stage>/g<int:group>/results/"

urlpatterns = [
    path(GROUP_RESULTS, group_results.group_results, name="group_results"),
    path(f"{GROUP_RESULTS}<int:table>/", group_results.group_result_save, name="group_result_save"),
    path(f"{GROUP_RESULTS}<int:table>/<slug:page>/", group_results.group_table, name="group_table"),
    path("e/<slug:slug>/desk/results/", results.results_latest, name="results_latest"),
    path(RESULTS, results.results, name="results"),
    path(f"{RESULTS}<int:table>/", results.result_save, name="result_save"),
    path(f"{RESULTS}<int:table>/history/", results.result_history, name="result_history"),
    path(f"{RESULTS}<int:table>/sheet/", table_sheet.table_sheet, name="table_sheet"),
    path(f"{RESULTS}<int:table>/sheet/<slug:act>/", table_sheet.table_sheet_act, name="table_sheet_act"),
    path(CHECKS, checks.result_checks, name="result_checks"),
    path(f"{CHECKS}<int:table>/", checks.result_check, name="result_check"),
    path(f"{CHECKS}<int:table>/decide/", checks.dispute_decide, name="dispute_decide"),
    path("e/<slug:slug>/desk/rules/confirmation/", confirmation.confirmation_edit, name="confirmation_edit"),
    path(f"{ROUND}codes/", table_codes.table_codes, name="table_codes"),
    path("t/<slug:token>/", table_phone.table_phone, name="table_phone"),
    path("t/<slug:token>/<slug:act>/", table_phone.table_phone_act, name="table_phone_act"),
    path("e/<slug:slug>/desk/calls/<int:pk>/", checks.call_answer, name="call_answer"),
    path("e/<slug:slug>/desk/penalties/", penalties.penalties, name="penalties"),
    path("e/<slug:slug>/desk/penalties/give/", penalties.penalty_give, name="penalty_give"),
    path("e/<slug:slug>/desk/penalties/<int:pk>/cancel/", penalties.penalty_cancel, name="penalty_cancel"),
    path(
        "e/<slug:slug>/desk/penalties/points/<int:pk>/cancel/",
        penalties.adjustment_remove,
        name="adjustment_remove",
    ),
    path("e/<slug:slug>/desk/appeals/", appeals.appeals, name="appeals"),
    path("e/<slug:slug>/desk/appeals/<int:pk>/decide/", appeals.appeal_decide, name="appeal_decide"),
    path("e/<slug:slug>/desk/standings/", standings.standings_latest, name="standings_latest"),
    path("e/<slug:slug>/s<int:stage>/standings/", standings.standings, name="standings"),
    path("e/<slug:slug>/s<int:stage>/standings/r<int:round>/", standings.standings, name="standings_after"),
    path("e/<slug:slug>/departments/", departments.department_standings, name="department_standings"),
]
