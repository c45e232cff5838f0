"""One gains by a rated match only what one plays for: wins without a card, robots that win for somebody, who leaves."""

import sqlite3
from contextlib import closing

from bot.club.store.standing import Standing
from bot.engine.match import Match
from bot.tables.log.events import Phase, Presence
from bot.tables.log.state import TableState
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person

NOBODY = "Nobody gains rating or season points: at most one side has played cards of its own in a scored round."
PLAYED_BY_ROBOT = "🤖 Bea: a robot played more than half of their cards. That brings no rating or season points."


async def standing(here: Room, person: Person) -> Standing:
    return await here.bot.parts.stores.leaderboards.stats(here.world.guild.id, person.id)


async def rating(here: Room, person: Person) -> float:
    """What a person's rating is ordered by, before any days without a match."""
    row = await standing(here, person)
    return 25.0 if row.mu is None else row.mu


async def leave(here: Room, person: Person) -> None:
    await person.slash(here.channel, "escoba leave")
    await here.press(person, person.panel(here.channel), "leaveyes")


async def test_four_wins_without_a_card_bring_nothing_and_leaving_loses(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        for _ in range(4):
            await here.begin(2)
            table = here.table
            await leave(here, bea)
            await here.press(ana, here.shown, "takewin")
            assert table.phase is Phase.FORFEITED
            assert NOBODY in here.public_text
            await here.press(ana, here.shown, "hand")
            assert "Rating: 1,000 → **1,000?** (±0)" in here.private_text(ana)
            assert "at most 100 points" not in here.private_text(ana)
        won, lost = [await standing(here, person) for person in here.people]
        assert (won.matches, won.wins, won.season_points, won.streak, won.mu) == (0, 0, 0, 0, 25)
        assert (lost.matches, lost.wins, lost.season_points) == (4, 0, 0)
        assert await rating(here, bea) < 24
        await ana.slash(here.channel, "escoba stats")
        assert "First win" not in here.private_text(ana)


async def absent(here: Room) -> None:
    """Play a round of a rated match; then Bea, who sits in the second seat, lets her time pass, and is away."""
    await here.begin(2, target=21)

    def is_scored(match: Match) -> bool:
        return bool(match.scores) and match.turn == 1

    await here.skip(lambda view: view.moves[0], until=is_scored)
    await here.wait(101)
    assert here.table.view().seats[1].presence is Presence.AWAY


async def test_a_robot_that_plays_most_of_somebodys_cards_wins_them_nothing_and_costs_nobody_anything(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        ana, bea = here.people
        await absent(here)
        here.people = [ana]
        await here.finish(lambda view: view.moves[0])
        assert "Bea wins" in here.public_text
        assert PLAYED_BY_ROBOT in here.public_text
        robot, other = await standing(here, bea), await standing(here, ana)
        assert (robot.matches, robot.wins, robot.season_points, robot.points, robot.mu) == (0, 0, 0, 0, 25)
        assert (other.matches, other.wins, other.season_points, other.mu) == (1, 0, 1, 25)
        await here.press(bea, here.shown, "hand")
        assert PLAYED_BY_ROBOT in here.private_text(bea)


async def test_a_match_that_1_0_had_begun_goes_on_by_its_rules(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin(2)
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as connection, connection:
            connection.execute("UPDATE games SET gains_by_play = 0")
        await here.restart()
        await leave(here, bea)
        await here.press(ana, here.shown, "takewin")
        assert NOBODY not in here.public_text
        won = await standing(here, ana)
        assert (won.matches, won.wins, won.season_points) == (1, 1, 3)
        assert await rating(here, ana) > 25 > await rating(here, bea)


async def test_a_move_that_a_robot_makes_for_somebody_who_is_back_too_late_is_not_theirs(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=20) as here:
        _, bea = here.people
        await here.begin(2)
        seat = here.table.view().match
        assert seat is not None
        assert seat.turn == 1, "Bea begins"
        for _ in range(2):
            await here.wait(101)
            await here.press(bea, here.shown, "hand")
        await here.wait(30)
        state: TableState = here.table._state
        assert (state.cards[1].own, state.cards[1].by_robot) == (0, 1)
