"""A server's settings: what its games begin with, how long its seasons are, and which roles the best players get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field

from bot.club.seasons import SeasonLength
from bot.engine.rules import PRESETS, TARGETS
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.language.time_zones import UTC_NAME, zone_name
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.stored import Choices
from bot.tables.log.events import DEFAULT_PRESET, Config
from bot.tables.options import TableOptions
from bot.tables.pace import Pace
from bot.tables.server.rule_sets import SavedRules, config_of


def _preset(name: str) -> str:
    if name not in PRESETS:
        raise ValueError("not a rule system")
    return name


class GuildSettings(Choices):
    """A server's choices; None stands for the default."""

    preset: Annotated[str, AfterValidator(_preset)] = DEFAULT_PRESET
    """The rule system."""
    target: Annotated[int, Field(ge=TARGETS[0], le=TARGETS[-1])] | None = None
    """The points to play to; None: the rule system's own."""
    turn: Annotated[int, Field(ge=0)] | None = None
    """A turn's deadline in seconds, 0 for none; None: the bot's setting."""
    computer: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """The seconds before a computer plays; None: the bot's setting."""
    language: str | None = None
    """Of the public messages; None: that of the person who opens the table, or the Community's own."""
    deck: Literal["spanish", "french"] = "spanish"
    """The cards that are shown."""
    hints: bool = True
    """Whether the current player may ask for advice in an unranked match."""
    pictures: bool = True
    """Whether tables are shown as pictures."""
    talk: bool = True
    """Whether computers chat now and then."""
    reactions: bool = True
    """Whether players may react to moves."""
    season: SeasonLength = SeasonLength.MONTH
    """The length of a season."""
    winner_role: int | None = None
    """The role that a season's best gets when its podium is made; None for no role."""
    podium_role: int | None = None
    """The role of the first three."""
    passes_on: bool = True
    """Whether those who had a role from the previous podium lose it then."""
    rated: bool = True
    """Whether lobbies begin as rated ones; otherwise they are friendly."""
    players_role: int | None = None
    """The role that a lobby may mention to find players."""
    all_organise: bool = False
    """Whether everybody may organise tournaments, not only those who manage events or messages."""
    zone: Annotated[str, AfterValidator(zone_name)] = UTC_NAME
    """The time zone in which the start of a tournament is written, by its IANA name."""
    rule_set: int | None = None
    """The number of the server's own rules that games begin with; None for the rule system's. If those have been
    deleted, games begin with the rule system."""

    @property
    def reward_roles(self) -> list[int]:
        """The roles that the best of a season get."""
        return [role for role in (self.winner_role, self.podium_role) if role is not None]

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


_DEFAULTS: Final = GuildSettings()


class GuildSettingsCache:
    """The settings of all servers, each read when it is first needed.

    Args:
        values: keep them.
        defaults: how tables are run where a server hasn't chosen otherwise.
    """

    def __init__(self, values: KeyValues, defaults: TableOptions) -> None:
        self.defaults: Final = defaults
        self._values = values
        self._settings: dict[int, GuildSettings] = {}

    async def get(self, guild_id: int | None) -> GuildSettings:
        """A server's settings; the defaults where there is no server.

        Raises:
            StoreError: if they can't be read.
        """
        if guild_id is None:
            return _DEFAULTS
        if guild_id not in self._settings:
            text = await self._values.get(guild_settings_key(guild_id))
            read = GuildSettings.load(text) if text else _DEFAULTS  # most servers share these
            self._settings.setdefault(guild_id, read)  # somebody may have saved others meanwhile
        return self._settings[guild_id]

    def cached(self, guild_id: int | None) -> GuildSettings:
        """A server's settings if they have been read, else the defaults; opening a table reads them."""
        return _DEFAULTS if guild_id is None else self._settings.get(guild_id, _DEFAULTS)

    async def table_options(self, guild_id: int | None) -> TableOptions:
        """Find how tables are run on a server, or for somebody who plays alone; the defaults while a server's settings
        can't be read."""
        if guild_id is None:
            return self.defaults.alone()
        try:
            settings = await self.get(guild_id)
        except StoreError:
            settings = _DEFAULTS
        return settings.table_options(self.defaults)

    async def change(self, guild_id: int, **changes: Any) -> None:
        """Store some of a server's settings, by the names of the fields; open games keep the pace they began with.

        Raises:
            StoreError: if the settings can't be read.
            Refusal: if what is stored can't be read, or if the store can't write; then they are unchanged.
            ValueError: if a field doesn't take its value.
        """
        settings = (await self.get(guild_id)).changed(**changes)
        try:
            await self._values.set(guild_settings_key(guild_id), settings.dump())
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
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
