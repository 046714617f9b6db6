"""Addresses of backups, the first start, and event files."""

from django.urls import URLPattern, path

from guandan_site.backups import views

urlpatterns: list[URLPattern] = [
    path("start/", views.start, name="start"),
    path("backup/", views.backups, name="backups"),
    path("backup/now/", views.backup_now, name="backup_now"),
    path("backup/download/", views.backup_download, name="backup_download"),
    path("events/import/", views.event_import, name="event_import"),
    path("e/<slug:slug>/desk/event.json", views.event_file, name="event_file"),
]
