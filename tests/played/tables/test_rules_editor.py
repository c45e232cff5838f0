"""The lobby's rules, changed in the private editor, and a server's defaults for new games."""

import discord
import pytest
import simcord

from bot.cards.words.rules import differences, seating_name, summary
from bot.engine.rules import PRESETS, Capture, Conflict, Duty, Opening, Prime, Seating
from bot.platform.refusals import CommonRefusal
from bot.platform.settings.documents import Choices
from bot.tables.refusals import Conflicting, TableRefusal
from bot.tables.settings import TableSettings
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import EN, NO_SEAT, STALE, refusal_text


async def edit(here: Room, person: Person) -> discord.Message:
    """Open the rules editor. Returns its message."""
    await here.options(person, "rules")
    return person.panel(here.channel)


async def open_rule(here: Room, person: Person, verb: str) -> discord.Message:
    """Open the menu of a rule in the editor, which is open. Returns its message."""

    def panel() -> discord.Message:
        return person.latest(here.channel, lambda m: bool(person.selects(m)), ephemeral=True)

    if not any(each.custom_id.startswith("e:rule:") for each in person.selects(panel())):
        await person.press(panel(), custom_id="^e:rules:")
    await person.choose(panel(), [verb], custom_id="^e:rule:")
    return panel()


async def choose(here: Room, person: Person, verb: str, *values: str) -> str:
    """Choose in a menu of the editor. Returns its text afterwards."""
    await person.choose(await open_rule(here, person, verb), list(values), custom_id=f"^e:{verb}:")
    return text_of(person.latest(here.channel, lambda m: bool(person.selects(m)), ephemeral=True))


