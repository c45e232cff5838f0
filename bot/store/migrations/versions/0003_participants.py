"""Who sat in which game, so that a person's games are found without reading every log; and servers that were left.

A person sat in a game if they opened it, joined it according to its log, or have a result in it. In an entry that can't
be read, every number that could be a person's id counts, so that damage hides nobody's data.
"""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ID = re.compile(r"(?<!\d)[1-9]\d{4,18}(?!\d)")
_READ_AT_ONCE = 10_000
_INSERT = sa.text(
    "INSERT INTO participants (game_id, user_id) SELECT :game, :person"
    " WHERE NOT EXISTS (SELECT 1 FROM participants WHERE game_id = :game AND user_id = :person)"
)


def upgrade() -> None:
    """Make the tables, and fill the first one from the logs."""
    op.create_table(
        "participants",
        sa.Column("game_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_participants_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_participants")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )
    op.execute(
        "INSERT INTO participants SELECT id, opener_id FROM games WHERE opener_id > 0"
        " UNION SELECT game_id, user_id FROM results JOIN result_players ON result_players.result_id = results.id"
        " WHERE user_id > 0 AND game_id IN (SELECT id FROM games)"
    )
    if not op.get_context().as_sql:  # in offline mode, which only prints SQL, there is nothing to read
        _read_logs(op.get_bind())
    op.create_index(op.f("ix_participants_user_id"), "participants", ["user_id"])
    op.create_index(op.f("ix_result_players_user_id"), "result_players", ["user_id"])
    op.create_index(op.f("ix_games_opener_id"), "games", ["opener_id"])


def _read_logs(bind: sa.Connection) -> None:
    entries = bind.execute(
        sa.text(
            "SELECT game_id, body FROM events WHERE kind NOT IN ('match', 'presence', 'configured')"
            " AND game_id IN (SELECT id FROM games)"
        )
    )
    while rows := entries.fetchmany(_READ_AT_ONCE):
        found = sorted({(game, person) for game, body in rows for person in _named(body)})
        if found:
            bind.execute(_INSERT, [{"game": game, "person": person} for game, person in found])


def _named(body: object) -> list[int]:
    """The ids of the people that an entry's body names."""
    try:
        found = json.loads(str(body))
        person = found.get("person", {}).get("id", found.get("person_id", 0))
        people = [person] if isinstance(person, int) else _numbers(body)
    except (ValueError, AttributeError):
        people = _numbers(body)
    return [person for person in people if 0 < person < 2**63]


def _numbers(body: object) -> list[int]:
    return [int(number) for number in _ID.findall(str(body))]
