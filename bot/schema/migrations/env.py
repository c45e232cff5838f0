"""Run by Alembic for every command, on the connection, and in the transaction, that it was given."""

from alembic import context

from bot.platform.database.before_release import VERSION_TABLE
from bot.schema import SCHEMA

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    target_metadata=SCHEMA.metadata,  # names the constraints of later steps
)
with context.begin_transaction():
    context.run_migrations()
