"""Addresses of this app's pages."""

from django.urls import URLPattern, path

from tournaments.views import events, history, people

urlpatterns: list[URLPattern] = [
    path("", events.home, name="home"),
    path("events/new/", events.event_create, name="event_create"),
    path("users/", people.users, name="users"),
    path("users/new/", people.user_create, name="user_create"),
    path("users/<int:pk>/", people.user_edit, name="user_edit"),
    path("e/<slug:slug>/desk/settings/", events.event_settings, name="event_settings"),
    path("e/<slug:slug>/desk/officials/", events.officials, name="officials"),
    path("e/<slug:slug>/desk/log/", history.log, name="log"),
]
