"""What a tournament's matches bring outside it: nothing for not coming, and what was decided about their results."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.club.store.career import Career
from bot.platform.refusals import Refusal
from bot.process.check import check
from bot.tables.log.actions import EndFixture, Leave, Touch
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tournaments.live.running import CORRECTABLE
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Answer, Begin, CancelTournament, Correct, DrawRound, Enter, PlayAgain
from bot.tournaments.rules.tournament import Format, Outcome, Pairing, Setup, TournamentStage
from tests.support.databases import with_tables
from tests.support.tables.kit import GUILD
from tests.tournaments.evening import CROWD, ORGANISER, TournamentProcess

PLAYED = Setup(Format.SWISS, target=5, rounds=3)
LONG = replace(PLAYED, target=21)
A_ROUND = 36
"""The cards that two people play in a round."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return with_tables(tmp_path / "evening.sqlite3")


@pytest.fixture
async def evening(path: Path) -> AsyncIterator[TournamentProcess]:
    """A process on a file of its own."""
    made = await TournamentProcess.on(path)
    yield made
    await made.tournaments.close()
    await made.hall.close()


async def careers(evening: TournamentProcess, pairing: Pairing) -> list[Career]:
    """What the two people of a pairing have achieved on the server."""
    people = [evening.state.entry(each).people[0].id for each in (pairing.first, pairing.second)]
    return [await evening.hall.store.careers.of(GUILD, each) for each in people]


async def counted(evening: TournamentProcess, pairing: Pairing) -> list[tuple[int, int, int, bool, int]]:
    """The matches, wins and season points of a pairing's people, whether they are rated, and their achievements."""
    found = await careers(evening, pairing)
    return [
        (
            each.standing.matches,
            each.standing.wins,
            each.standing.season_points,
            each.standing.mu is not None,
            len(each.achievements),
        )
        for each in found
    ]


NOTHING = (0, 0, 0, False, 0)
BOTH_LOST = Outcome((0, 0), None, forfeit=True)


async def intact(evening: TournamentProcess, path: Path) -> None:
    """Check the database as an operator would."""
    problems: list[str] = []
    assert await evening.hall.store.standings.differences(GUILD) == []
    assert await check(path, problems.append), problems


@pytest.mark.parametrize("cards", [0, 1])
async def test_not_coming_loses_the_match_and_moves_nobody(evening: TournamentProcess, path: Path, cards: int) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    pairing = evening.waiting()[0]
    table = evening.table_of(pairing)
    await evening.play_cards(pairing, cards)  # one by the player who has come
    view = table.view()
    assert view.match is not None
    assert view.match.turn is not None
    came = next(each for index, each in enumerate(view.seats) if index != view.match.turn)
    await table.submit(Touch(next(person for person in CROWD if person.id == came.person_id)))
    await evening.advance(301)
    assert table.phase is Phase.FORFEITED
    outcome = evening.state.rounds[0].outcomes[pairing.table]
    assert outcome.forfeit
    assert outcome.winner is not None
    assert await counted(evening, pairing) == [NOTHING, NOTHING]
    await intact(evening, path)


@pytest.mark.parametrize(("cards", "winner"), [(2, (0, 0, 0, True)), (A_ROUND, (1, 1, 3, True))])
async def test_who_leaves_loses_and_the_other_gains_once_a_round_is_scored(
    evening: TournamentProcess, path: Path, cards: int, winner: tuple[int, int, int, bool]
) -> None:
    await evening.begun(CROWD[:4], LONG)
    pairing = evening.waiting()[0]
    await evening.play_cards(pairing, cards)
    await evening.forfeit(pairing)
    assert [each[:4] for each in await counted(evening, pairing)] == [winner, (1, 0, 0, True)]
    await intact(evening, path)


