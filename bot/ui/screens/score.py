"""The score of a round, item by item, and the result of a match."""

from __future__ import annotations

from discord import ButtonStyle
from discord.utils import format_dt

from bot.engine.views import PublicView
from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.screens.colours import FELT, QUIET, TURN
from bot.ui.screens.display import Display
from bot.ui.screens.ids import Ref, Verb
from bot.ui.screens.layout import BoxPart, Either, Layout, box_of, button, line, row
from bot.ui.screens.pictured import pictured_result, pictured_round
from bot.ui.screens.review import review_button
from bot.ui.words.names import seat_name
from bot.ui.words.scores import closing_lines, score_lines, side_name, total_lines
from bot.ui.words.telling import recent_lines
from bot.ui.words.texts import Words


def round_layout(view: TableView, display: Display, *, paused: bool) -> Layout:
    """A round's score, with the button for the next round while the table is paused."""
    t, match = display.words, _scored(view)
    last = recent_lines(view, t, most=1) if paused else []
    note = None
    if paused and (view.waiting or view.deadline is None):
        note = "-# " + t("⏸️ Everybody is away. The game waits: any click brings you back.")
    elif paused and view.deadline is not None:
        note = "-# " + t("The next round is dealt {time}.", time=format_dt(view.deadline, "R"))
    custom_id = Ref(view.id, view.version).custom_id(Verb.NEXT_ROUND)
    next_round = button(custom_id, t("Next round"), style=ButtonStyle.success)
    picture = pictured_round(view, display)
    score = match.scores[-1]
    return box_of(
        FELT,
        t("## Round {round}: the score", round=len(match.scores)),
        "-# " + last[0] if last else None,
        Either("\n".join(score_lines(score, match, view.seats, t)), picture and picture.component),
        Either(line(), "\n".join(closing_lines(score, match, view.seats, t)) or None),
        "\n".join(total_lines(match, view.seats, t)),
        note,
        row(next_round) if paused else None,
        scene=picture and picture.scene,
    )


def result_layout(view: TableView, standings: list[str], display: Display) -> Layout:
    """The end of a match in public: the winner, the totals, the standings and the rematch."""
    return _result(view, display, line() if standings else None, "\n".join(standings) or None)


def result_panel(view: TableView, display: Display) -> Layout:
    """The end of a match on a player's panel: the winner, the totals and the rematch."""
    return _result(view, display)


def _result(view: TableView, display: Display, *details: BoxPart) -> Layout:
    t, match = display.words, _scored(view)
    assert match.winner is not None, "the match was won"
    names = side_name(match, match.winner, view.seats)
    alone = len(match.seating.seats_of(match.winner)) == 1
    rematch = button(Ref(view.id).custom_id(Verb.REMATCH), t("Rematch"), style=ButtonStyle.primary, emoji="🔁")
    picture = pictured_result(view, display)
    return box_of(
        TURN,
        t("## 🏆 {names} wins!", names=names) if alone else t("## 🏆 {names} win!", names=names),
        Either("\n".join(total_lines(match, view.seats, t)), picture and picture.component),
        *details,
        row(rematch, review_button(view.id, t)),
        scene=picture and picture.scene,
    )


def ended_layout(view: TableView, t: Words) -> Layout:
    """A table that ended without a result."""
    text = {
        Phase.CANCELLED: t("The game was cancelled. It counts for nobody."),
        Phase.ABANDONED: t("Nobody was left at the table: the game was abandoned. It counts for nobody."),
        Phase.EXPIRED: t("Nobody began, so the table was cleared. `/escoba play` opens another."),
        Phase.IDLE: t("Nobody has moved for so long that I've ended the game. It counts for nobody."),
    }.get(view.phase, t("This game is over."))
    if view.ended_by is not None:
        text = _ended_by(view.ended_by, t, forgotten=view.phase is Phase.IDLE)
    scored = view.match is not None and view.match.scores
    return box_of(
        QUIET, text, "\n".join(total_lines(view.match, view.seats, t)) if view.match is not None and scored else None
    )


def _ended_by(name: str, t: Words, *, forgotten: bool) -> str:
    shown = seat_name(name, computer=False)
    if forgotten:
        return t(
            "**{name}** has ended the game, because nobody had moved for a while. It counts for nobody.", name=shown
        )
    return t("**{name}** has cancelled the game. It counts for nobody.", name=shown)


def _scored(view: TableView) -> PublicView:
    assert view.match is not None, "there is no score without a match"
    return view.match
