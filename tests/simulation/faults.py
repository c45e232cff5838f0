"""What goes wrong: one table of faults, each with what happened once in practice, or what a judge of 1.0 tried.

A fault begins at a moment that chance decides, and is over after a while. It notes for how long people may have to do
without an answer; a judge excuses nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from tests.simulation.mishaps import (
    doubled,
    lost_connections,
    one_forbidden,
    one_not_found,
    server_errors,
    slow_way,
    too_many,
)
from tests.simulation.town import Fault, Town
from tests.support.fake_discord.membership import expel

if TYPE_CHECKING:
    from tests.simulation.life import Life

# ------------------------------------------------------------------------------------------------------ the gateway


def gateway_cut(town: Town, chance: Random) -> None:
    """The connection to the gateway is lost, and comes back."""
    town.disturb()
    town.trouble("gateway", 8.0)
    town.world.discord.gateway.cut(chance.choice((1000, 1006, 4000, 4009)), forget=chance.random() < 0.3)


def gateway_invalid(town: Town, chance: Random) -> None:
    """The gateway ends the session."""
    town.disturb()
    town.trouble("gateway", 20.0)
    town.world.discord.gateway.invalidate()


def gateway_away(town: Town, chance: Random) -> None:
    """No connection to the gateway can be made for a while."""
    gateway, seconds = town.world.discord.gateway, chance.uniform(10.0, 300.0)
    town.disturb()
    town.trouble("gateway", seconds + 120.0)
    gateway.away = True
    gateway.cut(1006, forget=seconds > 60.0)

    def over() -> None:
        gateway.away = False

    town.world.machine.after(seconds, over)


# ------------------------------------------------------------------------------------------------------ the servers


def kicked(town: Town, chance: Random) -> None:
    """A server removes the bot, and invites it again."""
    backend, guild = town.world.realm.backend, chance.choice(town.guilds)
    if any(each not in backend.guilds for each in town.guilds):
        return  # one at a time
    seconds = chance.choice((20.0, 600.0, 7_200.0))
    town.away_from(guild, True)
    town.trouble("kicked", seconds + 10.0, silent=False)
    invite = expel(backend, guild, town.world.realm.guild_payload)

    def back() -> None:
        invite()
        town.away_from(guild, False)

    town.world.machine.after(seconds, back)


def denied(town: Town, chance: Random) -> None:
    """A channel takes a permission from the bot, and gives it back."""
    realm, channel = town.world.realm, chance.choice(town.all_channels)
    seconds = chance.uniform(5.0, 900.0)
    taken = chance.sample(
        ("view_channel", "send_messages", "attach_files", "read_message_history"), chance.randint(1, 2)
    )
    town.trouble("denied", seconds + 10.0, silent=False)
    realm.deny(channel, *taken)

    def over() -> None:
        if channel in realm.backend.channels:
            realm.deny(channel)
        else:  # the bot isn't on the server now
            town.world.machine.after(60.0, over)

    town.world.machine.after(seconds, over)


def message_deleted(town: Town, chance: Random) -> None:
    """A moderator deletes one of the bot's messages."""
    realm, channel = town.world.realm, chance.choice(town.all_channels)
    public = [each for each in realm.backend.messages.get(channel, {}).values() if not each.is_ephemeral]
    if public:
        town.trouble("deleted", 6.0, silent=False)
        realm.delete_message(channel, chance.choice(public[-3:]).id)


# ------------------------------------------------------------------------------------------------------ the process


def _starts_again(town: Town, chance: Random) -> None:
    seconds = chance.choice((0.5, 3.0, 40.0, 900.0, 20_000.0))
    town.trouble("restart", seconds + 15.0)
    town.world.machine.after(seconds, town.start)


def _strike(town: Town, chance: Random, end: Callable[[Life], None]) -> None:
    """End the process after a number of its steps, wherever that is, or right after Discord has got a request.

    It has said within half a minute that it lives.
    """
    world, left = town.world, [chance.randint(1, 400)]
    answered = chance.random() < 0.5
    if world.life is None:
        return
    world.life.live_on()
    town.trouble("restart", 60.0)

    requests = world.counts["requests"] + chance.randint(1, 4)

    def on_step() -> None:
        left[0] -= 1
        due = world.counts["requests"] >= requests if answered and left[0] > -2_000 else left[0] <= 0
        if not due or world.life is None:
            return
        world.on_step = None
        end(world.life)
        town.died()
        _starts_again(town, chance)

    def unless() -> None:
        if world.on_step is on_step:
            left[0] = -3_000
            on_step()

    world.on_step = on_step
    world.machine.after(30.0, unless)


def killed(town: Town, chance: Random) -> None:
    """The process is killed between two steps."""
    _strike(town, chance, lambda life: life.kill())


def power_lost(town: Town, chance: Random) -> None:
    """The machine loses power: what wasn't synced is gone."""
    _strike(town, chance, lambda life: life.kill(power=True))


def stopped(town: Town, chance: Random) -> None:
    """The process is told to stop, and another one is started later."""
    life = town.world.life
    if life is None:
        return
    town.trouble("stop", 30.0)
    life.terminate()
    town.world.machine.after(20.0, lambda: _starts_again(town, chance))


def handed_over(town: Town, chance: Random) -> None:
    """A second process is started, which takes the place of the first."""
    life = town.world.life
    if life is None or life.bot is None:
        return
    town.trouble("handover", 40.0)
    life.contested.set()
    town.world.start()


