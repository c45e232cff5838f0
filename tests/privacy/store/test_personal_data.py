"""A person's data: all that is theirs, and nothing that is only somebody else's."""

import json
import threading
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.club.store.results import PlayerResult
from bot.platform.database import event_logs
from bot.platform.people import Person
from bot.privacy.live import personal_data as live
from bot.privacy.live.erasure import Disguise
from bot.privacy.live.personal_data import KEYS, personal_data
from bot.process.stores import Stores
from bot.tables.log.actions import Answer, Ask, ClaimMatch, Decline, Leave, LetComputerPlay
from bot.tables.log.codec import LOG, VALUES
from bot.tables.log.events import Config, Reacted
from bot.tables.log.topics import Sign
from bot.training.store.rows import DayAnswer, PracticeRow
from tests.support.dose import thorough_but
from tests.support.store import GUILD, NOON, add_finished_game, match_result, player_result
from tests.support.tables.hall import PACE, Hall, move_by, person_at, play_round, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, DON
from tests.test_check import Game

ELSEWHERE = 1_100_000_000_000_000_077
RESULT_KEYS = {
    *("game", "server_id", "channel_id", "ended_at", "rule_system", "rule_set", "target", "seating", "rounds"),
    *("counts", "seat", "side", "name", "won", "points", "escobas"),
    *("luck", "friendly", "place", "stayed", "played", "gains", "sources", "rating", "known", "nth"),
}
"""All that a person's data say about a match; the rest of a result isn't about that person."""


def seat(number: int, person: Person, points: int, escobas: int, *, won: bool = False) -> PlayerResult:
    """A person's result, with figures that nobody else has."""
    place = 1 if won else 2
    return player_result(number, person.id, name=person.name, points=points, escobas=escobas, won=won, place=place)


MATCHES = {
    1: match_result([seat(0, ANA, 7101, 31), seat(1, BEA, 7202, 32, won=True)], channel_id=1, rounds=811),
    2: match_result([seat(0, BEA, 7203, 33), seat(1, ANA, 7102, 34, won=True)], channel_id=2, rounds=812),
    3: match_result([seat(0, ANA, 7103, 35), seat(1, CLO, 7304, 36)], channel_id=3, rounds=813),
    4: match_result([seat(0, CLO, 7305, 37), seat(1, BEA, 7206, 38)], guild_id=ELSEWHERE, channel_id=4, rounds=814),
    5: match_result([seat(0, CLO, 7307, 39), seat(1, DON, 7408, 40)], channel_id=5, rounds=815),
}
"""By channel: two matches of Ana and Bea, one of each without the other, and one with neither."""


async def store_matches(store: Stores) -> None:
    """Store the matches, each in a game in its own channel."""
    for channel, played in MATCHES.items():
        await add_finished_game(store, [played], channel)


