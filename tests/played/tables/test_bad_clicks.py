"""Invalid clicks: by strangers, late, repeated or forged. Each is answered and nothing breaks."""

import pytest

from bot.engine.cards import DECK
from bot.platform.kit.codec import base36
from bot.platform.refusals import CommonRefusal
from bot.tables.refusals import MoveRefusal
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import NO_SEAT, NOT_TURN, OVER, STALE, WRONG_SUM, YOUR_HAND, YOUR_TURN, in_text, refusal_text


def version(here: Room) -> int:
    """The open table's version."""
    return here.table.view().version


def forged(here: Room, verb: str, *args: str, game: int | None = None, at: int | None = None) -> str:
    """A custom_id for the running game, or for another game or version."""
    game = here.table.id if game is None else game
    return ":".join(("e", verb, base36(game), base36(version(here) if at is None else at), *args))


def at_turn(here: Room) -> tuple[Person, Person]:
    """The current player, then the other one."""
    match = here.table.view().match
    assert match is not None
    assert match.turn is not None
    return here.people[match.turn], here.people[1 - match.turn]


async def test_a_stranger_reads_that_they_have_no_seat_in_the_game(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        stranger = here.people[2]
        before = version(here)
        await here.press(stranger, here.shown, "hand")
        assert here.private_text(stranger) == NO_SEAT
        await stranger.slash(here.channel, "escoba hand")
        assert here.private_text(stranger) == NO_SEAT
        player, _ = at_turn(here)
        card = next(b for b in player.buttons(here.panel(player)) if ":card:" in b.custom_id)
        choice = forged(here, "choose", "any", "0")
        for custom_id in (card.custom_id, forged(here, "panel"), forged(here, "claim"), choice):
            await forge(stranger, here.shown, custom_id)
            assert here.private_text(stranger) == NO_SEAT
        await stranger.slash(here.channel, "escoba table")  # anybody may look at the table
        assert version(here) == before
        await here.play_out(until=lambda: version(here) > before + 2)


async def test_the_same_click_twice_gets_a_fresh_panel_the_second_time(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        player, _ = at_turn(here)
        card = next(
            b for b in player.buttons(here.panel(player)) if ":card:" in b.custom_id and "capture" not in b.label
        )
        await player.press(here.panel(player), custom_id=card.custom_id)
        played = version(here)
        await forge(player, here.panel(player), card.custom_id)
        assert STALE in text_of(here.panel(player))
        assert version(here) == played
        await here.press(player, here.panel(player), "panel")
        assert STALE not in text_of(here.panel(player))


async def test_a_lobby_button_pressed_late_shows_the_lobby_as_it_is_now(room_of: RoomOf):
    async with room_of(2) as here:
        ana = await here.lobby()
        late = forged(here, "addc")
        await here.press(ana, here.shown, "addc")
        await forge(ana, here.shown, late)
        assert len(here.table.view().seats) == 2
        assert [seat.is_computer for seat in here.table.view().seats] == [False, True]


async def test_playing_out_of_turn_is_refused_on_the_panel(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        _, other = at_turn(here)
        hand = here.table.seat_view(here.seat_of(other))
        assert hand is not None
        assert in_text(hand.hand, "  ") in text_of(here.panel(other))  # only to look at
        assert not [b for b in other.buttons(here.panel(other)) if ":card:" in b.custom_id]
        before = version(here)
        await forge(other, here.panel(other), forged(here, "card", str(next(iter(hand.hand)))))
        assert NOT_TURN in text_of(here.panel(other))
        assert YOUR_HAND in text_of(here.panel(other))
        assert version(here) == before


async def test_playing_an_unheld_card_or_an_invalid_capture_changes_nothing(room_of: RoomOf):
    async with room_of(2, chance=Decks(rigged={1: "1b 2b 3b 4b 5b 6b 2o 2c 5e 7c"})) as here:
        await here.begin()
        bea, ana = here.people[1], here.people[0]
        before = version(here)
        tries = {
            forged(here, "card", "4b"): refusal_text(MoveRefusal.CARD_NOT_HELD),  # Ana has it
            forged(here, "card", "10e"): refusal_text(MoveRefusal.CARD_NOT_HELD),  # in the stock
            forged(here, "take", "3b", base36(DECK[0].bit)): WRONG_SUM,
            forged(here, "take", "3b", base36((1 << 40) - 1)): WRONG_SUM,
            forged(here, "take", "1b", base36(0)): refusal_text(MoveRefusal.MUST_CAPTURE),
            forged(here, "take", "3b", "zzzzzzzzz"): STALE,
            forged(here, "lay", "1b"): refusal_text(MoveRefusal.MUST_CAPTURE),
            forged(here, "take", "claim", base36(1)): WRONG_SUM,
            forged(here, "choose", "any", "zzzzzzzzz"): STALE,
            forged(here, "choose", "any", "1", at=1): STALE,
        }
        for custom_id, answer in tries.items():
            result = await forge(bea, here.panel(bea), custom_id)
            assert result.response is not None
            assert answer in text_of(result.response), custom_id
            assert version(here) == before
            assert here.table.view().match.turn == 1  # type: ignore[union-attr]
        assert YOUR_TURN not in here.private_text(ana)
        await here.play_out(until=lambda: version(here) > before + 4)


GARBAGE = (
    "e:card:zzzzzzzzzzzzz:zzzzzzzzzzzzz:7o",
    "e:card:1:1",
    "e:card:1:1:7x",
    "e:take:1:3:7o",
    "e:take:1:3:7o:!",
    "e:take:1:3::",
    "e:pick:1:3:7o:0:99999",
    "e:pick:1:3",
    "e:nosuch:1:3",
    "e:card:-1:3:7o",
    "e:card:99:3:7o",
    "e:rematch:zzzzzzzzzzzzz:0",
    "e:rematch:1:3",
    "e:next:1:3",
    "e:join:99:1",
    "e:cancelyes:99:1",
    "e:keep:99:1",
    "e:",
    "r:next:wins:all:999999",
    "r:next:wins:never:0",
    "s:preset",
    "s:preset:1",
    "other bot's button",
)
PRIVATE = ("e:keep:", "r:", "s:")
"""Prefixes of the custom_ids of buttons that are only on private messages and edit their own message."""


@pytest.mark.parametrize("with_values", thorough_but([False, True], False), ids=["buttons", "menus"])
async def test_ids_that_name_nothing_get_a_private_answer_and_change_nothing(room_of: RoomOf, with_values: bool):
    async with room_of(2) as here:
        await here.begin()
        ana = here.people[0]
        before, panel, public = version(here), here.panel(ana), here.public_text
        for custom_id in GARBAGE:
            values = ["7o", "9" * 90] if with_values else None
            for message in (panel,) if custom_id.startswith(PRIVATE) else (panel, here.shown):
                answered = len(here.tap.requests)
                await forge(ana, message, custom_id, values)
                assert len(here.tap.requests) > answered, custom_id
                assert here.tap.requests[-1].viewer == ana.id or here.public_text == public, custom_id
        assert here.tap.unanswered == []
        assert (version(here), here.public_text) == (before, public)
        await here.press(ana, here.shown, "hand")
        await here.play_out(until=lambda: version(here) > before + 2)


async def test_a_click_on_a_replaced_message_shows_where_the_table_is_now(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana = here.people[0]
        old = here.shown
        await ana.slash(here.channel, "escoba table")
        assert here.shown.id != old.id
        link = f"https://discord.com/channels/{here.world.guild.id}/{here.channel.id}/{here.shown.id}"
        left = ana.latest(here.channel, lambda message: message.id == old.id)
        assert link in text_of(left)
        assert ana.buttons(left) == []
        await forge(ana, left, forged(here, "hand"))  # its button still opens the hand
        assert YOUR_HAND in here.private_text(ana)
        await forge(ana, left, forged(here, "next"))
        assert link in text_of(ana.latest(here.channel, lambda message: message.id == old.id))


async def test_an_old_button_says_that_its_game_is_over(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana, bea = here.people
        panel, table = here.panel(bea), here.shown
        old = [forged(here, verb) for verb in ("hand", "panel", "next", "join", "start", "claim", "cancel")]
        old.append(next(b.custom_id for b in bea.buttons(panel) if ":card:" in b.custom_id))
        await here.end(ana)
        for custom_id in old:
            for message in (panel, table):
                await forge(bea, message, custom_id)
                assert bea.sees(here.channel)[-1] == OVER
        await forge(bea, table, old[0].replace(":hand:", ":rematch:"))
        assert here.bot.parts.manager.at(here.channel.id) is not None  # a cancelled game may be started again
        here.tap.clear()  # the button was forged, so its invitation belongs to no result that was shown


async def test_nobody_can_choose_a_capture_for_another_player(room_of: RoomOf):
    async with room_of(3, chance=Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"}, dealer=1)) as here:
        await here.begin(2)
        ana, bea, stranger = here.people
        await here.press(ana, here.panel(ana), "card", "4b")  # takes 1 + 10, or 1 + 3 + 7
        before = version(here)
        takes = [b.label for b in ana.buttons(here.shown) if ":take:" in b.custom_id]
        for person, answer in ((bea, NOT_TURN), (stranger, NO_SEAT)):
            await person.press(here.shown, label=takes[0])
            assert here.private_text(person) == answer
        assert version(here) == before
        await ana.press(here.shown, label=takes[0])
        assert version(here) == before + 1


async def test_a_user_who_spams_a_button_is_rate_limited_for_a_while(room_of: RoomOf):
    async with room_of(2, clicks_per_10_seconds=8) as here:
        await here.begin()
        ana, bea = here.people
        for _ in range(10):
            await here.press(bea, here.panel(bea), "panel")
        assert here.private_text(bea) == refusal_text(CommonRefusal.TOO_FAST)
        await here.press(ana, here.panel(ana), "panel")  # nobody else is rate-limited
        assert YOUR_HAND in here.private_text(ana)
        await here.wait(11)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
