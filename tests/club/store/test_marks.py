"""Limits on ratings survive an erasure under marks, for 30 days, and the marks lead to nobody without the key."""

import stat
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.club.rules.gains import DAYS, MOST
from bot.club.rules.rating import POINTS, Rating
from bot.club.store.marks import Marks
from bot.platform.database.pseudonyms import Pseudonyms
from bot.platform.database.tools.backup_folder import BackupFolder
from bot.privacy.live.erasure import Disguise
from bot.process.backups import restore
from bot.process.stores import Stores
from tests.club.store.test_ratings import known, played
from tests.support.store import GUILD, NOON, add_finished_game, on_both, rows

ANA, BEA, CLO, DON = (222_222_222_222_222_000 + number for number in range(4))
DAY = timedelta(days=1)
ALL = (ANA, BEA, CLO, DON)
TABLES = ("marked_rivals", "marked_matches", "marked_ratings")


async def erase(store: Stores, person: int, at: datetime = NOON) -> int:
    return await store.personal_data.forget(person, Disguise(person).rewriter, at)


async def rating_of(store: Stores, person: int, at: datetime = NOON) -> Rating:
    return (await store.ratings.lineup(GUILD, [person], at)).ratings[person]


def marked(database: str | Path) -> list[tuple[object, ...]]:
    return [row for table in TABLES for row in rows(database, f"SELECT * FROM {table}")]  # noqa: S608 - names of ours


@on_both
async def test_an_accomplice_who_erases_their_data_after_each_session_gives_no_more(store: Stores) -> None:
    await known(store, *ALL)
    before = await rating_of(store, ANA)
    for day in range(12):
        at = NOON + day * DAY
        await add_finished_game(store, [played(ANA, BEA, at=at)] * 2)
        await erase(store, BEA, at)
        assert (await store.ratings.lineup(GUILD, [ANA, BEA], at)).nth == 3
        await add_finished_game(store, [played(ANA, BEA, at=at)])
    gained = (await rating_of(store, ANA, at)).mu - before.mu
    assert gained * POINTS == pytest.approx(MOST, abs=0.01), "also from somebody of whom it isn't known any more who"
    assert await store.standings.differences(GUILD) == []


@on_both
async def test_whom_somebody_has_met_is_known_after_their_erasure_and_after_others(store: Stores) -> None:
    await add_finished_game(store, [played(one, other) for one in ALL for other in ALL if one < other])
    for person in (BEA, CLO, BEA):
        await erase(store, person)
        assert (await store.ratings.lineup(GUILD, ALL, NOON)).gains.known == set(ALL)
    for person in ALL:
        await erase(store, person)
    assert (await store.ratings.lineup(GUILD, ALL, NOON)).gains.known == set(ALL)
    assert (await store.ratings.lineup(GUILD, ALL, NOON + DAYS * DAY)).gains.known == set()


async def test_an_erasure_has_nobody_meet_whom_they_have_not_played_with(store: Stores) -> None:
    for other in (BEA, CLO, DON):
        match = played(ANA, other, left=[1])
        players = (replace(each, played=not each.seat, gains=False) for each in match.players)
        await add_finished_game(store, [replace(match, players=tuple(players))])
        await erase(store, other)
    assert (await store.ratings.lineup(GUILD, [ANA], NOON)).gains.known == set()


@on_both
async def test_who_returns_enters_with_the_rating_that_they_had(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(CLO, BEA), played(DON, BEA)])
    before = await rating_of(store, BEA)
    assert before != Rating()
    await erase(store, BEA)
    assert await rating_of(store, BEA) == before
    await add_finished_game(store, [played(BEA, ANA), played(BEA, CLO)])
    after = await rating_of(store, BEA)
    assert after.mu > before.mu
    await erase(store, BEA)
    assert await rating_of(store, BEA) == after, "it is that of the later erasure"
    assert await rating_of(store, BEA, NOON + DAYS * DAY) == Rating()
    assert await store.standings.differences(GUILD) == []


async def test_nobody_is_spared_a_loss_because_somebody_erased_their_data_during_the_match(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, -BEA, CLO, DON, left=[1])])
    assert (await rating_of(store, ANA)).mu > Rating().mu > (await rating_of(store, DON)).mu
    assert (await store.ratings.lineup(GUILD, [ANA, CLO, DON], NOON)).nth == 1
    await add_finished_game(store, [played(ANA, BEA, CLO), played(ANA, -BEA, None)])
    assert await store.standings.differences(GUILD) == []


