"""The stakes of a match are shown as soon as it can begin, in lobbies of people only, and if it is to be rated."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.club.rules.rating import Rating
from bot.club.store.ratings import Lineup
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.people import Person
from bot.tables.boards.public_message import stakes_in
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Seat
from tests.support.layouts import table_of

NOW = datetime(2026, 5, 8, 20, 30, tzinfo=UTC)
PEOPLE = tuple(Seat(name, number) for number, name in enumerate(("Ana", "Bea", "Clo", "Don"), start=1))


class Ratings:
    """The part of the store that computing stakes needs."""

    def __init__(self) -> None:
        self.asked: list[Collection[int]] = []

    async def lineup(self, guild_id: int, people: Collection[int], at: datetime) -> Lineup:
        self.asked.append(people)
        assert at == NOW
        return Lineup(dict.fromkeys(people, Rating()), nth=4)


class Broken(Ratings):
    async def lineup(self, guild_id: int, people: Collection[int], at: datetime) -> Lineup:
        raise StoreUnavailable(Fault.LOCKED, "not now")


def as_store(ratings: Ratings) -> Any:
    return ratings


def lobby(*seats: Seat, missing: tuple[Person, ...] = (), **config: Any) -> TableView:
    view = table_of(None, len(seats), phase=Phase.LOBBY, config=replace(Config(), **config))
    return replace(view, seats=seats, missing=missing)


async def test_a_lobby_that_can_begin_shows_everybodys_stakes():
    ratings = Ratings()
    for seats, sides in ((PEOPLE[:2], 2), (PEOPLE[:3], 3), (PEOPLE, 4)):
        stakes = await stakes_in(lobby(*seats), as_store(ratings), NOW)
        assert stakes is not None
        assert (stakes.sides, stakes.nth) == (sides, 4)
        assert [each.person_id for each in stakes.people] == [seat.person_id for seat in seats]
    pairs = await stakes_in(lobby(*PEOPLE, teams=True), as_store(ratings), NOW)
    assert pairs is not None
    assert pairs.sides == 2


async def test_a_challenge_shows_both_stakes_before_it_is_accepted():
    stakes = await stakes_in(lobby(PEOPLE[0], missing=(Person(2, "Bea"),)), as_store(Ratings()), NOW)
    assert stakes is not None
    assert [each.person_id for each in stakes.people] == [1, 2]
    waiting = lobby(*PEOPLE[:3], missing=(Person(4, "Don"),), teams=True)
    assert await stakes_in(waiting, as_store(Ratings()), NOW) is None  # nobody knows who will sit where


@pytest.mark.parametrize(
    "view",
    [
        lobby(PEOPLE[0]),
        lobby(*PEOPLE[:2], rated=False),
        lobby(*PEOPLE[:2], Seat("Nuria")),
        replace(lobby(*PEOPLE[:2]), phase=Phase.EXPIRED),
    ],
    ids=["alone", "friendly", "with a computer", "over"],
)
async def test_the_store_is_asked_only_where_something_is_at_stake(view: TableView):
    ratings = Ratings()
    assert await stakes_in(view, as_store(ratings), NOW) is None
    assert ratings.asked == []


async def test_a_lobby_shows_no_stakes_while_the_store_cannot_be_read():
    assert await stakes_in(lobby(*PEOPLE[:2]), as_store(Broken()), NOW) is None
