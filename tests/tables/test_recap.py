"""The recap tells somebody what they have missed in a match since their last look."""

from dataclasses import replace

from bot.engine.facts import CardLaid, CardPlayed, Fact, RoundBegan
from bot.platform.language.catalogues import words
from bot.tables.live.table import Table
from bot.tables.log.history import recap
from bot.tables.log.pace import Tempo
from bot.tables.words.telling import LONGEST_RECAP, recap_lines
from tests.support.tables.hall import Hall, turn_of
from tests.support.tables.kit import ANA, BEA, config_of
from tests.tables.test_slow import miss, play

EN = words("en")
ELSEWHERE = 7
"""A seat that made no move."""
SLOW = replace(config_of(), tempo=Tempo.DAY, forced=False)


async def facts(hall: Hall, table: Table, seat: int, since: int | None = None) -> list[Fact]:
    return [each.fact for each in recap(await hall.store.games.log(table.id), seat, since)]


async def test_whatever_came_after_the_last_look_is_told(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    version = table.view().version
    seen: list[Fact] = []
    for _ in range(4):
        await play(table)
        match = table.view().match
        assert match is not None
        seen += match.facts
    assert await facts(hall, table, ELSEWHERE, version) == seen
    assert await facts(hall, table, ELSEWHERE, table.view().version) == []
    own = next(each.seat for each in reversed(seen) if isinstance(each, CardPlayed))
    assert await facts(hall, table, own, version) == [], "a move of their own is a look"


async def test_if_the_last_look_is_not_known_it_was_the_last_move_of_ones_own(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    first = turn_of(table)
    before = await facts(hall, table, first)
    assert isinstance(before[0], RoundBegan)
    await play(table)
    assert await facts(hall, table, first) == []
    await play(table)
    [told] = [each for each in await facts(hall, table, first) if isinstance(each, CardPlayed)]
    assert told.seat == 1 - first


async def test_moves_that_a_computer_made_in_ones_place_are_told_and_marked(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await play(table)
    await play(table)
    seat = await miss(hall, table)
    await play(table)
    happened = recap(await hall.store.games.log(table.id), seat, None)
    played = [each for each in happened if isinstance(each.fact, CardPlayed)]
    assert [each.fact.seat for each in played if isinstance(each.fact, CardPlayed)][-2:] == [seat, 1 - seat]
    assert "🤖" in " ".join(recap_lines(happened, table.view().names, EN))
    assert not any(isinstance(each.fact, CardLaid) for each in happened)


async def test_a_long_recap_tells_the_latest_and_counts_the_rest(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    for _ in range(12):
        await play(table)
    happened = recap(await hall.store.games.log(table.id), ELSEWHERE, 0)
    lines = recap_lines(happened, table.view().names, EN)
    assert len(lines) == LONGEST_RECAP + 1
    assert lines[0].startswith("…")
    assert recap_lines(happened[-LONGEST_RECAP:], table.view().names, EN) == lines[1:]
