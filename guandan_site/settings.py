"""The one settings module: the environment decides (README, "Settings").

Two profiles: ``hall`` (default) serves plain http on the venue's network from one laptop;
``server`` expects https in front of it, and SECRET_KEY, ALLOWED_HOSTS and CSRF_TRUSTED_ORIGINS in the
environment.
"""

import secrets
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "data")))
DATA_DIR.mkdir(parents=True, exist_ok=True)

PROFILE = env.str("PROFILE", default="hall")
if PROFILE not in {"hall", "server"}:
    raise ImproperlyConfigured("PROFILE must be 'hall' or 'server'")
ON_SERVER = PROFILE == "server"
DEBUG = env.bool("DEBUG", default=False)


def _hall_secret_key() -> str:
    """The laptop's own key, made once and kept beside its database, so nobody has to invent one."""
    path = DATA_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


SECRET_KEY = env.str("SECRET_KEY") if ON_SERVER else env.str("SECRET_KEY", default="") or _hall_secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS") if ON_SERVER else env.list("ALLOWED_HOSTS", default=["*"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "guandan_site",
    "pairing",
    "scoring",
    "tournaments",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "import_export",
    "template_partials",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "guandan_site.middleware.TextTravelsCompressed",
    "csp.middleware.CSPMiddleware",
    "guandan_site.middleware.backups_by_themselves",
    "guandan_site.middleware.packs_by_themselves",
    "guandan_site.middleware.language_from_cookie",
    "guandan_site.middleware.public_page_cache",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "guandan_site.middleware.no_store_when_signed_in",
    "guandan_site.middleware.officials_seen",
    "guandan_site.middleware.archived_events_are_only_read",
    "guandan_site.middleware.acts_lead_to_their_page",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "guandan_site.urls"
WSGI_APPLICATION = "guandan_site.wsgi.application"

FORM_RENDERER = "tournaments.focus.Renderer"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "tournaments.templatetags.guandan",
                "guandan_site.templatetags.guide",
                "django.templatetags.i18n",
                "django.templatetags.static",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "guandan_site.context.site",
            ],
        },
    },
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'touyou.sqlite3'}")}
DATABASES["default"]["ATOMIC_REQUESTS"] = False
# A new connection costs more than a cached page, on SQLite too.
DATABASES["default"]["CONN_MAX_AGE"] = 60
DATABASES["default"].setdefault("OPTIONS", {})
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: a writer waits its turn instead of failing with "database is locked";
    # WAL lets phones read while results are saved; FULL survives a power cut.
    DATABASES["default"]["OPTIONS"] |= {
        "transaction_mode": env.str("SQLITE_TRANSACTION_MODE", default="IMMEDIATE"),
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] |= {"options": "-c lock_timeout=5s -c statement_timeout=30s"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "tournaments.passwords.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# What a table's phone may ask a minute is counted here: the usual 300 entries would forget a large hall.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# One account at one address: a whole hall shares an address, and one mistyped name must not lock out others.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "registration/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False

SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if ON_SERVER:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
else:
    # What plain http on the hall's network cannot have.
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.str("TIME_ZONE", default="Asia/Shanghai")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("guide", BASE_DIR / "docs" / "images")]
STATIC_ROOT = DATA_DIR / "static"
# Hashed names let phones keep the style sheet for good and still see the next version at once.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
# A process may turn it off for itself; where copies go is chosen in the browser.
BACKUPS_BY_THEMSELVES = env.bool("BACKUPS_BY_THEMSELVES", default=True)
PACKS_BY_THEMSELVES = env.bool("PACKS_BY_THEMSELVES", default=True)
FIXTURES_DIR = BASE_DIR / "fixtures"

DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
ROSTER_MAX_BYTES = 5 * 1024 * 1024
IMPORT_EXPORT_ESCAPE_FORMULAE_ON_EXPORT = True
IMPORT_EXPORT_USE_TRANSACTIONS = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
