"""The WSGI entry point that gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "guandan_site.settings")
application = get_wsgi_application()
# Django loads the views with a process's first request; that visitor would wait a second or two for them.
get_resolver().url_patterns  # noqa: B018
# A page of 200 teams makes tens of thousands of objects and drops them all: collecting garbage in the middle
# of it cost a fifth of the time. What was loaded until here stays for good and is never looked through again.
gc.collect()
gc.freeze()
gc.set_threshold(100_000, 20, 100)
