"""The first tables: see `bot/store/schema` for what they hold.

They are spelled out again here because that module changes with later steps, and this step doesn't.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import CreateIndex, CreateTable, SchemaItem

revision = "0001"
down_revision = branch_labels = depends_on = None

tables = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
moment = sa.DateTime(timezone=True)


def table(name: str, *parts: SchemaItem, **options: Any) -> None:
    sa.Table(name, tables, *parts, **options)


def numbered(name: str, *parts: SchemaItem) -> None:
    """A table whose rows the database numbers; no number is given twice."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    table(name, sa.Column("id", number, primary_key=True), *parts, sqlite_autoincrement=True)


def keyed(name: str, *parts: SchemaItem) -> None:
    """A table that SQLite keeps in the order of its primary key."""
    table(name, *parts, sqlite_with_rowid=False)


def key(name: str, kind: Any, of: str | None = None, *, gone_with: bool = False, index: bool = False) -> sa.Column[Any]:
    """A column of the primary key. `of`: the column it refers to; `gone_with`: its row is deleted with that one's."""
    refers = [] if of is None else [sa.ForeignKey(of, ondelete="CASCADE" if gone_with else None)]
    return sa.Column(name, kind, *refers, primary_key=True, autoincrement=False, index=index)


def index(name: str | None, columns: str, *, where: str | None = None, unique: bool = False) -> sa.Index:
    """An index on columns, of the rows for which a condition is true."""
    condition = None if where is None else sa.text(where)
    parts = [sa.text(column) if " " in column else column for column in columns.split(", ")]
    return sa.Index(name, *parts, unique=unique, sqlite_where=condition, postgresql_where=condition)


# ---------------------------------------------------------------------- games

