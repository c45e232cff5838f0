"""No button, menu, form or command holds up the event loop, however long the logs are that it has to read."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import date
from functools import partial
from typing import Any, Final

import pytest

from bot.club.ids.leaderboard import LeaderboardRef, StatsRef
from bot.platform.kit.codec import Reference
from bot.platform.people import Person as Player
from bot.platform.settings.ids import PreferencesRef, SettingsRef
from bot.privacy.ids.privacy import PrivacyRef
from bot.process.dispatch import SCREENS
from bot.process.stores import Stores
from bot.replays.ids.replay import ReplayRef
from bot.tables.ids.game import Ref
from bot.tables.ids.own_rules import OwnRulesRef
from bot.tables.log.codec import LOG
from bot.tables.log.events import Config, Joined, LeftLobby, Opened
from bot.tournaments.ids.tournament import Draft, SheetRef, TournamentRef
from bot.tournaments.live import codec
from bot.tournaments.rules.log import Announced, Entered, LeftEntry
from bot.tournaments.rules.tournament import Setup
from bot.training.ids.lesson import DayRef, LessonRef, LessonsRef
from bot.training.ids.practice import PracticeHomeRef, PracticeRef, ReviewRef
from bot.training.rules.lesson_steps import FIRST
from tests.played.test_elsewhere import FORM
from tests.played.test_slow import ADMIN, PRIVATE_COMMANDS
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import forge, forge_form
from tests.support.recorded import log_events, store_log
from tests.support.watchdog import watched

MOST: Final = 0.05
"""Seconds of processor time that a step of the loop may take."""
TOGGLES: Final = 3_000
"""The number of times that Bea has joined a lobby and a tournament and left again."""
ENDING: Final = ("cancel", "leave", "start", "yes", "begin", "erase", "disq", "withdraw")
"""Parts of the verbs after which little is left to press."""


async def lobby_of(store: Stores, here: Room) -> int:
    """Store a lobby that Bea has joined and left again and again; its number."""
    ana, bea = players(here)
    toggled = [each for _ in range(TOGGLES) for each in (Joined(bea), LeftLobby(bea.id))]
    now = here.world.time.now()
    row = await store.games.open(
        guild_id=here.world.guild.id,
        channel_id=here.channel.id,
        opener_id=ana.id,
        locale="en-US",
        at=now,
        entries=LOG.entries([Opened(ana, Config()), *toggled], now),
        joined=[bea.id],
    )
    return row.id


async def tournament_of(store: Stores, here: Room) -> int:
    """Store a tournament that she has entered and left again and again; its number."""
    ana, bea = players(here)
    entered = [each for _ in range(TOGGLES) for each in (Entered((bea,)), LeftEntry(bea.id))]
    now = here.world.time.now()
    row = await store.tournaments.open(
        guild_id=here.world.guild.id,
        channel_id=here.world.guild.create_text_channel("torneo").id,
        organiser_id=ana.id,
        locale="en-US",
        at=now,
        entries=codec.LOG.entries([Announced(ana, Setup()), *entered], now),
        joined=[bea.id],
    )
    return row.id


async def match_of(store: Stores, here: Room) -> int:
    """Store a match that took them more than a thousand moves; its number."""
    played = log_events("escoba", players(here), target=101)
    assert len(played) > 1_000
    channel = here.world.guild.create_text_channel("mesa")
    return await store_log(store, here.world.guild.id, channel.id, played, here.world.time.now())


def players(here: Room) -> list[Player]:
    return [Player(each.id, each.name) for each in here.people]


def references(here: Room, lobby: int, over: int, tournament: int) -> list[Reference[Any]]:
    """Make references for all buttons, by the kinds of screens."""
    table = here.bot.parts.manager.get(lobby)
    made: list[Reference[Any]] = [
        Ref(lobby, 0 if table is None else table.version),
        Ref(over),
        LeaderboardRef(),
        StatsRef(here.people[0].id),
        Draft.of(Setup(), changes=tournament),
        TournamentRef(tournament),
        SheetRef(tournament),
        DayRef(date(2026, 1, 1)),
        PracticeHomeRef(),
        PracticeRef("day/2026-01-01"),
        LessonsRef(),
        LessonRef(FIRST),
        ReviewRef(over),
        ReplayRef(over, 2**31),
        SettingsRef(),
        OwnRulesRef(1),
        PreferencesRef(),
        PrivacyRef(),
    ]
    assert {type(each) for each in made} == {each.refers_to for each in SCREENS}
    return made


def actions(here: Room, lobby: int, over: int, tournament: int) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """Every command, button, menu and form, with its name: those after which little is left to press come last."""
    ana = here.people[0]
    for command in (*PRIVATE_COMMANDS[:-1], "table"):
        yield command, partial(ana.slash, here.channel, command if command == ADMIN else f"escoba {command}")
    panel = ana.panel(here.channel)
    verbs = [(screen, verb) for screen in SCREENS for verb in screen.refers_to.verbs]
    for screen, verb in sorted(verbs, key=lambda each: any(part in each[1] for part in ENDING)):
        for ref in references(here, lobby, over, tournament):
            if type(ref) is screen.refers_to:
                custom_id = ref.custom_id(verb)
                yield custom_id, partial(forge, ana, panel, custom_id, [str(over)])
                if verb in screen.forms:
                    yield f"{custom_id}, submitted", partial(forge_form, ana, here.channel, custom_id, FORM)


@pytest.mark.thorough
async def test_no_press_and_no_command_holds_up_the_loop(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch) -> None:
    async with room_of(2) as here:
        store = here.bot.parts.stores
        stored = [await make(store, here) for make in (lobby_of, match_of, tournament_of)]
        own(here, *here.people)
        with watched(monkeypatch) as dog:
            slow: list[str] = []

            async def watch(name: str, act: Callable[[], Awaitable[Any]]) -> None:
                for _ in range(2):  # a machine under load may make anything slow, but hardly the same twice
                    dog.begin()
                    await act()
                    if dog.longest <= MOST:
                        return
                    await here.restart()
                slow.append(f"{name}: {1000 * dog.longest:.0f} ms in {dog.what}")

            await watch("the start", here.restart)
            for action in actions(here, *stored):
                await watch(*action)
        here.tap.clear()  # such as mentions in answer to a button that isn't there
    assert not slow
