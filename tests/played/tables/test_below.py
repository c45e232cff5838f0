"""Players' panels stay right below the newest table without a press, for as long as the bot can reach them."""

import pytest

from bot.platform.kit.live_message import FRESH
from bot.platform.transport import reply
from bot.tables.boards.panel import TOKEN_LIFE
from bot.tables.log.events import Phase
from tests.played.test_slow import late
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.worlds import newest_first
from tests.support.people import Person, alt_texts_of, text_of
from tests.support.phrases import YOUR_HAND

FOLLOW_UPS = "/webhooks/*"


def own(here: Room, person: Person) -> list[int]:
    """The private messages that somebody sees."""
    return [message.id for message in newest_first(person.actor, here.channel) if message.ephemeral][::-1]


def between(here: Room, person: Person) -> int:
    """How many messages somebody sees between the newest table and their only panel, which is below it."""
    seen = [message.id for message in newest_first(person.actor, here.channel)][::-1]
    [panel], table = own(here, person), here.shown.id
    assert panel > table, "the panel is above the table"
    return seen.index(panel) - seen.index(table) - 1


def all_below(here: Room) -> bool:
    return all(between(here, person) == 0 for person in here.people)


@pytest.mark.thorough
async def test_all_through_a_match_of_several_rounds_nothing_is_between_the_table_and_a_panel(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        table = here.table
        tables, counted = set[int](), 0

        def looked_at() -> bool:
            nonlocal counted
            tables.add(here.shown.id)
            assert all_below(here)
            counted += 1
            return False

        await here.play_out(until=looked_at)
        assert table.phase is Phase.FINISHED
        tables.add(here.shown.id)  # the result's
        assert len(tables) == 1, "a match has one message"
        assert counted > 40
        for person in here.people:
            assert own(here, person) == [person.panel(here.channel).id]
            assert person.panel(here.channel).id > max(tables)
            assert "📈 Rating" in text_of(person.panel(here.channel))
        # neither a follow-up nor its deletion is a request to the channel
        assert here.tap.to("DELETE", "/channels/*") == []
        assert len(here.tap.to("POST", "/channels/*/messages")) == len(tables) - 1  # the first answered a command


@pytest.mark.parametrize("how", ["called", "deleted", "old"])
async def test_panels_follow_a_table_that_is_posted_afresh(room_of: RoomOf, how: str):
    async with room_of(2, turn_seconds=0) as here:
        await here.begin()
        if how == "old":
            await here.wait(FRESH.total_seconds() - 60)
            for person in here.people:
                await here.press(person, here.shown, "hand")
            await here.wait(120)
        older, panels = here.shown.id, [own(here, person)[-1] for person in here.people]
        if how == "called":
            await here.people[0].slash(here.channel, "escoba table")
        elif how == "deleted":
            here.env.backend.delete_message(here.channel.id, older)
        if how != "called":
            await here.step(here.table, lambda view: view.moves[0])
        assert here.shown.id > older
        for person, panel in zip(here.people, panels, strict=True):
            assert panel not in own(here, person)
            assert [message for message in own(here, person) if message > here.shown.id] == [here.panel(person).id]
            assert YOUR_HAND in text_of(here.panel(person))


async def test_a_panel_that_came_by_itself_lives_no_longer_than_the_click_it_came_from(room_of: RoomOf):
    async with room_of(2, abandon_minutes=60, turn_seconds=0) as here:
        await here.begin()
        ana = here.people[0]
        await here.wait(TOKEN_LIFE.total_seconds() - 60)
        await ana.slash(here.channel, "escoba table")
        assert all_below(here)
        await here.wait(59)
        assert YOUR_HAND in text_of(here.panel(ana))
        await here.wait(1)
        assert YOUR_HAND not in text_of(here.panel(ana))
        assert len(here.people[1].buttons(here.panel(here.people[1]))) == 1, "only Refresh is left"
        older = here.panel(ana).id
        await here.wait(60)
        await ana.slash(here.channel, "escoba table")
        assert own(here, ana) == [older], "nothing can be sent any more"
        await here.press(ana, here.panel(ana), "panel")
        assert between(here, ana) == 0
        assert YOUR_HAND in text_of(here.panel(ana))


async def test_a_choice_under_way_comes_along(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(variant="quince")
        seat = here.table.view().match
        assert seat is not None
        assert seat.turn is not None
        player = here.people[seat.turn]
        view = here.table.seat_view(seat.turn)
        assert view is not None
        await here.press(player, here.panel(player), "card", str(next(iter(view.hand))))
        before = text_of(here.panel(player))
        buttons = player.buttons(here.panel(player))
        assert any(button.custom_id.startswith("e:lay:") for button in buttons)
        await here.people[1 - seat.turn].slash(here.channel, "escoba table")
        assert all_below(here)
        assert text_of(here.panel(player)) == before
        assert player.buttons(here.panel(player)) == buttons


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (404, 10008),
        pytest.param(401, 50027, marks=pytest.mark.thorough),
        pytest.param(403, 50001, marks=pytest.mark.thorough),
    ],
)
async def test_an_older_panel_that_discord_doesnt_delete_is_gone_after_a_click_on_it(
    room_of: RoomOf, status: int, code: int
):
    async with room_of(2) as here:
        await here.begin(variant="quince")
        ana = here.people[0]
        older = here.panel(ana)
        here.env.inject_error("DELETE", f"{FOLLOW_UPS}/messages/*", status=status, code=code, times=1)
        await ana.slash(here.channel, "escoba table")
        stuck = next(person for person in here.people if len(own(here, person)) == 2)
        older = next(message for message in stuck.messages(here.channel) if message.id == min(own(here, stuck)))
        await here.press(stuck, older, "panel")
        assert between(here, stuck) == 0


