"""A server's own rules at its tables: which rules a lobby begins with, and what its match counts for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.club.rules.seasons import RuleSet
from bot.engine.rules import PRESETS, Prime
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.own_rules import SavedRules, delete_rules, new_config, replace_rules, save_rules, saved_rules
from bot.tables.log.codec import decode, encode
from bot.tables.log.events import Config, Configured
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TableSettings
from tests.support.tables.hall import Hall
from tests.support.tables.kit import ANA, GUILD, refused

RULES = replace(PRESETS["escoba"].rules, most_sevens=True, target=31)
THURSDAY = RuleSet(3, "La peña de los jueves", RULES)
CONFIG = Config("escoba", RULES, teams=True, own=THURSDAY)
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
SAVED = SavedRules(THURSDAY, CONFIG, 1, NOON)


def test_the_log_keeps_which_rules_were_chosen_and_what_they_were_then():
    for config in (CONFIG, replace(CONFIG, rules=replace(RULES, prime=Prime.NONE)), Config()):
        assert decode(*encode(Configured(config))) == Configured(config)
    assert '"own"' not in encode(Configured(Config()))[1]


def test_another_target_or_seating_keeps_them_and_another_switch_doesnt():
    for kept in (replace(CONFIG, rules=replace(RULES, target=5)), replace(CONFIG, teams=False)):
        assert kept.rule_set == THURSDAY
    for changed in (replace(RULES, prime=Prime.NONE), replace(RULES, most_sevens=False), replace(RULES, lead=2)):
        assert replace(CONFIG, rules=changed).rule_set is None
    assert Config().rule_set is None


@pytest.mark.parametrize(
    ("settings", "named", "target", "expected"),
    [
        (TableSettings(), None, None, ("escoba", False, 21)),
        (TableSettings(), "set3", None, ("escoba", True, 31)),
        (TableSettings(target=11), "set3", None, ("escoba", True, 31)),  # that target was chosen for other rules
        (TableSettings(target=11), "set3", 15, ("escoba", True, 15)),
        (TableSettings(rule_set=3), None, None, ("escoba", True, 31)),
        (TableSettings(rule_set=3, target=11), None, None, ("escoba", True, 11)),
        (TableSettings(rule_set=3), "quince", None, ("quince", False, 21)),
        (TableSettings(preset="quince", rule_set=4), None, None, ("quince", False, 21)),  # those rules are deleted
    ],
)
def test_a_lobby_begins_with_what_was_asked_for_or_else_with_the_servers_choice(
    settings: TableSettings, named: str | None, target: int | None, expected: tuple[str, bool, int]
):
    config = new_config(settings, named, target, [SAVED])
    assert (config.preset, config.rule_set == THURSDAY, config.rules.target) == expected
    assert config.rated


def test_rules_that_were_deleted_can_no_longer_be_asked_for():
    with pytest.raises(Refusal) as raised:
        new_config(TableSettings(), "set4", None, [SAVED])
    assert raised.value.code is TableRefusal.RULES_DELETED


async def test_a_table_keeps_the_rules_that_it_was_opened_with(hall: Hall):
    number = await save_rules(hall.store.rule_sets, GUILD, "Peña", replace(CONFIG, rated=False), ANA.id, NOON)
    [saved] = await saved_rules(hall.store.rule_sets, GUILD)
    assert saved.config == replace(CONFIG, own=RuleSet(number, "Peña", RULES))
    table = await hall.manager.open(guild_id=GUILD, channel_id=1, opener=ANA, config=saved.config, locale="en-US")
    await replace_rules(hall.store.rule_sets, GUILD, number, Config.of_preset("clasica"), ANA.id, NOON)
    assert [each.config.rules for each in await saved_rules(hall.store.rule_sets, GUILD)] == [PRESETS["clasica"].rules]
    await delete_rules(hall.store.rule_sets, GUILD, number)
    assert await saved_rules(hall.store.rule_sets, GUILD) == []
    restarted = await hall.restarted()
    again = restarted.manager.get(table.id)
    assert again is not None
    assert again.view().config == saved.config
    await restarted.close()


async def test_rules_that_cant_be_stored_are_refused_and_damaged_ones_arent_offered(hall: Hall):
    await save_rules(hall.store.rule_sets, GUILD, "Peña", CONFIG, ANA.id, NOON)
    assert isinstance(await hall.store.rule_sets.add(GUILD, "Damaged", "{", ANA.id, NOON), int)
    assert [each.name for each in await saved_rules(hall.store.rule_sets, GUILD)] == ["Peña"]
    await hall.store.database.close()
    with refused(CommonRefusal.UNAVAILABLE):
        await save_rules(hall.store.rule_sets, GUILD, "Other", CONFIG, ANA.id, NOON)
