"""A game that a newer version of the bot has written: it waits for that version, whatever happens meanwhile."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from bot.engine import notation
from bot.engine.rules import PRESETS, Prime
from bot.platform.eventlog import CodecError, Values, WrittenByNewer
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.players import Level
from bot.privacy.live.erasure import erase, erase_due
from bot.process.check import check
from bot.tables.log import codec
from bot.tables.log.actions import Cancel, Touch
from bot.tables.log.codec import LOG
from bot.tables.log.events import Joined, Phase
from bot.tables.log.seats import Alone, Seat
from tests.support.tables.hall import Hall, move_by, state_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, CLO, config_of, refused

Learn = Callable[[pytest.MonkeyPatch], None]
DAYS = 90 * 24 * 3600


def learn_preset(patch: pytest.MonkeyPatch) -> None:
    """Know another preset."""
    patch.setitem(PRESETS, "mus", PRESETS["escoba"])  # type: ignore[arg-type]


def learn_rule(patch: pytest.MonkeyPatch) -> None:
    """Know another rule."""

    def parse(words: list[str]) -> object:
        return known([word for word in words if word != "wild=yes"])

    known = notation.parse_rules
    patch.setattr(notation, "parse_rules", parse)
    patch.setattr(codec, "parse_rules", parse)


def learn_value_of_rule(patch: pytest.MonkeyPatch) -> None:
    """Know another value of a rule."""
    known = {"aces": Prime.SETENTA, "setenta": Prime.SETENTA}
    patch.setitem(notation._ENUMS, "prime", known.__getitem__)  # type: ignore[arg-type]


def learn_range(patch: pytest.MonkeyPatch) -> None:
    """Know higher targets."""
    patch.setattr("bot.engine.rules.TARGETS", range(5, 1000))


def learn_event(patch: pytest.MonkeyPatch) -> None:
    """Know another kind of event."""
    patch.setitem(LOG.kinds, "welcomed", Joined)  # type: ignore[arg-type]


def learn_value(patch: pytest.MonkeyPatch) -> None:
    """Know another level of computer players."""
    patch.setitem(Level._value2member_map_, "genius", Level.HARD)


def learn_field(patch: pytest.MonkeyPatch) -> None:
    """Know another field of people, and leave it out."""
    known = Values._built

    def built(codec: Values, wanted: object, value: object) -> object:
        if wanted is Person and isinstance(value, dict):
            value = {name: each for name, each in value.items() if name != "pronoun"}
        return known(codec, wanted, value)

    patch.setattr(Values, "_built", built)


NEWER: dict[str, tuple[str, str, str, Learn]] = {
    "a preset": ("opened", '"preset":"escoba"', '"preset":"mus"', learn_preset),
    "a rule": ("match", "capture=", "wild=yes capture=", learn_rule),
    "a rule of the lobby": ("opened", "capture=", "wild=yes capture=", learn_rule),
    "a value of a rule": ("match", "prime=setenta", "prime=aces", learn_value_of_rule),
    "a number": ("match", "target=21", "target=500", learn_range),
    "an enum's value": ("computer_added", '"normal"', '"genius"', learn_value),
    "a field": ("joined", '"name":', '"pronoun":"ella","name":', learn_field),
}


def rewrite(hall: Hall, statement: str, *values: object) -> None:
    """Change what is stored, as a newer version would have written it."""
    with closing(sqlite3.connect(hall.path)) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def replace(hall: Hall, kind: str, known: str, unknown: str) -> None:
    """Replace something in the first game's entries of a kind."""
    with_it = "UPDATE events SET body = replace(body, ?, ?) WHERE game_id = 1 AND kind = ? AND instr(body, ?)"
    rewrite(hall, with_it, known, unknown, kind, known)


def rename_kind(hall: Hall, game_id: int = 1) -> None:
    """Give somebody's joining another kind."""
    rewrite(hall, "UPDATE events SET kind = 'welcomed' WHERE kind = 'joined' AND game_id = ?", game_id)