# --------------------------------------------------------------------------------------------- the disk, the clocks


WRITES: Final = ("INSERT", "UPDATE", "DELETE", "COMMIT", "REPLACE", "WITH", "BEGIN IMMEDIATE")


def _disk_fails(town: Town, chance: Random, code: int, words: str, slept: float, *of: str) -> None:
    disk, seconds = town.world.disk, chance.uniform(1.0, 60.0)
    share = chance.choice((0.1, 1.0))
    town.trouble("disk", seconds + 20.0)

    def fails(statement: str) -> Exception | None:
        if not statement.lstrip().startswith(of) or chance.random() > share:
            return None
        town.world.machine.slept += slept
        error = sqlite3.OperationalError(words)
        error.sqlite_errorcode = code
        return error

    disk.fails = fails

    def over() -> None:
        disk.fails = lambda statement: None

    town.world.machine.after(seconds, over)


def disk_full(town: Town, chance: Random) -> None:
    """The disk is full for a while."""
    _disk_fails(town, chance, sqlite3.SQLITE_FULL, "database or disk is full", 0.0, *WRITES)


def locked(town: Town, chance: Random) -> None:
    """Another program holds the database's lock."""
    _disk_fails(town, chance, sqlite3.SQLITE_BUSY, "database is locked", 4.0, "BEGIN IMMEDIATE")


def stalled(town: Town, chance: Random) -> None:
    """The disk doesn't answer for a while."""
    world, seconds = town.world, chance.choice((0.5, 2.0, 10.0, 60.0))
    town.trouble("disk", seconds + 20.0)
    for life in world.lives:
        life.loop.stalled_until = world.machine.now + seconds


def reader(town: Town, chance: Random) -> None:
    """Another program reads the database and closes it, some time after that the process is killed."""
    if town.world.life is not None:
        town.world.trace.add("FAULT reader")
        town.world.disk.read_beside()
        town.world.machine.after(chance.uniform(5.0, 120.0), lambda: killed(town, chance))


def clock_set(town: Town, chance: Random) -> None:
    """Somebody sets the machine's clock."""
    machine = town.world.machine
    machine.ahead += chance.choice((-86_400.0, -3_700.0, -40.0, 40.0, 3_700.0, 86_400.0))
    town.trouble("clock", 20.0)
    machine.after(chance.uniform(0.0, 1.0), town.look)

    def back() -> None:
        machine.ahead = 0.0
        machine.after(chance.uniform(0.0, 1.0), town.look)

    machine.after(chance.uniform(30.0, 7_200.0), back)


def suspended(town: Town, chance: Random) -> None:
    """The machine sleeps, as a laptop does: the process stands still, and so does its monotonic clock."""
    world, seconds = town.world, chance.choice((5.0, 200.0, 7_200.0))
    still = chance.random() < 0.5
    asleep = list(world.lives)
    for life in asleep:
        life.loop.frozen = True
    town.trouble("suspended", seconds + 30.0)
    begun = world.machine.now

    def over() -> None:
        if still and world.lives == asleep:  # else only the process stood still, as a container that is paused
            world.machine.suspended += world.machine.now - begun
        for life in world.lives:
            life.loop.frozen = False
        town.look()

    world.machine.after(seconds, over)


FAULTS: Final = (
    Fault("5xx", "Discord's bad days, 2021 to 2026: minutes of 500 and 503, one route or all", server_errors, 3.0),
    Fault("cut", "a proxy's resets; a request that was carried out, and its answer lost", lost_connections, 2.0),
    Fault("429", "the fifth message of a crowd; a shared host", too_many, 2.0),
    Fault("404", "a match of 1.0 ended by one 404 of a message that was there", one_not_found, 2.0),
    Fault("403", "a channel that refused once, while its permissions were changed", one_forbidden, 2.0),
    Fault("slow", "a busy host, whose requests took a second each", slow_way),
    Fault("doubled", "interactions that came twice after a resume", doubled),
    Fault("gateway cut", "every few hours, on every bot", gateway_cut, 2.0),
    Fault("gateway invalid", "after a deployment of Discord's", gateway_invalid),
    Fault("gateway away", "an outage of Discord's", gateway_away),
    Fault("kicked", "an administrator who tries bots out", kicked, 0.5),
    Fault("denied", "a channel made read-only for an announcement", denied),
    Fault("deleted", "a moderator who tidies up a channel", message_deleted),
    Fault("killed", "a container without memory left", killed, 3.0),
    Fault("power", "a hobbyist's machine at home", power_lost, 2.0),
    Fault("stopped", "each update", stopped, 2.0),
    Fault("handed over", "an update without a gap: two processes on one file", handed_over),
    Fault("disk full", "logs of another program", disk_full),
    Fault("locked", "somebody's editor of databases", locked, 0.5),
    Fault("stalled", "a virtual disk that was moved", stalled),
    Fault("reader", "a viewer or `bot check` beside the bot, after a backup: 1.0 lost 172 moves", reader),
    Fault("clock set", "1.0 lost matches by a clock that was set back", clock_set),
    Fault("suspended", "a laptop's lid; a paused virtual machine", suspended),
)


def chosen(names: str) -> list[Fault]:
    """The faults with these names, with commas between them; all for "all", none for "none"."""
    return [fault for fault in FAULTS if names == "all" or fault.name in names.split(",")]
