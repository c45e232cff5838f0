"""The changes that the menus of a tournament's set-up make, from the values that are chosen in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.rules import PRESETS, TARGETS
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tournaments.ids.tournament import DraftVerb
from bot.tournaments.rules.setup import BOARDS, ROUNDS, is_invalid
from bot.tournaments.rules.tournament import Format, Setup


def number_of(value: str, offered: range | tuple[int, ...]) -> int:
    """The number that was chosen in a menu. Raises Refusal if it wasn't offered."""
    if value not in map(str, offered):
        raise Refusal(CommonRefusal.STALE)
    return int(value)


def _with_format(setup: Setup, value: str) -> Setup:
    if value not in {each.value for each in Format}:
        raise Refusal(CommonRefusal.STALE)
    return replace(setup, format=Format(value))


CHANGES: Final[Mapping[DraftVerb, Callable[[Setup, str], Setup]]] = {
    DraftVerb.FORMAT: _with_format,
    DraftVerb.PAIRS: lambda setup, value: replace(setup, pairs=bool(number_of(value, (0, 1)))),
    DraftVerb.TARGET: lambda setup, value: replace(setup, target=number_of(value, TARGETS)),
    DraftVerb.ROUNDS: lambda setup, value: replace(setup, rounds=number_of(value, (0, *ROUNDS)) or None),
    DraftVerb.BOARDS: lambda setup, value: replace(setup, boards=number_of(value, BOARDS)),
    DraftVerb.SEEDED: lambda setup, value: replace(setup, seeded=bool(number_of(value, (0, 1)))),
}
"""The change that each menu makes to a set-up; raises `Refusal` for a value that wasn't offered."""


def nearest_valid(setup: Setup) -> Setup:
    """The nearest set-up that can be played: rounds only where they can be chosen, a rule system for so many people."""
    if setup.format not in (Format.SWISS, Format.DUPLICATE):
        setup = replace(setup, rounds=None)
    if setup.format is not Format.KNOCKOUT:
        setup = replace(setup, seeded=False)
    if is_invalid(setup):
        setup = replace(setup, own=None)
    if is_invalid(setup):
        setup = replace(setup, preset=next(each for each in PRESETS if not is_invalid(replace(setup, preset=each))))
    return setup
