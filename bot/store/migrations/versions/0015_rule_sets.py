"""Rule sets that servers have saved, and which one a result was played by.

An older bot goes on as before, and writes results without a set. If it counts a person's matches again, it removes
their rows in the standings by set, which their next match by a set restores.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None
works_for = "0013"


def upgrade() -> None:
    op.create_table(
        "rule_sets",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("saved_by", sa.BigInteger(), nullable=True),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["saved_by"], ["people.user_id"], name=op.f("fk_rule_sets_saved_by_people"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_sets")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_rule_sets_guild_id"), "rule_sets", ["guild_id"])
    op.create_index(op.f("ix_rule_sets_saved_by"), "rule_sets", ["saved_by"])
    op.add_column("results", sa.Column("rule_set", sa.BigInteger(), nullable=True))
