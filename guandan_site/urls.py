"""All addresses: each app brings its own, by the page's name."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path
from django.views.decorators.http import require_http_methods

from guandan_site import views

login = require_http_methods(["GET", "HEAD", "POST"])(
    auth_views.LoginView.as_view(redirect_authenticated_user=True)
)

handler400 = views.bad_request

urlpatterns = [
    path("admin/", admin.site.urls),
    path("login/", login, name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("language/<slug:code>/", views.language, name="language"),
    path("", include("guandan_site.prints.urls")),
    path("", include("guandan_site.packs.urls")),
    path("", include("guandan_site.across.urls")),
    path("", include("guandan_site.backups.urls")),
    path("", include("guandan_site.rehearsal.urls")),
    path("", include("guandan_site.help.urls")),
    path("", include("pairing.urls")),
    path("", include("scoring.urls")),
    path("", include("tournaments.urls")),
]
