"""I play the winner: anybody may challenge whoever has won a match between people, and a rematch goes first."""

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.refusals import CommonRefusal
from bot.tables.live.challenges import SILENCE
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of
from tests.support.phrases import refusal_text

BUTTON = "I play the winner"


async def over(here: Room) -> tuple[Person, Person]:
    """Play the first two's match to its end; return who has won it and who hasn't."""
    await here.begin(2, target=5, friendly=True)
    await here.finish()
    winner = next(person for person in here.people[:2] if f"{person.name} wins!" in here.public_text)
    return winner, next(person for person in here.people[:2] if person is not winner)


def offers(here: Room) -> bool:
    return BUTTON in [each.label for each in here.people[-1].buttons(here.shown)]


async def test_anybody_plays_the_winner_next_once_both_agree(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        winner, _ = await over(here)
        labels = [each.label for each in here.people[-1].buttons(here.shown)]
        assert labels == ["Rematch", BUTTON, "My result", "Rounds"]
        result, ciro = here.shown, here.people[-1]
        await here.press(ciro, result, "winner")
        assert f"**Ciro** challenges {winner.mention} to a match." in here.public_text
        assert here.tap.public()[-1].message["allowed_mentions"]["users"] == [winner.id]
        here.follow()
        await here.restart(killed=True)
        assert here.table.phase is Phase.LOBBY
        await here.press(winner, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert [seat.name for seat in here.table.view().seats] == ["Ciro", winner.name]
        assert here.table.view().config.rules.target == 5
        await here.press(ciro, result, "winner")
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(ciro)


async def test_whoever_declines_or_is_never_mentioned_is_left_alone(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        winner, _ = await over(here)
        result, ciro = here.shown, here.people[-1]
        await here.never(winner)
        await here.press(ciro, result, "winner")
        assert here.tap.public()[-1].message["allowed_mentions"].get("users", []) == []
        await here.press(winner, here.shown, "decline")
        await here.press(ciro, result, "winner")
        assert here.private_text(ciro) == refusal_text(TableRefusal.NOT_ACCEPTED)


async def test_the_winner_is_mentioned_for_nobody_who_may_not_write_there(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        await over(here)
        *_, ciro = here.people
        deny = discord.Permissions(send_messages=True).value
        here.env.backend.set_overwrite(here.channel.id, Overwrite(ciro.id, OverwriteType.MEMBER, 0, deny))
        await here.press(ciro, here.shown, "winner")
        assert here.private_text(ciro) == refusal_text(CommonRefusal.MAY_NOT_WRITE)
        assert here.bot.parts.manager.at(here.channel.id) is None


async def test_a_rematch_goes_first_and_costs_the_challenger_nothing_once(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO, clicks_per_10_seconds=200) as here:
        winner, loser = await over(here)
        result, ciro = here.shown, here.people[-1]
        for _ in range(2):
            await here.press(ciro, result, "winner")
            challenge = here.shown
            assert f"**Ciro** challenges {winner.mention}" in text_of(challenge)
            await here.press(ciro, result, "rematch")
            assert "Only those who played" in here.private_text(ciro)
            await here.press(loser, result, "rematch")
            assert f"**{loser.name}** wants a rematch." in here.public_text
            here.follow()
            await here.press(ciro, result, "winner")
            assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(ciro)
            assert winner.buttons(challenge) == [], "the challenge is closed"
            await here.end(loser)
            await here.wait(600)
        await here.press(ciro, result, "winner")
        here.follow()
        await here.press(winner, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        game = here.table.id
        await here.press(loser, result, "rematch")
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(loser)
        assert here.table.id == game


async def test_challenges_that_give_way_do_not_mention_the_winner_all_day(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO, clicks_per_10_seconds=200) as here:
        winner, loser = await over(here)
        result, ciro = here.shown, here.people[-1]
        for _ in range(3):
            await here.press(ciro, result, "winner")
            assert f"**Ciro** challenges {winner.mention}" in here.public_text
            await here.press(loser, result, "rematch")
            await here.end(loser)
            await here.wait(600)
        await here.press(ciro, result, "winner")
        assert here.private_text(ciro) == refusal_text(TableRefusal.NOT_ACCEPTED)
        await here.wait(SILENCE.total_seconds())
        await here.press(ciro, result, "winner")
        assert f"**Ciro** challenges {winner.mention}" in here.public_text


async def test_a_rematch_that_is_refused_leaves_the_challenge_open(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO, lobbies_per_person=1) as here:
        _, loser = await over(here)
        result, ciro = here.shown, here.people[-1]
        await here.press(ciro, result, "winner")
        challenge = here.table
        other = here.world.guild.create_text_channel("otra")
        await loser.slash(other, "escoba play")
        await here.press(loser, result, "rematch")
        assert refusal_text(TableRefusal.TOO_MANY_LOBBIES) in here.private_text(loser)
        assert here.table is challenge
        assert challenge.phase is Phase.LOBBY


@pytest.mark.parametrize("asked", ["winner", "loser", "by a player"])
async def test_only_a_challenge_to_the_winner_by_somebody_else_gives_way(room_of: RoomOf, asked: str):
    async with room_of(3, chance=brief.TWO) as here:
        winner, loser = await over(here)
        result, ciro = here.shown, here.people[-1]
        challenger, player = {"winner": (ciro, winner), "loser": (ciro, loser), "by a player": (loser, winner)}[asked]
        await challenger.slash(here.channel, "escoba challenge", player=player.actor, target=5)
        challenge = here.table.id
        await here.press(winner, result, "rematch")
        assert (here.table.id != challenge) is (asked == "winner")
        if asked != "winner":
            assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(winner)


async def test_a_challenge_gives_way_to_no_rematch_of_an_older_match(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        winner, loser = await over(here)
        older, ciro = here.shown, here.people[-1]
        await here.press(loser, older, "rematch")
        await here.press(winner, here.shown, "join")
        for person in (winner, loser):
            await here.press(person, here.shown, "hand")
        await here.finish()
        await ciro.slash(here.channel, "escoba challenge", player=winner.actor, target=5)
        challenge = here.table.id
        await here.press(loser, older, "rematch")
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in here.private_text(loser)
        assert here.table.id == challenge


async def test_the_two_who_have_played_have_their_rematch(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        winner, loser = await over(here)
        result = here.shown
        await here.press(winner, result, "winner")
        assert here.private_text(winner).startswith("You can't challenge yourself.")
        await here.press(loser, result, "winner")
        assert f"**{loser.name}** wants a rematch." in here.public_text


async def test_of_three_anybody_else_plays_the_winner(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE) as here:
        await here.begin(target=5, friendly=True)
        await here.finish()
        winner = next(person for person in here.people if f"{person.name} wins!" in here.public_text)
        other, result = next(person for person in here.people if person is not winner), here.shown
        await here.restart(killed=True)
        await here.press(other, result, "winner")
        assert f"**{other.name}** challenges {winner.mention}" in here.public_text


async def test_no_winner_is_played_after_robots_pairs_or_slow_matches(room_of: RoomOf):
    async with room_of(4, chance=brief.PAIRS) as here:
        await here.begin(pairs=True, target=5)
        await here.finish()
        assert not offers(here)
    async with room_of(1, chance=brief.TWO) as here:
        ana = await here.lobby(target=5)
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.finish()
        assert "Rematch" in [each.label for each in ana.buttons(here.shown)]
        assert not offers(here)


async def test_a_best_of_three_is_played_to_its_end_first(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO, clicks_per_10_seconds=200) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.options(ana, "series")
        await here.agree()
        await here.press(ana, here.shown, "start")
        shown = [await result_of(here)]
        while shown[-1] is False and len(shown) < 3:
            await here.press(ana, here.shown, "rematch")
            await here.press(bea, here.shown, "join")
            shown.append(await result_of(here))
        assert shown in ([False, True], [False, False, True])


async def result_of(here: Room) -> bool:
    """Play a match to its end; return whether the winner is to be played."""
    for person in here.people:
        await here.press(person, here.shown, "hand")
    await here.finish()
    return offers(here)
