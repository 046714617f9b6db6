"""The WSGI entry point that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "guandan_site.settings")
application = get_wsgi_application()
# Django loads the views with a process's first request; that visitor would wait a second or two for them.
get_resolver().url_patterns  # noqa: B018
