"""How often any two people have met on a server, and each person's records, updated with every result.

Both are filled from the results.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_RIVALS = """
INSERT INTO rivals (guild_id, user_id, rival_id, matches, wins, losses)
SELECT own.guild_id, own.user_id, other.user_id, COUNT(*),
    SUM(CASE WHEN own.won THEN 1 ELSE 0 END), SUM(CASE WHEN other.won THEN 1 ELSE 0 END)
FROM result_players AS own
JOIN result_players AS other ON other.result_id = own.result_id AND other.side <> own.side
WHERE own.user_id IS NOT NULL AND other.user_id IS NOT NULL AND own.ranked
GROUP BY own.guild_id, own.user_id, other.user_id
"""
# The value, and in the lower bits the result that reached it first, so that the greatest number holds both.
_RECORDS = """
CREATE TEMPORARY TABLE records AS
SELECT p.guild_id, p.user_id, {month} AS period,
    MAX(CASE WHEN p.points > 0 THEN p.points * 68719476736 + (68719476735 - p.result_id) ELSE 0 END) AS points,
    MAX(CASE WHEN p.escobas > 0 THEN p.escobas * 68719476736 + (68719476735 - p.result_id) ELSE 0 END) AS escobas
FROM result_players AS p WHERE p.user_id IS NOT NULL AND p.ranked GROUP BY p.guild_id, p.user_id, {month}
"""
_OF_ALL_TIME = """
INSERT INTO records SELECT guild_id, user_id, 'all', MAX(points), MAX(escobas) FROM records GROUP BY guild_id, user_id
"""
_INDEX = "CREATE INDEX ix_records ON records (guild_id, user_id, period)"
_RECORD = """
UPDATE standings SET top_{name} = (
    SELECT r.{name} FROM records AS r
    WHERE r.guild_id = standings.guild_id AND r.user_id = standings.user_id AND r.period = standings.period
)
WHERE matches > 0
"""
_MONTHS = {"sqlite": "substr(p.ended_at, 1, 7)", "postgresql": "to_char(p.ended_at AT TIME ZONE 'UTC', 'YYYY-MM')"}


def upgrade() -> None:
    """Make the table and the columns, and fill them."""
    op.create_table(
        "rivals",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("rival_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "rival_id", name=op.f("pk_rivals")),
        sqlite_with_rowid=False,
    )
    op.execute(_RIVALS)
    op.create_index("ix_rivals_by_matches", "rivals", ["guild_id", "user_id", sa.text("matches DESC"), "rival_id"])
    for statement in (_RECORDS.format(month=_MONTHS[op.get_context().dialect.name]), _OF_ALL_TIME, _INDEX):
        op.execute(statement)
    for name in ("points", "escobas"):
        op.add_column(
            "standings", sa.Column(f"top_{name}", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
        )
        op.execute(_RECORD.format(name=name))
    op.execute("DROP TABLE records")
