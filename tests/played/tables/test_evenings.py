"""An evening of several matches has a score, and leaves one message."""

from collections.abc import Collection
from unittest.mock import patch

import discord
import pytest

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.kit.live_message import FRESH
from bot.platform.refusals import CommonRefusal
from bot.tables.boards.table_message import LEFT
from bot.tables.log.evenings import PastMatch
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.store.evenings import EveningMatches
from tests.played import brief
from tests.played.tables.test_leaving import moderator
from tests.played.test_trouble import hush
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of
from tests.support.phrases import refusal_text

HALF_AN_HOUR = 30 * 60
DAY = 24 * 3600
CARD = "An evening of"
MOVED = "further down"
FULL = StoreUnavailable(Fault.DISK_FULL, "the disk is full")


async def begin(here: Room) -> None:
    """Begin a rematch of the first two."""
    ana, bea = here.people[:2]
    await here.press(ana, here.shown, "rematch")
    await here.press(bea, here.shown, "join")
    for person in (ana, bea):
        await here.press(person, here.shown, "hand")


async def play(here: Room, matches: int = 1, *, again: bool = False) -> discord.Message:
    """The first two play matches to their end, each but the first as a rematch; return the last one's result."""
    for number in range(matches):
        if again or number:
            await begin(here)
        else:
            await here.begin(2, target=5)
        await here.finish()
    return here.shown


def cards(here: Room) -> list[discord.Message]:
    """The cards of evenings, the oldest first."""
    messages = here.people[-1].messages(here.channel)
    return [each for each in messages if not each.flags.ephemeral and CARD in text_of(each)]


def results(here: Room) -> list[str]:
    return [text for text in here.public_texts() if "wins!" in text]


def evening_line(here: Room) -> str | None:
    """The line with the evening's score on the table's message."""
    lines = here.public_text.splitlines()
    return next((line for line in lines if line.startswith(("Tonight", "Best of three"))), None)


async def kept(here: Room) -> int:
    """The matches that are kept of the channel's evening."""
    return len(await here.bot.parts.stores.evenings.of_channel(here.channel.id))


async def thats_all(here: Room, person: Person) -> None:
    await here.press(person, here.shown, "thatsall")
    await here.env.settle()


async def test_an_evening_of_three_matches_leaves_one_message_instead_of_three_results(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here)
        assert evening_line(here) is None
        await begin(here)
        assert evening_line(here) == "Tonight: Bea **1 – 0** Ana"
        await here.finish()
        assert evening_line(here) == "Tonight: Ana **1 – 1** Bea"
        await here.press(here.people[1], here.shown, "rematch")
        assert evening_line(here) == "Tonight: Bea **1 – 1** Ana", "the lobby has the score, too"
        await here.press(here.people[0], here.shown, "join")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        assert len(results(here)) == 3
        await here.wait(HALF_AN_HOUR - 60)
        assert not cards(here)
        await here.wait(61)
        [card] = cards(here)
        assert not results(here)
        text = text_of(card)
        assert text.startswith("## 🌙 An evening of 3 matches")
        assert " **2 – 1** " in text
        assert "👑 King of the night: " in text
        assert "To play along next time: " in text
        posted = next(each for each in here.tap.requests if CARD in str(each.body))
        assert posted.message["allowed_mentions"] == {"parse": []}
        await here.wait(2 * DAY)
        assert len(cards(here)) == 1
        assert not await kept(here)


