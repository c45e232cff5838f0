"""A backup is restored while messages of what it doesn't hold are still in the channels, and people press them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.platform.kit.throttle import CHANGES
from bot.process.backups import restore
from bot.process.stores import Stores
from bot.tables.settings import TablePreferences, TurnNotice
from tests.support.fake_discord.person import Person
from tests.support.fake_discord.refused import Refused
from tests.wire.backups import Backup
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.racing import TWICE
from tests.wire.world import Wire, wire

PLAY_SECONDS = 2.0


async def restoring(folder: Path, *, restores: int, tables: int, seed: int) -> Figures:
    """Restore a backup so often, each time after a lobby was opened that it doesn't hold.

    In that lobby one person presses *Join* and *Leave* as long as the bot lets them, and *Join* once more when another
    lobby has been opened since: it must seat them nowhere, and the other lobby must have a number of its own. The last
    person at each table has chosen never to be notified.
    """
    figures = Figures()
    names = [f"P{n}" for n in range(2 * tables)]
    async with wire(folder, names, channels=tables, check=False, started=False) as w:
        people = parties(w, seed=seed, rematches=True)
        left_alone = [party.people[-1] for party in people]
        await _choose_never(w, left_alone)
        await w.start_bot()
        ledger = Ledger(w.database)
        for number in range(restores):
            await _play_a_while(people)
            backup = await Backup.begin(w.database, folder / f"backup-{number}.sqlite3")
            figures.found += await backup.findings()
            opener, toggler = (w.realm.add_person(f"{name} {number}") for name in ("Late", "Toggler"))
            vanishing, later = (w.realm.add_channel(f"{name}-{number}") for name in ("tarde", "otra"))
            await w.slash(opener, vanishing, "escoba play")
            for _ in range(CHANGES):
                await _press(w, toggler, vanishing, "join", figures)
                await w.slash(toggler, vanishing, "escoba leave")
            old, given = w.table(vanishing), _last_number(w)
            figures.check(w, ledger, allow=TWICE)
            figures.found += ledger.findings
            await w.kill()
            shown = ledger.ends_shown
            await restore(w.database, backup.target, datetime.now(UTC))
            await w.start_bot()
            ledger = Ledger(w.database)  # another knows moves that the backup doesn't have
            ledger.ends_shown |= shown
            figures.kills += 1
            figures.backups += 1
            await w.slash(opener, later, "escoba play")
            if (again := _last_number(w)) <= given:
                figures.found.append(f"the number {again} was given again, after {given}")
            await _press(w, toggler, vanishing, "join", figures)
            await w.settle()
            if any(f"**{toggler.name}**" in seen.text for seen in (w.table(later), w.table(vanishing)) if seen != old):
                figures.found.append("a button of a game that is gone has seated somebody")
            await _play_a_while(people)
        if rung := [ping for ping in w.notified.by_bot() if ping.user_id in {person.id for person in left_alone}]:
            figures.found.append(f"notified though they never want to be: {rung}")
        figures.check(w, ledger, allow=TWICE)
        figures.gather(w, ledger, people)
    return figures


async def _choose_never(w: Wire, people: Sequence[Person]) -> None:
    store = await Stores.open(w.database)
    for person in people:
        await store.preferences.put(person.id, TablePreferences(turn_notice=TurnNotice.NEVER).dump())
    await store.database.close()


async def _play_a_while(people: Sequence[Party]) -> None:
    playing = [asyncio.create_task(party.play_on()) for party in people]
    await asyncio.sleep(PLAY_SECONDS)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


async def _press(w: Wire, person: Person, channel_id: int, verb: str, figures: Figures) -> None:
    """Press a button of the channel's lobby, and count it if it isn't answered."""
    lobby = w.table(channel_id, "join")
    figures.clicks += 1
    with suppress(Refused):
        answer = w.send_click(person, lobby, lobby.one(verb))
        try:
            figures.slowest_answer = max(figures.slowest_answer, (await answer.answer()).seconds)
        except AssertionError:
            figures.unanswered += 1


def _last_number(w: Wire) -> int:
    """The highest number of a game."""
    [(number,)] = w.rows("SELECT max(id) FROM games")
    return number
