"""The lobby: seats, rules, and everything that is refused in it."""

from bot.platform.kit.codec import base36
from bot.platform.language.catalogues import words
from bot.platform.layout import Drawn
from bot.players import PERSONAS
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tables.screens.lobby import lobby_layout
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import CANCELLED, NO_SEAT, NOT_ALLOWED, OPENS, YOUR_HAND, refusal_text


def custom_id(here: Room, verb: str) -> str:
    """The custom_id of a lobby button for the current version, whether or not it is shown and enabled."""
    start = next(b.custom_id for b in here.people[0].buttons(here.shown) if b.custom_id.startswith("e:start:"))
    return start.replace(":start:", f":{verb}:")


def off(here: Room, verb: str) -> bool:
    """Whether the lobby's button with this verb is disabled."""
    return next(b.disabled for b in here.people[0].buttons(here.shown) if b.custom_id.startswith(f"e:{verb}:"))


async def refused(here: Room, person: Person, verb: str) -> str:
    """Press a button that must be refused. Returns the private answer."""
    before = here.table.version
    result = await forge(person, here.shown, custom_id(here, verb))
    assert result.ephemeral
    assert here.table.version == before
    return text_of(result.response)  # type: ignore[arg-type]


async def test_one_player_can_neither_start_nor_join_twice(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        assert off(here, "start")
        assert refusal_text(TableRefusal.TOO_FEW) in here.public_text
        assert await refused(here, ana, "start") == refusal_text(TableRefusal.TOO_FEW)
        assert await refused(here, ana, "join") == refusal_text(TableRefusal.ALREADY_SEATED)


async def test_nobody_may_join_a_full_lobby(room_of: RoomOf):
    async with room_of(5) as here:
        await here.lobby(*here.people[1:4])
        assert off(here, "addc")
        await here.press(here.people[4], here.shown, "join")
        assert here.private_text(here.people[4]) == refusal_text(TableRefusal.LOBBY_FULL)
        assert await refused(here, here.people[0], "addc") == refusal_text(TableRefusal.LOBBY_FULL)


async def test_a_lobby_shown_late_by_an_older_process_is_replaced_on_the_first_press(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby(here.people[1])
        lobby = Drawn(lobby_layout(here.table.view(), words("en")))
        await here.press(here.people[0], here.shown, "start")
        assert "deal 1" in here.public_text
        channel = here.bot.get_partial_messageable(here.channel.id)
        await channel.get_partial_message(here.shown.id).edit(view=lobby)
        assert "opened a table" in here.public_text
        await here.press(here.people[0], here.shown, "start")
        assert "deal 1" in here.public_text


async def test_nobody_may_join_or_change_a_running_game(room_of: RoomOf):
    async with room_of(3) as here:
        await here.lobby(here.people[1])
        ids = {verb: custom_id(here, verb) for verb in ("join", "addc", "start", "leave", "options")}
        await here.press(here.people[0], here.shown, "start")
        before = here.table.version
        late = await forge(here.people[2], here.shown, ids["join"])
        assert text_of(late.response) == refusal_text(TableRefusal.LOBBY_OVER)  # type: ignore[arg-type]
        again = await forge(here.people[1], here.shown, ids["join"])
        assert text_of(again.response) == refusal_text(TableRefusal.ALREADY_SEATED)  # type: ignore[arg-type]
        result = await forge(here.people[0], here.shown, ids["options"])
        assert text_of(result.response) == refusal_text(TableRefusal.LOBBY_OVER)  # type: ignore[arg-type]
        for verb in ("addc", "start"):  # somebody who plays gets their cards instead
            await forge(here.people[0], here.shown, ids[verb])
            assert YOUR_HAND in here.private_text(here.people[0]), verb
        assert here.table.version == before
        assert [seat.name for seat in here.table.view().seats] == ["Ana", "Bea"]


async def test_a_stranger_cannot_change_the_lobby(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby()
        for verb in ("leave", "addc", "teams", "start", "rules"):
            assert await refused(here, here.people[1], verb) == NO_SEAT, verb
        assert await refused(here, here.people[1], "cancel") == NOT_ALLOWED
        before = here.table.version
        options = await here.options(here.people[1])
        assert "Press **Join** to sit down" in text_of(options)
        assert (here.people[1].buttons(options), here.people[1].selects(options)) == ([], [])
        await forge(here.people[1], options, custom_id(here, "target"), ["11"])
        assert here.private_text(here.people[1]) == NO_SEAT
        assert here.table.version == before


async def test_a_channel_has_only_one_game(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby()
        game, link = here.table.id, f"/{here.channel.id}/{here.shown.id})"
        await here.people[1].slash(here.channel, "escoba play")
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(here.people[1])
        assert link in here.private_text(here.people[1])
        assert here.table.id == game
        other = here.world.guild.create_text_channel("otra")
        await here.people[1].slash(other, "escoba play")
        assert len(here.bot.parts.manager) == 2


async def test_one_person_may_open_only_a_few_lobbies(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        for number in range(3):
            await ana.slash(here.world.guild.create_text_channel(f"mesa{number}"), "escoba play")
        before = len(here.bot.parts.manager)
        assert (await ana.slash(here.channel, "escoba play")).ephemeral
        assert len(here.bot.parts.manager) == before == 3


async def test_without_a_game_every_command_says_how_to_start_one(room_of: RoomOf):
    async with room_of(1) as here:
        for command in ("hand", "table", "leave"):
            result = await here.people[0].slash(here.channel, f"escoba {command}")
            assert result.ephemeral
            assert here.private_text(here.people[0]) == refusal_text(
                TableRefusal.NO_GAME, here.bot.parts.wording.command_ids
            )


async def test_the_lobby_sets_the_rules_seats_and_computers(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, ciro)
        await here.choose_option(bea, "target", "15")
        assert "to 15 points" in here.public_text
        await here.press(ana, here.shown, "addc")
        computer = here.table.view().seats[3]
        assert computer.character is not None
        name = f"{PERSONAS[computer.character].face} {computer.name}"
        assert f"4. **{name}** · normal" in here.public_text
        assert "Pair" not in here.public_text
        await here.options(ciro, "teams")
        assert "Pair A: 1. **Ana** + 3. **Ciro**" in here.public_text
        assert f"Pair B: 2. **Bea** + 4. **{name}** · normal" in here.public_text
        await here.choose_option(ciro, "comp", "hard", seat=3)
        assert "Pair B: 2. **Bea** + 4. **" in here.public_text
        assert "** · hard" in here.public_text
        await here.choose_option(ciro, "comp", "none", seat=3)
        assert computer.name not in here.public_text
        await here.options(ciro, "leave")
        assert "Ciro" not in here.public_text
        await here.agree()
        await here.press(bea, here.shown, "start")
        assert here.table.phase is Phase.PLAYING


async def test_a_chosen_partner_takes_the_place_of_the_present_one(room_of: RoomOf):
    async with room_of(5) as here:
        ana, bea, ciro, dora, stranger = here.people
        await here.lobby(bea, ciro, dora)
        assert not [menu for menu in ana.selects(await here.options(ana)) if ":partner:" in menu.custom_id]
        options = await here.options(ana, "teams")
        [menu] = [menu for menu in ana.selects(options) if ":partner:" in menu.custom_id]
        assert (menu.placeholder, menu.labels) == ("Choose your partner", ["Ana", "Bea", "Ciro", "Dora"])
        await here.choose_option(bea, "partner", "0")
        assert "Pair A: 1. **Dora** + 3. **Ciro**" in here.public_text
        assert "Pair B: 2. **Bea** + 4. **Ana**" in here.public_text
        before = here.table.version
        await here.choose_option(bea, "partner", "3")  # her partner already
        await here.choose_option(bea, "partner", "1")  # herself
        assert refusal_text(TableRefusal.OWN_PARTNER) in here.private_text(bea)
        await forge(stranger, await here.options(stranger), custom_id(here, "partner"), ["0"])
        assert here.private_text(stranger) == NO_SEAT
        options = await here.options(ana)
        for value in ("4", "-1", "x", "٣"):
            await forge(ana, options, f"e:partner:{base36(here.table.id)}:{base36(before)}", [value])
        assert here.table.version == before
        await here.restart(killed=True)
        await here.press(dora, here.shown, "start")
        assert [seat.name for seat in here.table.view().seats] == ["Dora", "Bea", "Ciro", "Ana"]


async def test_another_player_becomes_the_opener_when_the_opener_leaves(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await ana.slash(here.channel, "escoba leave")
        await here.press(ana, here.private(ana), "leaveyes")
        assert OPENS.format("Bea") in here.public_text
        assert await refused(here, ana, "cancel") == NOT_ALLOWED
        await here.options(bea, "cancel")
        assert here.public_texts() == [CANCELLED.format("Bea")]


async def test_the_lobby_closes_when_the_last_person_leaves(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.press(ana, here.shown, "addc")
        await forge(ana, here.shown, f"e:leave:{here.table.id}:0")  # as on a lobby of 1.0
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert here.public_texts() == ["The table was closed, so nothing counts."]
        await here.lobby()
        assert here.table.phase is Phase.LOBBY