async def test_a_single_match_and_matches_half_an_hour_apart_leave_their_results(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        for _ in range(2):
            await play(here)
            await here.wait(HALF_AN_HOUR + 1)
            assert not await kept(here)
        assert not cards(here)
        assert len(results(here)) == 2


async def move_on(here: Room) -> None:
    """Let the table's message get so old that a newer one takes its place."""
    await here.wait(FRESH.total_seconds() + 60)
    for person in here.people[:2]:
        await here.press(person, here.shown, "hand")
    await here.step(here.table, lambda view: view.moves[0])
    await here.env.settle()


@pytest.mark.parametrize("matches", [1, 2])
async def test_the_messages_that_a_long_match_has_left_go_with_the_evening(room_of: RoomOf, matches: int):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        await here.begin(2, target=5)
        await move_on(here)
        await here.restart()
        await move_on(here)
        await here.finish()
        assert sum(MOVED in text for text in here.public_texts()) == 2
        if matches > 1:
            await play(here, again=True)
        here.env.inject_error("DELETE", f"/channels/{here.channel.id}/messages/*", status=500, times=9)
        await here.wait(HALF_AN_HOUR + 1)
        assert sum(MOVED in text for text in here.public_texts()) == 2
        await here.restart(killed=True)
        await here.wait(3600)
        assert len(here.public_texts()) == 1, "the result or the card"
        assert await here.bot.parts.stores.values.of(LEFT) == {}


async def test_what_a_lobby_has_left_before_it_moved_to_a_thread_goes_too(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        ana, bea = here.people
        channel = here.channel
        await here.lobby(bea, target=5)
        await ana.slash(channel, "escoba table")
        here.follow()
        await here.options(ana, "thread")
        here.channel = channel.threads[-1]
        await here.end(ana)
        assert await here.bot.parts.stores.values.of(LEFT)
        await here.wait(HALF_AN_HOUR + 1)
        assert await here.bot.parts.stores.values.of(LEFT) == {}
        here.channel = channel
        assert not any(MOVED in text for text in here.public_texts())


async def test_a_match_that_goes_on_after_half_an_hour_belongs_to_the_evening(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        await play(here)
        await here.wait(HALF_AN_HOUR - 60)
        await begin(here)
        await here.wait(HALF_AN_HOUR)
        assert not cards(here)
        await here.restart()
        await here.wait(HALF_AN_HOUR)
        assert not cards(here), "a restart doesn't end it either"
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1
        assert not results(here)


async def test_an_evening_whose_match_is_taken_out_of_the_channel_ends(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        await play(here, 2)
        await here.wait(HALF_AN_HOUR - 60)
        await begin(here)
        await here.wait(120)
        table, mod = here.table, moderator(here)
        await mod.slash(here.channel, "escoba table")
        await here.press(mod, mod.panel(here.channel), "takeout")
        await table.abandon()  # elsewhere: no evening hears of it
        assert not cards(here)
        await here.wait(HALF_AN_HOUR)
        assert len(cards(here)) == 1
        assert "of 2 matches" in text_of(cards(here)[0])


async def test_a_lobby_loses_the_score_of_an_evening_that_is_over(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        await here.wait(HALF_AN_HOUR - 60)
        await here.press(here.people[0], here.shown, "rematch")
        assert evening_line(here) is not None
        await here.wait(120)
        assert len(cards(here)) == 1
        assert evening_line(here) is None


async def test_an_evening_without_a_card_yet_has_no_part_in_the_next(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        with patch.object(EveningMatches, "close", side_effect=FULL):
            await play(here, 2)
            await here.wait(HALF_AN_HOUR + 1)
            await here.press(here.people[0], here.shown, "rematch")
            assert evening_line(here) is None
            await here.press(here.people[1], here.shown, "join")
            assert here.table.phase is Phase.PLAYING
            assert evening_line(here) is None
            await here.restart()
            assert evening_line(here) is None
            for person in here.people:
                await here.press(person, here.shown, "hand")
            await here.finish()
            assert evening_line(here) is None


async def test_a_match_keeps_its_evenings_score_through_a_restart_after_half_an_hour(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, turn_seconds=0) as here:
        await play(here)
        await here.wait(HALF_AN_HOUR - 60)
        await begin(here)
        await here.wait(120)
        await here.restart()
        await here.press(here.people[0], here.shown, "hand")
        assert evening_line(here) == "Tonight: Bea **1 – 0** Ana"


async def test_what_was_played_before_a_table_is_not_kept_once_it_is_forgotten(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        tonight = here.bot.host.of(TableParts).evenings._tools.tonight
        await play(here)
        await begin(here)
        table, view = here.table, here.table.view()
        of_channel = EveningMatches.of_channel

        async def late(store: EveningMatches, channel_id: int) -> list[PastMatch]:
            found = await of_channel(store, channel_id)
            tonight.forget(table.id)
            return found

        tonight.forget(table.id)
        with patch.object(EveningMatches, "of_channel", late):
            assert await tonight.before(view, table)
        assert table.id not in tonight._known
        await here.finish()
        await tonight.before(view, table)
        assert not tonight._known


@pytest.mark.parametrize("killed", [False, True])
async def test_an_evening_goes_on_after_a_restart(room_of: RoomOf, killed: bool):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        await here.restart(killed=killed)
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1
        assert not results(here)
        await here.restart(killed=killed)
        await here.wait(DAY)
        assert len(cards(here)) == 1


async def test_an_evening_may_go_over_midnight(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        now = here.env.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp() + DAY
        await here.wait(midnight - now.timestamp() - 600)
        await play(here)
        before = here.env.now().date()
        await here.wait(1000)
        await play(here, again=True)
        assert here.env.now().date() > before
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1


async def test_thats_all_ends_the_evening_at_once_for_those_who_played(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        ana, bea, ciro = here.people
        first = await play(here)
        assert not [each for each in ana.buttons(first) if each.custom_id.startswith("e:thatsall:")]
        result = await play(here, again=True)
        await thats_all(here, ciro)
        assert refusal_text(TableRefusal.NOT_TONIGHT) in here.private_text(ciro)
        assert not cards(here)
        await begin(here)
        assert here.table.phase is Phase.PLAYING
        await here.press(ana, result, "thatsall")
        assert refusal_text(TableRefusal.TABLE_LEFT) in here.private_text(ana)
        await here.finish()
        await thats_all(here, bea)
        assert len(cards(here)) == 1
        assert here.private_text(bea).endswith(f"/{cards(here)[0].id}"), "the answer leads to the card"
        assert "of 3 matches" in text_of(cards(here)[0])
        assert not results(here)
        await play(here)
        assert evening_line(here) is None, "another evening begins"
        await here.wait(DAY)
        assert len(cards(here)) == 1
        assert len(results(here)) == 1


async def test_thats_all_is_answered_before_the_results_are_deleted(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        await thats_all(here, here.people[0])
        assert not results(here)
        posted = next(number for number, each in enumerate(here.tap.requests) if CARD in str(each.body))
        answer, *deletions = here.tap.requests[posted + 1 :]
        assert "🌙 https" in str(answer.body)
        assert [each.method for each in deletions] == ["DELETE", "DELETE"]


async def test_thats_all_is_refused_while_there_is_a_lobby(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        result = await play(here, 2)
        await here.press(bea, result, "rematch")
        await here.press(ana, result, "thatsall")
        assert refusal_text(TableRefusal.TABLE_LEFT) in here.private_text(ana)
        assert not cards(here)


async def test_thats_all_is_for_those_who_played_the_match_of_its_button(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        ana, bea, ciro = here.people
        await play(here)
        await here.lobby(ciro, target=5)
        await here.press(ana, here.shown, "start")
        for person in (ana, ciro):
            await here.press(person, here.shown, "hand")
        await here.finish()
        await thats_all(here, bea)
        assert refusal_text(TableRefusal.NOT_TONIGHT) in here.private_text(bea)
        await thats_all(here, ciro)
        assert len(cards(here)) == 1


async def test_thats_all_says_where_the_bot_may_not_write(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        hush(here)
        await thats_all(here, here.people[0])
        assert refusal_text(CommonRefusal.MUTED) in here.private_text(here.people[0])
        assert not cards(here)


async def test_thats_all_on_a_result_whose_evening_is_over_says_so(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        here.env.inject_error("DELETE", f"/channels/{here.channel.id}/messages/*", status=500, times=100)
        result = await play(here, 2)
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1
        await here.press(here.people[0], result, "thatsall")
        assert refusal_text(TableRefusal.EVENING_OVER) in here.private_text(here.people[0])
        assert len(cards(here)) == 1


async def test_with_somebody_else_at_the_table_the_score_is_another(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE) as here:
        ana, bea, ciro = here.people
        await play(here, 2)
        await here.press(ana, here.shown, "rematch")
        assert evening_line(here) is not None
        for person in (ciro, bea):
            await here.press(person, here.shown, "join")
        assert evening_line(here) is None
        await here.press(ana, here.shown, "start")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        assert evening_line(here) is None
        await thats_all(here, ciro)
        assert "of 3 matches" in text_of(cards(here)[0])
        lines = [line for line in text_of(cards(here)[0]).splitlines() if "Most" not in line]
        scores = [line for line in lines if "**" in line and not line.startswith("-#")]
        assert len(scores) == 2
        assert "·" in scores[1]
        assert not results(here)


async def test_a_best_of_three_is_over_at_two_wins_or_after_three_matches(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.options(ana, "series")
        assert "Best of three" in here.public_text
        await here.press(ana, here.shown, "start")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        assert evening_line(here) == "Best of three: Bea **1 – 0** Ana"
        lines: list[str | None] = []
        for _ in range(3):
            await begin(here)
            await here.finish()
            lines.append(evening_line(here))
        assert lines == [
            "Best of three: Ana **1 – 1** Bea",
            "Best of three, final score: Bea **2 – 1** Ana",
            "Best of three: Ana **1 – 0** Bea",
        ]


async def test_an_evening_waits_two_hours_for_a_best_of_three(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.options(ana, "series")
        await here.press(ana, here.shown, "start")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        await here.wait(3 * HALF_AN_HOUR)
        await begin(here)
        assert evening_line(here) == "Best of three: Bea **1 – 0** Ana"
        await here.finish()
        assert evening_line(here) == "Best of three: Ana **1 – 1** Bea"
        await here.wait(4 * HALF_AN_HOUR - 60)
        assert not cards(here)
        await here.wait(61)
        assert len(cards(here)) == 1
        assert not results(here)


async def test_results_that_cannot_be_deleted_are_deleted_later_and_the_card_stays_alone(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        here.env.inject_error("DELETE", f"/channels/{here.channel.id}/messages/*", status=500, times=3)
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1
        assert len(results(here)) == 2
        await here.restart(killed=True)
        await here.wait(3600)
        assert len(cards(here)) == 1
        assert not results(here)


async def test_results_stay_until_the_card_is_posted(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=403, code=50013, times=3)
        await here.wait(HALF_AN_HOUR + 1)
        assert not cards(here)
        assert len(results(here)) == 2
        await here.wait(3600)
        assert len(cards(here)) == 1
        assert not results(here)


async def test_where_no_card_can_be_posted_for_a_day_the_results_stay(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=403, code=50013, times=100)
        await here.wait(2 * DAY)
        refused = [each for each in here.tap.requests if each.method == "POST" and CARD in str(each.body)]
        assert 20 < len(refused) < 40
        assert len(results(here)) == 2
        assert not await kept(here)


class Unnoted:
    """Stands in for `EveningMatches.close`: the first so many notes of a posted card fail."""

    def __init__(self, times: int) -> None:
        self._close = EveningMatches.close
        self.left = times

    def __get__(self, store: EveningMatches, owner: object) -> "Unnoted":
        self._store = store
        return self

    async def __call__(self, game_ids: Collection[int], card_id: int | None) -> None:
        if card_id and self.left:
            self.left -= 1
            raise FULL
        await self._close(self._store, game_ids, card_id)


@pytest.mark.parametrize("pressed", [False, True])
async def test_a_card_whose_posting_cannot_be_noted_is_not_posted_again(room_of: RoomOf, pressed: bool):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        with patch.object(EveningMatches, "close", Unnoted(times=6)) as closing:
            if pressed:
                await thats_all(here, here.people[0])
                assert here.private_text(here.people[0]).endswith(f"/{cards(here)[0].id}")
            await here.wait(HALF_AN_HOUR + 1)
            assert len(cards(here)) == 1
            assert len(results(here)) == 2
            await here.wait(2 * 3600)
            assert closing.left == 0
        assert len(cards(here)) == 1
        assert not results(here)
        assert not await kept(here)


async def test_two_evenings_that_end_at_once_have_a_card_each(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        with patch.object(EveningMatches, "close", side_effect=FULL):
            await play(here, 2)
            await here.wait(HALF_AN_HOUR + 1)
            await play(here, 2, again=True)
            await here.wait(HALF_AN_HOUR + 1)
            assert not cards(here)
        with patch.object(EveningMatches, "close", Unnoted(times=1)):
            await here.wait(3 * 3600)
        assert len(cards(here)) == 2
        assert not results(here)


async def test_a_bot_that_was_killed_while_it_posted_a_card_leaves_the_results(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await play(here, 2)
        with patch.object(EveningMatches, "close", Unnoted(times=99)):
            await here.wait(HALF_AN_HOUR + 1)
            assert len(cards(here)) == 1
            await here.restart(killed=True)
        await here.wait(DAY)
        assert len(cards(here)) == 1
        assert len(results(here)) == 2
        assert not await kept(here)


async def test_thats_all_waits_until_every_result_is_shown(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        with patch.object(EveningMatches, "end_shown", side_effect=FULL):
            await play(here, 2)
        await thats_all(here, here.people[0])
        assert refusal_text(CommonRefusal.TOO_FAST) in here.private_text(here.people[0])
        assert not cards(here)
        await here.restart()
        await thats_all(here, here.people[0])
        assert len(cards(here)) == 1
        assert not results(here)


async def test_a_result_that_is_shown_after_its_card_is_deleted_then(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        evenings = here.bot.parts.stores.evenings
        with patch.object(EveningMatches, "end_shown", side_effect=FULL):
            await play(here, 2)
            await evenings.close([each.game_id for each in await evenings.of_channel(here.channel.id)], 1)
            await here.restart()
        await here.restart()
        await here.wait(3600)
        assert not results(here)
        assert not await kept(here)


async def test_a_result_that_somebody_has_deleted_holds_nothing_up(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        result = await play(here, 2)
        await here.bot.http.delete_message(here.channel.id, result.id)
        await here.wait(HALF_AN_HOUR + 1)
        assert len(cards(here)) == 1
        assert not results(here)
        assert not await kept(here)


async def test_the_card_leads_those_who_played_to_the_review_and_replay_of_each_match(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        ana, _, ciro = here.people
        await play(here, 2)
        await thats_all(here, ana)
        [card] = cards(here)
        [menu] = ana.selects(card)
        assert menu.custom_id == "e:opengame:0:0"
        assert len(menu.values) == 2
        for value in menu.values:
            await ana.choose(card, [value], custom_id="^e:opengame:")
            ids = [each.custom_id for each in ana.buttons(here.private(ana))]
            assert any(each.startswith("e:review:") for each in ids)
            assert any(each.startswith("w:open:") for each in ids)
        await ciro.choose(card, [menu.values[0]], custom_id="^e:opengame:")
        assert "🎉" not in here.private_text(ciro)


async def test_solo_and_open_ended_matches_are_no_part_of_an_evening(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.choose_option(ana, "tempo", "open")
        await here.agree()
        await here.press(ana, here.shown, "start")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        assert not await kept(here)


async def test_the_card_forgets_a_player_whose_data_was_erased(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        _, bea = here.people
        await play(here, 2)
        await here.open_data(bea)
        await bea.press(bea.panel(here.channel), custom_id="^p:erase$")
        await bea.press(bea.panel(here.channel), custom_id="^p:eraseyes$")
        await here.wait(HALF_AN_HOUR + 1)
        [card] = cards(here)
        assert "Bea" not in text_of(card)
        assert "**1 – 1**" not in text_of(card)
