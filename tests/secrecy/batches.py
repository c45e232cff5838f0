"""Batches of twin games of one kind: tables that share a clock, in two worlds."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

from bot.engine.cards import Card
from bot.engine.rules import PRESETS, Seating
from bot.tables.live.chance import Chance
from bot.tables.log.events import Presence
from tests.secrecy.games import Game, begin, leave_alone, lobby, plan
from tests.secrecy.pair import Pair
from tests.secrecy.revealed import listening
from tests.secrecy.script import Case, Players, commands_of
from tests.secrecy.twins import differs, twin_of
from tests.secrecy.world import FIRST_CHANNEL, World
from tests.support.dose import dose as repetitions

Kind = Literal["people", "computers", "idle"]
KINDS: tuple[Kind, ...] = ("people", "computers", "idle")
"""`people`: everybody is present, and turns have deadlines. `computers`: computers play some seats, as players or for
somebody who is away. `idle`: nothing happens for a long time, in lobbies and at tables where everybody is away."""
TABLES = 12
COMBINATIONS = [(preset.name, seating) for preset in PRESETS.values() for seating in preset.seatings]
SETTINGS: dict[Kind, dict[str, object]] = {
    "people": {"turn_seconds": 120, "warn_seconds": 30, "round_seconds": 45},
    "computers": {"turn_seconds": 0, "warn_seconds": 0, "computer_seconds": 2, "round_seconds": 45},
    "idle": {"turn_seconds": 0, "warn_seconds": 0, "abandon_minutes": 30, "lobby_minutes": 60},
}


@dataclass(frozen=True, slots=True)
class Dose:
    """`games`: how many twin games to play. `seed`: the seed of everything random in them."""

    games: int = 48
    seed: str = "1"


def dose() -> Dose:
    """The dose given by the environment variables TWINS (for example 2000) and TWINS_SEED."""
    usual = Dose()
    return Dose(repetitions("TWINS", usual.games), os.environ.get("TWINS_SEED") or usual.seed)


@dataclass(slots=True)
class Figures:
    """What was compared: twin games, how many of them differ, comparisons, requests in one of the worlds.

    `done`: the commands sent and the verbs of the buttons pressed.
    """

    games: int = 0
    different: int = 0
    compared: int = 0
    requests: int = 0
    done: set[str] = field(default_factory=set)


class Dealt(Chance):
    """Deals each game the cards and the dealer prepared for it."""

    def __init__(self, games: list[Game]) -> None:
        self._games = dict(enumerate(games, 1))

    def deck(self, game_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
        """The same deck on each call."""
        return self._games[game_id].decks(round_number)

    def dealer(self, game_id: int, seating: Seating) -> int:
        """The same seat on each call."""
        return self._games[game_id].dealer

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """No table of a tournament is played here."""
        raise NotImplementedError


def batches(kind: Kind, games: int) -> range:
    """The numbers of one kind's batches. `games`: the number of games of all kinds together.

    Half of them have computers: the rarest event, somebody claiming a capture, happens only there.
    """
    return range(-(-games // TABLES // (2 if kind == "computers" else 4)) or 1)


def cases(kind: Kind, seed: str, number: int) -> Iterator[Case]:
    """The twin games of a batch. Idle games take up the presets where people's games end, so together they have all."""
    first = number * TABLES + (TABLES if kind == "idle" else 0)
    for place in range(TABLES):
        rng = Random(f"{seed}/{kind}/{number}/{place}")
        preset, seating = COMBINATIONS[(first + place) % len(COMBINATIONS)]
        computers = rng.randint(0, seating.seats - 1) if kind == "computers" else 0
        game = lobby(rng, place, FIRST_CHANNEL + place, preset, seating, computers=computers)
        people = [seat for seat, person in enumerate(game.people) if person is not None]
        viewer = rng.choice([*people, *people, None])
        alone = _set(game, kind, viewer, rng)
        about = (
            f"seed {seed}, {kind} {number}.{place}: {preset} {seating} after {len(game.events)} events, seen by "
            + ("a stranger" if viewer is None else f"seat {viewer}")
        )
        yield Case(game, twin_of(game, viewer, rng), viewer, rng, about, alone)