async def test_a_match_that_is_played_again_is_void_everywhere(evening: TournamentProcess, path: Path) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    pairing, other = evening.waiting()
    await evening.play(pairing)
    assert sum(each[1] for each in await counted(evening, pairing)) == 1
    for _ in range(2):
        await evening.submit(PlayAgain(ORGANISER, 1, pairing.table))
        assert await counted(evening, pairing) == [NOTHING, NOTHING]
        await intact(evening, path)
        await evening.play(pairing)
    assert [each[0] for each in await counted(evening, pairing)] == [1, 1], "the last one counts"
    await evening.play(other)
    await intact(evening, path)


async def test_a_corrected_result_counts_as_it_was_corrected(evening: TournamentProcess, path: Path) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    pairing, other = evening.waiting()
    await evening.play(pairing)
    outcome = evening.state.rounds[0].outcomes[pairing.table]
    assert outcome.winner is not None
    before = await careers(evening, pairing)
    await evening.play(other)
    await evening.submit(DrawRound(ORGANISER))
    for each in evening.waiting():
        await evening.play(each)
    turned = Outcome((outcome.points[1], outcome.points[0]), 1 - outcome.winner)
    await evening.submit(Correct(ORGANISER, 1, pairing.table, turned))
    after = await careers(evening, pairing)
    lost = [each.standing.wins for each in before].index(0)
    assert after[lost].standing.wins > before[lost].standing.wins
    await intact(evening, path)
    await evening.submit(Correct(ORGANISER, 1, pairing.table, Outcome((0, 0), None, forfeit=True)))
    assert [each.standing.matches for each in await careers(evening, pairing)] == [1, 1], "both lost: it is void"
    await intact(evening, path)
    await evening.submit(Correct(ORGANISER, 1, pairing.table, outcome))
    assert [each.standing.matches for each in await careers(evening, pairing)] == [2, 2]
    await intact(evening, path)


async def test_an_opponents_agreement_makes_it_count(evening: TournamentProcess, path: Path) -> None:
    await evening.announce(PLAYED)
    await evening.submit(*(Enter(person) for person in (ORGANISER, *CROWD[:3])))
    await evening.submit(Begin(ORGANISER))
    pairing = next(each for each in evening.waiting() if 1 in (each.first, each.second))
    await evening.play(pairing)
    outcome = evening.state.rounds[0].outcomes[pairing.table]
    assert outcome.winner is not None
    before = await counted(evening, pairing)
    sides = [evening.state.entry(each).people[0] for each in (pairing.first, pairing.second)]
    turned = Outcome((outcome.points[1], outcome.points[0]), 1 - outcome.winner)
    await evening.live.submit(Correct(sides[1 - outcome.winner], 1, pairing.table, turned), manages=True)
    assert await counted(evening, pairing) == before
    [proposal] = evening.state.proposals
    await evening.submit(Answer(sides[outcome.winner], 1, pairing.table, proposal.number, agrees=True))
    assert [each[1] for each in await counted(evening, pairing)] == [1 - each[1] for each in before]
    await intact(evening, path)


async def test_a_match_that_ends_just_after_it_was_decided_counts_as_it_was_decided(
    evening: TournamentProcess, path: Path
) -> None:
    await evening.begun(CROWD[:4], LONG)
    pairing = evening.waiting()[0]
    table, second = evening.table_of(pairing), evening.state.entry(pairing.second).people[0]
    await evening.play_cards(pairing, A_ROUND)
    await evening.live.submit(Correct(ORGANISER, 1, pairing.table, Outcome((1, 5), 1)), moderates=True)
    await table.submit(Leave(second))  # before the table was told
    await asyncio.sleep(0)
    await evening.settled()
    assert table.phase is Phase.FORFEITED
    assert evening.state.rounds[0].outcomes[pairing.table] == Outcome((1, 5), 1)
    assert [each[:2] for each in await counted(evening, pairing)] == [(1, 0), (1, 1)]
    await intact(evening, path)


