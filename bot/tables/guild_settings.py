"""A server's own defaults: the rule system, target, deadline, pace and language with which its games begin."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from bot.engine.rules import PRESETS, TARGETS
from bot.store import Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.state import DEFAULT_PRESET, Config
from bot.tables.pace import Pace

DECKS: Final = ("spanish", "french")
"""The cards that a server can play with; the first are the usual ones."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server has settled on; None leaves what is usual.

    `target` is the points to play to (None: the rule system's), `turn` a turn's deadline in seconds (0: none, None: the
    bot's setting), `computer` the seconds before a computer plays (None: the bot's setting), `language` what everybody
    reads (None: that of whoever opens the table, or a Community's own), `deck` how cards are shown, `pictures` whether
    tables are shown as pictures, `hints` whether a player at turn may ask for advice where nothing counts, `talk`
    whether computers say a word now and then.
    """

    preset: str = DEFAULT_PRESET
    target: int | None = None
    turn: int | None = None
    computer: float | None = None
    language: str | None = None
    deck: str = DECKS[0]
    hints: bool = True
    pictures: bool = True
    talk: bool = True

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
    def load(cls, text: str | None) -> GuildSettings:
        """The defaults of a stored text; what it has no sense for is as if never set."""
        try:
            values: dict[str, Any] = json.loads(text or "{}")
            settings = cls(**values)
            known = settings.preset in PRESETS and (settings.target is None or settings.target in TARGETS)
            sensible = all(seconds is None or seconds >= 0 for seconds in (settings.turn, settings.computer))
            sensible = sensible and isinstance(values.get("language", ""), str | None) and settings.deck in DECKS
            sensible = sensible and isinstance(values.get("hints", True), bool)
            sensible = sensible and isinstance(values.get("pictures", True), bool)
            sensible = sensible and isinstance(values.get("talk", True), bool)
        except (ValueError, TypeError):
            return cls()
        return settings if known and sensible else cls()


_USUAL: Final = GuildSettings()


class GuildSettingsCache:
    """The defaults of all servers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, GuildSettings] = {}

    async def of(self, guild_id: int) -> GuildSettings:
        """The defaults of a server.

        Raises:
            StoreError: if they can't be read.
        """
        if guild_id not in self._known:
            self._known[guild_id] = GuildSettings.load(await self._store.get_value(guild_settings_key(guild_id)))
        return self._known[guild_id]

    def known(self, guild_id: int) -> GuildSettings:
        """The defaults of a server, as usual until they were read; that is done when a table is there."""
        return self._known.get(guild_id, _USUAL)

    async def settle(self, guild_id: int, settings: GuildSettings) -> None:
        """Give a server other defaults; games under way keep the pace they began with.

        Raises:
            Refusal: if the store can't write.
        """
        try:
            await self._store.set_value(guild_settings_key(guild_id), settings.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self._known[guild_id] = settings

    def forget(self, guild_id: int) -> None:
        """A server's defaults are no longer kept."""
        self._known.pop(guild_id, None)


def guild_settings_key(guild_id: int) -> str:
    """The store's key of a server's defaults."""
    return f"house:{guild_id}"
