"""A server's own rules: saved under a name, chosen for a lobby, renamed, replaced and deleted."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeVar

from bot.club.rules.seasons import RuleSet, key_of, number_of
from bot.club.store.rule_sets import RuleSetRefusal, RuleSetRow, RuleSets
from bot.engine.rules import PRESETS
from bot.platform.database.errors import StoreError
from bot.platform.database.tools.audit import Audit
from bot.platform.eventlog import CodecError, WrittenByNewer
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.codec import VALUES
from bot.tables.log.events import Config
from bot.tables.log.target import with_target
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TableSettings
from bot.tables.store.audit import raw_rule_sets

log = logging.getLogger(__name__)

T = TypeVar("T")
_REFUSALS: Final = {
    RuleSetRefusal.NAME_TAKEN: TableRefusal.RULES_NAMED_SO,
    RuleSetRefusal.TOO_MANY: TableRefusal.TOO_MANY_RULES,
    RuleSetRefusal.GONE: TableRefusal.RULES_DELETED,
}


@dataclass(frozen=True, slots=True)
class SavedRules:
    """A server's own rules as they are now.

    Attributes:
        rule_set: their number and name, and the rules.
        config: what a lobby opened with them begins with.
        saved_by: who saved the rules last; None if that isn't known any more.
        saved_at: when that was.
    """

    rule_set: RuleSet
    config: Config
    saved_by: int | None
    saved_at: datetime

    @property
    def number(self) -> int:
        return self.rule_set.number

    @property
    def key(self) -> str:
        return self.rule_set.key

    @property
    def name(self) -> str:
        return self.rule_set.name


class SavedSets(list[SavedRules]):
    """A server's own rules in order. `newer` are the numbers of those that a newer version has saved, left out here."""

    def __init__(self) -> None:
        super().__init__()
        self.newer: set[int] = set()


async def saved_rules(rule_sets: RuleSets, guild_id: int) -> SavedSets:
    """A server's own rules, in the order in which they were first saved.

    They are read each time they are offered: these are few rows, found by an index, and no process can offer outdated
    ones. Raises StoreError if they can't be read.
    """
    found = SavedSets()
    for row in await rule_sets.of(guild_id):
        try:
            found.append(_saved(row))
        except WrittenByNewer:
            found.newer.add(row.id)
        except CodecError as error:
            log.warning("Rule set %s can't be used: %s", row.id, error)
    return found


def find(sets: Iterable[SavedRules], key: str) -> SavedRules | None:
    """The rules that a key names; None if the server has none with it.

    Raises Refusal if a newer version has saved them.
    """
    if isinstance(sets, SavedSets) and number_of(key) in sets.newer:
        raise Refusal(CommonRefusal.FROM_NEWER)
    return next((saved for saved in sets if saved.key == key), None)


def config_of(sets: Iterable[SavedRules], key: str) -> Config:
    """Return what a lobby opened with a server's own rules begins with.

    Raises Refusal if the server has none with that key, or a newer version has saved them.
    """
    if (found := find(sets, key)) is None:
        raise Refusal(TableRefusal.RULES_DELETED)
    return found.config


def usual_rules(settings: TableSettings, sets: Iterable[SavedRules]) -> SavedRules | None:
    """Find which of a server's own rules games begin with; None if they begin with the rule system's."""
    return next((saved for saved in sets if saved.number == settings.rule_set), None)


def new_config(
    settings: TableSettings, named: str | None = None, target: int | None = None, sets: Sequence[SavedRules] = ()
) -> Config:
    """Find what a new lobby begins with; rules or a target that were asked for take precedence over the server's.

    Args:
        settings: the server's.
        named: a preset, or the key of a rule set; None for the server's.
        target: the points to play to; None for the server's, or those of the set that was asked for.
        sets: the server's own rules.

    Raises:
        Refusal: if there is no such set.
    """
    if named is not None and named not in PRESETS:
        config = config_of(sets, named)
    elif named is None and (usual := usual_rules(settings, sets)) is not None:
        config, target = usual.config, target or settings.target
    else:
        config, target = Config.of_preset(named or settings.preset), target or settings.target
    config = config if target is None else with_target(config, target, slow=False)
    return replace(config, rated=settings.rated)


async def save_rules(rule_sets: RuleSets, guild_id: int, name: str, config: Config, saved_by: int, at: datetime) -> int:
    """Save rules under a new name; returns their number.

    Raises Refusal if the name is taken, if there are too many, or if the store can't write.
    """
    number = await _written(rule_sets.add(guild_id, name, _text(config), saved_by, at))
    if isinstance(number, RuleSetRefusal):
        raise Refusal(_REFUSALS[number])
    return number


async def replace_rules(
    rule_sets: RuleSets, guild_id: int, number: int, config: Config, saved_by: int, at: datetime
) -> None:
    """Save other rules under an existing name.

    Raises Refusal if they have been deleted, if a newer version has saved them, or if the store can't write.
    """
    find(await _written(saved_rules(rule_sets, guild_id)), key_of(number))
    _check(await _written(rule_sets.change(guild_id, number, _text(config), saved_by, at)))


async def rename_rules(rule_sets: RuleSets, guild_id: int, number: int, name: str) -> None:
    """Give a server's own rules another name.

    Raises Refusal if the name is taken, if they have been deleted, or if the store can't write.
    """
    _check(await _written(rule_sets.rename(guild_id, number, name)))


async def delete_rules(rule_sets: RuleSets, guild_id: int, number: int) -> None:
    """Delete a server's own rules; tables that were opened with them go on, and results keep their name.

    Raises Refusal if the store can't write.
    """
    await _written(rule_sets.remove(guild_id, number))


def wrong_rule_sets(audit: Audit, newer: Callable[[str], None]) -> Iterator[str]:
    """The rule sets in a database that can't be used, in words; `newer` is called with those of a newer version."""
    for number, _, _, config, _ in raw_rule_sets(audit):
        try:
            found = VALUES.read(Config, str(config))
        except WrittenByNewer:
            newer(f"rule set {number}")
            continue
        except CodecError:
            yield f"rule set {number} can't be read"
            continue
        if found.conflicts():
            yield f"rule set {number} can't be played"


def _saved(row: RuleSetRow) -> SavedRules:
    config = VALUES.read(Config, row.config)
    rule_set = RuleSet(row.id, row.name, config.rules)
    return SavedRules(rule_set, replace(config, own=rule_set), row.saved_by, row.saved_at)


def _text(config: Config) -> str:
    """The part of a lobby's configuration that is saved; each lobby decides about rating and hints itself."""
    return VALUES.write(replace(config, own=None, rated=True, hints=False))


def _check(why_not: RuleSetRefusal | None) -> None:
    if why_not is not None:
        raise Refusal(_REFUSALS[why_not])


async def _written(work: Awaitable[T]) -> T:
    try:
        return await work
    except StoreError as error:
        raise Refusal(CommonRefusal.UNAVAILABLE) from error
