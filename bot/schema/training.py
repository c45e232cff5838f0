"""Tables for learning: the day's positions, practice, lessons, and reviews of how people played."""

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import UtcDateTime, metadata, person

# The day's positions, by UTC date (2026-03-14), each an exercise as text, with its solution: found once, days ahead.
day_positions: Final = sa.Table(
    "day_positions",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("exercise", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

# Each user's one answer to a day's position. `counted`: it was given on that day rather than later to catch up.
day_answers: Final = sa.Table(
    "day_answers",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("user_id", sa.BigInteger, person(), primary_key=True, autoincrement=False, index=True),
    sa.Column("guild_id", sa.BigInteger),  # the server where it was given; None once that server's data is deleted
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("move", sa.Text, nullable=False),  # in the engine's notation
    sa.Column("lost", sa.Integer, nullable=False),  # in thousandths of a point; 0 if it was as good as the best
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Index(None, "guild_id", "day"),
    sqlite_with_rowid=False,
)

# The servers with a channel for the day's position, and its latest message there. `stopped`: why there are no more.
day_channels: Final = sa.Table(
    "day_channels",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),  # in UTC
    sa.Column("locale", sa.Text, nullable=False),  # that of the person who chose the channel, for a server without one
    sa.Column("message_id", sa.BigInteger),
    sa.Column("day", sa.Text),  # of the latest message
    sa.Column("unused", sa.Integer, nullable=False),  # the latest messages in a row that nobody has clicked
    sa.Column("stopped", sa.Text),
)

# Positions in which a user chose wrongly, to be asked again. `source` says where each is from, so that none is kept
# twice.
practice_positions: Final = sa.Table(
    "practice_positions",
    metadata,
    sa.Column("user_id", sa.BigInteger, person(), primary_key=True, autoincrement=False),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("exercise", sa.Text, nullable=False),
    sa.Column("theme", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),  # the times it has been solved since
    sa.Column("due_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# A user's progress in each lesson; `state` is what the next step needs to continue, if anything.
lessons: Final = sa.Table(
    "lessons",
    metadata,
    sa.Column("user_id", sa.BigInteger, person(), primary_key=True, autoincrement=False),
    sa.Column("lesson", sa.Text, primary_key=True),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("state", sa.Text),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# The outcome of the review of a user's decisions in a match: one row per match and user.
reviews: Final = sa.Table(
    "reviews",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), primary_key=True, index=True),
    sa.Column("score", sa.Integer, nullable=False),  # in thousandths
    sa.Column("given_away", sa.Integer, nullable=False),  # in thousandths of a point
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
