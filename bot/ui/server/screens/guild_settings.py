"""The private list of a server's settings and the screen of each, for people who may manage the server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.club.seasons import SeasonLength
from bot.engine.rules import PRESETS
from bot.platform.language.refusals import refusal
from bot.platform.language.texts import N_, NC_, LanguageNames, Words
from bot.platform.layout import Layout, option
from bot.platform.people.names import plain, safe
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.listing import Listing
from bot.store.training.channels import DayChannel
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.rule_sets import SavedRules
from bot.ui.ids.server import SETTINGS
from bot.ui.tables.screens.options import TARGET as LOBBY_TARGET
from bot.ui.tables.screens.rules_editor import OFFERED_TARGETS
from bot.ui.tables.screens.rules_editor import PRESET as LOBBY_PRESET

_LIST: Final = Listing(SETTINGS, "⚙️")
page: Final = _LIST.page
_USUAL: Final = N_("{value}, the default")
_ON_OFF: Final = {True: NC_("setting", "On"), False: NC_("setting", "Off")}
PRESET: Final = replace(LOBBY_PRESET, notes=None)
TARGET: Final = replace(LOBBY_TARGET, options={None: _USUAL, **LOBBY_TARGET.options})
TURN: Final = Choice(
    "turn",
    N_("**Time for a turn**"),
    {
        None: _USUAL,
        30: N_("30 seconds"),
        60: N_("1 minute"),
        120: N_("2 minutes"),
        300: N_("5 minutes"),
        900: N_("15 minutes"),
        3600: N_("1 hour"),
        86400: N_("1 day"),
        0: N_("No limit"),
    },
)
COMPUTER: Final = Choice(
    "computer",
    NC_("heading", "**Robots**"),
    {
        None: _USUAL,
        0.5: NC_("speed of robots", "fast"),
        1.5: NC_("speed of robots", "steady"),
        3.0: NC_("speed of robots", "calm"),
        6.0: NC_("speed of robots", "slow"),
    },
)
LANGUAGE: Final = Choice(
    "language",
    NC_("heading", "**Language**"),
    LanguageNames(_USUAL),
    about=N_("Automatic: the language of a Community server, elsewhere that of whoever opens the table."),
)
RATED: Final = Choice(
    "rated",
    N_("**New matches**"),
    {True: NC_("kind of match", "Rated"), False: NC_("kind of match", "Friendly")},
    about=N_("Rated matches count for the leaderboard and ratings. Anyone in a lobby can make theirs friendly."),
)
SEASON: Final = Choice(
    "season",
    NC_("heading", "**Season**"),
    {
        SeasonLength.MONTH: N_("A month"),
        SeasonLength.QUARTER: N_("A quarter"),
        SeasonLength.NONE: NC_("length of seasons", "None"),
    },
    about=N_(
        "Each season starts from zero; ratings go on. With the first match after its end, its podium is posted in "
        "that channel."
    ),
)
PASSES_ON: Final = Choice(
    "passes_on",
    N_("**Earlier podium**"),
    {True: N_("Loses its roles"), False: N_("Keeps its roles")},
    about=N_("What becomes of its roles when the next podium is made."),
)
PLAYERS: Final = Choice(
    "players_role",
    N_("**Find players**"),
    {},
    about=N_("With *Find players*, a lobby mentions this role, at most once in ten minutes."),
)
WINNER: Final = Choice("winner_role", N_("**Winner's role**"), {}, about=N_("For the first of each season."))
PODIUM: Final = Choice("podium_role", N_("**Podium's role**"), {}, about=N_("For the first three of each season."))
ROLES: Final = (PLAYERS, WINNER, PODIUM)
DAY: Final = Choice(
    "day",
    N_("**Daily puzzle**"),
    {},
    about=N_(
        "A puzzle a day in a channel. Everyone solves it in private; the message shows who tried, and notifies nobody."
    ),
)
ZONE: Final = Choice(
    "zone",
    N_("**Time zone**"),
    {},
    about=N_("The start of a tournament is written in this time zone. Everyone reads it in their own."),
)
HOUSE_RULES: Final = Choice(
    "rules",
    N_("**House rules**"),
    {},
    about=N_("Your own rules under a name. They come first in `/escoba play`, and have a leaderboard of their own."),
)
RESULTS: Final = Choice(
    "results", NC_("heading", "**Results**"), {}, about=N_("All matches of this server as a table, for a spreadsheet.")
)
LISTED: Final = (
    PRESET,
    TARGET,
    TURN,
    COMPUTER,
    LANGUAGE,
    Choice(
        "deck",
        NC_("heading", "**Deck**"),
        {"spanish": N_("Spanish cards"), "french": N_("French cards: diamonds are oros")},
    ),
    Choice("pictures", NC_("heading", "**Pictures**"), _ON_OFF, about=N_("Without them, cards come as text.")),
    Choice(
        "hints", NC_("heading", "**Hints**"), _ON_OFF, about=N_("Players may ask for them in matches that don't count.")
    ),
    Choice("talk", NC_("heading", "**Talk**"), _ON_OFF, about=N_("Robots say a word now and then.")),
    Choice("reactions", NC_("heading", "**Reactions**"), _ON_OFF, about=N_("Players may react to each other's moves.")),
    RATED,
    PLAYERS,
    SEASON,
    WINNER,
    PODIUM,
    PASSES_ON,
    DAY,
    ZONE,
    HOUSE_RULES,
)
"""All that is listed with its value, in order; each has a screen that its field names."""
CHOICES: Final = tuple(each for each in LISTED if each.options and each is not PRESET)
"""The settings that a menu of options sets, besides the rule system."""


@dataclass(frozen=True, slots=True)
class Current:
    """The settings as they stand.

    Attributes:
        settings: the server's choices.
        usual: applies where a server hasn't chosen.
        day: the channel for the day's position.
        sets: the server's own rules.
    """

    settings: GuildSettings
    usual: Pace
    day: DayChannel | None = None
    sets: Sequence[SavedRules] = ()

    @property
    def own(self) -> SavedRules | None:
        """The server's own rules that games begin with."""
        return self.settings.usual_rules(self.sets)

    @property
    def usual_target(self) -> int:
        return (PRESETS[self.settings.preset] if self.own is None else self.own.config).rules.target


