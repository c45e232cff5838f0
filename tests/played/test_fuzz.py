"""Anything a client could send, by mistake or on purpose, is answered, writes nothing and reveals nothing.

Every room watches what is sent to whom, and counts unanswered interactions. A run sends only a few; set the
environment variable `FUZZ=10000` to send that many.
"""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from discord.app_commands import CommandNotFound, CommandSignatureMismatch, TransformerError
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.engine.rules import PRESETS, TARGETS
from bot.platform.kit.codec import base36
from bot.platform.people import Person as Player
from bot.tables.ids.game import Ref, Verb
from bot.tables.log.actions import Cancel
from tests.support.dose import dose
from tests.support.escoba import Room, room
from tests.support.forgery import Click, Forged, Form, Slash, forged, plays
from tests.support.people import Person, forge, forge_form, forge_slash

SENT = dose("FUZZ", 150)
AT_ONCE = 50
"""How many inputs are sent in one server. Starting a new server for each example takes a while."""
TESTS = 3
OURS = f"{Ref.kind}:"
"""Begins the custom_ids of games."""
OUTDATED = (CommandNotFound, CommandSignatureMismatch, TransformerError)

some = settings(
    max_examples=max(1, SENT // AT_ONCE // TESTS),
    phases=[Phase.generate],  # each example starts a server with a game, so shrinking takes too long
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
    database=None,
)


def many(of: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """What is sent in one server, and whether the player (True) or the stranger sends it."""
    return st.lists(st.tuples(st.booleans(), of), min_size=AT_ONCE, max_size=AT_ONCE)


def run(work: Callable[[Path], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine function with a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(work(Path(folder)))


async def send(here: Room, person: Person, what: Forged) -> None:
    """Send an input as somebody, and assert that it was answered."""
    before = len(here.tap.requests)
    match what:
        case Click():
            message = person.panel(here.channel) if what.private else here.shown
            await forge(person, message, what.custom_id, what.values)
        case Slash():
            await forge_slash(person, here.channel, what.data)
            assert all(isinstance(error, OUTDATED) for error in here.env.errors), (
                what
            )  # SimCord also keeps errors that were handled
        case Form():
            where = person.panel(here.channel) if what.on else here.channel
            await forge_form(person, where, what.custom_id, what.components)
    assert len(here.tap.requests) > before, what


@some
@given(many(forged))
def test_nothing_that_others_send_changes_a_match(sent: list[tuple[bool, Forged]]) -> None:
    async def everything(folder: Path) -> None:
        async with room(folder, 3) as here:
            ana, _, stranger = here.people
            await here.begin(2)
            await stranger.slash(here.channel, "escoba rules")  # a private message to click on
            before = (here.table.version, here.table.view().match)
            current = base36(here.table.view().version)
            for seated, what in sent:
                if seated and is_move(what, current):
                    continue
                await send(here, ana if seated else stranger, what)
                assert here.bot.parts.manager.at(here.channel.id) is not None, what
                assert (here.table.version, here.table.view().match) == before, what

    run(everything)


def is_move(what: Forged, current: str) -> bool:
    """Whether an input may be a player's move in game 1 at its current version, or confirms leaving or cancelling."""
    if not isinstance(what, Click) or not what.custom_id.startswith(OURS):
        return False
    verb, _, rest = what.custom_id.removeprefix(OURS).partition(":")
    return rest.startswith(f"1:{current}") or verb in ("leaveyes", "cancelyes")


@some
@given(many(forged))
def test_nothing_that_others_send_changes_a_lobby(sent: list[tuple[bool, Forged]]) -> None:
    async def everything(folder: Path) -> None:
        async with room(folder, 2) as here:
            ana, stranger = here.people
            await here.lobby()
            for person in here.people:
                await person.slash(here.channel, "escoba rules")
            for seated, what in sent:
                table = here.table
                before = (table.version, table.view().seats, table.view().config)
                if seated and not isinstance(what, Form):
                    continue  # seated players may change the lobby
                if isinstance(what, Click) and what.custom_id.startswith(f"{OURS}{Verb.JOIN}:1:"):
                    continue  # and anybody may join
                await send(here, ana if seated else stranger, what)
                config = here.table.view().config
                assert config.rules.target in TARGETS, what
                if not seated:
                    assert (here.table.version, here.table.view().seats, config) == before, what

    run(everything)


@some
@given(many(plays))
def test_a_game_opens_only_with_an_existing_preset(sent: list[tuple[bool, Slash]]) -> None:
    async def everything(folder: Path) -> None:
        async with room(folder, 2, lobbies_per_guild=1000, lobbies_per_person=1000) as here:
            opened = 0
            for first, what in sent:
                person = here.people[first]
                await send(here, person, what)
                table = here.bot.parts.manager.at(here.channel.id)
                if table is not None:
                    opened += 1
                    config = table.view().config
                    assert config.preset in PRESETS, what
                    assert config.rules.target in TARGETS, what
                    await table.submit(Cancel(Player(person.id, person.name)))
            assert opened

    run(everything)
