"""The tables keep playing while the process in which computers think is killed, frozen or swamped."""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.platform.people import Person as Player
from bot.process.stores import Stores
from bot.training.refusals import TrainingRefusal
from tests.support.fake_discord.person import Person
from tests.support.patience import HANG_SECONDS
from tests.support.phrases import refusal_text
from tests.support.recorded import log_events, store_log
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.seen import Press, Seen, Shot
from tests.wire.world import Wire, wire

pytestmark = pytest.mark.thorough

TABLES = 4
PAUSE = 0.2


def worker(w: Wire) -> int | None:
    """The id of the thinking process, if it is running.

    A process that has been forked but hasn't started its program yet doesn't count: freezing it would block the bot.
    """
    found = [
        int(pid)
        for task in Path(f"/proc/{w.bot.pid}/task").iterdir()
        for pid in (task / "children").read_text().split()
        if b"bot.thinking.worker" in _program(pid)
    ]
    assert len(found) <= 1, "one process, unless the settings say more"
    return found[0] if found else None


def _program(pid: str) -> bytes:
    with suppress(OSError):  # it may have just ended
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


async def a_worker(w: Wire, but: int | None = None) -> int:
    """Wait for a thinking process other than `but`; returns its id."""
    await w.bot.until(lambda: worker(w) not in (None, but))
    pid = worker(w)
    assert pid is not None
    return pid


async def send(w: Wire, number: int, but: int | None = None) -> int:
    """Send a signal to a thinking process other than `but`, trying again if it ends just then; returns its id."""
    while True:
        pid = await a_worker(w, but)
        with suppress(ProcessLookupError):
            os.kill(pid, number)
            return pid


async def all_make_progress(at: Sequence[Party], by: int = 3) -> None:
    """Wait until every table has played some more moves."""
    goals = [(party, party.version + by, party.over) for party in at]
    async with asyncio.timeout(4 * HANG_SECONDS):
        while any(party.version < goal and party.over == over for party, goal, over in goals):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_no_thinking_process_outlives_the_bot(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        [party] = parties(w, 1, computer="hard")
        for end in (w.term, w.kill):
            await w.start_bot()
            await party.play(until=lambda: worker(w) is not None)
            pid = await a_worker(w)
            await end()
            async with asyncio.timeout(HANG_SECONDS):
                while Path(f"/proc/{pid}/stat").exists():  # noqa: ASYNC110 - another process's end
                    await asyncio.sleep(0.05)


async def test_tables_keep_playing_when_there_are_too_many_for_the_thinking_process(tmp_path: Path) -> None:
    """The thinking process is paused so often that moves have to queue."""
    names = [f"P{n}" for n in range(TABLES)]
    async with wire(tmp_path, names, channels=TABLES) as w:
        at = parties(w, 1, computer="hard", rematches=True, pause=PAUSE)
        playing = [asyncio.create_task(party.play_on()) for party in at]
        await a_worker(w)
        for _ in range(20):
            await asyncio.sleep(0.05)
            if (pid := worker(w)) is None:
                continue  # one that is too slow for its tables is killed, and replaced after a while
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                await asyncio.sleep(0.25)
                os.kill(pid, signal.SIGCONT)
        await all_make_progress(at)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert w.bot.errors([]) == []


async def seen_by(w: Wire, person: Person, words: str, seconds: float = HANG_SECONDS) -> None:
    """Wait until a person sees a private message that contains `words`."""
    await w.bot.until(
        lambda: any(
            message.is_ephemeral and words in Seen(w.realm.payload_of(message)).text
            for channel in w.channels
            for message in w.realm.stored(channel, person.id)
        ),
        seconds,
    )


async def ask_for_review(w: Wire, party: Party) -> Shot:
    """Have a party's first person ask for the review of their oldest match, as the latest goes on."""
    person, channel_id = party.people[0], party.channel_id
    await w.slash(person, channel_id, "escoba games")
    games, menu = newest(w, person, channel_id, "w:choose:")
    await w.select(person, games, menu.custom_id, menu.options[-1:])
    match, button = newest(w, person, channel_id, "v:make:")
    return w.send_click(person, match, button.custom_id)


def newest(w: Wire, person: Person, channel_id: int, begins: str) -> tuple[Seen, Press]:
    """A person's newest private message with a button or menu whose custom_id begins so, and that."""
    messages = [Seen(w.realm.payload_of(each)) for each in reversed(w.realm.stored(channel_id, person.id))]
    return next((seen, press) for seen in messages for press in seen.presses if press.custom_id.startswith(begins))


async def test_a_killed_or_frozen_thinking_process_costs_advice_but_no_game(tmp_path: Path) -> None:
    """Several people play against hard computers, ask for hints, and meanwhile have an earlier match reviewed."""
    names = [f"P{n}" for n in range(TABLES)]
    async with wire(tmp_path, names, channels=TABLES, launch={"WIRE_DRAWS": "100"}) as w:
        store = await Stores.open(w.database)
        for n, person in enumerate(w.people):
            events = log_events("escoba", [Player(person.id, person.name), Player(1, "Luis")], seed=n, target=5)
            await store_log(store, w.realm.guild_id, 1_000 + n, events, datetime.now(UTC))
        await store.database.close()
        at = parties(w, 1, computer="hard", rematches=True, hints=0.5, pause=PAUSE)
        playing = [asyncio.create_task(party.play_on()) for party in at]
        await a_worker(w)
        await all_make_progress(at, by=2)
        asked = [await ask_for_review(w, party) for party in at]
        await w.bot.until(lambda: all(shot.got is not None for shot in asked))
        killed = await send(w, signal.SIGKILL)  # before any of the reviews is done
        for person in w.people:
            await seen_by(w, person, refusal_text(TrainingRefusal.NO_ADVICE))
        await all_make_progress(at)
        frozen = await send(w, signal.SIGSTOP, but=killed)
        await all_make_progress(at)
        await w.bot.until(lambda: worker(w) != frozen)
        assert w.log_has(r"A computer player thought for too long|Could not give advice \(\w+, (late|busy)\)")
        await a_worker(w, but=frozen)
        await all_make_progress(at)
        assert sum(party.hinted for party in at) > TABLES
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        again, reviewed = at[0], False
        for _ in range(10):  # a new process is started only after a while
            await ask_for_review(w, again)
            with suppress(AssertionError):
                await seen_by(w, again.people[0], "Your play", seconds=10)
                reviewed = True
                break
        assert reviewed, "a refused review must work later"
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert w.bot.errors([]) == []
        assert await w.term() == 0