CASES: list[tuple[Callable[[Hall], None], Learn]] = [
    *((lambda hall, case=case: replace(hall, *case[:3]), case[3]) for case in NEWER.values()),
    (rename_kind, learn_event),
]
every_case = pytest.mark.parametrize(("write", "learn"), CASES, ids=[*NEWER, "an event"])


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


@every_case
async def test_a_game_of_a_newer_version_waits_and_goes_on_with_that_version(
    hall: Hall,
    write: Callable[[Hall], None],
    learn: Learn,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = await hall.match(ANA, BEA, computers=1)
    other = await hall.match(ANA, BEA, channel=CHANNEL + 1, config=config_of("clasica"))
    await table.submit(move_by(table))
    write(hall)
    stored = hall.rows("SELECT * FROM games"), hall.rows("SELECT * FROM events WHERE game_id = 1")

    old = await hall.restarted()
    await old.manager.wake_at(CHANNEL)
    assert old.manager.at(CHANNEL) is None
    for _ in range(2):
        with refused(CommonRefusal.NEWER):
            await old.manager.wake(table.id)
    with refused(CommonRefusal.NEWER):
        old.manager.here(CHANNEL)
    with refused(CommonRefusal.NEWER):
        await old.lobby(ANA)
    assert warnings(caplog) == [f"Game {table.id} was written by a newer version, and waits for one"]
    await old.clock.advance(DAYS)
    await old.manager.lose_channel(CHANNEL)
    again = await old.restarted()
    assert (hall.rows("SELECT * FROM games WHERE id = 1"), hall.rows("SELECT * FROM events WHERE game_id = 1")) == (
        stored[0][:1],
        stored[1],
    )
    assert again.manager.has_table(CHANNEL)
    assert other.id == 2

    with monkeypatch.context() as patch:
        learn(patch)
        new = await again.restarted()
        found = new.manager.here(CHANNEL)
        assert (found.phase, found.version) == (Phase.PLAYING, table.version)
        await new.clock.advance(60)
        assert found.version > table.version, "the computer's turn has come"
        await new.close()


@pytest.mark.parametrize("body", ["0 dance", "pause 3", "0 dance 7o"])
async def test_a_move_of_a_newer_version_is_no_damage(hall: Hall, body: str) -> None:
    table = await hall.match(ANA, BEA)
    await table.submit(move_by(table))
    rewrite(hall, "UPDATE events SET body = ? WHERE version = (SELECT max(version) FROM events)", body)
    old = await hall.restarted()
    with refused(CommonRefusal.NEWER):
        await old.manager.wake(table.id)
    assert hall.rows("SELECT closed_at FROM games") == [(None,)]
    await old.close()


async def test_a_game_that_a_newer_version_has_continued_meanwhile_is_left_to_it(hall: Hall) -> None:
    table = await hall.match(ANA, BEA)
    rewrite(hall, "INSERT INTO events SELECT game_id, version + 1, 'toasted', '{}', at FROM events WHERE version = 4")
    with refused(CommonRefusal.NEWER):
        await table.submit(move_by(table))
    assert state_of(table).version == 4
    assert hall.rows("SELECT count(*) FROM events") == [(5,)]


async def test_the_end_of_a_game_of_a_newer_version_isnt_shown_before_that_is_back(hall: Hall) -> None:
    table = await hall.lobby(ANA)
    await hall.store.games.set_message(table.id, 9, hall.time.now())
    await table.submit(Cancel(ANA))
    replace(hall, "closed", "cancelled", "dissolved")
    old = await hall.restarted()
    assert old.brought_back == []
    with refused(CommonRefusal.FROM_NEWER):
        await old.manager.finished(table.id)
    assert hall.rows("SELECT message_id FROM games") == [(9,)]
    await old.close()


async def test_a_person_is_erased_from_a_game_of_a_newer_version_once_that_is_back(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await hall.match(ANA, BEA, CLO)
    over = await hall.lobby(ANA, BEA, channel=CHANNEL + 1)
    await over.submit(Cancel(ANA))
    for game_id in (table.id, over.id):
        rename_kind(hall, game_id)
    rewrite(hall, "UPDATE events SET body = replace(body, '}}', '},\"at\":7}') WHERE kind = 'welcomed'")
    before = hall.rows("SELECT * FROM events WHERE game_id = 1")
    old = await hall.restarted()
    await erase(hall.store.personal_data, old.manager, old.preferences, BEA)
    assert hall.rows("SELECT * FROM events WHERE game_id = 1") == before
    assert await erase_due(hall.store.personal_data, old.manager) == 0, "it waits"
    [(body,)] = hall.rows("SELECT body FROM events WHERE game_id = 2 AND kind = 'welcomed'")
    assert BEA.name not in body
    assert str(BEA.id) not in body
    assert body.endswith('"at":7}'), "the rest of it stays"

    rewrite(hall, "UPDATE events SET body = replace(body, ',\"at\":7', '') WHERE game_id = 1")
    with monkeypatch.context() as patch:
        learn_event(patch)
        new = await old.restarted()
        assert await erase_due(hall.store.personal_data, new.manager) == 1
        assert await erase_due(hall.store.personal_data, new.manager) == 0
        found = new.manager.get(table.id)
        assert found is not None
        assert found.seat_of(BEA.id) is None
        await found.submit(Touch(ANA))
        await new.close()


async def test_the_check_of_a_database_says_what_a_newer_version_has_written(hall: Hall) -> None:
    table = await hall.match(ANA, BEA)
    await table.submit(move_by(table))
    replace(hall, *NEWER["a preset"][:3])
    said: list[str] = []
    assert await check(hall.path, said.append)
    *lines, summary = said
    assert lines == ["game 1: it was written by a newer version"]
    assert summary.endswith("no problems. 1 can't be checked: a newer version has written them.")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("toasted", "{}"),
        ("toasted", "in a notation of its own"),
        ("closed", '{"phase":"dissolved"}'),
        ("closed", '{"phase":"expired","why":"rain"}'),
        ("match", "match capture=fifteen duty=none seating=2 dealer=0"),
        ("match", "match seating=7x2 dealer=0"),
        ("match", "match most_sevens=twice seating=2 dealer=0"),
        ("match", "0 dance 7o"),
    ],
)
def test_what_isnt_known_is_newer(kind: str, body: str) -> None:
    with pytest.raises(WrittenByNewer):
        LOG.decode(kind, body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("closed", '{"phase":7}'),
        ("closed", "{}"),
        ("closed", '{"phase":"expired"'),
        ("?!", "{}"),
        ("match", "match seating=2"),
        ("match", "match target=many seating=2 dealer=0"),
        ("match", "match nonsense seating=2 dealer=0"),
        ("match", "0 99z"),
        ("match", "deal 7o 7q"),
    ],
)
def test_what_makes_no_sense_is_damage(kind: str, body: str) -> None:
    with pytest.raises(CodecError) as raised:
        LOG.decode(kind, body)
    assert not isinstance(raised.value, WrittenByNewer)


async def test_what_somebody_plays_alone_by_a_newer_version_is_left_to_other_processes(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await hall.manager.alone(ANA.id) is None
    table = await hall.manager.open(
        guild_id=None, channel_id=None, opener=ANA, config=config_of("escoba"), locale="es-ES", computers=[Seat("")]
    )
    await hall.manager.rest(ANA.id)
    replace(hall, *NEWER["a preset"][:3])
    with refused(CommonRefusal.NEWER):
        await hall.manager.alone(ANA.id)
    assert hall.manager.has_table(Alone(ANA.id))
    await hall.manager.rest(ANA.id)  # another process asks for it
    assert not hall.manager.has_table(Alone(ANA.id))
    learn_preset(monkeypatch)
    found = await hall.manager.alone(ANA.id)
    assert found is not None
    assert found.id == table.id
