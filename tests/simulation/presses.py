"""What people press, send and type: what the bot hears of it, and answers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.network import Request
from tests.simulation.shots import ANSWER_SECONDS, Shot
from tests.support.fake_discord.refused import Refused
from tests.support.wiretap import CALLBACK

if TYPE_CHECKING:
    from tests.simulation.people import Somebody
    from tests.simulation.shots import Watching
    from tests.simulation.world import World

PUT_OFF: Final = (5, 6)
"""The kinds of answers that only promise something."""
SUGGESTIONS: Final = 8
MODAL: Final = 9


class Presses:
    """The presses of a world's people.

    Args:
        world: where they are.
        chance: decides which interactions come twice.
    """

    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.judges: Sequence[Watching] = ()
        self.shots: dict[int, Shot] = {}
        """Those that wait for an answer, or may still."""
        self.count = 0
        self.doubles = 0.0
        """How often an interaction is delivered twice."""
        self._chance = chance
        world.told.append(self._answered)

    def component(
        self, who: Somebody, message: Any, custom_id: str, values: Sequence[str] | None, *, checked: bool = True
    ) -> None:
        """Somebody presses a button, or chooses in a menu."""
        realm = self.world.realm
        if not self._is_there(message.channel_id):
            return
        try:
            record, payload = realm.component(who.person, realm.payload_of(message), custom_id, values, checked=checked)
        except Refused:
            self.world.counts["gone"] += 1
            return
        self._fire(who, f"{custom_id} {'' if values is None else list(values)}", record, payload)

    def slash(self, who: Somebody, channel_id: int, name: str, options: dict[str, Any], *, typing: str = "") -> None:
        """Somebody sends a command, or is still `typing` one of its options."""
        if not self._is_there(channel_id):
            return
        record, payload = self.world.realm.slash(who.person, channel_id, name, options, typing=typing)
        self._fire(who, f"{'types ' if typing else ''}/{name} {options}", record, payload)

    def menu_of(self, who: Somebody, channel_id: int, name: str, target: int) -> None:
        """Somebody chooses a command in the menu of another person."""
        if not self._is_there(channel_id):
            return
        record, payload = self.world.realm.menu_of(who.person, channel_id, name, target)
        self._fire(who, f"/{name} {{{target}}}", record, payload)

    def modal(self, who: Somebody, channel_id: int, custom_id: str, values: dict[str, Any]) -> None:
        """Somebody sends a form."""
        if not self._is_there(channel_id):
            return
        record, payload = self.world.realm.modal(who.person, channel_id, custom_id, values)
        self._fire(who, f"form {custom_id} {values}", record, payload)

    def _is_there(self, channel_id: int) -> bool:
        """Whether a channel is there: while the bot isn't on a server, none of its channels is."""
        there = channel_id in self.world.realm.backend.channels
        self.world.counts["gone"] += not there
        return there

    def _fire(self, who: Somebody, what: str, record: Any, payload: dict[str, Any]) -> None:
        world = self.world
        self.count += 1
        world.counts["presses"] += 1
        shot = Shot(who, what, record.channel_id, world.machine.now, world.discord.gateway.online, record, payload)
        self.shots[record.id] = shot
        world.trace.add(f"{who} in {record.channel_id}: {what}")
        for judge in self.judges:
            judge.pressed(shot)
        world.realm.backend.emit("INTERACTION_CREATE", payload)
        if self.doubles and self._chance.random() < self.doubles:
            late = self._chance.choice((0.0, 0.3, 2.0, 5.0))
            shot.doubled = True
            world.machine.after(late, lambda: world.realm.backend.emit("INTERACTION_CREATE", payload))
        world.machine.after(ANSWER_SECONDS + 1.0, lambda: self._over(record.id))

    def _over(self, number: int) -> None:
        shot = self.shots.pop(number)
        for judge in self.judges:
            judge.over(shot)

    def _answered(self, request: Request) -> None:
        for judge in self.judges:
            judge.heard(request)
        found = CALLBACK.fullmatch(request.path)
        shot = self.shots.get(int(found[1])) if found else None
        if shot is None or not request.applied:
            if shot is not None:
                shot.excuse = request.fault or ("gone" if self._is_gone(shot) else shot.excuse)
            return
        shot.answered, shot.kind = self.world.machine.now, request.body["type"]
        if shot.kind in PUT_OFF:
            for judge in self.judges:
                judge.put_off(shot)
        soon = shot.who.chance.uniform(2.0, 20.0) if shot.kind in (MODAL, SUGGESTIONS) else 0.0
        if shot.kind == MODAL:
            modal = request.body["data"]
            self.world.machine.after(soon, lambda: shot.who.fill(shot.channel_id, modal))
        elif shot.kind == SUGGESTIONS and (choices := request.body["data"]["choices"]):
            self.world.machine.after(soon, lambda: shot.who.take_up(shot.payload["data"], shot.channel_id, choices))

    def _is_gone(self, shot: Shot) -> bool:
        """Whether the message is deleted that somebody has pressed a button of."""
        clicked = shot.record.source_message_id
        return clicked is not None and not self.world.realm.has(shot.channel_id, clicked)
