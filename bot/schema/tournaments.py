"""Tournaments with their logs."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import UtcDateTime, metadata, partial_index, row_id

# Tournaments, each with a log like a game's, and its public message.
tournaments: Final = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", row_id, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("organiser_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", UtcDateTime, nullable=False),
    sa.Column("closed_at", UtcDateTime),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("event_id", sa.BigInteger),  # its scheduled event on Discord, if it has one
    # whether it is over, and the one of the week after is yet to be opened
    sa.Column("repeats", sa.Boolean, nullable=False, server_default=sa.false()),
    sqlite_autoincrement=True,
)
partial_index(
    "uq_tournaments_open_channel",
    tournaments.c.channel_id,
    unique=True,
    where="closed_at IS NULL",
)
tournament_events: Final = sa.Table(
    "tournament_events",
    metadata,
    sa.Column("tournament_id", sa.BigInteger, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
    sqlite_with_rowid=False,
)
# The people named in a tournament's log, so that a person's data is found without reading every log.
tournament_people: Final = sa.Table(
    "tournament_people",
    metadata,
    sa.Column("tournament_id", sa.BigInteger, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sqlite_with_rowid=False,
)