async def test_erasing_twice_adds_only_what_is_new(store: Stores, database: str | Path) -> None:
    await known(store, *ALL)
    await add_finished_game(store, [played(ANA, BEA), played(ANA, BEA, CLO), played(BEA, None, ANA)])
    before = (await store.ratings.lineup(GUILD, ALL, NOON)).gains.net
    await erase(store, BEA)
    first = marked(database)
    assert await erase(store, BEA) == 0
    assert marked(database) == first
    assert (await store.ratings.lineup(GUILD, ALL, NOON)).gains.net == before
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], NOON)).nth == 3, "robots beside them don't count"
    await add_finished_game(store, [played(ANA, BEA)])
    await erase(store, ANA)
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], NOON)).nth == 4
    await erase(store, BEA)
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], NOON)).nth == 4


@on_both
async def test_without_the_key_nothing_in_the_database_leads_to_a_person(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [played(*ALL), played(ANA, BEA), played(ANA, BEA), played(CLO, DON)])
    await erase(store, BEA)
    assert marked(database)
    told = [str(value) for row in marked(database) for value in row]
    assert not [person for person in ALL for value in told if str(person) in value], "not even of those who are there"
    # An attacker tries every id that there may be, with the code, but without the key.
    numbers = {value for row in marked(database) for value in row if isinstance(value, int) and value < -(10**9)}
    guesses = {
        key.of(guild, *people) for key in (Pseudonyms(), Pseudonyms()) for guild in (GUILD, 0) for people in sets()
    }
    assert numbers.isdisjoint(guesses)
    key = store.database.pseudonyms
    assert numbers <= {key.of(GUILD, *people) for people in sets()}, "with it they are found"


def sets() -> list[Sequence[int]]:
    ids = range(ANA - 500, ANA + 500)
    return [*((each,) for each in ids), (ANA, BEA), ALL, *((ANA, each) for each in ids)]


async def test_the_marks_on_two_servers_have_nothing_in_common(store: Stores, database: str | Path) -> None:
    for guild_id in (GUILD, GUILD + 1):
        await add_finished_game(store, [played(ANA, BEA, guild_id=guild_id)], guild_id)
    await erase(store, BEA)
    found = rows(database, "SELECT guild_id, mark FROM marked_ratings UNION SELECT guild_id, mark FROM marked_rivals")
    assert len({mark for _, mark in found}) == len(found) == 4


@on_both
async def test_an_export_tells_of_marks_for_30_days_and_then_they_are_gone(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(ANA, BEA), played(CLO, BEA, at=NOON - DAYS * DAY)])
    assert await store.personal_data.marks_of(BEA, NOON) == Marks()
    rating = await rating_of(store, BEA)
    await erase(store, BEA)
    found = await store.personal_data.marks_of(BEA, NOON)
    [(guild_id, day, lost), met] = found.rivals
    assert (guild_id, day, lost < 0) == (GUILD, "2026-03-14", True), "to strangers, of whom Ana was one"
    assert met == (GUILD, "2026-03-14", 0)
    assert found.matches == ((GUILD, "2026-03-14", 2),)
    [(_, kept, _)] = found.ratings
    assert kept == rating
    assert (await store.personal_data.marks_of(ANA, NOON)).rivals == (met,)
    assert await store.personal_data.marks_of(CLO, NOON) == Marks(), "that is too long ago"
    assert await store.personal_data.marks_of(BEA, NOON + DAYS * DAY) == Marks()
    await store.kept.drop_limits(NOON + (DAYS - 1) * DAY)
    assert await store.personal_data.marks_of(BEA, NOON) == found
    await store.kept.drop_limits(NOON + DAYS * DAY)
    assert marked(database) == []


async def test_a_server_that_is_dropped_takes_its_marks_along(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [played(ANA, BEA)])
    await erase(store, BEA)
    while await store.kept.drop_games(GUILD):
        pass
    assert await store.kept.drop_rest(GUILD, [])
    assert marked(database) == []


# ------------------------------------------------------------------------------------------ the key
async def test_processes_share_the_key_in_a_file_that_is_theirs_alone(tmp_path: Path) -> None:
    path, one, other = tmp_path / "new" / "escoba.key", Pseudonyms(), Pseudonyms()
    await one.load(path)
    await other.load(path)
    assert one.of(GUILD, ANA) == other.of(GUILD, ANA) != Pseudonyms().of(GUILD, ANA)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert one.of(GUILD, ANA, BEA) == other.of(GUILD, BEA, ANA)
    path.unlink()
    await other.load(path)
    assert one.of(GUILD, ANA) != other.of(GUILD, ANA), "a lost key is made anew, and the marks are forgotten"


