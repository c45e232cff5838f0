"""The private pages of a server's settings about tables: what each can be, and how it reads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.engine.rules import PRESETS
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import Layout, option
from bot.platform.people import plain, safe
from bot.platform.refusals import CommonRefusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.languages import USUAL
from bot.platform.settings.listing import SETTINGS_LIST
from bot.tables.live.own_rules import SavedRules, usual_rules
from bot.tables.log.pace import Pace
from bot.tables.screens.options import TARGET as LOBBY_TARGET
from bot.tables.screens.rules_editor import OFFERED_TARGETS
from bot.tables.screens.rules_editor import PRESET as LOBBY_PRESET
from bot.tables.settings import TableSettings

_ON_OFF: Final = {True: NC_("setting", "On"), False: NC_("setting", "Off")}
PRESET: Final = replace(LOBBY_PRESET, notes=None)
TARGET: Final = replace(LOBBY_TARGET, options={None: USUAL, **LOBBY_TARGET.options})
TURN: Final = Choice(
    "turn",
    N_("**Time for a turn**"),
    {
        None: USUAL,
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
        None: USUAL,
        0.5: NC_("speed of robots", "fast"),
        1.5: NC_("speed of robots", "steady"),
        3.0: NC_("speed of robots", "calm"),
        6.0: NC_("speed of robots", "slow"),
    },
)
DECK: Final = Choice(
    "deck",
    NC_("heading", "**Deck**"),
    {"spanish": N_("Spanish cards"), "french": N_("French cards: diamonds are oros")},
)
PICTURES: Final = Choice(
    "pictures", NC_("heading", "**Pictures**"), _ON_OFF, about=N_("Without them, cards come as text.")
)
HINTS: Final = Choice(
    "hints", NC_("heading", "**Hints**"), _ON_OFF, about=N_("Players may ask for them in matches that don't count.")
)
TALK: Final = Choice("talk", NC_("heading", "**Talk**"), _ON_OFF, about=N_("Robots say a word now and then."))
REACTIONS: Final = Choice(
    "reactions",
    NC_("heading", "**Reactions**"),
    _ON_OFF,
    about=N_("Three faces below the table, for players and onlookers."),
)
RATED: Final = Choice(
    "rated",
    N_("**New matches**"),
    {True: NC_("kind of match", "Rated"), False: NC_("kind of match", "Friendly")},
    about=N_("Rated matches count for the leaderboard and ratings. Anyone in a lobby can make theirs friendly."),
)
PLAYERS: Final = Choice(
    "players_role",
    N_("**Find players**"),
    {},
    about=N_("With *Find players*, a lobby mentions this role, at most once in ten minutes."),
)
CHOICES: Final = (TARGET, TURN, COMPUTER, DECK, PICTURES, HINTS, TALK, REACTIONS, RATED)
"""The settings that a menu of options sets, besides the rule system."""


@dataclass(frozen=True, slots=True)
class Current:
    """The settings as they stand.

    Attributes:
        settings: the server's choices.
        usual: applies where a server hasn't chosen.
        sets: the server's own rules.
    """

    settings: TableSettings
    usual: Pace
    sets: Sequence[SavedRules] = ()

    @property
    def own(self) -> SavedRules | None:
        """The server's own rules that games begin with."""
        return usual_rules(self.settings, self.sets)

    @property
    def usual_target(self) -> int:
        return (PRESETS[self.settings.preset] if self.own is None else self.own.config).rules.target


def preset_layout(now: Current, t: Words, note: Note | None = None) -> Layout:
    """The screen of the rules that games begin with. `note`: why it changed nothing."""
    own = [option(plain(saved.name), saved.key, chosen=saved is now.own) for saved in now.sets]
    if "rule_set" in now.settings.unknown:
        note = note or (PRESET.field, CommonRefusal.FROM_NEWER.reason(t))
    chosen = now.settings.preset if now.own is None else None
    return SETTINGS_LIST.choice(PRESET, now.settings, t, note, first=own, chosen=chosen)


def how(which: Choice, now: Current, t: Words) -> dict[str, Any]:
    """Choose what the menu of a setting has besides its options."""
    values: dict[str, Any] = {"value": _usual(which, now, t)}
    if which is TARGET:
        values["only"] = (None, *sorted({*OFFERED_TARGETS, now.settings.target or now.usual_target}))
    return values


def value(which: Choice, now: Current, t: Words) -> str:
    """A setting's value, in a few words."""
    if which is PRESET and "rule_set" in now.settings.unknown:
        return "⚠️"
    if which is PRESET and now.own is not None:
        return safe(now.own.name)
    chosen = getattr(now.settings, which.field)
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
    return ""
