"""Rated or friendly, as people agree in the lobby, and what that means for hints and the leaderboard."""

import re

from bot.tables.ids.game import Ref, Verb
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import Person, forge, text_of
from tests.support.phrases import refusal_text


def verbs(here: Room, person: Person) -> set[str]:
    """The verbs of the buttons on a person's panel."""
    return {each.custom_id.split(":")[1] for each in person.buttons(here.panel(person))}


async def test_a_lobby_that_anybody_made_friendly_stays_so_until_its_opener_changes_it(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, stranger = here.people
        await here.lobby(bea)
        assert "🏅 rated" in here.public_text
        assert stranger.buttons(await here.options(stranger)) == []
        await here.options(bea, "rated", "f")
        assert "**Friendly**: it doesn't count. No hints." in here.private_text(bea)
        assert "🤝 friendly" in here.public_text
        offered = await here.options(bea)
        assert all(":rated:" not in each.custom_id for each in bea.buttons(offered))
        await forge(bea, offered, Ref(here.table.id, args=("r",)).custom_id(Verb.RATED))
        assert refusal_text(TableRefusal.NOT_RATER) in here.private_text(bea)
        await here.options(ana, "rated", "r")
        assert "🏅 rated" in here.public_text


async def test_a_friendly_match_has_hints_and_counts_for_nothing(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.options(bea, "rated", "f")
        await here.options(ana, "hints", "on")
        assert "Hints are allowed." in here.private_text(ana)
        await here.press(ana, here.shown, "start")
        assert "friendly" in here.public_text
        await here.press(ana, here.shown, "hand")
        await here.press(bea, here.shown, "hand")
        at_turn = next(person for person in here.people if "Your turn" in here.private_text(person))
        assert "hint" in verbs(here, at_turn)
        await here.finish()
        assert "A friendly match: it doesn't count." in here.private_text(ana)
        assert "Leaderboard" not in here.private_text(ana)
        result = here.shown
        await here.press(bea, result, "rematch")
        assert "🤝 friendly" in here.public_text
        await here.options(bea, "rated", "r")
        await here.press(ana, result, "rematch")  # it would begin at once, and Ana hasn't seen that it is rated now
        assert here.private_text(ana) == refusal_text(TableRefusal.CHANNEL_BUSY)
        assert here.table.phase is Phase.LOBBY


async def test_what_the_options_say_is_what_the_match_brings(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.lobby(bea, target=5)
        await here.options(ana)
        told = re.findall(r"^-# (\w+) \(1,000\?\): win \+(\d+) · loss −(\d+)$", here.private_text(ana), re.MULTILINE)
        assert [name for name, _, _ in told] == ["Ana", "Bea"]
        [(_, win, loss), _] = told
        await here.press(ana, here.shown, "start")
        for person in (ana, bea):
            await here.press(person, here.shown, "hand")
        await here.finish()
        winner, loser = ("Ana", "Bea") if "Ana wins" in here.public_text else ("Bea", "Ana")
        assert f"1,000 → **{1000 + int(win):,}?** (+{win})" in here.private_text(here.named(winner))
        assert f"1,000 → **{1000 - int(loss)}?** (−{loss})" in here.private_text(here.named(loser))
        await here.restart()
        await ana.slash(here.channel, "escoba challenge", player=bea.actor)
        assert f"{winner} ({1000 + int(win):,}?): win +" in here.public_text


async def test_a_server_may_have_its_lobbies_begin_as_friendly_ones(room_of: RoomOf):
    async with room_of(2) as here:
        boss = here.people[0]
        own(here, boss)
        await here.setting(boss, "rated", "off")
        ana, bea = here.people[:2]
        await here.lobby(bea)
        assert "🤝 friendly" in here.public_text
        await here.press(ana, here.shown, "start")
        assert here.table.phase is Phase.PLAYING
        assert not here.table.view().config.rated


async def test_against_computers_a_lobby_is_for_practice_until_somebody_joins(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby()
        await here.press(here.people[0], here.shown, "addc")
        assert "🎯 practice" in here.public_text
        options = await here.options(here.people[0])
        assert "**Practice** against robots" in text_of(options)
        assert not any(":rated:" in each.custom_id for each in here.people[0].buttons(options))
        await here.press(here.people[1], here.shown, "join")
        assert "🏅 for the leaderboard" in here.public_text
        assert "With a robot at the table, ratings don't change." in text_of(await here.options(here.people[1]))