@pytest.mark.parametrize("content", ["", "no key", "ab" * 31, None])
async def test_a_key_that_cannot_be_used_is_said_and_does_not_stop_the_bot(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str | None
) -> None:
    path = tmp_path / "escoba.key"
    path.mkdir() if content is None else path.write_text(content, "ascii")
    pseudonyms = Pseudonyms()
    await pseudonyms.load(path)
    assert "Can't use the key in" in caplog.text
    assert pseudonyms.of(GUILD, ANA) == pseudonyms.of(GUILD, ANA)


async def test_backups_and_copies_leave_the_key_behind_and_a_restore_marks_with_it(tmp_path: Path) -> None:
    path = tmp_path / "escoba.sqlite3"
    key, folder = tmp_path / "escoba.sqlite3.key", BackupFolder(path)
    store = await Stores.open(path)
    await store.database.pseudonyms.load(key)
    await add_finished_game(store, [played(ANA, BEA, at=NOON)] * 5)
    before = await rating_of(store, BEA)
    folder.back_up(NOON)
    await store.personal_data.note_erasure(BEA, NOON + DAY)
    await erase(store, BEA, NOON + DAY)
    await store.database.close()
    secret = key.read_bytes()
    for each in folder.path.iterdir():
        assert secret not in each.read_bytes()
        assert bytes.fromhex(secret.decode()) not in each.read_bytes()
    assert not [each for each in folder.path.iterdir() if each.name.endswith(".key")]
    assert (await restore(path, None, NOON + DAY)).erased == 1
    again = await Stores.open(path)
    await again.database.pseudonyms.load(key)
    assert (await again.ratings.lineup(GUILD, [ANA, BEA], NOON)).nth == 6
    assert await rating_of(again, BEA) == before
    await again.database.close()


# ------------------------------------------------------------------------------------------ persons of their own
async def club(store: Stores, *people: int) -> None:
    """Have these people meet, at a table with a robot, so that nobody is rated for it."""
    await add_finished_game(store, [played(*people, None, at=NOON - 90 * DAY)])


async def known_of(store: Stores, *people: int) -> set[int]:
    return set((await store.ratings.lineup(GUILD, people, NOON)).gains.known)


@on_both
async def test_accounts_that_have_met_each_other_count_as_one_person(store: Stores) -> None:
    await club(store, *range(1, 13))
    await club(store, ANA, *range(101, 111))
    assert await known_of(store, ANA, 105) == set(), "ten accounts beside a club of twelve"
    assert await known_of(store, 1, 5) == {1, 5}
    await add_finished_game(store, [played(ANA, each, at=NOON - 40 * DAY) for each in range(1, 5)])
    assert await known_of(store, ANA, 105) == {ANA}, "it was through Ana that they met the club"
    assert await known_of(store, ANA, 2) == {ANA, 2}
    await erase(store, 105)
    await add_finished_game(store, [played(ANA, 105)])
    assert await known_of(store, ANA, 105) == {ANA}


@pytest.mark.parametrize(("begun_by_1_0", "expected"), [(False, {0}), (True, {1})])
async def test_a_match_that_1_0_began_is_rated_by_whom_people_have_met_alone(
    store: Stores, database: str | Path, begun_by_1_0: bool, expected: set[int]
) -> None:
    await club(store, *range(1, 13))
    await club(store, ANA, *range(101, 111))
    match = played(ANA, 105, at=NOON - DAY)
    if not begun_by_1_0:
        match = replace(match, players=tuple(replace(each, played=True, gains=True) for each in match.players))
    await add_finished_game(store, [match])
    assert {row[0] for row in rows(database, "SELECT known FROM result_players WHERE weight IS NOT NULL")} == expected


async def test_in_a_small_club_everybody_is_a_person_of_their_own(store: Stores) -> None:
    await known(store, *ALL)
    assert await known_of(store, ANA, BEA) == {ANA, BEA}
    assert await known_of(store, *ALL) == set(ALL)


async def test_whoever_is_in_a_crowd_counts_however_many_others_there_are(store: Stores) -> None:
    await club(store, *range(1, 125))
    await club(store, *range(1001, 1150))
    assert await known_of(store, 1, 60) == {1, 60}
    assert await known_of(store, 1001, 1070) == {1001, 1070}