def guild_settings_layout(now: Current, t: Words, *, changed: str | None = None) -> Layout:
    """All settings, and the menu that opens the screen of one. `changed`: the one just set, if any."""
    heading = t("## ⚙️ Settings") + "\n-# " + t("New tables start with these.")
    values = [(each, _value(each, now, t)) for each in _listed(now.settings)]
    return _LIST.layout(heading, now.settings, values, t, changed=changed, more=[RESULTS])


def choice_layout(which: Choice, now: Current, t: Words, note: Note | None = None) -> Layout:
    """The screen of a setting that a menu of options sets. `note`: why it changed nothing."""
    settings = now.settings
    how: dict[str, Any] = {"value": _usual(which, now, t)}
    if which is TARGET:
        how["only"] = (None, *sorted({*OFFERED_TARGETS, settings.target or now.usual_target}))
    if which is PRESET:
        how["first"] = [option(plain(each.name), each.key, chosen=each is now.own) for each in now.sets]
        how["chosen"] = settings.preset if now.own is None else None
        if "rule_set" in settings.unknown:
            note = note or (which.field, refusal(Refusal(CommonRefusal.FROM_NEWER), t))
    return _LIST.choice(which, settings, t, note, **how)


def _listed(settings: GuildSettings) -> Iterable[Choice]:
    """The settings that mean something as others are set."""
    for each in LISTED:
        if each in (WINNER, PODIUM, PASSES_ON) and settings.season is SeasonLength.NONE:
            continue
        if each is not PASSES_ON or settings.reward_roles:
            yield each


def _value(which: Choice, now: Current, t: Words) -> str:
    """A setting's value, in a few words."""
    settings = now.settings
    if which is PRESET and "rule_set" in settings.unknown:
        return "⚠️"
    if which is PRESET and now.own is not None:
        return safe(now.own.name)
    if which in ROLES:
        role = getattr(settings, which.field)
        return t.context("role", "None") if role is None else f"<@&{role}>"
    if which is DAY:
        return (
            t.context("daily puzzle", "Off")
            if now.day is None
            else t("⚠️ Stopped")
            if now.day.stopped
            else f"<#{now.day.channel_id}>"
        )
    if which is ZONE:
        return settings.zone
    if which is HOUSE_RULES:
        return str(len(now.sets))
    chosen = getattr(settings, which.field)
    return _usual(which, now, t) if chosen is None else which.text(chosen, t)


def _usual(which: Choice, now: Current, t: Words) -> str:
    """The text of what applies where a server hasn't chosen; empty if it always has."""
    if which is TARGET:
        return TARGET.text(now.usual_target, t)
    if which is TURN:
        seconds = int(now.usual.turn)
        return TURN.text(now.usual.turn, t) or t.plural("{n} second", "{n} seconds", seconds)
    if which is COMPUTER:
        seconds = now.usual.computer
        return COMPUTER.text(seconds, t) or t("After {n} s", n=t.number(seconds))
    return t.context("language", "Automatic") if which is LANGUAGE else ""
