"""Tables of the sums of results: standings, rivals, achievements."""

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import UtcDateTime, metadata, partial_index, person

# The sums of each person's results on a server: of all time, in each month and in each quarter; by rule system, by
# the server's own rule sets, and over all. Updated with every result, so that nothing has to be added up for a read.
# The name and the time are those of the latest match of any kind. The columns from `rated` on are filled only in the
# rows over all rule systems.
standings: Final = sa.Table(
    "standings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("period", sa.Text, primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("preset", sa.Text, primary_key=True),  # the rule system or a set's key, "" for all
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
    sa.Column("rate", sa.BigInteger, nullable=False),  # see bot.club.store.standing.rate_of
    # see bot.club.store.standing.record_of
    sa.Column("top_points", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("top_escobas", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("season_points", sa.Integer, nullable=False),
    sa.Column("rated", sa.Integer, nullable=False),  # the number of matches that have changed the rating
    # The rating after the latest of them, and the time when that ended; None before the first.
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("rated_at", UtcDateTime),
    sa.Column("rating", sa.Double),  # see bot.club.store.standing.Standing.rating
    sa.Column("sources", sa.Text),  # the points of all time by the item they came from, as JSON
    sqlite_with_rowid=False,
)
# One index per order of a leaderboard: a page is read from its first row on, and ranks are counted without reading
# rows. That is why each index also holds the number of matches, by which the lists are filtered.
for _columns in (
    ("wins", "rate", "points"),
    ("rate", "wins", "points"),
    ("points", "wins", "rate"),
    ("escobas", "wins", "rate", "points"),
    ("season_points", "wins", "rate", "points"),
):
    partial_index(
        f"ix_standings_by_{_columns[0]}",
        standings.c.guild_id,
        standings.c.period,
        standings.c.preset,
        *(standings.c[name].desc() for name in _columns),
        standings.c.user_id,
        standings.c.matches,
        where="matches > 0",
    )
partial_index(
    "ix_standings_by_rating",
    standings.c.guild_id,
    standings.c.period,
    standings.c.preset,
    standings.c.rating.desc(),
    standings.c.user_id,
    standings.c.rated_at,
    where="rating IS NOT NULL",
)

# Meetings of any two people in matches that count, and their wins: updated with every result.
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

# What people's ratings have gained from each other, net, by the UTC day (2026-03-14) on which the matches ended: the
# latest days, updated with every rated match. `source_id` is 0 for all who hadn't met enough people: see
# bot.club.rules.gains.
rating_gains: Final = sa.Table(
    "rating_gains",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("source_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("amount", sa.Integer, nullable=False),  # thousandths of a point
    sqlite_with_rowid=False,
)

# People's achievements on a server: each achievement once, with the result that first earned it.
achievements: Final = sa.Table(
    "achievements",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("achievement", sa.Text, primary_key=True),
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), nullable=False, index=True),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# The roles that came with a podium, and whom the bot hasn't taken them from since.
given_roles: Final = sa.Table(
    "given_roles",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("role_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, person(), primary_key=True, autoincrement=False, index=True),
    sqlite_with_rowid=False,
)

# What the limits on ratings need to know of people who have erased their data, from the latest days alone. Nobody's id
# is in it: a mark is a pseudonym (see bot.platform.database.pseudonyms), also that of the others in their matches.
# Whom somebody met on a day, and what their rating gained from them: a rival of 0 stands for all strangers.
marked_rivals: Final = sa.Table(
    "marked_rivals",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("mark", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("rival", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("gained", sa.Integer, nullable=False),  # thousandths of a point
    sqlite_with_rowid=False,
)
# The number of matches of the same people on a day, by the pseudonym of all of them together.
marked_matches: Final = sa.Table(
    "marked_matches",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("people", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("mark", sa.BigInteger, primary_key=True, autoincrement=False),  # of the one who erased their data
    sa.Column("matches", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
# The rating that somebody had when they erased their data.
marked_ratings: Final = sa.Table(
    "marked_ratings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("mark", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("rated_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
