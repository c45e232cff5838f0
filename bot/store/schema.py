"""The tables as they are now; `migrations/` holds how they came to be so, and a test keeps the two equal."""

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
    """A moment: takes aware datetimes only, keeps UTC, gives aware ones back (SQLite knows no zones)."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Turn into UTC; ValueError for a datetime without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("the store takes aware datetimes only")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Give the zone back that SQLite dropped."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# SQLite numbers rows by itself only in a column that is called INTEGER.
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
    # Buttons of old messages name games by id: an id is never given out twice.
    sqlite_autoincrement=True,
)
sa.Index(
    "uq_games_open_channel",
    games.c.channel_id,
    unique=True,
    sqlite_where=games.c.closed_at.is_(None),
    postgresql_where=games.c.closed_at.is_(None),
)

# A game's version is that of its newest entry. The primary key lets only one of two writers have the next.
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

# Who is named in a game's log. A person's data is found by it, without reading every log.
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
    sa.UniqueConstraint("game_id", "version"),  # a match's result is written once
    sqlite_autoincrement=True,
)

# guild_id, ended_at and ranked repeat the match's: a leaderboard then reads this table and nothing else.
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

# How right a user's decisions were in a match that they have looked back at: once a match and user.
reviews: Final = sa.Table(
    "reviews",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), primary_key=True, index=True),
    sa.Column("accuracy", sa.Integer, nullable=False),  # in thousandths
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# What each person's results on a server add up to, in all time and in each month: changed with every result, so that
# nothing has to be added up when it is looked at. Whatever else is kept by period and person joins as a column; a
# season would be a period of its own. The name and the time are of the latest match, in practice too.
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
    sa.Column("rate", sa.BigInteger, nullable=False),  # see bot.store.standing_rows.rate_of
    sa.Column("rated", sa.Boolean, nullable=False),  # whether the matches are enough for the list by rate
    sqlite_with_rowid=False,
)
# One for each order of a list: a page is read where it begins.
for _metric, _then, _listed in (
    ("wins", ("rate", "points"), "matches > 0"),
    ("rate", ("wins", "points"), "rated"),
    ("points", ("wins", "rate"), "matches > 0"),
    ("escobas", ("wins", "rate", "points"), "matches > 0"),
):
    sa.Index(
        f"ix_standings_by_{_metric}",
        standings.c.guild_id,
        standings.c.period,
        *(standings.c[name].desc() for name in (_metric, *_then)),
        standings.c.user_id,
        sqlite_where=sa.text(f"{_listed} = 1" if _listed == "rated" else _listed),
        postgresql_where=sa.text(_listed),
    )

# How many of a list's people have a value, counted in buckets as wide as 2 to the power of `shift`. A place is the sum
# of a few hundred buckets at most, however many people there are: see bot.store.standing_counts.
standing_counts: Final = sa.Table(
    "standing_counts",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("period", sa.Text, primary_key=True),
    sa.Column("metric", sa.Text, primary_key=True),
    sa.Column("shift", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("bucket", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("people", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)

# What users have chosen for themselves, by their ids; who has chosen nothing has no row.
people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choices", sa.Text, nullable=False),
)

# The servers that the bot is no longer in, since when: what is kept of them is dropped some time later.
departures: Final = sa.Table(
    "departures",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("left_at", UtcDateTime, nullable=False),
)

# Small values of the bot itself, such as the hash of the commands it registered last.
key_values: Final = sa.Table(
    "key_values",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
