"""Addresses of this app's pages."""

from django.urls import URLPattern, path

from tournaments.views import (
    clock,
    events,
    history,
    imports,
    lineups,
    people,
    prizes,
    rosters,
    singles,
    snapshots,
)

urlpatterns: list[URLPattern] = [
    path("", events.home, name="home"),
    path("events/new/", events.event_create, name="event_create"),
    path("events/presets/<int:pk>/remove/", events.preset_remove, name="preset_remove"),
    path("users/", people.users, name="users"),
    path("users/new/", people.user_create, name="user_create"),
    path("users/<int:pk>/", people.user_edit, name="user_edit"),
    path("e/<slug:slug>/desk/settings/", events.event_settings, name="event_settings"),
    path("e/<slug:slug>/desk/settings/prizes/", prizes.prizes_edit, name="prizes_edit"),
    path("e/<slug:slug>/desk/officials/", events.officials, name="officials"),
    path("e/<slug:slug>/desk/log/", history.log, name="log"),
    path("e/<slug:slug>/partners/", singles.partners, name="partners"),
    path("e/<slug:slug>/desk/singles/", singles.singles, name="singles"),
    path("e/<slug:slug>/desk/singles/import/", singles.singles_import, name="singles_import"),
    path("e/<slug:slug>/desk/singles/draw/", singles.partners_draw, name="partners_draw"),
    path("e/<slug:slug>/desk/singles/draw/<int:pk>/undo/", singles.partners_undo, name="partners_undo"),
    path("e/<slug:slug>/desk/singles/<int:pk>/remove/", singles.single_remove, name="single_remove"),
    path("e/<slug:slug>/desk/lineups/", lineups.lineups, name="lineups"),
    path("e/<slug:slug>/desk/lineups/<int:stage>/<int:round>/", lineups.lineups, name="lineups_of"),
    path("e/<slug:slug>/desk/roster/", rosters.roster, name="roster"),
    path("e/<slug:slug>/desk/roster/import/", imports.roster_import, name="roster_import"),
    path("e/<slug:slug>/desk/roster/template.xlsx", rosters.roster_template, name="roster_template"),
    path("e/<slug:slug>/desk/roster/export.xlsx", rosters.roster_export, name="roster_export"),
    path("e/<slug:slug>/desk/roster/add/", rosters.team_add, name="team_add"),
    path("e/<slug:slug>/desk/teams/<int:number>/", rosters.team_edit, name="team_edit"),
    path("e/<slug:slug>/desk/teams/<int:number>/remove/", rosters.team_remove, name="team_remove"),
    path("e/<slug:slug>/clock.json", clock.clock_json, name="clock_json"),
    path("e/<slug:slug>/desk/clock/", clock.clock, name="clock"),
    path("e/<slug:slug>/desk/clock/<slug:act>/", clock.clock_act, name="clock_act"),
    path("e/<slug:slug>/desk/snapshots/", snapshots.snapshots, name="snapshots"),
    path(
        "e/<slug:slug>/desk/snapshots/<int:pk>/restore/", snapshots.snapshot_restore, name="snapshot_restore"
    ),
]
