"""Addresses of emergency packs and of the emergency card."""

from django.urls import URLPattern, path

from guandan_site.packs import views

PRINTS = "e/<slug:slug>/desk/prints/"
VERSION = f"{PRINTS}packs/s<int:stage>/r<int:number>/v<int:version>"

urlpatterns: list[URLPattern] = [
    path(f"{VERSION}.pdf", views.pack_pdf, name="pack_pdf"),
    path(f"{VERSION}.zip", views.pack_zip, name="pack_zip"),
    path(f"{PRINTS}emergency-card.pdf", views.emergency_card, name="emergency_card"),
    path("backup/emergency-card.pdf", views.installation_card, name="installation_card"),
]
