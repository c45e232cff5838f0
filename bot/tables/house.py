"""A server's own defaults: the rule system, target, deadline, pace and language with which its games begin."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from bot.engine.rules import PRESETS, TARGETS
from bot.tables.pace import Pace
from bot.tables.state import DEFAULT_PRESET, Config

DECKS: Final = ("spanish", "french")
"""The cards that a server can play with; the first are the usual ones."""


@dataclass(frozen=True, slots=True)
class House:
    """What a server has settled on; None leaves what is usual.

    `target` is the points to play to (None: the rule system's), `turn` a turn's deadline in seconds (0: none, None: the
    bot's setting), `computer` the seconds before a computer plays (None: the bot's setting), `language` what everybody
    reads (None: that of whoever opens the table, or a Community's own), `deck` how cards are shown,
    `pictures` whether tables are shown as pictures, `hints` whether a player at turn may ask for advice where nothing
    counts.
    """

    preset: str = DEFAULT_PRESET
    target: int | None = None
    turn: int | None = None
    computer: float | None = None
    language: str | None = None
    deck: str = DECKS[0]
    hints: bool = True
    pictures: bool = True

    def config(self, preset: str | None = None, target: int | None = None) -> Config:
        """What a new lobby begins with; a preset or target asked for goes before the server's."""
        return Config.of_preset(preset or self.preset, target=target or self.target)

    def pace(self, usual: Pace) -> Pace:
        """How long things wait on this server."""
        turn = usual.turn if self.turn is None else self.turn
        computer = usual.computer if self.computer is None else self.computer
        return replace(usual.of_turn(turn), computer=computer)

    def dump(self) -> str:
        """The text that the store keeps."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str | None) -> House:
        """The defaults of a stored text; what it has no sense for is as if never set."""
        try:
            values: dict[str, Any] = json.loads(text or "{}")
            house = cls(**values)
            known = house.preset in PRESETS and (house.target is None or house.target in TARGETS)
            sensible = all(seconds is None or seconds >= 0 for seconds in (house.turn, house.computer))
            sensible = sensible and isinstance(values.get("language", ""), str | None) and house.deck in DECKS
            sensible = sensible and isinstance(values.get("hints", True), bool)
            sensible = sensible and isinstance(values.get("pictures", True), bool)
        except (ValueError, TypeError):
            return cls()
        return house if known and sensible else cls()
