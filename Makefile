# 头游. `make run` and `make test` each do everything on a fresh Debian machine, alone.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
WORKERS ?= 4
TEST_WORKERS ?= 2

# Debian packages: what the sheets need (Pango, a Chinese font, the fast subsetter), msgfmt for the translations,
# and for the tests Chromium, PostgreSQL and pdftotext.
RUN_PACKAGES := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-noto-cjk gettext
TEST_PACKAGES := chromium postgresql poppler-utils

.PHONY: run serve password test soak check format clean
.DELETE_ON_ERROR:

run: .venv/run.stamp ## the demo event on http://127.0.0.1:$(PORT)
	@$(MAKE) --no-print-directory prepare
	@$(BIN)/python manage.py load_demo
	@echo; echo "  头游: http://127.0.0.1:$(PORT)/   (Ctrl+C to stop)"; echo
	@$(MAKE) --no-print-directory start

serve: .venv/run.stamp ## the server alone, for a real event
	@$(MAKE) --no-print-directory prepare start

.PHONY: prepare start
prepare:
	@$(BIN)/python manage.py migrate -v0
	@$(BIN)/python manage.py collectstatic --noinput -v0
start:
	@$(BIN)/gunicorn guandan_site.wsgi --workers $(WORKERS) --bind 0.0.0.0:$(PORT) --timeout 60 --max-requests 20000 --max-requests-jitter 2000

password: .venv/run.stamp ## a new password where nobody can give one: make password ACCOUNT=name
	@$(BIN)/python manage.py new_password $(ACCOUNT)

test: .venv/test.stamp ## all tests but the slow proofs
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile

soak: .venv/test.stamp ## the slow proofs: fuzz, kill loops, load
	$(BIN)/python -m pytest -m soak -v -s

check: .venv/test.stamp ## formatter, linter, types, contracts, templates, migrations, deployment
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .
	$(BIN)/lint-imports > .venv/lint-imports.log || (cat .venv/lint-imports.log; exit 1)
	git ls-files -z -- '*.html' | xargs -0 $(BIN)/djade --target-version 5.2 --check
	$(BIN)/mypy guandan_site pairing scoring tournaments
	$(BIN)/python manage.py makemigrations --check --dry-run -v0
	PROFILE=server SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') ALLOWED_HOSTS=example.org $(BIN)/python manage.py check --deploy --fail-level WARNING -v0
	$(BIN)/python manage.py check --deploy --fail-level WARNING -v0

format: .venv/test.stamp ## writes what `make check` wants
	$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	git ls-files -z -- '*.html' | xargs -0 $(BIN)/djade --target-version 5.2

clean: ## throws away the virtual environment, never the data
	rm -rf .venv

.venv/run.stamp: requirements.lock $(wildcard locale/*/LC_MESSAGES/django.po) | .venv/bin/python
	@.ci/packages $(RUN_PACKAGES)
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	@$(BIN)/python manage.py compilemessages -v0 --ignore .venv
	@touch $@

.venv/test.stamp: .venv/run.stamp requirements-dev.lock
	@.ci/packages $(TEST_PACKAGES)
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || .ci/packages python3-venv
	$(PYTHON) -m venv .venv
