"""Newer versions of the bot, which don't exist yet: their migration steps follow the newest real one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.platform.database import upgrade
from bot.schema import SCHEMA

EXPANDS: Final = """
    op.create_table("new_{number}", sa.Column("id", sa.Integer(), primary_key=True))
    op.add_column("games", sa.Column("new_{number}", sa.Text()))
"""
"""A step that adds to the tables without affecting older bots."""
BREAKS: Final = """
    op.drop_column("people", "choices")
"""
"""A step that removes something that older bots use."""
_STEP: Final = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"
branch_labels = depends_on = None
{works_for}

def upgrade():
{what}
"""


@contextmanager
def newer_version(folder: Path, *steps: str, works_for: str | None = None) -> Iterator[str]:
    """In the block, bots in this process have these steps, too; yields the newest schema version.

    `works_for`: the oldest schema version whose bots can work with the new one, if that isn't each step's own.
    """
    real = SCHEMA.migrations
    made = folder / "migrations"
    half_written = shutil.ignore_patterns("*.pyc.*")
    shutil.copytree(real, made, ignore=half_written, dirs_exist_ok=True)
    version = upgrade.newest(SCHEMA)
    for what in steps:
        before, version = version, f"{int(version) + 1:04}"
        text = _STEP.format(
            number=version,
            before=before,
            works_for=f'works_for = "{works_for}"' if works_for else "",
            what=what.format(number=version),
        )
        (made / "versions" / f"{version}_new.py").write_text(text)
    try:
        _use(made)
        yield version
    finally:
        _use(real)


def _use(folder: Path) -> None:
    object.__setattr__(SCHEMA, "migrations", folder)  # a constant to everybody else
    upgrade._steps.cache_clear()
    upgrade._versions.cache_clear()
