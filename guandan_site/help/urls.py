"""Addresses of the guide."""

from django.urls import URLPattern, path

from guandan_site.help import views

urlpatterns: list[URLPattern] = [
    path("help/", views.front, name="help"),
    path("help/<slug:name>/", views.page, name="help_page"),
]
