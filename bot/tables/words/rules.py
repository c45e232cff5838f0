"""The names of the rules that a table plays: of a rule system, or of a server's own."""

from __future__ import annotations

from bot.cards.words.rules import preset_name
from bot.platform.language.texts import Words
from bot.platform.people.names import plain, safe
from bot.tables.log.events import Config


def rules_name(config: Config, t: Words) -> str:
    """Name the rules of a table, for a text that Discord formats: a rule system, or the server's own rules."""
    if config.own is None:
        return preset_name(config.preset, t)
    name = safe(config.own.name)
    return name if config.rule_set is not None else t("{name}, changed", name=name)


def own_rules_name(config: Config, t: Words) -> str | None:
    """Name the server's own rules that a table plays, for a text that Discord formats; None for a rule system."""
    return None if config.own is None else rules_name(config, t)


def plain_rules_name(config: Config, t: Words) -> str:
    """Name the rules of a table, for a label, in which nothing is formatted."""
    if config.own is None:
        return preset_name(config.preset, t)
    name = plain(config.own.name)
    return name if config.rule_set is not None else t("{name}, changed", name=name)


def own_rules_line(config: Config, t: Words) -> str | None:
    """Name the server's own rules that a table plays, in small print; None if it plays a rule system."""
    return None if config.own is None else f"-# 📜 {rules_name(config, t)}"