async def test_where_discord_takes_no_follow_up_the_panel_stays_and_goes_on(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        before = len(here.tap.to("POST", FOLLOW_UPS))
        here.env.inject_error("POST", FOLLOW_UPS, status=403, code=50013, times=100)
        panels = [own(here, person) for person in here.people]
        await here.people[0].slash(here.channel, "escoba table")
        tried = len(here.tap.to("POST", FOLLOW_UPS))
        assert tried == before + 2
        for _ in range(4):
            await here.step(here.table, lambda view: view.moves[0])
        assert [own(here, person) for person in here.people] == panels
        assert len(here.tap.to("POST", FOLLOW_UPS)) == tried, "it isn't asked again and again"


async def test_somebody_who_has_left_gets_no_panel_below_the_table(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin()
        ciro = here.people[2]
        panel = here.panel(ciro).id
        await ciro.slash(here.channel, "escoba leave")
        await here.press(ciro, ciro.panel(here.channel), "leaveyes")
        await here.people[0].slash(here.channel, "escoba table")
        assert panel in own(here, ciro)
        assert max(own(here, ciro)) < here.shown.id
        assert all(between(here, person) == 0 for person in here.people[:2])


@pytest.mark.parametrize("deferred", thorough_but([False, True], True))
async def test_its_picture_comes_along_even_where_discord_takes_none_after_a_deferral(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, deferred: bool
):
    async with room_of(2, pictures=True) as here:
        with monkeypatch.context() as patched:
            if deferred:  # the simulated Discord refuses files in a follow-up to a deferral
                patched.setattr(reply, "DEFER_SECONDS", 0)
                patched.setattr(reply.Reply, "send_private", late(reply.Reply.send_private))
            await here.begin()
        ana = here.people[0]
        since = len(here.tap.requests)
        await ana.slash(here.channel, "escoba table")
        assert between(here, ana) == 0
        assert len(alt_texts_of(here.panel(ana))) == 1
        posts = [each.status for each in here.tap.requests[since:] if each.method == "POST" and each.viewer == ana.id]
        assert posts == ([400, 200] if deferred else [200])
