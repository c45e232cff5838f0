"""What people learn from: the day's positions and their answers, positions to practise, lessons; and a match's luck.

A person's rows refer to theirs in `people`, so that an older bot that erases somebody erases these, too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
works_for = "0009"


def upgrade() -> None:
    """Create the tables, and add the column, which is empty for earlier matches."""
    op.add_column("results", sa.Column("luck", sa.Text(), nullable=True))
    op.create_table(
        "day_positions",
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("exercise", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_day_positions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "day_answers",
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _person("day_answers"),
        sa.PrimaryKeyConstraint("day", "user_id", name=op.f("pk_day_answers")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_day_answers_user_id"), "day_answers", ["user_id"])
    op.create_index(op.f("ix_day_answers_guild_id_day"), "day_answers", ["guild_id", "day"])
    op.create_table(
        "day_channels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("unused", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_day_channels")),
    )
    op.create_table(
        "practice_positions",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("exercise", sa.Text(), nullable=False),
        sa.Column("theme", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        _person("practice_positions"),
        sa.PrimaryKeyConstraint("user_id", "source", name=op.f("pk_practice_positions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _person("lessons"),
        sa.PrimaryKeyConstraint("user_id", "lesson", name=op.f("pk_lessons")),
        sqlite_with_rowid=False,
    )


def _person(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["user_id"], ["people.user_id"], name=op.f(f"fk_{table}_user_id_people"), ondelete="CASCADE"
    )
