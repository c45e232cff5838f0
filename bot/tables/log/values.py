"""The values of logs as text, of tables and of tournaments: rules in the engine's notation, presets by their names."""

from __future__ import annotations

from typing import Final

from bot.engine.errors import UnknownNotation
from bot.engine.notation import format_rules, parse_rules
from bot.engine.rules import PRESETS, PresetName, Rules
from bot.platform.eventlog.errors import WrittenByNewer
from bot.platform.eventlog.values import Notation, Values


def known_rules(rules: Rules) -> Rules:
    """The rules themselves. Raises WrittenByNewer if a number in them is out of the range that this version knows."""
    if rules.out_of_range():
        raise WrittenByNewer("rules with a number out of range")
    return rules


def _preset(name: str) -> str:
    if name not in PRESETS:
        raise WrittenByNewer("a preset that isn't known")
    return name


VALUES: Final = Values(
    {
        Rules: Notation(format_rules, lambda text: known_rules(parse_rules(text.split()))),
        PresetName: Notation(str, _preset),
    },
    (UnknownNotation,),
)