numbered(
    "games",
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("opener_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", moment, nullable=False),
    sa.Column("closed_at", moment),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("message_at", moment),
    sa.Column("tournament_id", sa.BigInteger),
    sa.Column("fixture", sa.Text),
    sa.Column("broken_off", sa.Boolean, nullable=False, server_default=sa.false()),
    index("uq_games_open_channel", "channel_id", where="closed_at IS NULL", unique=True),
    index("uq_games_open_alone", "opener_id", where="closed_at IS NULL AND channel_id IS NULL", unique=True),
    index("uq_games_fixture", "tournament_id, fixture", where="tournament_id IS NOT NULL", unique=True),
    index("ix_games_broken_off", "guild_id, id", where="broken_off"),
)
keyed(
    "events",
    key("game_id", sa.BigInteger, "games.id"),
    key("version", sa.Integer),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", moment, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
)
keyed(
    "deals",
    key("game_id", sa.BigInteger, "games.id", gone_with=True),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("posted", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("dealt", sa.Integer, nullable=False, server_default=sa.text("0")),
)
keyed(
    "participants",
    key("game_id", sa.BigInteger, "games.id"),
    key("user_id", sa.BigInteger, index=True),
)
numbered(
    "results",
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("ended_at", moment, nullable=False),
    sa.Column("preset", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("seating", sa.Text, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.Column("luck", sa.Text),
    sa.Column("friendly", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("weight", sa.Double),
    sa.Column("nth", sa.Integer),
    sa.Column("rule_set", sa.BigInteger),
    sa.UniqueConstraint("game_id", "version"),
)
table(
    "result_players",
    key("result_id", sa.BigInteger, "results.id"),
    key("seat", sa.Integer),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("escobas", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("ended_at", moment, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.Column("place", sa.Integer),
    sa.Column("sources", sa.Text),
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("new_mu", sa.Double),
    sa.Column("new_sigma", sa.Double),
    sa.Column("stayed", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("weight", sa.Double),
    sa.Column("known", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.UniqueConstraint("result_id", "user_id"),
    index(None, "guild_id, user_id, ended_at"),
    index("ix_result_players_rated", "guild_id, user_id, ended_at, result_id", where="new_mu IS NOT NULL"),
)
keyed(
    "reviews",
    key("user_id", sa.BigInteger),
    key("result_id", sa.BigInteger, "results.id", index=True),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("given_away", sa.Integer, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("at", moment, nullable=False),
)

# ---------------------------------------------------------------------- people

table("people", key("user_id", sa.BigInteger), sa.Column("choices", sa.Text, nullable=False))
keyed(
    "day_positions",
    key("day", sa.Text),
    sa.Column("exercise", sa.Text, nullable=False),
)
keyed(
    "day_answers",
    key("day", sa.Text),
    key("user_id", sa.BigInteger, "people.user_id", gone_with=True, index=True),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("move", sa.Text, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("at", moment, nullable=False),
    index(None, "guild_id, day"),
)
table(
    "day_channels",
    key("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("day", sa.Text),
    sa.Column("unused", sa.Integer, nullable=False),
    sa.Column("stopped", sa.Text),
)
keyed(
    "practice_positions",
    key("user_id", sa.BigInteger, "people.user_id", gone_with=True),
    key("source", sa.Text),
    sa.Column("exercise", sa.Text, nullable=False),
    sa.Column("theme", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("due_at", moment, nullable=False),
)
keyed(
    "lessons",
    key("user_id", sa.BigInteger, "people.user_id", gone_with=True),
    key("lesson", sa.Text),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("state", sa.Text),
    sa.Column("at", moment, nullable=False),
)

# ---------------------------------------------------------------------- what results add up to


def order(columns: str, *, where: str) -> sa.Index:
    """The index of a leaderboard."""
    return index(f"ix_standings_by_{columns.partition(' ')[0]}", f"guild_id, period, preset, {columns}", where=where)


keyed(
    "standings",
    key("guild_id", sa.BigInteger),
    key("period", sa.Text),
    key("user_id", sa.BigInteger, index=True),
    key("preset", sa.Text),
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
    sa.Column("last_at", moment, nullable=False),
    sa.Column("last_result_id", sa.BigInteger, nullable=False),
    sa.Column("rate", sa.BigInteger, nullable=False),
    sa.Column("top_points", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("top_escobas", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("season_points", sa.Integer, nullable=False),
    sa.Column("rated", sa.Integer, nullable=False),
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("rated_at", moment),
    sa.Column("rating", sa.Double),
    sa.Column("sources", sa.Text),
    order("rating DESC, user_id, rated_at", where="rating IS NOT NULL"),
    order("wins DESC, rate DESC, points DESC, user_id, matches", where="matches > 0"),
    order("rate DESC, wins DESC, points DESC, user_id, matches", where="matches > 0"),
    order("points DESC, wins DESC, rate DESC, user_id, matches", where="matches > 0"),
    order("escobas DESC, wins DESC, rate DESC, points DESC, user_id, matches", where="matches > 0"),
    order("season_points DESC, wins DESC, rate DESC, points DESC, user_id, matches", where="matches > 0"),
)
keyed(
    "rivals",
    key("guild_id", sa.BigInteger),
    key("user_id", sa.BigInteger),
    key("rival_id", sa.BigInteger),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("wins", sa.Integer, nullable=False),
    sa.Column("losses", sa.Integer, nullable=False),
    index("ix_rivals_by_matches", "guild_id, user_id, matches DESC, rival_id"),
)
keyed(
    "rating_gains",
    key("guild_id", sa.BigInteger),
    key("user_id", sa.BigInteger),
    key("source_id", sa.BigInteger),
    key("day", sa.Text),
    sa.Column("amount", sa.Integer, nullable=False),
)
keyed(
    "achievements",
    key("guild_id", sa.BigInteger),
    key("user_id", sa.BigInteger, index=True),
    key("achievement", sa.Text),
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), nullable=False, index=True),
    sa.Column("at", moment, nullable=False),
)

# ---------------------------------------------------------------------- tournaments

numbered(
    "tournaments",
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("organiser_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", moment, nullable=False),
    sa.Column("closed_at", moment),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("event_id", sa.BigInteger),
    sa.Column("repeats", sa.Boolean, nullable=False, server_default=sa.false()),
    index("uq_tournaments_open_channel", "channel_id", where="closed_at IS NULL", unique=True),
)
keyed(
    "tournament_events",
    key("tournament_id", sa.BigInteger, "tournaments.id"),
    key("version", sa.Integer),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", moment, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
)
keyed(
    "tournament_people",
    key("tournament_id", sa.BigInteger, "tournaments.id"),
    key("user_id", sa.BigInteger, index=True),
)

# ---------------------------------------------------------------------- servers, and the bot itself

table("departures", key("guild_id", sa.BigInteger), sa.Column("left_at", moment, nullable=False))
table("missing_guilds", key("guild_id", sa.BigInteger), sa.Column("since", moment, nullable=False))
numbered(
    "rule_sets",
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("config", sa.Text, nullable=False),
    sa.Column("saved_by", sa.BigInteger, sa.ForeignKey("people.user_id", ondelete="SET NULL"), index=True),
    sa.Column("saved_at", moment, nullable=False),
    sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
)
table("key_values", key("key", sa.Text), sa.Column("value", sa.Text, nullable=False))


def upgrade() -> None:
    """Create everything, and in Alembic's own table the column that `bot/store/migrations/upgrade.py` needs."""
    op.add_column("escoba_version", sa.Column("works_for", sa.Text))
    for made in tables.sorted_tables:
        op.execute(CreateTable(made))
        for each in sorted(made.indexes, key=lambda each: str(each.name)):
            op.execute(CreateIndex(each))
