"""Addresses of this app's pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
