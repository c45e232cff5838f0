"""The list of a person's finished matches on a server: the latest first, and nobody else's."""

from dataclasses import replace
from datetime import timedelta

from bot.process.stores import Stores
from tests.support.store import CHANNEL, GUILD, NOON, entry, match_result, new_game, player_result

ANA, BEA, CIRO = 1, 2, 3


async def play(store: Stores, number: int, people: tuple[int, ...] = (ANA, BEA), guild_id: int | None = GUILD) -> int:
    """Play a match that ends `number` hours after noon; its first person wins. Returns the game's id."""
    game = await new_game(store, CHANNEL + number, log=[entry(1)])
    players = [player_result(seat, person, won=not seat, points=21 - seat) for seat, person in enumerate(people)]
    result = replace(match_result(players, guild_id=guild_id), ended_at=NOON + timedelta(hours=number))
    await store.games.append(game.id, [entry(2)], result=result, close=True)
    return game.id


async def test_a_persons_matches_come_page_by_page_the_latest_first(store: Stores) -> None:
    games = [await play(store, number) for number in range(5)]
    pages = [await store.matches.page(GUILD, ANA, limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [[match.game_id for match in rows] for rows, _ in pages] == [games[:2:-1], games[2:0:-1], games[:1]]
    assert {total for _, total in pages} == {5}
    [latest, *_], _ = pages[0]
    assert latest.kept
    assert [(seat.user_id, seat.won, seat.points) for seat in latest.seats] == [(ANA, True, 21), (BEA, False, 20)]
    rows, _ = await store.matches.page(GUILD, BEA, limit=1, offset=0)
    assert rows[0].own == 1


async def test_a_match_is_seen_only_by_its_players_and_on_its_server(store: Stores) -> None:
    game = await play(store, 1)
    assert await store.matches.of(GUILD, ANA, game) is not None
    assert await store.matches.of(GUILD, CIRO, game) is None
    assert await store.matches.of(GUILD + 1, ANA, game) is None
    assert await store.matches.page(GUILD, CIRO, limit=9, offset=0) == ([], 0)
    assert await store.matches.page(GUILD + 1, ANA, limit=9, offset=0) == ([], 0)


async def test_a_match_that_somebody_played_alone_is_in_their_list_everywhere(store: Stores) -> None:
    alone, here = await play(store, 1, (ANA,), None), await play(store, 2)
    for guild_id, games in ((GUILD, [here, alone]), (GUILD + 1, [alone]), (None, [here, alone])):
        rows, total = await store.matches.page(guild_id, ANA, limit=9, offset=0)
        assert ([row.game_id for row in rows], total) == (games, len(games))
    assert (await store.matches.page(GUILD, BEA, limit=9, offset=0))[1] == 1


async def test_a_match_that_still_goes_on_is_in_no_list(store: Stores) -> None:
    game = await new_game(store)
    assert await store.matches.page(GUILD, ANA, limit=9, offset=0) == ([], 0)
    assert await store.matches.of(GUILD, ANA, game.id) is None


async def test_open_games_on_all_servers_are_found_by_the_people_they_name(store: Stores) -> None:
    opened = [await new_game(store, CHANNEL + number) for number in range(2)]
    await store.games.append(opened[0].id, [entry(1)], joined=[BEA])
    await play(store, 5)
    assert [row.id for row in await store.games.running(BEA)] == [opened[0].id]
    both = [row.id for row in await store.games.running(opened[0].opener_id)]
    assert both == [opened[1].id, opened[0].id], "the latest first"
    await store.games.append(opened[1].id, [entry(1)], close=True)
    assert [row.id for row in await store.games.running(opened[0].opener_id)] == [opened[0].id]
    many = [await new_game(store, CHANNEL + 100 + number) for number in range(60)]
    everything = [row.id for row in (*many[::-1], opened[0])]
    assert [row.id for row in await store.games.running(many[0].opener_id)] == everything


async def test_when_a_log_has_expired_the_result_stays_and_says_so(store: Stores) -> None:
    game = await play(store, 1)
    await store.kept.drop_logs(NOON + timedelta(days=1))
    match = await store.matches.of(GUILD, ANA, game)
    assert match is not None
    assert not match.kept
    assert [seat.points for seat in match.seats] == [21, 20]


async def test_an_erased_person_has_no_matches_and_others_keep_theirs(store: Stores) -> None:
    game = await play(store, 1)
    await store.personal_data.forget(ANA, lambda game_id: lambda kind, body: None, NOON)
    assert await store.matches.of(GUILD, ANA, game) is None
    match = await store.matches.of(GUILD, BEA, game)
    assert match is not None
    assert match.seats[0].user_id is None
