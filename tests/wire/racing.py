"""Clicks at the same instant: sends them, and computes which outcomes the same clicks could have had in some order."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

from bot.engine.cards import EMPTY, Card
from bot.engine.moves import Play
from bot.engine.views import seat_view
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.tables.ids.game import unpack
from bot.tables.live.chance import SystemChance
from bot.tables.log.actions import Action, LayCard, PlayMove
from bot.tables.log.codec import encode
from bot.tables.log.decide import decide
from bot.tables.log.events import LogEvent
from bot.tables.log.state import TableState
from tests.support.fake_discord.person import Person as Member
from tests.support.patience import HANG_SECONDS
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.seen import CUSTOM_ID, UPDATE, Press, Seen, Shot
from tests.wire.world import Wire, wire

TWICE = "answered 400, code 40060"
"""What Discord says to the second answer to an interaction that it delivered twice."""
_MOVE = re.compile(r"e:(card|take):")


def person(member: Member) -> Person:
    """The bot's own record of a simulated person."""
    return Person(member.id, member.name)


def action_of(state: TableState, member: Member, press: Press) -> Action:
    """The action behind a match's button, in the state it was made for, under rules where capturing is compulsory."""
    card = Card.parse(press.args[0])
    if press.verb == "take":
        captured = unpack(press.args[1])
        assert captured is not None
        return PlayMove(person(member), press.version, Play(card, captured))
    seat = state.seat_of(member.id)
    assert seat is not None
    assert state.match is not None
    groups = [
        move.captured
        for move in seat_view(state.match, seat).moves
        if isinstance(move, Play) and move.card is card and move.captured
    ]
    if len(groups) > 1:
        return LayCard(person(member), press.version, card)
    return PlayMove(person(member), press.version, Play(card, groups[0] if groups else EMPTY))


def outcomes(state: TableState, actions: Sequence[Action], game_id: int) -> set[tuple[str, ...]]:
    """The sequences of events, as text without dealt cards, that the actions can produce in some order."""
    found: set[tuple[str, ...]] = set()
    for order in permutations(actions):
        now, log = state, list[str]()
        for action in order:
            try:
                change = decide(now, action, game_id).dealt(SystemChance(), game_id)
            except Refusal:
                continue
            now = change.state
            log += map(text_of, change.events)
        found.add(tuple(log))
    return found


def text_of(event: LogEvent) -> str:
    """An event as text, without anything that is random."""
    kind, body = encode(event)
    first = body.split()[0]
    if kind == "match" and first in ("match", "deal"):
        return first
    return f"{kind} {body}"


@dataclass(slots=True)
class Race:
    """One table's race: the state before it, the actions asked for, and the interactions that asked for them."""

    party: Party
    game: int
    state: TableState
    length: int
    actions: list[Action]
    shots: list[Shot] = field(default_factory=list)

    def wrong(self, wire: Wire, ledger: Ledger) -> list[str]:
        """What is wrong with the outcome."""
        game = ledger.games[self.game]
        rows = [(kind, body) for _, kind, body in game.entries[self.length :]]
        log = tuple(
            body.split()[0] if kind == "match" and body.split()[0] in ("match", "deal") else f"{kind} {body}"
            for kind, body in rows
        )
        found = []
        if log not in outcomes(self.state, self.actions, self.game):
            found.append(f"game {self.game}: {log} isn't an outcome of these actions in any order: {self.actions}")
        before, after = self.state.move_version, game.state.move_version
        for shot in self.shots:
            if panel_gone(wire, shot):
                continue
            if not shot.done:
                found.append(f"{shot} was not answered")
            elif shot.got is not None and shot.got.kind == UPDATE and shot.got.private and _MOVE.match(shot.custom_id):
                # A click that was already stale before the race may have been answered before the race's move.
                clicked = CUSTOM_ID.fullmatch(shot.custom_id)
                newest = after if clicked is not None and int(clicked["version"], 36) == before else before
                shown = game.version_shown(shot.got.presses, shot.got.text)
                if shown is None or shown < newest:
                    found.append(f"{shot} was answered with version {shown}, the newest is {newest}")
        return found

    def behind(self, wire: Wire, ledger: Ledger) -> list[str]:
        """The panels that don't show the newest state, once all is quiet."""
        game = ledger.games[self.game]
        found = []
        for member in self.party.people:
            panel = wire.panel(self.party.channel_id, member)
            shown = game.version_shown(panel.presses, panel.text)
            if shown != game.state.move_version:
                found.append(f"{member.name}'s panel shows version {shown}, the log is at {game.state.move_version}")
        return found


