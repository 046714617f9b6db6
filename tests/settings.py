"""The product's settings with a fast password hasher and without hashed static names."""

import os

os.environ.setdefault("DEBUG", "1")
from guandan_site.settings import *  # noqa: F403

DEBUG = False
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 (WhiteNoise warns where it is missing)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AXES_ENABLED = False
BACKUPS_BY_THEMSELVES = env.bool("BACKUPS_BY_THEMSELVES", default=False)  # noqa: F405
PACKS_BY_THEMSELVES = False
# Whose first page it is in a process would change the number of its queries; its own test puts it back.
MIDDLEWARE.remove("guandan_site.middleware.officials_seen")  # noqa: F405
