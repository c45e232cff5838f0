"""What each person's results add up to, by server and period, stored so that nothing has to be added up for a read.

The rows are filled from the results. A run is the matches from one lost match to the next, without the latter: so a
streak is the wins in a run. Both databases take the same SQL but for the month of a time, which SQLite keeps as text.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_RUNS = """
CREATE TEMPORARY TABLE standing_runs AS
WITH seats AS (
    SELECT p.guild_id, p.user_id, {month} AS month, p.name, p.won, p.points, p.escobas, p.ranked, p.ended_at,
        p.result_id, r.rounds,
        SUM(CASE WHEN p.ranked AND NOT p.won THEN 1 ELSE 0 END) OVER matches AS run,
        LEAD({month}) OVER matches AS next_month
    FROM result_players AS p JOIN results AS r ON r.id = p.result_id
    WHERE p.user_id IS NOT NULL
    WINDOW matches AS (
        PARTITION BY p.guild_id, p.user_id ORDER BY p.ended_at, p.result_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)
SELECT guild_id, user_id, run, month,
    SUM(CASE WHEN ranked THEN 1 ELSE 0 END) AS matches,
    SUM(CASE WHEN ranked AND won THEN 1 ELSE 0 END) AS wins,
    SUM(CASE WHEN ranked THEN points ELSE 0 END) AS points,
    SUM(CASE WHEN ranked THEN escobas ELSE 0 END) AS escobas,
    SUM(CASE WHEN ranked THEN rounds ELSE 0 END) AS rounds,
    SUM(CASE WHEN ranked THEN 0 ELSE 1 END) AS practice_matches,
    SUM(CASE WHEN won AND NOT ranked THEN 1 ELSE 0 END) AS practice_wins,
    MAX(ended_at) AS last_at,
    MAX(CASE WHEN next_month = month THEN NULL ELSE name END) AS month_name,
    MAX(CASE WHEN next_month = month THEN NULL ELSE result_id END) AS month_result_id,
    MAX(CASE WHEN next_month IS NULL THEN name END) AS name,
    MAX(CASE WHEN next_month IS NULL THEN result_id END) AS result_id
FROM seats GROUP BY guild_id, user_id, run, month
"""
# Of the numbers that combine a run and its wins, the highest is the last run's, however many wins it has.
_ROWS = """
INSERT INTO standings (guild_id, period, user_id, name, matches, wins, points, escobas, rounds, streak, best_streak,
    practice_matches, practice_wins, last_at, last_result_id, rate, rated)
SELECT guild_id, {period}, user_id, MAX({name}), SUM(matches), SUM(wins), SUM(points), SUM(escobas), SUM(rounds),
    MAX(run * 1048576 + wins) % 1048576, MAX(wins), SUM(practice_matches), SUM(practice_wins), MAX(last_at),
    MAX({result_id}),
    CASE WHEN SUM(matches) > 0 THEN CAST(SUM(wins) AS BIGINT) * 1099511627775 / CAST(SUM(matches) AS BIGINT) ELSE 0 END,
    SUM(matches) > 0
FROM {runs} GROUP BY guild_id, {period}, user_id
"""
_WHOLE_RUNS = """(
    SELECT guild_id, 'all' AS period, user_id, run, SUM(matches) AS matches, SUM(wins) AS wins, SUM(points) AS points,
        SUM(escobas) AS escobas, SUM(rounds) AS rounds, SUM(practice_matches) AS practice_matches,
        SUM(practice_wins) AS practice_wins, MAX(last_at) AS last_at, MAX(name) AS name, MAX(result_id) AS result_id
    FROM standing_runs GROUP BY guild_id, user_id, run
) AS whole_runs"""
_COUNTS = """
INSERT INTO standing_counts (guild_id, period, metric, shift, bucket, people)
SELECT guild_id, period, '{metric}', {shift}, {metric} >> {shift}, COUNT(*)
FROM standings WHERE matches > 0 GROUP BY guild_id, period, {metric} >> {shift}
"""
_SHIFTS = {"wins": (0, 8, 16), "rate": (24, 32), "points": (0, 8, 16), "escobas": (0, 8, 16)}
_MONTHS = {"sqlite": "substr(p.ended_at, 1, 7)", "postgresql": "to_char(p.ended_at AT TIME ZONE 'UTC', 'YYYY-MM')"}


def upgrade() -> None:
    """Make the tables, fill them, and only then make their indexes."""
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
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
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "period", "user_id", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing_counts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("shift", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "period", "metric", "shift", "bucket", name=op.f("pk_standing_counts")),
        sqlite_with_rowid=False,
    )
    op.execute(_RUNS.format(month=_MONTHS[op.get_context().dialect.name]))
    op.execute(_ROWS.format(period="period", name="name", result_id="result_id", runs=_WHOLE_RUNS))
    op.execute(_ROWS.format(period="month", name="month_name", result_id="month_result_id", runs="standing_runs"))
    op.execute("DROP TABLE standing_runs")
    for metric, shifts in _SHIFTS.items():
        for shift in shifts:
            op.execute(_COUNTS.format(metric=metric, shift=shift))
    op.create_index(op.f("ix_standings_user_id"), "standings", ["user_id"])
    for name, then, listed in (
        ("wins", ("rate", "points"), "matches > 0"),
        ("rate", ("wins", "points"), "rated"),
        ("points", ("wins", "rate"), "matches > 0"),
        ("escobas", ("wins", "rate", "points"), "matches > 0"),
    ):
        op.create_index(
            f"ix_standings_by_{name}",
            "standings",
            ["guild_id", "period", *(sa.text(f"{column} DESC") for column in (name, *then)), "user_id"],
            sqlite_where=sa.text("rated = 1" if listed == "rated" else listed),
            postgresql_where=sa.text(listed),
        )
