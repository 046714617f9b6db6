"""Addresses across events."""

from django.urls import URLPattern, path

from guandan_site.across import views

urlpatterns: list[URLPattern] = [
    path("past/", views.past, name="past_events"),
    path("past/departments/", views.department_table, name="department_table"),
    path("e/<slug:slug>/final/", views.final_ranking, name="final_ranking"),
    path("e/<slug:slug>/desk/settings/copy/", views.event_copy, name="event_copy"),
    path("e/<slug:slug>/desk/settings/archive/", views.event_archive, name="event_archive"),
]
