"""Addresses of this app's pages."""

from django.urls import path

from scoring.views import results

urlpatterns = [
    path("e/<slug:slug>/desk/results/", results.results_latest, name="results_latest"),
    path("e/<slug:slug>/desk/s<int:stage>/r<int:round>/results/", results.results, name="results"),
    path(
        "e/<slug:slug>/desk/s<int:stage>/r<int:round>/results/<int:table>/",
        results.result_save,
        name="result_save",
    ),
    path(
        "e/<slug:slug>/desk/s<int:stage>/r<int:round>/results/<int:table>/history/",
        results.result_history,
        name="result_history",
    ),
]
