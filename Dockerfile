# 头游 as a server: `docker compose up` (compose.yaml) brings PostgreSQL with it.
FROM python:3.11-slim-bookworm
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
      libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-noto-cjk gettext \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.lock .
RUN pip install --no-cache-dir -r requirements.lock
COPY . .
RUN python manage.py compilemessages -v0 && python manage.py collectstatic --noinput -v0 \
    && rm -f data/secret_key && useradd --create-home touyou && chown -R touyou data
USER touyou
EXPOSE 8000
CMD ["sh", "-c", "python manage.py migrate -v0 && exec gunicorn guandan_site.wsgi --workers ${WORKERS:-4} --bind 0.0.0.0:8000 --timeout 60"]
