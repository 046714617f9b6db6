"""Addresses of this app's pages."""

from django.urls import URLPattern, path

from tournaments.views import clock, events, history, people, snapshots

urlpatterns: list[URLPattern] = [
    path("", events.home, name="home"),
    path("events/new/", events.event_create, name="event_create"),
    path("users/", people.users, name="users"),
    path("users/new/", people.user_create, name="user_create"),
    path("users/<int:pk>/", people.user_edit, name="user_edit"),
    path("e/<slug:slug>/desk/settings/", events.event_settings, name="event_settings"),
    path("e/<slug:slug>/desk/officials/", events.officials, name="officials"),
    path("e/<slug:slug>/desk/log/", history.log, name="log"),
    path("e/<slug:slug>/clock.json", clock.clock_json, name="clock_json"),
    path("e/<slug:slug>/desk/clock/", clock.clock, name="clock"),
    path("e/<slug:slug>/desk/clock/<slug:act>/", clock.clock_act, name="clock_act"),
    path("e/<slug:slug>/desk/snapshots/", snapshots.snapshots, name="snapshots"),
    path("e/<slug:slug>/desk/snapshots/<int:pk>/restore/", snapshots.snapshot_restore, name="snapshot_restore"),
]
