"""Addresses of a rehearsal."""

from django.urls import URLPattern, path

from guandan_site.rehearsal import views

urlpatterns: list[URLPattern] = [
    path("e/<slug:slug>/desk/rehearsal/", views.rehearsal, name="rehearsal"),
    path("e/<slug:slug>/desk/rehearsal/<slug:act>/", views.rehearsal_act, name="rehearsal_act"),
]
