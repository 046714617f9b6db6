"""The log is written once: the database itself refuses to change or remove an entry."""

from django.db import migrations

TABLE = "tournaments_logentry"
SQLITE = """
CREATE TRIGGER log_keeps_{act} BEFORE {act} ON {table}
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END
"""
POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_log_change() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'the log is append-only'; END $$ LANGUAGE plpgsql
"""
POSTGRESQL = """
CREATE TRIGGER log_keeps_{act} BEFORE {act} ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_log_change()
"""


def refuse_changes(apps, schema_editor):
    on_postgresql = schema_editor.connection.vendor == "postgresql"
    if on_postgresql:
        schema_editor.execute(POSTGRESQL_FUNCTION)
    for act in ("UPDATE", "DELETE"):
        schema_editor.execute((POSTGRESQL if on_postgresql else SQLITE).format(act=act, table=TABLE))


def allow_changes(apps, schema_editor):
    for act in ("UPDATE", "DELETE"):
        place = f" ON {TABLE}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS log_keeps_{act}{place}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunPython(refuse_changes, allow_changes)]
