"""What is told about what a match has brought people: only what is worth telling."""

from bot.club.rules.achievements import Achievement
from bot.club.store.achievements import Earned
from bot.club.store.career import Aftermath
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import Standing, record_of
from bot.club.words.honours import honour_lines
from bot.platform.language.catalogues import words
from bot.tables.live.view import TableView
from tests.support.store import NOON
from tests.tables.screens.test_result import NAMES, seats_by_result, won

EN = words("en")
THIS, EARLIER = 50, 40


def told(view: TableView, person_id: int, aftermath: Aftermath) -> list[str]:
    return honour_lines(aftermath, person_id, view.people, EN)


def people(view: TableView) -> tuple[int, int]:
    """The ids of the winner and of the other player."""
    winner, loser = (view.seats[seat].person_id for seat in seats_by_result(view))
    assert winner is not None
    assert loser is not None
    return winner, loser


def test_head_to_head_is_shown_from_the_readers_side_once_two_have_met_twice() -> None:
    view = won(1)
    winner, loser = people(view)
    names = [NAMES[seat] for seat in seats_by_result(view)]
    met = Aftermath(THIS, (), (Rivalry(winner, loser, "x", 12, 7, 5), Rivalry(loser, winner, "y", 12, 5, 7)))
    assert told(view, winner, met) == [f"⚔️ Head to head: **7 – 5** {names[1]}"]
    assert told(view, loser, met) == [f"⚔️ Head to head: **5 – 7** {names[0]}"]
    assert told(view, winner, Aftermath(THIS, (), (Rivalry(winner, loser, "x", 1, 1, 0),))) == []


def test_a_record_is_shown_only_when_this_match_broke_it() -> None:
    view = won(1)
    winner, loser = people(view)

    def of(matches: int, result_id: int, reader: int = winner) -> list[str]:
        row = Standing(
            1, "all", winner, matches=matches, top_points=record_of(27, result_id), top_escobas=record_of(6, result_id)
        )
        return [line for line in told(view, reader, Aftermath(THIS, (row,))) if "📊" not in line]

    assert of(9, THIS) == ["🎖️ Personal best: 27 points", "🎖️ Personal best: 6 escobas"]
    assert of(9, THIS, loser) == of(9, EARLIER) == []
    assert of(2, THIS) == [], "in the first matches everything is a record"


def test_three_wins_in_a_row_are_a_run_and_the_place_follows() -> None:
    view = won(1)
    winner, _ = people(view)
    rows = [Standing(1, "all", winner, matches=4, wins=3, rank=2, streak=n) for n in (2, 3)]
    place = "📊 Leaderboard: **2.** · 3 wins · 4 matches"
    lines = [told(view, winner, Aftermath(THIS, (row,))) for row in rows]
    assert lines == [[place], ["🔥 A streak of 3 wins", place]]


def test_somebody_reads_their_own_achievements_only() -> None:
    view = won(1)
    winner, loser = people(view)
    earned = (
        Earned(winner, Achievement.SEVENS, NOON),
        Earned(loser, Achievement.SEVENS, NOON),
        Earned(winner, Achievement.OROS, NOON),
        Earned(99, Achievement.ROUT, NOON),
    )
    sevens, oros = (
        "🏅 **The four sevens** (all four sevens in one round)",
        "🏅 **All that glitters** (all ten oros in one round)",
    )
    assert told(view, winner, Aftermath(THIS, achievements=earned)) == [sevens, oros]
    assert told(view, loser, Aftermath(THIS, achievements=earned)) == [sevens]
