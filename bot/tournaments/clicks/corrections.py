"""The presses with which a tournament's organiser corrects results."""

from collections.abc import Sequence
from typing import Final

from bot.platform.kit.codec import number_in
from bot.platform.refusals import Refusal
from bot.tables.refusals import TableRefusal
from bot.tournaments.clicks.tournament import TournamentPress, form_in_tournament, in_tournament
from bot.tournaments.ids.tournament import TournamentVerb
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Correct, PlayAgain
from bot.tournaments.rules.tournament import Format, Outcome, Pairing, TournamentRound
from bot.tournaments.screens.corrections import (
    concerned,
    correct_layout,
    log_layout,
    points_form,
    tables_layout,
    told_text,
    waits_note,
)

_BOTH_LOST: Final = 2
"""Stands for "nobody" in place of the side that has won."""


@in_tournament(TournamentVerb.CORRECT)
async def choose_table(press: TournamentPress, live: LiveTournament) -> None:
    """Show the latest round's tables, or how a chosen one ended."""
    if not live.state.rounds:
        raise Refusal(TournamentRefusal.NOT_STARTED)
    if not press.values:
        await press.reply.update_private(tables_layout(live.view(), len(live.state.rounds), press.t))
        return
    number, _, table = press.value.partition(".")
    drawn, pairing = _table(live, number_in(number), number_in(table))
    await _show_table(press, live, drawn.number, pairing.table)


async def _show_table(
    press: TournamentPress, live: LiveTournament, number: int, table: int, note: str | None = None
) -> None:
    await press.reply.update_private(correct_layout(live.view(), number, table, press.t, note))


def _table(live: LiveTournament, number: int | None, table: int | None) -> tuple[TournamentRound, Pairing]:
    """A table of a round. Raises Refusal if there is none."""
    if number is None or not 1 <= number <= len(live.state.rounds):
        raise Refusal(TournamentRefusal.NO_TABLE)
    drawn = live.state.rounds[number - 1]
    pairing = None if table is None else drawn.pairing(table)
    if pairing is None:
        raise Refusal(TournamentRefusal.NO_TABLE)
    return drawn, pairing


@in_tournament(TournamentVerb.ROUND)
async def choose_round(press: TournamentPress, live: LiveTournament) -> None:
    number = press.chosen()
    if not 1 <= number <= len(live.state.rounds):
        raise Refusal(TournamentRefusal.NO_TABLE)
    await press.reply.update_private(tables_layout(live.view(), number, press.t))


@in_tournament(TournamentVerb.OUTCOME)
async def set_winner(press: TournamentPress, live: LiveTournament) -> None:
    """Set who has won; the points stay if they fit, else the match counts as one that wasn't played."""
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    side = press.ref.number(2)
    if side not in (0, 1, _BOTH_LOST):
        raise Refusal(TournamentRefusal.NO_TABLE)
    winner = None if side == _BOTH_LOST else side
    before, outcome = drawn.outcomes.get(pairing.table), Outcome((0, 0), winner, forfeit=True)
    if before is not None and winner is not None and before.points[winner] > before.points[1 - winner]:
        outcome = Outcome(before.points, winner, before.forfeit, before.board_points)
    await _correct(press, live, drawn.number, pairing.table, outcome)


async def _correct(press: TournamentPress, live: LiveTournament, number: int, table: int, outcome: Outcome) -> None:
    await _submit(press, live, Correct(press.person, number, table, outcome), press.t("The result is noted."))
    press.host.of(TournamentParts).boards.corrected(live)


async def _submit(press: TournamentPress, live: LiveTournament, action: Correct | PlayAgain, note: str) -> None:
    """Change a result, or propose that; all whom it concerns are mentioned once."""
    number, table, version = action.round, action.table, live.state.version
    try:
        await press.submit(live, action)
        if live.state.proposal(number, table) is not None:
            note = waits_note(press.t)
    except Refusal as error:
        note = error.reason(press.t)
    await _show_table(press, live, number, table, note)
    if live.state.version != version:
        await _tell(press, live, number, table)


async def _tell(press: TournamentPress, live: LiveTournament, number: int, table: int) -> None:
    """Mention those whom it concerns; what duplicate tables play may be a secret."""
    tools, throttle = press.host.tools, press.host.throttle
    if live.state.setup.format is Format.DUPLICATE:
        return
    people = concerned(live.state, number, table, press.person.id)
    calls = [each for each in people if throttle.challenges.take((live.id, number, table, each))]
    if calls:
        text = told_text(live.state, number, table, calls, tools.display(live.locale, live.guild_id).words)
        await press.reply.announce(text, allowed_mentions=tools.willing(calls))


@in_tournament(TournamentVerb.POINTS)
async def ask_points(press: TournamentPress, live: LiveTournament) -> None:
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    await press.reply.modal(points_form(live.view(), drawn.number, pairing.table, press.t))


@form_in_tournament(TournamentVerb.POINTS)
async def set_points(press: TournamentPress, live: LiveTournament, written: Sequence[str]) -> None:
    """Note the points that somebody typed; the side with more has won."""
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    points = [number for text in written if (number := number_in(text.strip(), 999)) is not None]
    if len(points) != 2:
        note = TournamentRefusal.BAD_OUTCOME.reason(press.t)
        await _show_table(press, live, drawn.number, pairing.table, note)
        return
    first, second = points
    winner = None if first == second else int(second > first)
    await _correct(press, live, drawn.number, pairing.table, Outcome((first, second), winner))


@in_tournament(TournamentVerb.AGAIN)
async def play_again(press: TournamentPress, live: LiveTournament) -> None:
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    press.host.throttle.tables.take_or_refuse(press.person.id, TableRefusal.TOO_MANY_OPENED)  # it calls its people
    await _submit(press, live, PlayAgain(press.person, drawn.number, pairing.table), press.t("The table plays again."))


@in_tournament(TournamentVerb.LOG)
async def show_log(press: TournamentPress, live: LiveTournament) -> None:
    await press.reply.update_private(log_layout(live.view(), press.t))
