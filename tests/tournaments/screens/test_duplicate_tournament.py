"""While a table of a duplicate round still plays, no screen of the tournament tells how others have ended."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.tournaments.live.view import TableLink, TournamentView
from bot.tournaments.rules.tournament import Outcome
from bot.tournaments.screens.corrections import correct_layout, log_layout, points_form, tables_layout
from bot.tournaments.screens.manage import manage_layout
from bot.tournaments.screens.own import own_layout
from bot.tournaments.screens.standings import standings_layout, sums_layout
from bot.tournaments.screens.tournament import MessagePage, left_layout, tournament_layout
from tests.support.duplicate import evening

EN = words("en")
DRAWN = Display(EN, pictures=True)
PLAYS_ON = 4
NOW = datetime(2026, 3, 14, tzinfo=UTC)


def half_over(seed: int) -> TournamentView:
    """A round of four tables; the last one still plays."""
    of = evening(seed=seed)
    [round] = of.state.rounds
    outcomes = {table: outcome for table, outcome in round.outcomes.items() if table != PLAYS_ON}
    links = {(1, table): TableLink(table, 50 + table, table == PLAYS_ON) for table in range(1, 5)}
    return replace(of.view(), state=replace(of.state, rounds=(replace(round, outcomes=outcomes),)), tables=links)


def everything(view: TournamentView) -> list[object]:
    """All of a tournament's screens, except those that only people whose tables have ended may see."""
    ended = range(1, PLAYS_ON)
    layouts: list[Layout | None] = [
        tournament_layout(view, EN),
        left_layout(view, MessagePage.last_round(view), "https://discord.com/channels/1/2/3", EN),
        standings_layout(view, 0, DRAWN),
        *(sums_layout(view, entry.number, 0, EN) for entry in view.state.entries),
        manage_layout(view, EN, NOW),
        tables_layout(view, 1, EN),
        *(correct_layout(view, 1, table, EN) for table in ended),
        log_layout(view, EN),
        *(own_layout(view, person, EN) for person in (106, 107, 999)),
    ]
    return [*layouts, *(points_form(view, 1, table, EN).to_dict() for table in ended)]


def test_other_results_look_the_same_until_the_last_table_has_ended() -> None:
    one, other = half_over(1), half_over(2)
    assert one.state.rounds[0].outcomes != other.state.rounds[0].outcomes
    assert everything(one) == everything(other)


def test_results_are_shown_once_the_last_table_has_ended() -> None:
    views = [half_over(seed) for seed in (1, 2)]
    for place, view in enumerate(views):
        [round] = view.state.rounds
        outcomes = {**round.outcomes, PLAYS_ON: Outcome((3, 3), None, board_points=((2, 1), (1, 2)))}
        views[place] = replace(view, state=replace(view.state, rounds=(replace(round, outcomes=outcomes),)), tables={})
    assert tournament_layout(views[0], EN) != tournament_layout(views[1], EN)
    assert standings_layout(views[0], 0, DRAWN) != standings_layout(views[1], 0, DRAWN)
