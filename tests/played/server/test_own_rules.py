"""A server's own rules: saved from a lobby, offered first, played, counted, made, renamed, changed and deleted."""

from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord

from bot.club.rules.seasons import MAX_RULE_SETS
from bot.club.store.rule_sets import RuleSets
from bot.engine.rules import PRESETS, Conflict, Opening
from bot.platform.kit.throttle import CHANGES, SUGGESTIONS
from bot.platform.refusals import CommonRefusal
from bot.tables.live.own_rules import saved_rules
from bot.tables.refusals import Conflicting, TableRefusal
from tests.played import brief
from tests.played.tables.test_rules_editor import choose, edit, field_of
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge_form, set_locale, text_of
from tests.support.phrases import EN, refusal_text

THURSDAY = "La peña de los jueves"
FORM = [{"type": 18, "component": {"type": 4, "custom_id": "name", "value": THURSDAY}}]
RULES = replace(PRESETS["escoba"].rules, most_sevens=True)


def boss_of(here: Room) -> Person:
    """Another member, who may manage the server."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return Person(here.world.guild.add_member(here.env.create_user("Jefa"), roles=[role]))


async def save(here: Room, person: Person, name: str) -> None:
    """Save the lobby's rules from an open editor, under a name."""
    shown = await person.press(editor(here, person), custom_id="^e:saverules:")
    assert shown.modal is not None
    await person.submit(shown, {field_of(shown.modal): name})


def editor(here: Room, person: Person) -> discord.Message:
    return person.latest(here.channel, lambda m: bool(person.selects(m)), ephemeral=True)


async def lobby_of(here: Room, boss: Person, **options: Any) -> None:
    """Open a lobby as the boss, add the point for sevens to its rules, and leave the editor open."""
    await boss.slash(here.channel, "escoba play", **options)
    await edit(here, boss)
    await choose(here, boss, "switch", "most_sevens")


async def rule_chosen(here: Room, person: Person, verb: str, *values: str) -> None:
    """Choose in the menu of a rule of the rule set that is shown."""
    await person.choose(person.panel(here.channel), [verb], custom_id="^o:rule:")
    await person.choose(person.panel(here.channel), list(values), custom_id=f"^o:{verb}:")


async def offered(here: Room, person: Person, typed: str = "", command: str = "escoba play") -> list[str]:
    """The names of the rules that a command offers while somebody types."""
    actor: simcord.MemberActor = person.actor
    return [each["name"] for each in await actor.autocomplete(here.channel, command, "variant", typed)]


async def test_somebody_who_types_without_end_is_offered_nothing_for_a_while(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2, clicks_per_10_seconds=40) as here:
        ana, bea = here.people
        read: list[int] = []

        async def counting(rule_sets: RuleSets, guild_id: int) -> Any:
            read.append(guild_id)
            return await saved_rules(rule_sets, guild_id)

        monkeypatch.setattr("bot.tables.clicks.rules_option.saved_rules", counting)
        for _ in range(SUGGESTIONS):
            assert await offered(here, ana)
        for _ in range(10):
            assert await offered(here, ana) == []
        assert len(read) == SUGGESTIONS
        assert await offered(here, bea)
        await here.wait(11)
        assert await offered(here, ana)


async def test_suggestions_that_come_too_late_are_no_error(room_of: RoomOf):
    async with room_of(1) as here:
        here.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, times=1)
        assert await offered(here, here.people[0]) == []
        late = next(each for each in here.env.backend.interactions.values() if not each.responded)
        late.responded = True  # nobody waits for that answer
        assert await offered(here, here.people[0])


