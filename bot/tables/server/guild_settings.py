"""A server's settings: what its games begin with, how long its seasons are, and which roles the best players get."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from bot.club.seasons import SeasonLength
from bot.engine.rules import PRESETS, TARGETS
from bot.store import Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import DEFAULT_PRESET, Config
from bot.tables.options import TableOptions
from bot.tables.pace import Pace
from bot.tables.server.rule_sets import SavedRules, config_of

DECKS: Final = ("spanish", "french")
"""The decks a server can choose from, the default first."""
_NUMBERS: Final = ("players_role", "rule_set")
_SWITCHES: Final = ("hints", "pictures", "talk", "reactions", "rated", "all_organise")


@dataclass(frozen=True, slots=True)
class Rewards:
    """The roles that a season's best get when its podium is made; None for no role.

    Attributes:
        winner: the winner's role.
        podium: the role of the first three.
        passes_on: whether those who had a role from the previous podium lose it then.
    """

    winner: int | None = None
    podium: int | None = None
    passes_on: bool = True

    def __bool__(self) -> bool:
        return self.winner is not None or self.podium is not None

    @classmethod
    def load(cls, values: dict[str, Any]) -> Rewards:
        """The rewards in the values that `asdict` made of them. ValueError or TypeError if they make no sense."""
        rewards = cls(**values)
        roles = (rewards.winner, rewards.podium)
        # a bool is an int, too
        if not all(role is None or type(role) is int for role in roles) or not isinstance(
            values.get("passes_on", True), bool
        ):
            raise ValueError("a role is named by its id")
        return rewards


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's choices; None stands for the default.

    Attributes:
        preset: the rule system.
        target: the points to play to; None: the rule system's own.
        turn: a turn's deadline in seconds, 0 for none; None: the bot's setting.
        computer: the seconds before a computer plays; None: the bot's setting.
        language: of the public messages; None: that of the person who opens the table, or the Community's own.
        deck: which cards are shown.
        hints: whether the current player may ask for advice in an unranked match.
        pictures: whether tables are shown as pictures.
        talk: whether computers chat now and then.
        reactions: whether players may react to moves.
        season: how long a season is.
        rewards: the roles that the best of a season get.
        rated: whether lobbies begin as rated ones; otherwise they are friendly.
        players_role: the role that a lobby may mention to find players.
        rule_set: the number of the server's own rules that games begin with; None for the rule system's. If those have
            been deleted, games begin with the rule system.
        all_organise: whether everybody may organise tournaments, not only those who manage events or messages.
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
    reactions: bool = True
    season: SeasonLength = SeasonLength.MONTH
    rewards: Rewards = field(default_factory=Rewards)
    rated: bool = True
    players_role: int | None = None
    all_organise: bool = False
    rule_set: int | None = None

    def config(self, named: str | None = None, target: int | None = None, sets: Sequence[SavedRules] = ()) -> Config:
        """Find what a new lobby begins with; rules or a target that were asked for take precedence over the server's.

        Args:
            named: a preset, or the key of a rule set; None for the server's.
            target: the points to play to; None for the server's, or those of the set that was asked for.
            sets: the server's own rules.

        Raises:
            Refusal: if there is no such set.
        """
        if named is not None and named not in PRESETS:
            config = config_of(sets, named)
        elif named is None and (usual := self.usual_rules(sets)) is not None:
            config, target = usual.config, target or self.target
        else:
            config, target = Config.of_preset(named or self.preset), target or self.target
        rules = config.rules if target is None else replace(config.rules, target=target)
        return replace(config, rules=rules, rated=self.rated)

    def usual_rules(self, sets: Sequence[SavedRules]) -> SavedRules | None:
        """Find which of the server's own rules games begin with; None if they begin with the rule system's."""
        return next((each for each in sets if each.number == self.rule_set), None)

    def pace(self, default: Pace) -> Pace:
        turn = default.turn if self.turn is None else self.turn
        computer = default.computer if self.computer is None else self.computer
        return replace(default.with_turn(turn), computer=computer)

    def table_options(self, defaults: TableOptions) -> TableOptions:
        hints = defaults.hints and self.hints
        return TableOptions(self.pace(defaults.pace), hints=hints, talk=self.talk, reactions=self.reactions)

    def dump(self) -> str:
        """The text to store."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str | None) -> GuildSettings:
        """The settings in a stored text; the defaults if any of it makes no sense."""
        try:
            values: dict[str, Any] = {**json.loads(text or "{}")}
            rewards = Rewards.load(values.pop("rewards", {}))
            season = SeasonLength(values.pop("season", SeasonLength.MONTH))
            settings = cls(**values, season=season, rewards=rewards)
            known = settings.preset in PRESETS and (settings.target is None or settings.target in TARGETS)
            sensible = all(seconds is None or seconds >= 0 for seconds in (settings.turn, settings.computer))
            sensible = sensible and isinstance(values.get("language", ""), str | None) and settings.deck in DECKS
            sensible = sensible and all(isinstance(values.get(name, 0), int | None) for name in _NUMBERS)
            sensible = sensible and all(isinstance(values.get(name, True), bool) for name in _SWITCHES)
        except (ValueError, TypeError):
            return cls()
        return settings if known and sensible else cls()


_DEFAULTS: Final = GuildSettings()


class GuildSettingsCache:
    """The settings of all servers, each read when it is first needed.

    Args:
        store: keeps them.
        defaults: how tables are run where a server hasn't chosen otherwise.
    """

    def __init__(self, store: Store, defaults: TableOptions) -> None:
        self.defaults: Final = defaults
        self._store = store
        self._settings: dict[int, GuildSettings] = {}

    async def get(self, guild_id: int) -> GuildSettings:
        """A server's settings.

        Raises:
            StoreError: if they can't be read.
        """
        if guild_id not in self._settings:
            read = GuildSettings.load(await self._store.get_value(guild_settings_key(guild_id)))
            self._settings.setdefault(guild_id, read)  # somebody may have saved others meanwhile
        return self._settings[guild_id]

    def cached(self, guild_id: int) -> GuildSettings:
        """A server's settings if they have been read, else the defaults; opening a table reads them."""
        return self._settings.get(guild_id, _DEFAULTS)

    async def table_options(self, guild_id: int) -> TableOptions:
        """Find how tables are run on a server; the defaults while its settings can't be read."""
        try:
            settings = await self.get(guild_id)
        except StoreError:
            settings = _DEFAULTS
        return settings.table_options(self.defaults)

    async def save(self, guild_id: int, settings: GuildSettings) -> None:
        """Store a server's settings; open games keep the pace they began with.

        Raises:
            Refusal: if the store can't write; then they are unchanged.
        """
        try:
            await self._store.set_value(guild_settings_key(guild_id), settings.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self._settings[guild_id] = settings

    def drop(self, guild_id: int) -> None:
        """Forget a server's settings that the store no longer holds."""
        self._settings.pop(guild_id, None)


def guild_settings_key(guild_id: int) -> str:
    return f"guild_settings:{guild_id}"


def sought_key(guild_id: int) -> str:
    """The store's key for when somebody on a server last had its role for players mentioned."""
    return f"sought:{guild_id}"


def rewarded_key(guild_id: int) -> str:
    """The store's key for which roles the last podium has given, and up to which place."""
    return f"rewarded:{guild_id}"


def podium_key(guild_id: int) -> str:
    """The store's key for which season's podium was posted last."""
    return f"podium:{guild_id}"
