"""What is told about what a match has brought people: only what is worth telling."""

from __future__ import annotations

from bot.club.achievements import Achievement
from bot.store import Aftermath, Earned, Rivalry, Standing
from bot.store.club.standing import record_of
from bot.tables.view import TableView
from bot.ui.words.club.honours import honour_lines
from bot.ui.words.texts import words
from tests.support.store import NOON
from tests.ui.tables.test_result import NAMES, seats_by_result, won

EN = words("en")
THIS, EARLIER = 50, 40


def told(view: TableView, aftermath: Aftermath) -> list[str]:
    assert view.match is not None
    return honour_lines(aftermath, view.match, view.winner, view.seats, EN)


def people(view: TableView) -> tuple[int, int]:
    """The ids of the winner and of the other player."""
    winner, loser = (view.seats[seat].person_id for seat in seats_by_result(view))
    assert winner is not None
    assert loser is not None
    return winner, loser


def test_head_to_head_is_shown_from_the_winners_side_once_two_have_met_twice() -> None:
    view = won(1)
    winner, loser = people(view)
    names = [NAMES[seat] for seat in seats_by_result(view)]
    rows = (Rivalry(winner, loser, "x", 12, 7, 5), Rivalry(loser, winner, "y", 12, 5, 7))
    assert told(view, Aftermath(THIS, (), rows)) == [f"⚔️ Head to head: {names[0]} **7 – 5** {names[1]}"]
    assert told(view, Aftermath(THIS, (), (Rivalry(winner, loser, "x", 1, 1, 0),))) == []


def test_a_record_is_shown_only_when_this_match_broke_it() -> None:
    view = won(1)
    winner, _ = people(view)
    name = NAMES[seats_by_result(view)[0]]

    def of(matches: int, result_id: int) -> list[str]:
        row = Standing(
            1, "all", winner, matches=matches, top_points=record_of(27, result_id), top_escobas=record_of(6, result_id)
        )
        return told(view, Aftermath(THIS, (row,)))

    assert of(9, THIS) == [f"🎖️ Personal best for {name}: 27 points", f"🎖️ Personal best for {name}: 6 escobas"]
    assert of(9, EARLIER) == []
    assert of(2, THIS) == [], "in the first matches everything is a record"


def test_three_wins_in_a_row_are_a_run() -> None:
    view = won(1)
    winner, _ = people(view)
    lines = [told(view, Aftermath(THIS, (Standing(1, "all", winner, matches=4, streak=n),))) for n in (2, 3)]
    assert lines == [[], [f"🔥 A streak of 3 wins: {NAMES[seats_by_result(view)[0]]}"]]


def test_an_achievement_is_shown_in_one_line_for_all_who_have_earned_it() -> None:
    view = won(1)
    winner, loser = people(view)
    names = [NAMES[seat] for seat in seats_by_result(view)]
    earned = (
        Earned(winner, Achievement.SEVENS, NOON),
        Earned(loser, Achievement.SEVENS, NOON),
        Earned(winner, Achievement.OROS, NOON),
        Earned(99, Achievement.ROUT, NOON),
    )
    assert told(view, Aftermath(THIS, achievements=earned)) == [
        f"🏅 **The four sevens** (all four sevens in one round): {names[0]} & {names[1]}",
        f"🏅 **All that glitters** (all ten oros in one round): {names[0]}",
    ]
