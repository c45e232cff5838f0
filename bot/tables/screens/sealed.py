"""The public message of a table whose boards other tables play too: who plays and whose turn it is, but no card.

Nothing in it may depend on what is dealt or played, so its buttons name no state either.
"""

from __future__ import annotations

from discord import ButtonStyle
from discord.utils import format_dt

from bot.engine.stages import Stage
from bot.engine.views import PublicView
from bot.platform.kit.colours import FELT, QUIET
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, row
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.screens.board import turn_text
from bot.tables.screens.links import Below, links_of
from bot.tables.words.scores import side_name


def sealed_layout(view: TableView, t: Words) -> Layout:
    """The table while its match is played, and after that until all tables of its round have ended."""
    match, fixture = view.match, view.fixture
    assert match is not None, "a sealed table plays, or has played"
    assert fixture is not None, "a sealed table belongs to a tournament"
    over = view.phase is Phase.FINISHED
    return box_of(
        QUIET if over or view.waiting else FELT,
        t("### 🔒 Round {round}, table {table}", round=fixture.round, table=fixture.table),
        "**" + "** – **".join(side_name(match, side, view.names) for side in range(match.seating.sides)) + "**",
        _where(view, match, t),
        _why(t, over=over),
        row(*(links_of(view, Below.FIRST, t) + links_of(view, Below.LAST, t) if over else _buttons(view, t))),
    )


def board_text(match: PublicView, t: Words) -> str:
    """Say which of its boards a match plays, or has just played."""
    return t("board {n} of {boards}", n=match.round_number, boards=match.rules.rounds)


def _where(view: TableView, match: PublicView, t: Words) -> str:
    """Say how far the match has got, and whose turn it is."""
    if match.stage is Stage.OVER:
        return t.plural("✅ The board was played.", "✅ All {n} boards were played.", match.rules.rounds)
    if match.stage is Stage.TO_PLAY:
        which = t("Board {n} of {boards}", n=match.round_number, boards=match.rules.rounds)
        return f"🎴 {which}\n{turn_text(view, match, t)}"
    played = "✅ " + t("Board {n} of {boards} has been played.", n=match.round_number, boards=match.rules.rounds)
    if view.waiting or view.deadline is None:
        return played + "\n" + t("⏸️ Everyone's away. The match is waiting: click anything to come back.")
    return played + "\n" + t("The next one is dealt {time}.", time=format_dt(view.deadline, "R"))


def _why(t: Words, *, over: bool) -> str:
    if over:
        return "-# " + t("The other tables play the same cards: the result opens when the last one has finished.")
    return "-# " + t("All tables play the same cards, so only those who play here see them until all have finished.")


def _buttons(view: TableView, t: Words) -> list[Component]:
    ref = Ref(view.id)
    return [
        button(ref.custom_id(Verb.HAND), t("My hand"), style=ButtonStyle.primary, emoji="🎴"),
        button(ref.custom_id(Verb.GUIDE), t.context("button", "Rules"), emoji="📜"),
    ]
