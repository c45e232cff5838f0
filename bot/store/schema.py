"""The tables as they are now. `migrations/` holds how they came about; a test keeps the two equal."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(sa.TypeDecorator[datetime]):
    """A timestamp: takes aware datetimes only, stores UTC, returns aware ones (SQLite knows no time zones)."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else as_utc(value)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def as_utc(moment: datetime) -> datetime:
    """A timestamp as it is stored. ValueError for one without a time zone."""
    if moment.tzinfo is None:
        raise ValueError("the store takes aware datetimes only")
    return moment.astimezone(UTC)


def _person() -> sa.ForeignKey:
    """A column's reference to the row of a user, with which its own row is deleted."""
    return sa.ForeignKey("people.user_id", ondelete="CASCADE")


# SQLite numbers rows itself only if the column's type is INTEGER.
_row_id: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

games: Final = sa.Table(
    "games",
    metadata,
    sa.Column("id", _row_id, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("opener_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", UtcDateTime, nullable=False),
    sa.Column("closed_at", UtcDateTime),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("message_at", UtcDateTime),
    # Buttons of old messages name games by id, so no id may be reused.
    sqlite_autoincrement=True,
)
sa.Index(
    "uq_games_open_channel",
    games.c.channel_id,
    unique=True,
    sqlite_where=games.c.closed_at.is_(None),
    postgresql_where=games.c.closed_at.is_(None),
)

# A game's version is that of its newest entry. The primary key gives the next one to only one of two writers.
events: Final = sa.Table(
    "events",
    metadata,
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
    sqlite_with_rowid=False,
)

# The people named in a game's log, so that a person's data is found without reading every log.
participants: Final = sa.Table(
    "participants",
    metadata,
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sqlite_with_rowid=False,
)

results: Final = sa.Table(
    "results",
    metadata,
    sa.Column("id", _row_id, primary_key=True),
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the log, when the match ended
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("ended_at", UtcDateTime, nullable=False),
    sa.Column("preset", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("seating", sa.Text, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.Column("luck", sa.Text),  # what the cards and what the play brought each side, once that is known
    sa.UniqueConstraint("game_id", "version"),  # a match's result is written once
    sqlite_autoincrement=True,
)

# guild_id, ended_at and ranked repeat the match's, so that standings are counted from this table alone.
result_players: Final = sa.Table(
    "result_players",
    metadata,
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("escobas", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("ended_at", UtcDateTime, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.UniqueConstraint("result_id", "user_id"),  # computers, without a user_id, may be several
    sa.Index(None, "guild_id", "user_id", "ended_at"),
)

# What the review of a user's decisions in a match came to: one row per match and user. `accuracy` is the score; in rows
# without `given_away`, which were written before there was one, it is something else.
reviews: Final = sa.Table(
    "reviews",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), primary_key=True, index=True),
    sa.Column("accuracy", sa.Integer, nullable=False),  # in thousandths
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Column("given_away", sa.Integer),  # in thousandths of a point
    sa.Column("rounds", sa.Integer),
    sqlite_with_rowid=False,
)

# What each person's results on a server add up to, of all time and in each month: changed with every result, so that
# nothing has to be added up when it is read. The name and the time are of the latest match, practice included.
standings: Final = sa.Table(
    "standings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("period", sa.Text, primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("wins", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("escobas", sa.Integer, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("streak", sa.Integer, nullable=False),
    sa.Column("best_streak", sa.Integer, nullable=False),
    sa.Column("practice_matches", sa.Integer, nullable=False),
    sa.Column("practice_wins", sa.Integer, nullable=False),
    sa.Column("last_at", UtcDateTime, nullable=False),
    sa.Column("last_result_id", sa.BigInteger, nullable=False),
    sa.Column("rate", sa.BigInteger, nullable=False),  # see bot.store.standings.standing.rate_of
    # see bot.store.standings.standing.record_of
    sa.Column("top_points", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("top_escobas", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sqlite_with_rowid=False,
)
# One per order of a leaderboard: a page is read where it begins, and ranks are counted without reading the rows. For
# that each holds the number of matches, too, by which the lists are filtered.
for _columns in (
    ("wins", "rate", "points"),
    ("rate", "wins", "points"),
    ("points", "wins", "rate"),
    ("escobas", "wins", "rate", "points"),
):
    sa.Index(
        f"ix_standings_by_{_columns[0]}",
        standings.c.guild_id,
        standings.c.period,
        *(standings.c[name].desc() for name in _columns),
        standings.c.user_id,
        standings.c.matches,
        sqlite_where=sa.text("matches > 0"),
        postgresql_where=sa.text("matches > 0"),
    )

# How often each two people have met in matches that count, and who won: changed with every result.
rivals: Final = sa.Table(
    "rivals",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("rival_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("wins", sa.Integer, nullable=False),
    sa.Column("losses", sa.Integer, nullable=False),  # the rival's wins
    sqlite_with_rowid=False,
)
sa.Index("ix_rivals_by_matches", rivals.c.guild_id, rivals.c.user_id, rivals.c.matches.desc(), rivals.c.rival_id)

# Users' preferences. Users without any have no row, unless other rows hang on theirs: they go when it goes, so that
# erasing a user needs to know of none of them.
people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choices", sa.Text, nullable=False),
)

# The day's positions, by UTC date (2026-03-14), each an exercise as text, with its solution: found once, days ahead.
day_positions: Final = sa.Table(
    "day_positions",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("exercise", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

# Each user's one answer to a day's position. `counted`: it was given on that day, or else in catching up.
day_answers: Final = sa.Table(
    "day_answers",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("user_id", sa.BigInteger, _person(), primary_key=True, autoincrement=False, index=True),
    sa.Column("guild_id", sa.BigInteger),  # where it was given; None once that server's data is deleted
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("move", sa.Text, nullable=False),  # in the engine's notation
    sa.Column("lost", sa.Integer, nullable=False),  # in thousandths of a point; 0 if it was as good as the best
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Index(None, "guild_id", "day"),
    sqlite_with_rowid=False,
)

# The servers that have the day's position in a channel, and its latest message there. `stopped`: why no more come.
day_channels: Final = sa.Table(
    "day_channels",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),  # of UTC
    sa.Column("locale", sa.Text, nullable=False),  # of whoever chose the channel, for a server without a language
    sa.Column("message_id", sa.BigInteger),
    sa.Column("day", sa.Text),  # of the latest message
    sa.Column("unused", sa.Integer, nullable=False),  # how many messages in a row nobody has clicked
    sa.Column("stopped", sa.Text),
)

# Positions that a user decided wrongly, to be put before them again. `source` says where from, so that none is twice.
practice_positions: Final = sa.Table(
    "practice_positions",
    metadata,
    sa.Column("user_id", sa.BigInteger, _person(), primary_key=True, autoincrement=False),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("exercise", sa.Text, nullable=False),
    sa.Column("theme", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),  # how often it has been solved since
    sa.Column("due_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# How far a user is in each lesson; `state` is what the step needs to go on, if anything.
lessons: Final = sa.Table(
    "lessons",
    metadata,
    sa.Column("user_id", sa.BigInteger, _person(), primary_key=True, autoincrement=False),
    sa.Column("lesson", sa.Text, primary_key=True),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("state", sa.Text),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# The servers that the bot has left, and when: their data is dropped some time later.
departures: Final = sa.Table(
    "departures",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("left_at", UtcDateTime, nullable=False),
)

# The servers that are missing: the bot no longer sees them, though Discord hasn't told it that it left them.
missing_guilds: Final = sa.Table(
    "missing_guilds",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("since", UtcDateTime, nullable=False),
)

# Values of the bot itself, such as the hash of the commands it registered last.
key_values: Final = sa.Table(
    "key_values",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
