"""Matches that people have finished before a test begins."""

from tests.support.escoba import Room
from tests.support.people import Person
from tests.support.store import match_result, new_game, player_result


async def played(here: Room, person: Person, *, won: bool) -> None:
    """Have somebody finish a match elsewhere."""
    stores = here.bot.parts.stores
    game = await new_game(stores, person.id)
    results = [player_result(0, person.id, won=won), player_result(1, None, won=not won)]
    await stores.games.append(game.id, [], result=match_result(results, ranked=False), close=True)
