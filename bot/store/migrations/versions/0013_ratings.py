"""Ratings and seasons: standings by quarter and by rule system, and everybody's rating.

The rows are filled from the results, except ratings, seasons' points and where points came from: the data for those is
stored only from now on. As in 0005, a run is the matches from one lost match to the next, without the latter.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# Over all rule systems and by each: the two have different runs, which are added up to months, quarters and all time.
_RUNS = """
CREATE TEMPORARY TABLE standing_runs AS
WITH seats AS (
    SELECT p.guild_id, p.user_id, {preset} AS preset, {month} AS month, {quarter} AS quarter, p.name, p.won, p.points,
        p.escobas, p.ranked, r.friendly, p.ended_at, p.result_id, r.rounds,
        SUM(CASE WHEN p.ranked AND NOT p.won THEN 1 ELSE 0 END) OVER matches AS run,
        LEAD({month}) OVER matches AS next_month, LEAD({quarter}) OVER matches AS next_quarter
    FROM result_players AS p JOIN results AS r ON r.id = p.result_id
    WHERE p.user_id IS NOT NULL
    WINDOW matches AS (
        PARTITION BY p.guild_id, p.user_id, {preset} ORDER BY p.ended_at, p.result_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)
SELECT guild_id, user_id, preset, run, month, quarter,
    SUM(CASE WHEN ranked THEN 1 ELSE 0 END) AS matches,
    SUM(CASE WHEN ranked AND won THEN 1 ELSE 0 END) AS wins,
    SUM(CASE WHEN ranked THEN points ELSE 0 END) AS points,
    SUM(CASE WHEN ranked THEN escobas ELSE 0 END) AS escobas,
    SUM(CASE WHEN ranked THEN rounds ELSE 0 END) AS rounds,
    SUM(CASE WHEN ranked OR friendly THEN 0 ELSE 1 END) AS practice_matches,
    SUM(CASE WHEN won AND NOT ranked AND NOT friendly THEN 1 ELSE 0 END) AS practice_wins,
    MAX(CASE WHEN ranked AND points > 0 THEN points * 68719476736 + (68719476735 - result_id) ELSE 0 END)
        AS top_points,
    MAX(CASE WHEN ranked AND escobas > 0 THEN escobas * 68719476736 + (68719476735 - result_id) ELSE 0 END)
        AS top_escobas,
    MAX(ended_at) AS last_at,
    MAX(CASE WHEN next_month = month THEN NULL ELSE name END) AS month_name,
    MAX(CASE WHEN next_month = month THEN NULL ELSE result_id END) AS month_result_id,
    MAX(CASE WHEN next_quarter = quarter THEN NULL ELSE name END) AS quarter_name,
    MAX(CASE WHEN next_quarter = quarter THEN NULL ELSE result_id END) AS quarter_result_id,
    MAX(CASE WHEN next_month IS NULL THEN name END) AS all_name,
    MAX(CASE WHEN next_month IS NULL THEN result_id END) AS all_result_id
FROM seats GROUP BY guild_id, user_id, preset, run, month, quarter
"""
# Of the numbers that combine a run and its wins, the highest is the last run's, however many wins it has.
_ROWS = """
INSERT INTO standings (guild_id, period, user_id, preset, name, matches, wins, points, escobas, rounds, streak,
    best_streak, practice_matches, practice_wins, last_at, last_result_id, rate, top_points, top_escobas, season_points,
    rated)
SELECT guild_id, period, user_id, preset, MAX(name), SUM(matches), SUM(wins), SUM(points), SUM(escobas), SUM(rounds),
    MAX(run * 1048576 + wins) % 1048576, MAX(wins), SUM(practice_matches), SUM(practice_wins), MAX(last_at),
    MAX(result_id),
    CASE WHEN SUM(matches) > 0 THEN CAST(SUM(wins) AS BIGINT) * 1099511627775 / CAST(SUM(matches) AS BIGINT) ELSE 0 END,
    MAX(top_points), MAX(top_escobas), 0, 0
FROM (
    SELECT guild_id, period, user_id, preset, run, MAX({which}_name) AS name, SUM(matches) AS matches,
        SUM(wins) AS wins, SUM(points) AS points, SUM(escobas) AS escobas, SUM(rounds) AS rounds,
        SUM(practice_matches) AS practice_matches, SUM(practice_wins) AS practice_wins, MAX(last_at) AS last_at,
        MAX({which}_result_id) AS result_id, MAX(top_points) AS top_points, MAX(top_escobas) AS top_escobas
    FROM (SELECT *, {period} AS period FROM standing_runs) AS runs GROUP BY guild_id, period, user_id, preset, run
) AS whole_runs
GROUP BY guild_id, period, user_id, preset
"""
_PERIODS = {"all": "'all'", "month": "month", "quarter": "quarter"}
_MONTHS = {"sqlite": "substr(p.ended_at, 1, 7)", "postgresql": "to_char(p.ended_at AT TIME ZONE 'UTC', 'YYYY-MM')"}
_QUARTERS = {
    "sqlite": "substr(p.ended_at, 1, 4) || '-Q' || ((CAST(substr(p.ended_at, 6, 2) AS INTEGER) + 2) / 3)",
    "postgresql": "to_char(p.ended_at AT TIME ZONE 'UTC', 'YYYY-\"Q\"Q')",
}


def upgrade() -> None:
    """Add the columns, remake the table with its longer key, fill it, and only then make its indexes."""
    op.add_column("results", sa.Column("nth", sa.Integer(), nullable=True))
    op.add_column("result_players", sa.Column("stayed", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_index(
        "ix_result_players_rated",
        "result_players",
        ["guild_id", "user_id", "ended_at", "result_id"],
        sqlite_where=sa.text("new_mu IS NOT NULL"),
        postgresql_where=sa.text("new_mu IS NOT NULL"),
    )
    op.drop_table("standings")
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("preset", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("escobas", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.Column("practice_matches", sa.Integer(), nullable=False),
        sa.Column("practice_wins", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_result_id", sa.BigInteger(), nullable=False),
        sa.Column("rate", sa.BigInteger(), nullable=False),
        sa.Column("top_points", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("top_escobas", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("season_points", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sources", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "period", "user_id", "preset", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    for name in ("mu", "sigma", "rating"):
        op.add_column("standings", sa.Column(name, sa.Double(), nullable=True))
    database = op.get_context().dialect.name
    for preset in ("''", "r.preset"):
        op.execute(_RUNS.format(preset=preset, month=_MONTHS[database], quarter=_QUARTERS[database]))
        for which, period in _PERIODS.items():
            op.execute(_ROWS.format(period=period, which=which))
        op.execute("DROP TABLE standing_runs")
    op.create_index(op.f("ix_standings_user_id"), "standings", ["user_id"])
    for name, then in (
        ("wins", ("rate", "points")),
        ("rate", ("wins", "points")),
        ("points", ("wins", "rate")),
        ("escobas", ("wins", "rate", "points")),
        ("season_points", ("wins", "rate", "points")),
    ):
        down = (sa.text(f"{column} DESC") for column in (name, *then))
        _create_index(name, "preset", *down, "user_id", "matches", where="matches > 0")
    _create_index("rating", "preset", sa.text("rating DESC"), "user_id", "rated_at", where="rating IS NOT NULL")


def _create_index(name: str, *columns: "str | sa.TextClause", where: str) -> None:
    op.create_index(
        f"ix_standings_by_{name}",
        "standings",
        ["guild_id", "period", *columns],
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
