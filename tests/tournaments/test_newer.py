"""A tournament that a newer version of the bot has written: it waits for that version, and so do its tables."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.engine.rules import PRESETS
from bot.platform.database.tools.audit import auditing
from bot.platform.refusals import CommonRefusal
from bot.privacy.live.tournament_erasure import erase, erase_due
from bot.tournaments.live.codec import LOG, wrong_tournaments
from bot.tournaments.rules.log import CancelTournament, Entered
from bot.tournaments.rules.tournament import Format, TournamentStage
from tests.support.databases import with_tables
from tests.support.tables.kit import CHANNEL, refused
from tests.tournaments.evening import CROWD, ORGANISER, TournamentProcess

Learn = Callable[[pytest.MonkeyPatch], None]
HOURS = 12 * 3600


def learn_preset(patch: pytest.MonkeyPatch) -> None:
    """Know another preset."""
    patch.setitem(PRESETS, "mus", PRESETS["escoba"])  # type: ignore[arg-type]


def learn_format(patch: pytest.MonkeyPatch) -> None:
    """Know another format."""
    patch.setitem(Format._value2member_map_, "ladder", Format.SWISS)


def learn_event(patch: pytest.MonkeyPatch) -> None:
    """Know another kind of event."""
    patch.setitem(LOG.kinds, "invited", Entered)  # type: ignore[arg-type]


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[TournamentProcess]:
    """A process on a file of its own."""
    made = await TournamentProcess.on(with_tables(tmp_path / "evening.sqlite3"))
    yield made
    await made.tournaments.close()
    await made.hall.close()


NEWER: dict[str, tuple[str, Learn]] = {
    "a preset": ('body = replace(body, \'"preset":"escoba"\', \'"preset":"mus"\')', learn_preset),
    "a format": ('body = replace(body, \'"setup":{\', \'"setup":{"format":"ladder",\')', learn_format),
    "an event": ("kind = 'invited' WHERE kind = 'entered'", learn_event),
}


def rewrite(evening: TournamentProcess, change: str) -> None:
    """Change what is stored, as a newer version would have written it."""
    with closing(sqlite3.connect(evening.hall.path)) as connection, connection:
        assert connection.execute(f"UPDATE tournament_events SET {change}").rowcount > 0  # noqa: S608 - our own words


@pytest.mark.parametrize(("change", "learn"), NEWER.values(), ids=NEWER)
async def test_a_tournament_of_a_newer_version_waits_and_goes_on_with_that_version(
    evening: TournamentProcess,
    change: str,
    learn: Learn,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await evening.begun(CROWD[:4])
    rewrite(evening, change)
    stored = evening.hall.rows("SELECT * FROM tournaments"), evening.hall.rows("SELECT * FROM tournament_events")

    old = await evening.restarted()
    for _ in range(2):
        with refused(CommonRefusal.NEWER):
            await old.tournaments.find(1)
    with refused(CommonRefusal.NEWER):
        old.tournaments.here(CHANNEL)
    with refused(CommonRefusal.NEWER):
        await old.announce()
    assert old.tournaments.has(CHANNEL)
    warnings = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert warnings == ["Tournament 1 was written by a newer version, and waits for one"]
    for table in old.hall.manager.within():  # its tables are played as usual
        await table.abandon()
    await old.hall.clock.advance(HOURS)
    old.tournaments.lose(CHANNEL)
    assert (old.hall.rows("SELECT * FROM tournaments"), old.hall.rows("SELECT * FROM tournament_events")) == stored
    newer = list[str]()
    with auditing(old.hall.path) as audit:
        assert list(wrong_tournaments(audit, newer.append)) == []
    assert newer == ["tournament 1"]

    with monkeypatch.context() as patch:
        learn(patch)
        new = await old.restarted()
        found = new.tournaments.here(CHANNEL)
        assert found is not None
        await found.submit(CancelTournament(ORGANISER))
        assert (await new.stored()).stage is TournamentStage.CANCELLED
        await new.tournaments.close()


async def test_a_person_is_erased_from_a_tournament_of_a_newer_version_once_that_is_back(
    evening: TournamentProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.begun(CROWD[:4])
    rewrite(evening, NEWER["an event"][0])
    old = await evening.restarted()
    before = old.hall.rows("SELECT * FROM tournament_events")
    hall = old.hall
    await erase(
        hall.store.personal_data, hall.store.tournaments, hall.manager, old.tournaments, hall.preferences, CROWD[0]
    )
    assert hall.rows("SELECT * FROM tournament_events") == before
    await erase_due(hall.store.personal_data, hall.store.tournaments, hall.manager, old.tournaments)
    assert await hall.store.tournaments.erasures_due() == [(1, CROWD[0].id)], "it waits"
    with monkeypatch.context() as patch:
        learn_event(patch)
        new = await old.restarted()
        assert (
            await erase_due(new.hall.store.personal_data, new.hall.store.tournaments, new.hall.manager, new.tournaments)
            >= 1
        )
        assert await new.hall.store.tournaments.erasures_due() == []
        assert new.state.entry_of(CROWD[0].id) is None
        await new.tournaments.close()
