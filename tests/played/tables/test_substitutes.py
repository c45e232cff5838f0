"""A substitute, by click: asking for the seat of somebody who has left, the others' answers, and playing on in it."""

from bot.cards.words.cards import shown_all
from bot.engine.views import seat_view
from bot.privacy.live.personal_data import personal_data
from bot.tables.log.events import Presence
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, set_locale, text_of
from tests.support.phrases import EN
from tests.support.tables.kit import the_match


def taking(person: Person, here: Room) -> list[str | None]:
    """The labels of the public buttons that ask for a seat."""
    return [each.label for each in person.buttons(here.shown) if "takeseat" in each.custom_id]


async def friendly_without_ana(here: Room) -> None:
    """Begin a friendly match of three, which Ana leaves."""
    ana, bea, ciro, *_ = here.people
    await here.lobby(bea, ciro)
    await here.options(ana, "rated", "f")
    await here.press(ana, here.shown, "start")
    await leave(here, ana)


async def leave(here: Room, person: Person) -> None:
    await person.slash(here.channel, "escoba leave")
    await here.press(person, here.private(person), "leaveyes")


async def test_a_stranger_takes_the_seat_of_somebody_who_left_and_sees_its_cards(room_of: RoomOf):
    async with room_of(4) as here:
        _, bea, ciro, dora = here.people
        await friendly_without_ana(here)
        assert taking(dora, here) == ["Take Ana's seat"]
        await here.press(dora, here.shown, "hand")
        assert "Take Ana's seat" in [each.label for each in dora.buttons(here.private(dora))]
        await here.press(dora, here.private(dora), "takeseat")
        assert "Once they agree, the seat is yours" in here.private_text(dora)
        assert "🪑 **Dora** would like to play on in **Ana**'s seat." in here.public_text
        assert taking(dora, here) == []
        await here.press(bea, here.shown, "agree")
        assert "Agreed: Bea" in here.public_text
        await here.press(ciro, here.shown, "agree")
        assert here.table.view().seats[0].presence is Presence.HERE
        assert "Ana" not in here.public_text
        await here.press(dora, here.shown, "hand")
        hand = seat_view(the_match(here.table._state), 0).hand
        assert shown_all(hand, EN, "  ").replace("\u2060", "") in text_of(here.panel(dora))
        await here.restart()
        for person in (bea, ciro, dora):
            await here.press(person, here.shown, "hand")
        await here.play_out(until=lambda: here.table.view().version > 12)


async def test_they_keep_the_robot_if_anybody_prefers_it(room_of: RoomOf):
    async with room_of(4) as here:
        _, bea, _, dora = here.people
        await friendly_without_ana(here)
        for person in (bea, dora):
            set_locale(person, "es-ES")
        await here.press(dora, here.shown, "takeseat")
        await here.press(dora, here.shown, "agree")
        assert "Sentarte por Ana" not in here.private_text(dora)
        await here.press(bea, here.shown, "disagree")
        assert here.table.seat_of(dora.id) is None
        assert "🪑 **Dora**" not in here.public_text
        assert taking(dora, here) == ["Take Ana's seat"]


async def test_a_rated_match_has_no_seat_to_take(room_of: RoomOf):
    async with room_of(4) as here:
        await here.begin(3)
        ana, *_, dora = here.people
        await leave(here, ana)
        assert taking(dora, here) == []
        await here.press(dora, here.shown, "hand")
        assert not any("takeseat" in each.custom_id for each in dora.buttons(here.private(dora)))


async def test_each_of_both_gets_their_own_part_of_the_match(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        await here.lobby(bea, ciro)
        await here.options(ana, "rated", "f")
        await here.press(ana, here.shown, "start")
        await here.skip(lambda view: view.moves[0], until=lambda match: match.version > 8)
        table, store = here.table, here.bot.parts.stores
        await leave(here, ana)
        await here.press(dora, here.shown, "takeseat")
        for person in (bea, ciro):
            await here.press(person, here.shown, "agree")
        before = the_match(table._state).version
        await here.skip(lambda view: view.moves[0], until=lambda match: match.version > before + 6)
        await here.end(bea)
        [own] = (await personal_data(store.personal_data, store.games, dora.id, here.env.now()))["games"]
        assert [each["what"] for each in own["you"]] == ["asked_for_seat", "took_seat"]
        [others] = (await personal_data(store.personal_data, store.games, ana.id, here.env.now()))["games"]
        assert own["seat"] == others["seat"] == 0
        assert 0 < len(own["moves"]) <= 3
        assert 0 < len(others["moves"]) <= 4
        assert not set(own["moves"]) & set(others["moves"])


async def test_whoever_asks_for_a_seat_and_is_erased_leaves_no_trace(room_of: RoomOf):
    async with room_of(4) as here:
        dora = here.people[3]
        await friendly_without_ana(here)
        await here.press(dora, here.shown, "takeseat")
        await here.open_data(dora)
        await dora.press(here.channel, custom_id="^p:erase$")
        await dora.press(here.channel, custom_id="^p:eraseyes$")
        assert here.table.view().question is None
        assert "Dora" not in here.public_text
        log = await here.bot.parts.stores.games.log(here.table.id)
        assert not any(str(dora.id) in entry.body or "Dora" in entry.body for entry in log)
