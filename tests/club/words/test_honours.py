"""What is told about what a match has brought people: only what is worth telling."""

from bot.club.rules.achievements import Achievement
from bot.club.store.achievements import Earned
from bot.club.store.career import Aftermath, EndedRun
from bot.club.store.standing import Standing, record_of
from bot.club.words.honours import honour_lines, own_achievement_lines, place_text
from bot.platform.language.catalogues import words
from bot.tables.live.view import TableView
from tests.support.store import NOON
from tests.tables.screens.test_result import NAMES, seats_by_result, won

EN = words("en")
THIS, EARLIER = 50, 40


def told(view: TableView, aftermath: Aftermath) -> list[str]:
    """What everybody reads."""
    return honour_lines(aftermath, view.people, EN)


def people(view: TableView) -> tuple[int, int]:
    """The ids of the winner and of the other player."""
    winner, loser = (view.seats[seat].person_id for seat in seats_by_result(view))
    assert winner is not None
    assert loser is not None
    return winner, loser


def test_a_record_is_shown_only_when_this_match_broke_it() -> None:
    view = won(1)
    winner, _ = people(view)
    name = NAMES[seats_by_result(view)[0]]

    def of(matches: int, result_id: int) -> list[str]:
        row = Standing(
            1, "all", winner, matches=matches, top_points=record_of(27, result_id), top_escobas=record_of(6, result_id)
        )
        return told(view, Aftermath(THIS, (row,)))

    assert of(9, THIS) == [f"🎖️ Personal best: 27 points ({name}) · 🎖️ Personal best: 6 escobas ({name})"]
    assert of(9, EARLIER) == []
    assert of(2, THIS) == [], "in the first matches everything is a record"


def test_a_run_of_three_is_told_when_it_stands_and_when_it_ends() -> None:
    view = won(1)
    winner, loser = people(view)
    first, second = (NAMES[seat] for seat in seats_by_result(view))
    rows = [Standing(1, "all", winner, matches=4, wins=3, rank=2, streak=n) for n in (2, 3)]
    assert [told(view, Aftermath(THIS, (row,))) for row in rows] == [[], [f"🔥 A streak of 3 wins ({first})"]]
    both = Aftermath(THIS, (rows[1],), ended=(EndedRun(loser, 5),))
    assert told(view, both) == [f"💥 {second}: a streak of 5 wins is over · 🔥 A streak of 3 wins ({first})"]
    assert [place_text(both, person, EN) for person in (winner, loser)] == ["📊 Leaderboard: **2.**", None]


def test_everybody_reads_three_achievements_and_how_many_more_there_are() -> None:
    view = won(1)
    winner, loser = people(view)
    first, second = (NAMES[seat] for seat in seats_by_result(view))
    earned = (
        Earned(winner, Achievement.SEVENS, NOON),
        Earned(loser, Achievement.SEVENS, NOON),
        Earned(winner, Achievement.OROS, NOON),
        Earned(99, Achievement.ROUT, NOON),  # somebody who was erased
    )
    three = f"🏅 {first}: **The four sevens**, **All that glitters** · {second}: **The four sevens**"
    assert told(view, Aftermath(THIS, achievements=earned)) == [three]
    more = (*earned, Earned(loser, Achievement.ROUT, NOON), Earned(loser, Achievement.COMEBACK, NOON))
    assert told(view, Aftermath(THIS, achievements=more)) == [three + " · +2"]
    assert own_achievement_lines(Aftermath(THIS, achievements=earned), loser, EN) == [
        "🏅 **The four sevens** (all four sevens in one round)"
    ]