async def test_the_results_are_put_together_in_a_thread(store: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be thousands, and everybody's clicks would wait for them."""
    threads: list[int] = []
    make = live._own_result

    def noting(*args: Any) -> dict[str, Any]:
        threads.append(threading.get_ident())
        return make(*args)

    monkeypatch.setattr(live, "_own_result", noting)
    await store_matches(store)
    await personal_data(store.personal_data, store.games, ANA.id, NOON)
    assert len(threads) == 3
    assert threading.get_ident() not in threads


async def test_logs_are_read_some_at_a_time_and_the_games_stay_in_order(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    for channel in range(1, 6):
        await Game(ANA, BEA, seed=channel).play().keep(store, channel=channel)
    whole = (await document(store, ANA))[0]["games"]
    read: list[int] = []
    with_logs = store.games.with_logs

    async def noting(ids: Collection[int]) -> Any:
        read.append(len(ids))
        return await with_logs(ids)

    monkeypatch.setattr(store.games, "with_logs", noting)
    monkeypatch.setattr(live, "_AT_ONCE", 2)
    assert (await document(store, ANA))[0]["games"] == whole
    assert len(whole) == 5
    assert read == [2, 2, 1]


async def test_all_entries_that_name_a_person_are_rewritten_some_at_a_time(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_logs, "_AT_ONCE", 2)
    numbers = [await Game(ANA, BEA, seed=channel).play().keep(store, channel=channel) for channel in range(1, 6)]
    await store.personal_data.forget(BEA.id, Disguise(BEA.id).rewriter, NOON)
    bodies = " ".join([entry.body for number in numbers for entry in await store.games.log(number)])
    assert str(BEA.id) not in bodies
    assert BEA.name not in bodies
    assert bodies.count(str(ANA.id)) >= 5


async def document(store: Stores, person: Person) -> tuple[dict[str, Any], str]:
    """A person's data; and the same data as a text, without the explanation of the keys."""
    data = await personal_data(store.personal_data, store.games, person.id, NOON)
    assert data["keys"] == KEYS
    return data, json.dumps({key: value for key, value in data.items() if key != "keys"}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("person", "expected"),
    [
        (ANA, {(1, 0, 7101, 31, False), (2, 1, 7102, 34, True), (3, 0, 7103, 35, False)}),
        (BEA, {(1, 1, 7202, 32, True), (2, 0, 7203, 33, False), (4, 1, 7206, 38, False)}),
        (CLO, {(3, 1, 7304, 36, False), (4, 0, 7305, 37, False), (5, 0, 7307, 39, False)}),
    ],
    ids=["Ana", "Bea", "Clo"],
)
async def test_everybody_gets_their_own_results_of_all_servers_once(
    store: Stores, person: Person, expected: set[tuple[int, int, int, int, bool]]
) -> None:
    await store_matches(store)
    data, _ = await document(store, person)
    told = [(int(r["channel_id"]), r["seat"], r["points"], r["escobas"], r["won"]) for r in data["results"]]
    assert sorted(told) == sorted(expected)
    assert all(result["name"] == person.name for result in data["results"])
    assert data["names"] == [person.name]


@pytest.mark.parametrize("person", thorough_but([ANA, BEA, CLO, DON], BEA, DON), ids=lambda person: person.name)
async def test_nobody_gets_data_that_is_only_somebody_elses(store: Stores, person: Person) -> None:
    await store_matches(store)
    _, text = await document(store, person)
    for other in (ANA, BEA, CLO, DON):
        assert (str(other.id) in text) == (other == person)
        assert (f'"{other.name}"' in text) == (other == person)
    for played in MATCHES.values():
        assert (str(played.rounds) in text) == any(each.user_id == person.id for each in played.players)
        for each in played.players:
            assert (str(each.points) in text) == (each.user_id == person.id)
    assert (str(ELSEWHERE) in text) == (person in (BEA, CLO))


async def test_everybody_gets_their_own_answers_to_days_positions(store: Stores) -> None:
    for person, guild_id, counts in ((ANA, GUILD, True), (BEA, None, False)):
        answer = DayAnswer(
            NOON.date(), person.id, guild_id, person.name, "0 7o x 8c", 0 if counts else 700, counts, NOON
        )
        await store.answers.give(answer)
    data, text = await document(store, ANA)
    assert BEA.name not in text
    assert data["answers"] == [
        {
            "day": "2026-03-14",
            "server_id": str(GUILD),
            "name": "Ana",
            "move": "0 7o x 8c",
            "points_given_away": 0,
            "counts": True,
            "at": NOON.isoformat(),
        }
    ]
    assert data["names"] == ["Ana"]
    data, _ = await document(store, BEA)
    assert [(each["server_id"], each["points_given_away"]) for each in data["answers"]] == [(None, 700)]


async def test_a_result_holds_only_the_persons_seat_and_the_match(store: Stores) -> None:
    await store_matches(store)
    data, _ = await document(store, ANA)
    assert all(set(result) == RESULT_KEYS for result in data["results"])
    assert {result["server_id"] for result in data["results"]} == {str(GUILD)}
    chain = [(each["rating"]["before"]["shown"], each["rating"]["after"]["shown"]) for each in data["results"]]
    assert chain[0][0] == 1000 > chain[0][1] == chain[1][0] < chain[1][1] == chain[2][0]


async def test_people_who_played_together_each_get_only_their_own_moves(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        together = await hall.match(ANA, BEA, channel=1)
        await play_round(together)
        alone = await hall.match(BEA, CLO, channel=2)
        await alone.submit(move_by(alone))
        for person in (BEA, ANA):
            await together.submit(Leave(person))
        for person in (BEA, CLO):
            await alone.submit(Leave(person))
        ana, her_text = await document(hall.store, ANA)
        bea, his_text = await document(hall.store, BEA)
        assert [game["game"] for game in ana["games"]] == [together.id]
        assert [game["game"] for game in bea["games"]] == [together.id, alone.id]
        hers, his = ana["games"][0]["moves"], bea["games"][0]["moves"]
        assert {move.partition(" ")[0] for move in hers} == {"0"}
        assert {move.partition(" ")[0] for move in his} == {"1"}
        assert len(hers) >= 18
        assert len(his) >= 18
        for text, others in ((her_text, (BEA, CLO)), (his_text, (ANA, CLO))):
            assert not [other for other in others if str(other.id) in text or f'"{other.name}"' in text]
    finally:
        await hall.close()


async def test_a_reaction_is_in_the_data_of_the_person_who_gave_it_and_of_nobody_else(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        table = await hall.match(ANA, BEA, CLO)
        mover = turn_of(table)
        await table.submit(move_by(table))
        [giver] = {0, 1, 2} - {mover, turn_of(table)}
        reacted = LOG.entries([Reacted(giver, Sign.LUCK)], hall.clock.now(), after=table.version)  # as 1.0 wrote it
        await hall.store.games.append(table.id, reacted)
        hall = await hall.restarted()
        table = await hall.manager.find(table.id)
        assert table is not None
        for person in (ANA, BEA, CLO):
            await table.submit(Leave(person))
        for number, person in enumerate((ANA, BEA, CLO)):
            [game] = (await document(hall.store, person))[0]["games"]
            reactions = [each["sign"] for each in game["you"] if each["what"] == "reacted"]
            assert reactions == ([Sign.LUCK] if number == giver else [])
    finally:
        await hall.close()


@pytest.mark.parametrize(("challenge", "what"), [(True, "challenged"), (False, "invited")])
async def test_somebody_who_was_asked_to_a_game_and_never_joined_gets_that_and_their_name(
    tmp_path: Path, challenge: bool, what: str
) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3")
    try:
        where: Any = {"guild_id": GUILD, "channel_id": 1, "locale": "es-ES", "config": Config.of_preset("escoba")}
        table = await hall.manager.open(**where, opener=ANA, invited=(ANA, BEA), challenge=challenge)
        data, _ = await document(hall.store, BEA)
        assert ([game["open"] for game in data["games"]], data["names"]) == ([True], [BEA.name])
        await table.submit(Decline(BEA) if challenge else Leave(ANA))
        data, text = await document(hall.store, BEA)
        [game] = data["games"]
        told = [(each["what"], each["name"]) for each in game["you"]]
        assert told == [(what, BEA.name), ("ended", BEA.name)][: 2 if challenge else 1]
        assert (game["opened_by_you"], data["names"]) == (False, [BEA.name])
        assert str(ANA.id) not in text
        assert f'"{ANA.name}"' not in text
        [opened] = (await document(hall.store, ANA))[0]["games"]
        assert opened["you"][0]["what"] == "opened"
        assert (await document(hall.store, CLO))[0]["games"] == []
    finally:
        await hall.close()


async def test_who_had_a_computer_play_for_somebody_gets_that_and_the_other_that_they_were_away(
    tmp_path: Path,
) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3", replace(PACE, turn=0))
    try:
        table = await hall.match(ANA, BEA, CLO)
        slow = turn_of(table)
        caller = (slow + 1) % 3
        await hall.clock.advance(600)
        await table.submit(LetComputerPlay(person_at(table, caller), table.view().version))
        for person in (ANA, BEA, CLO):
            await table.submit(Leave(person))
        for number, person in enumerate((ANA, BEA, CLO)):
            [game] = (await document(hall.store, person))[0]["games"]
            called = [each["for_seat"] for each in game["you"] if each["what"] == "called_computer"]
            assert called == ([slow] if number == caller else [])
            assert ("away" in [each["what"] for each in game["you"]]) == (number == slow)
    finally:
        await hall.close()


async def test_each_gets_what_they_said_about_an_early_end_and_who_claimed_gets_that(tmp_path: Path) -> None:
    hall = await Hall.build(tmp_path / "x.sqlite3", replace(PACE, turn=0))
    try:
        table = await hall.match(ANA, BEA)
        late = person_at(table, turn_of(table))
        [other] = [person for person in (ANA, BEA) if person != late]
        for agrees in (True, False):  # whoever asks thinks again
            if agrees:
                await table.submit(Ask(late))
            question = table.view().question
            assert question is not None
            await table.submit(Answer(late, question.number, agrees))
        await hall.clock.advance(PACE.idle)
        await table.submit(ClaimMatch(other, table.view().version))
        said = {"proposed_end", "agreed_to_end", "against_end", "claimed_match", "left"}
        for person, expected in ((late, ["proposed_end", "against_end", "left"]), (other, ["claimed_match"])):
            [game] = (await document(hall.store, person))[0]["games"]
            assert [each["what"] for each in game["you"] if each["what"] in said] == expected
    finally:
        await hall.close()


async def test_each_gets_the_positions_that_they_practise_and_the_rules_that_they_saved_as_stored(
    store: Stores,
) -> None:
    position = {"position": "match target=21\ndeal 7o 1c", "ratings": [["0 7o", 0.5]]}
    kept = [
        PracticeRow("review/1/7", json.dumps(position), "sevens", 1, NOON),
        PracticeRow("review/1/8", "", "sevens", 3, NOON),
        PracticeRow("review/1/9", "{", "sevens", 0, NOON),
    ]
    await store.practice.add(ANA.id, kept)
    await store.practice.add(BEA.id, [PracticeRow("review/1/7", '{"hers": 1}', "sevens", 0, NOON)])
    config = Config.of_preset("quince", target=31)
    assert isinstance(await store.rule_sets.add(GUILD, "Peña", VALUES.write(config), ANA.id, NOON), int)
    data, text = await document(store, ANA)
    assert [each["exercise"] for each in data["practice"]] == [position, None, "{"]
    [rules] = data["rule_sets"]
    assert (rules["name"], rules["rules"]) == ("Peña", json.loads(VALUES.write(config)))
    assert "hers" not in text