async def test_every_rule_can_be_changed_and_the_lobby_lists_the_differences(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await edit(here, bea)
        await choose(here, bea, "preset", "quince")
        assert here.table.view().config.rules == PRESETS["quince"].rules
        await choose(here, bea, "capture", "match")
        await choose(here, bea, "duty", "optional")
        await choose(here, bea, "opening", "pairs")
        await choose(here, bea, "prime", "setenta")
        await choose(here, bea, "switch", "many_cards", "all_oros")
        rules = here.table.view().config.rules
        assert (rules.capture, rules.duty, rules.opening, rules.prime) == (
            Capture.MATCH,
            Duty.OPTIONAL,
            Opening.PAIRS,
            Prime.SETENTA,
        )
        assert (rules.most_sevens, rules.many_cards, rules.all_oros, rules.four_sevens) == (False, True, True, False)
        assert summary(rules, EN) in text_of(await here.options(ana))
        assert all(each in here.public_text for each in differences(rules, PRESETS["quince"].rules, EN))
        await here.press(ana, here.shown, "start")
        match = here.table.view().match
        assert match is not None
        assert match.rules == rules


async def test_any_target_from_5_to_101_can_be_typed_in(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.options(ana)
        for typed, target in (("5", 5), ("101", 101), ("4", None), ("102", None), ("abc", None), ("٣٣", None)):
            before = here.table.view().config.rules.target
            panel = ana.latest(here.channel, lambda m: bool(ana.selects(m)), ephemeral=True)
            shown = await ana.choose(panel, ["other"], custom_id="^e:target:")
            assert shown.modal is not None
            await ana.submit(shown, {field_of(shown.modal): typed})
            assert here.table.view().config.rules.target == (before if target is None else target), typed
            answer = text_of(ana.latest(here.channel, lambda m: bool(ana.selects(m)), ephemeral=True))
            conflict = Conflicting((Conflict.TARGET_OUT_OF_RANGE,)).reason(EN)
            assert (conflict in answer) == (target is None)
        assert "to 101 points" in here.public_text


def field_of(modal: dict[str, object]) -> str:
    """The custom_id of a modal's only text field."""
    from tests.support.limits_components import walk

    return next(str(node["custom_id"]) for _, node in walk(modal["components"]) if node.get("type") == 4)  # type: ignore[arg-type]


async def test_an_impossible_choice_is_refused_and_the_editor_says_why(room_of: RoomOf):
    async with room_of(5) as here:
        ana = await here.lobby(*here.people[1:4])
        await edit(here, ana)
        answer = await choose(here, ana, "preset", "cientifica")
        assert here.table.view().config.preset == "cientifica"
        answer = await choose(here, ana, "opening", "sum")
        assert Conflicting((Conflict.OPENING_WITHOUT_TABLE,)).reason(EN) in answer
        answer = await choose(here, ana, "seats", "6-off")
        assert Conflicting((Conflict.SCOPONE_IS_FOR_FOUR,)).reason(EN) in answer
        assert here.table.view().config.rules == PRESETS["cientifica"].rules
        await choose(here, ana, "preset", "quince")  # six seats are allowed
        old = await open_rule(here, ana, "preset")
        await here.press(here.people[4], here.shown, "join")
        await ana.choose(old, ["escoba"], custom_id="^e:preset:")
        assert STALE in here.private_text(ana)
        answer = await choose(here, ana, "preset", "escoba")
        assert refusal_text(TableRefusal.TOO_MANY) in answer
        assert here.table.view().config.preset == "quince"
        assert seating_name(Seating.FIVE, EN) in here.public_text
        assert not next(b for b in ana.buttons(here.shown) if ":start:" in b.custom_id).disabled
        answer = await choose(here, ana, "deal", "9-4")
        assert refusal_text(TableRefusal.TOO_MANY) in answer  # nine cards each are for four


async def test_an_outdated_editor_shows_the_current_rules(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await edit(here, ana)
        old = await open_rule(here, ana, "capture")
        await here.choose_option(bea, "target", "15")
        await ana.choose(old, ["match"], custom_id="^e:capture:")
        assert STALE in here.private_text(ana)
        assert here.table.view().config.rules.capture is Capture.FIFTEEN
        await choose(here, ana, "capture", "match")
        assert here.table.view().config.rules.capture is Capture.MATCH
        assert here.table.view().config.rules.target == 15


async def test_a_player_who_has_left_the_lobby_may_no_longer_change_its_rules(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await edit(here, bea)
        old = await open_rule(here, bea, "capture")
        await bea.slash(here.channel, "escoba leave")
        await bea.choose(old, ["match"], custom_id="^e:capture:")
        assert NO_SEAT in bea.sees(here.channel)
        await edit(here, ana)
        late = await open_rule(here, ana, "capture")
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await ana.choose(late, ["match"], custom_id="^e:capture:")
        assert refusal_text(TableRefusal.LOBBY_OVER) in ana.sees(here.channel)


@pytest.mark.thorough
async def test_six_players_form_three_pairs_in_every_preset_that_allows_it(room_of: RoomOf):
    async with room_of(6) as here:
        await here.begin(variant="clasica")
        match = here.table.view().match
        assert match is not None
        assert match.seating is Seating.TRIPLE_PAIRS
        assert all(f"{a.name}" in here.public_text for a in here.people)


def manager(here: Room) -> tuple[Person, simcord.RoleHandle]:
    """Another member, and the role that lets them manage the server."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return Person(here.world.guild.add_member(here.env.create_user("Jefa"), roles=[role])), role


async def test_a_server_manager_sets_the_defaults_of_new_games(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        result = await ana.slash(here.channel, "escoba settings")
        assert result.ephemeral
        assert here.private_text(ana) == refusal_text(CommonRefusal.NOT_MANAGER)
        boss, _ = manager(here)
        for kind, value in (("preset", "juegon"), ("target", "31"), ("turn", "60"), ("computer", "3")):
            await here.setting(boss, kind, value)
        assert "✅ **Robots** · Calm" in here.private_text(boss)
        await here.restart()
        await ana.slash(here.channel, "escoba play")
        config = here.table.view().config
        assert (config.preset, config.rules.target) == ("juegon", 31)
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.wait(2.9)
        assert here.table.view().match.turn == 1  # type: ignore[union-attr]
        await here.wait(0.2)
        assert here.table.view().match.turn == 0  # type: ignore[union-attr]
        await here.wait(61)
        assert not here.table.view().seats[0].human_here


CHOICES = {
    "preset": "juegon",
    "target": "31",
    "turn": "60",
    "computer": "3",
    "language": "es",
    "deck": "french",
    "pictures": "off",
    "talk": "off",
    "reactions": "off",
}
"""For each menu of the guild settings, a choice other than the default."""


@pytest.mark.thorough
async def test_a_former_server_manager_cannot_use_an_editor_opened_before(room_of: RoomOf):
    async with room_of(1) as here:
        boss, role = manager(here)
        await here.setting(boss, "target", "21")
        kept = await here.bot.parts.guild_settings.of(here.world.guild.id, Choices)
        assert kept == Choices.load('{"target": 21}')
        await boss.choose(here.channel, ["target"], custom_id="^s:change$")
        editor = boss.panel(here.channel)
        shown = here.private_text(boss)
        here.env.backend.remove_member_role(here.world.guild.id, boss.id, role.id)
        for value in ("31", "41"):
            result = await boss.choose(editor, [value], custom_id="^s:target$")
            assert result.ephemeral
            assert here.private_text(boss) == refusal_text(CommonRefusal.NOT_MANAGER)
        assert shown.splitlines()[0] in boss.sees(here.channel)[0]  # the editor is unchanged
        assert await here.bot.parts.guild_settings.of(here.world.guild.id, Choices) == kept
        await here.restart()
        assert await here.bot.parts.guild_settings.of(here.world.guild.id, Choices) == kept
        here.env.backend.add_member_role(here.world.guild.id, boss.id, role.id)
        await boss.choose(editor, ["31"], custom_id="^s:target$")
        assert (await here.bot.parts.guild_settings.of(here.world.guild.id, TableSettings)).target == 31


async def test_only_server_managers_change_its_settings_whichever_message_is_pressed(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        boss, _ = manager(here)
        await boss.slash(here.channel, "escoba settings")
        await here.lobby(bea)
        before = await here.bot.parts.guild_settings.of(here.world.guild.id, Choices)
        editor, table, text = boss.panel(here.channel), here.shown, here.public_text
        for person, message in ((ana, editor), (bea, table)):
            for kind, value in CHOICES.items():
                result = await forge(person, message, f"s:{kind}", [value])
                assert result.ephemeral
                assert here.private_text(person) == refusal_text(CommonRefusal.NOT_MANAGER)
        assert await here.bot.parts.guild_settings.of(here.world.guild.id, Choices) == before
        assert here.public_text == text
        await here.restart()
        assert await here.bot.parts.guild_settings.of(here.world.guild.id, Choices) == before