async def test_rules_saved_in_a_lobby_are_offered_first_and_count_for_themselves(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        boss = boss_of(here)
        await lobby_of(here, boss)
        await save(here, boss, f"  {THURSDAY} ")
        assert f"Saved as **{THURSDAY}**" in text_of(editor(here, boss))
        assert here.public_text.startswith(f"## 🧹 {THURSDAY}\n")
        await here.end(boss)

        assert (await offered(here, ana))[:2] == [THURSDAY, "Escoba · the usual variant"]
        assert await offered(here, ana, "PENA", "escoba challenge") == [THURSDAY]
        [quince] = await offered(here, ana, "de quince", "escoba rules")
        assert quince == "Escoba de quince · missed captures can be claimed"
        await here.begin(variant="set1", target=5)
        config = here.table.view().config
        assert (config.rules, config.rule_set, config.rated) == (replace(RULES, target=5), config.own, True)
        assert f"📜 {THURSDAY}" in here.public_text
        await here.finish()
        assert f"📜 {THURSDAY}" in here.public_text
        await bea.slash(here.channel, "escoba leaderboard", order="wins")
        await bea.choose(bea.panel(here.channel), ["rules"], custom_id="^r:change:")
        await bea.choose(bea.panel(here.channel), ["set1"], custom_id="^r:rules:")
        board = here.private_text(bea)
        assert "This season · ends" in board or THURSDAY in board
        assert "1 win" in board
        await bea.choose(bea.panel(here.channel), ["rules"], custom_id="^r:change:")
        await bea.choose(bea.panel(here.channel), ["juegon"], custom_id="^r:rules:")
        assert "1 win" not in here.private_text(bea)


async def test_a_lobby_that_changes_them_says_so_and_counts_for_the_rule_system(room_of: RoomOf):
    async with room_of(2) as here:
        boss = boss_of(here)
        await lobby_of(here, boss)
        await save(here, boss, THURSDAY)
        await choose(here, boss, "prime", "none")
        assert f"{THURSDAY}, changed" in here.public_text
        assert f"With these changes it counts for Escoba, not for {THURSDAY}." in here.public_text
        assert here.table.view().config.rule_set is None
        await choose(here, boss, "preset", "set1")  # as they were saved
        assert here.table.view().config.rules == RULES
        assert "changed" not in here.public_text
        await choose(here, boss, "preset", "quince")
        assert here.table.view().config.own is None


async def test_only_server_managers_can_save_its_rules(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        panel = await edit(here, ana)
        assert not [b for b in ana.buttons(panel) if "saverules" in b.custom_id]
        await forge_form(ana, here.channel, "e:saverules:1:0", FORM)
        assert ana.sees(here.channel)[-1] == refusal_text(CommonRefusal.NOT_MANAGER)
        await forge_form(ana, here.channel, "o:rename:1", FORM)
        assert ana.sees(here.channel)[-1] == refusal_text(CommonRefusal.NOT_MANAGER)
        assert await here.bot.parts.stores.rule_sets.of(here.world.guild.id) == []


@pytest.mark.spanish
async def test_a_name_that_means_nothing_or_something_else_is_refused(room_of: RoomOf):
    async with room_of(1) as here:
        boss = boss_of(here)
        await lobby_of(here, boss)
        for name, code in (
            ("\u200b \u2060", TableRefusal.RULES_NAMELESS),
            ("escóba", TableRefusal.RULES_OF_ALL),
            ("\u3164\u2800", TableRefusal.RULES_NAMELESS),
            ("Set7", TableRefusal.RULES_OF_ALL),
        ):
            await save(here, boss, name)
            assert refusal_text(code) in text_of(editor(here, boss)), ascii(name)
            assert await here.bot.parts.stores.rule_sets.of(here.world.guild.id) == [], ascii(name)
        await choose(here, boss, "switch", "most_sevens")  # what was said before is gone
        await save(here, boss, "Escoba clásica")
        assert refusal_text(TableRefusal.RULES_OF_ALL) in text_of(editor(here, boss))
        assert await here.bot.parts.stores.rule_sets.of(here.world.guild.id) == []


async def test_a_name_neither_mentions_nor_formats(room_of: RoomOf):
    async with room_of(1) as here:
        boss = boss_of(here)
        await lobby_of(here, boss)
        await save(here, boss, "**@everyone** <@1>")
        assert r"\*\*@" + "\u200b" + r"everyone\*\* \<@1>" in here.public_text


async def test_saving_under_an_existing_name_asks_first(room_of: RoomOf):
    async with room_of(1) as here:
        boss = boss_of(here)
        await lobby_of(here, boss)
        await save(here, boss, THURSDAY)
        await choose(here, boss, "prime", "none")
        await save(here, boss, THURSDAY.upper())
        assert f"called **{THURSDAY}**. Replace them with these?" in text_of(editor(here, boss))
        [saved] = await here.bot.parts.stores.rule_sets.of(here.world.guild.id)
        await boss.press(editor(here, boss), custom_id="^e:newrules:")
        [replaced] = await here.bot.parts.stores.rule_sets.of(here.world.guild.id)
        assert (replaced.id, replaced.name) == (saved.id, THURSDAY)
        assert replaced.config != saved.config
        assert here.public_text.startswith(f"## 🧹 {THURSDAY}\n")


async def test_a_lobby_takes_so_many_saved_rules_of_a_person(room_of: RoomOf):
    async with room_of(2, clicks_per_10_seconds=1_000) as here:
        boss = boss_of(here)
        await lobby_of(here, boss)
        await save(here, boss, THURSDAY)
        for _ in range((CHANGES - 3) // 3):  # three changes until here, and three each time
            await save(here, boss, THURSDAY)
            await boss.press(editor(here, boss), custom_id="^e:newrules:")
        await boss.press(editor(here, boss), custom_id="^e:saverules:")
        version = here.table.version
        await boss.press(editor(here, boss), custom_id="^e:saverules:")
        assert here.private_text(boss) == refusal_text(CommonRefusal.TOO_MANY_CHANGES)
        assert here.table.version == version


async def test_in_the_settings_they_are_chosen_renamed_changed_and_deleted(room_of: RoomOf):
    async with room_of(1) as here:
        boss, [ana] = boss_of(here), here.people
        await lobby_of(here, boss)
        await save(here, boss, THURSDAY)
        await here.setting(boss, "preset", "set1")
        assert f"✅ **Variant** · {THURSDAY}" in here.private_text(boss)
        await here.setting(boss, "rules")
        assert THURSDAY in here.private_text(boss)
        await boss.choose(boss.panel(here.channel), ["set1"], custom_id="^o:pick:0$")
        shown = await boss.press(boss.panel(here.channel), custom_id="^o:rename:1$")
        assert shown.modal is not None
        await boss.submit(shown, {field_of(shown.modal): "La timba"})
        assert here.private_text(boss).startswith("## 📜 La timba")
        assert here.public_text.startswith(f"## 🧹 {THURSDAY}"), "a table keeps what it began with"
        await rule_chosen(here, boss, "target", "15")
        await rule_chosen(here, boss, "prime", "none")
        await here.end(boss)

        await ana.slash(here.channel, "escoba play")
        assert here.public_text.startswith("## 🧹 La timba\n")
        assert "to 15 points" in here.public_text
        await here.setting(boss, "rules")
        await boss.choose(boss.panel(here.channel), ["set1"], custom_id="^o:pick:0$")
        await boss.press(boss.panel(here.channel), custom_id="^o:delete:1$")
        await boss.press(boss.panel(here.channel), custom_id="^o:deleteyes:1$")
        assert "**La timba** is deleted." in here.private_text(boss)
        assert "La timba" in here.public_text
        assert (await offered(here, ana))[0].startswith("Escoba · ")
        await here.end(ana)
        await ana.slash(here.channel, "escoba play", variant="set1")
        assert ana.sees(here.channel)[-1] == refusal_text(TableRefusal.NO_SUCH_RULES)
        await ana.slash(here.channel, "escoba play")
        assert here.public_text.startswith("## 🧹 Escoba\n")


async def new(here: Room, person: Person, name: str) -> None:
    """Make rules from their list in the settings, under a name."""
    await here.setting(person, "rules")
    shown = await person.press(person.panel(here.channel), custom_id="^o:new:0$")
    assert shown.modal is not None
    await person.submit(shown, {field_of(shown.modal): name})


async def test_they_are_made_from_a_variant_without_a_table(room_of: RoomOf):
    async with room_of(1) as here:
        boss, store = boss_of(here), here.bot.parts.stores
        await here.setting(boss, "preset", "quince")
        await new(here, boss, THURSDAY)
        assert here.private_text(boss).startswith(f"## 📜 {THURSDAY}\nEscoba de quince, to ")
        [saved] = await saved_rules(store.rule_sets, here.world.guild.id)
        assert saved.config.rules == PRESETS["quince"].rules
        await rule_chosen(here, boss, "preset", "escoba")
        await rule_chosen(here, boss, "switch", "most_sevens")
        [saved] = await saved_rules(store.rule_sets, here.world.guild.id)
        assert saved.config.rules == RULES
        await here.people[0].slash(here.channel, "escoba play", variant="set1")
        assert here.table.view().config.rule_set == saved.rule_set


async def test_a_rule_that_contradicts_others_is_refused_and_a_deal_takes_away_what_it_excludes(room_of: RoomOf):
    async with room_of(1) as here:
        boss, store = boss_of(here), here.bot.parts.stores
        await new(here, boss, THURSDAY)
        await rule_chosen(here, boss, "deal", "10-0")
        assert "⚠️ Without cards on the table there's no opening escoba" in here.private_text(boss)
        [saved] = await saved_rules(store.rule_sets, here.world.guild.id)
        assert (saved.config.rules.hand, saved.config.rules.opening) == (10, Opening.NONE)
        await rule_chosen(here, boss, "opening", "sum")
        refused = Conflicting((Conflict.OPENING_WITHOUT_TABLE,)).reason(EN)
        assert refused in here.private_text(boss)
        assert await saved_rules(store.rule_sets, here.world.guild.id) == [saved]
        await boss.press(here.channel, custom_id="^o:one:")
        assert here.private_text(boss).startswith(f"## 📜 {THURSDAY}\n")


async def test_new_rules_need_a_name_of_their_own_and_there_is_room_for_ten(room_of: RoomOf):
    async with room_of(1) as here:
        boss = boss_of(here)
        await new(here, boss, THURSDAY)
        for name, code in ((THURSDAY, TableRefusal.RULES_NAMED_SO), ("Escoba", TableRefusal.RULES_OF_ALL)):
            await new(here, boss, name)
            assert refusal_text(code) in here.private_text(boss), name
        for number in range(1, MAX_RULE_SETS):
            await new(here, boss, f"Number {number}")
        await here.setting(boss, "rules")
        [button] = [each for each in boss.buttons(boss.panel(here.channel)) if each.custom_id == "o:new:0"]
        assert button.disabled


async def test_rules_that_somebody_else_has_deleted_are_said_to_be_gone(room_of: RoomOf):
    async with room_of(1) as here:
        boss = boss_of(here)
        await new(here, boss, THURSDAY)
        await boss.choose(here.channel, ["prime"], custom_id="^o:rule:")
        await here.bot.parts.stores.rule_sets.remove(here.world.guild.id, 1)
        await boss.choose(here.channel, ["none"], custom_id="^o:prime:")
        assert refusal_text(TableRefusal.RULES_DELETED) in here.private_text(boss)


@pytest.mark.spanish
async def test_rules_may_be_typed_by_their_name_in_ones_own_language(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        set_locale(ana, "es-ES")
        assert [each.partition(" · ")[0] for each in await offered(here, ana, "CLASICA")] == ["Escoba clásica"]
        await ana.slash(here.channel, "escoba play", variant="escoba clasica")
        assert here.table.view().config.preset == "clasica"
        await ana.slash(here.channel, "escoba rules", variant="tute")
        assert "No hay" in ana.sees(here.channel)[-1] or "Aquí no hay" in ana.sees(here.channel)[-1]