def open_game(wire: Wire, ledger: Ledger, party: Party) -> tuple[int, TableState, int]:
    """The channel's open game: its id, its state and the length of its log."""
    game = next(game for game in ledger.games.values() if game.channel_id == party.channel_id and not game.closed)
    return game.id, game.state, len(game.entries)


def fire_moves(wire: Wire, ledger: Ledger, party: Party, stale: dict[int, Seen]) -> Race:
    """Have all seats of a table click at once: everybody on outdated panels, on *My hand* and on Refresh, and the
    player whose turn it is on several cards, one of them twice, with one of those clicks delivered twice.
    """
    game_id, state, length = open_game(wire, ledger, party)
    race = Race(party, game_id, state, length, [])
    table = wire.table(party.channel_id)
    for member in party.people:
        panel = wire.panel(party.channel_id, member)
        choices = [press for press in panel.find("card", "take") if press.version == state.move_version][:3]
        for press in [*choices, *choices[:1]]:
            race.actions.append(action_of(state, member, press))
            race.shots.append(wire.send_click(member, panel, press.custom_id))
        if choices:
            wire.resend(race.shots[-1])
        if (old := stale.get(member.id)) is not None:
            old = old.in_place_of(panel)
            outdated = old.find("card", "take")[:2]
            race.shots += [wire.send_click(member, old, press.custom_id, checked=False) for press in outdated]
        if choices:
            stale[member.id] = panel
        if refresh := panel.find("panel"):
            race.shots.append(wire.send_click(member, panel, refresh[0].custom_id))
        if hand := table.find("hand"):
            race.shots.append(wire.send_click(member, table, hand[0].custom_id))
    race.actions = list({repr(action): action for action in race.actions}.values())  # without duplicates
    return race


async def racing(folder: Path, *, seats: int, tables: int, races: int, seed: int) -> Figures:
    """Have all seats of many tables click at the same instant, `races` times."""
    figures = Figures()
    people = [f"P{n}" for n in range(seats * tables)]
    async with wire(folder, people, channels=tables, seed=str(seed), check=False) as w:
        w.realm.answer_seconds = HANG_SECONDS  # clicks at hundreds of seats at once: this isn't about speed
        groups = parties(w, seats, seed=seed)
        await asyncio.gather(*(party.play(until=lambda party=party: all_have_panels(w, party)) for party in groups))
        await w.settle()
        ledger = Ledger(w.database)
        stale: dict[int, Seen] = {}
        for _ in range(races):
            ledger.read()
            w.gateway.hold()
            at_once = [fire_moves(w, ledger, party, stale) for party in groups]
            w.gateway.release()
            shots = [shot for race in at_once for shot in race.shots]
            await wait_for_answers(w, shots)
            await w.settle()
            ledger.read()
            figures.races += 1
            figures.clicks += len(shots)
            figures.found += [line for race in at_once for line in race.wrong(w, ledger)]
            figures.found += [line for race in at_once for line in race.behind(w, ledger)]
            await asyncio.gather(*(party.play(until=lambda p=party: can_move(w, p)) for party in groups))
            await w.settle()
        figures.check(w, ledger, allow=TWICE)
        figures.gather(w, ledger, groups)
    return figures


def all_have_panels(w: Wire, party: Party) -> bool:
    """Whether everybody at a table has their panel open."""
    return party.version > 1 and all(
        w.latest(party.channel_id, "panel", viewer=member) is not None for member in party.people
    )


def can_move(w: Wire, party: Party) -> bool:
    """Whether somebody at the table has a panel with a card to play."""
    return any(w.panel(party.channel_id, member).find("card", "take") for member in party.people)


def panel_gone(w: Wire, shot: Shot) -> bool:
    """Whether an interaction can't be answered, because another click of the same person removed its panel."""
    message = shot.payload.get("message")  # a command has none
    return not shot.done and message is not None and not w.realm.has(shot.channel_id, message["id"])


async def wait_for_answers(w: Wire, shots: Iterable[Shot]) -> None:
    """Wait until all interactions that can be answered are, or for as long as that may take; the caller checks them."""
    with suppress(AssertionError):
        await w.bot.until(lambda: all(shot.done or panel_gone(w, shot) for shot in shots))