@pytest.mark.parametrize("again", [False, True])
async def test_an_organiser_ends_no_match_that_runs_without_those_who_may_win_it(
    evening: TournamentProcess, path: Path, again: bool
) -> None:
    await evening.begun(CROWD[:4], LONG)
    pairing = evening.waiting()[0]
    table, sides = evening.table_of(pairing), (pairing.first, pairing.second)
    action = PlayAgain(ORGANISER, 1, pairing.table) if again else Correct(ORGANISER, 1, pairing.table, BOTH_LOST)
    await evening.play_cards(pairing, 2)
    await evening.live.submit(action)
    await evening.settled()
    [proposal] = evening.state.proposals
    assert table.phase.open, "the match goes on"
    for number in sides:
        [person] = evening.state.entry(number).people
        await evening.submit(Answer(person, 1, pairing.table, proposal.number, agrees=True))
    assert table.phase is Phase.CANCELLED
    assert len(evening.state.corrections) == 1
    await intact(evening, path)


async def test_an_organiser_decides_about_a_match_that_nobody_has_played_yet(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], LONG)
    pairing = evening.waiting()[0]
    await evening.play_cards(pairing, 1)
    await evening.live.submit(Correct(ORGANISER, 1, pairing.table, BOTH_LOST))
    assert evening.state.rounds[0].outcomes[pairing.table] == BOTH_LOST


@pytest.mark.parametrize("restart", [False, True])
async def test_a_match_goes_on_and_counts_when_its_tournament_is_cancelled(
    evening: TournamentProcess, path: Path, restart: bool
) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    played, idle = evening.waiting()
    tables = {pairing.table: evening.table_of(pairing) for pairing in (played, idle)}
    await evening.play_cards(played, 2)
    await evening.live.submit(CancelTournament(ORGANISER))
    await evening.settled()
    assert tables[played.table].phase is Phase.PLAYING
    assert tables[idle.table].phase is Phase.CANCELLED
    people = [evening.state.entry(each).people[0] for each in (played.first, played.second)]
    if restart:
        evening = await evening.restarted()
    table = evening.hall.manager.get(tables[played.table].id)
    assert table is not None
    await table.submit(Leave(people[1]))
    await evening.settled()
    assert table.phase is Phase.FORFEITED
    found = [(await evening.hall.store.careers.of(GUILD, each.id)).standing for each in people]
    assert [(each.matches, each.wins, each.mu is not None) for each in found] == [(0, 0, True), (1, 0, True)]
    await intact(evening, path)
    if restart:
        await evening.tournaments.close()
        await evening.hall.close()


async def test_a_decided_table_is_ended_by_whoever_decided_it_even_a_player(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    first, second = evening.waiting()
    table = evening.table_of(first)
    player = evening.state.entry(second.first).people[0]
    await evening.live.submit(Correct(player, 1, first.table, Outcome((5, 1), 0)), manages=True)
    await evening.settled()
    assert table.phase is Phase.CANCELLED
    assert table.view().ended_by == player.name


async def test_only_a_tournaments_table_is_ended_by_a_decision(evening: TournamentProcess) -> None:
    table = await evening.hall.lobby(CROWD[0])
    with pytest.raises(Refusal) as refused:
        await table.submit(EndFixture(CROWD[1]))
    assert refused.value.code is TableRefusal.NOT_ALLOWED


async def test_results_stand_seven_days_after_the_evening(evening: TournamentProcess) -> None:
    await evening.begun(CROWD[:4], PLAYED)
    while evening.state.stage is TournamentStage.PLAYING:
        for pairing in evening.waiting():
            await evening.play(pairing)
        if evening.state.stage is TournamentStage.PLAYING:
            await evening.submit(DrawRound(ORGANISER))
    pairing = evening.state.rounds[0].pairings[0]
    again = Outcome((0, 0), None, forfeit=True)
    await evening.hall.clock.advance(CORRECTABLE.total_seconds() - 60)
    await evening.submit(Correct(ORGANISER, 1, pairing.table, again))
    assert evening.state.rounds[0].outcomes[pairing.table] == again
    await evening.hall.clock.advance(120)
    with pytest.raises(Refusal) as refused:
        await evening.submit(Correct(ORGANISER, 1, pairing.table, Outcome((5, 3), 0)))
    assert refused.value.code is TournamentRefusal.LONG_OVER