def _set(game: Game, kind: Kind, viewer: int | None, rng: Random) -> bool:
    """Bring a game to its moment and plan what follows. Returns whether it must be left alone."""
    waits = kind != "computers" and rng.random() < 0.15
    if not waits:
        begin(game, rng, speaks=kind == "computers" and game.number % 2 == 0 and None in game.people)
    if kind == "people":
        plan(game, rng, rng.randint(0, 3), deals_last=True)
        return False
    seated = [seat for seat, person in enumerate(game.people) if person is not None]
    if kind == "computers":
        for seat in seated:
            if rng.random() < 0.25:
                left = seat not in (0, viewer) and rng.random() < 0.3
                leave_alone(game, seat, Presence.LEFT if left else Presence.AWAY)
        plan(game, rng, rng.randint(0, 3))
        return False
    if not waits and rng.random() < 0.4:
        waits = True
        for seat in seated:
            leave_alone(game, seat)
    plan(game, rng, 0 if waits else rng.randint(1, 3), deals_first=not waits, deals_last=not waits)
    return waits


async def play(folder: Path, kind: Kind, seed: str, number: int, figures: Figures) -> None:
    """Play a batch in both worlds.

    Raises:
        AssertionError: if the worlds differ in anything that must not depend on hidden cards.
    """
    made = list(cases(kind, seed, number))
    with listening() as ear:
        worlds: list[World] = []
        for name, games in (("one", [case.game for case in made]), ("other", [case.twin for case in made])):
            place = folder / f"{number}-{name}"
            place.mkdir()
            world = World(place, [game.events for game in games], Dealt(games), ear, **SETTINGS[kind])
            await world.prepare()
            worlds.append(world)
        pair = Pair(worlds[0], worlds[1], set().union(*(case.others for case in made)))
        pair.at = whole = f"seed {seed}, {kind} {number}"
        try:
            await pair.both("the start", World.start)
            await SCRIPTS[kind](pair, made, whole)
            assert kind != "people" or pair.done >= set(commands_of(pair)), "a command that nobody has sent"
        finally:
            for world in worlds:
                await world.stop()
    figures.games += len(made)
    figures.different += sum(differs(case.game, case.twin) for case in made)
    figures.compared += pair.compared
    figures.requests += pair.requests
    figures.done |= pair.done


# ------------------------------------------------------------------------------------------------ scripts


async def _people(pair: Pair, made: list[Case], whole: str) -> None:
    for case in made:
        players = Players(pair, case)
        await players.look()
        for step in case.game.steps:
            await players.do(step, refused=case.rng.random() < 0.3)
            await players.look(most=1)
        if players.version and case.rng.random() < 0.3:
            await (players.cancel if case.rng.random() < 0.7 else players.leave)()
            await players.look_back()
    pair.at = whole
    pair.refuse(True)
    await pair.pass_time(45)  # the next round is due now
    pair.refuse(False)
    for seconds in (5, 45, 25):  # the deal is tried again; the warning; the deadline
        await pair.pass_time(seconds)
    await _after_all(pair, made, whole)


async def _computers(pair: Pair, made: list[Case], whole: str) -> None:
    for case in made:
        players = Players(pair, case)
        await players.look()
        for step in case.game.steps:
            await players.do(step, refused=case.rng.random() < 0.2)
        await players.look(most=1)
    pair.at = whole
    if made[0].rng.random() < 0.5:
        pair.refuse(True)
        await pair.pass_time(2)
        pair.refuse(False)
        await pair.pass_time(5)
    await pair.pass_time(2)
    await _after_all(pair, made, whole)


async def _idle(pair: Pair, made: list[Case], whole: str) -> None:
    for case in made:
        if not case.alone:
            await Players(pair, case).look()
    pair.at = whole
    for minutes in (14, 17, 21):  # panels expire; nobody is present; messages grow old
        await pair.pass_time(60 * minutes + 1)
    for case in made:
        players = Players(pair, case)
        for step in case.game.steps:
            await players.do(step)
        await players.look_back()
    pair.at = whole
    await pair.pass_time(60 * 61)
    await _after_all(pair, made, whole)


async def _after_all(pair: Pair, made: list[Case], whole: str) -> None:
    for case in made:
        await Players(pair, case).look(most=1)
    pair.at = whole
    await pair.restart()
    for case in made:
        await Players(pair, case).look_back()


SCRIPTS = {"people": _people, "computers": _computers, "idle": _idle}
