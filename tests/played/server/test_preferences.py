"""People's choices for themselves in `/escoba me` hold for what they alone see, and nowhere else."""

import pytest

from bot.tables.log.pace import Tempo
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, alt_texts_of, set_locale
from tests.support.phrases import YOUR_HAND


async def choose(here: Room, person: Person, field: str, value: str) -> None:
    """Choose something in `/escoba me`."""
    await person.slash(here.channel, "escoba me")
    await person.choose(person.panel(here.channel), [field], custom_id="^m:change$")
    await person.choose(person.panel(here.channel), [value], custom_id=f"^m:{field}$")


async def test_with_text_only_somebody_gets_no_picture_of_their_own_whatever_the_server_has(room_of: RoomOf) -> None:
    async with room_of(2, pictures=True, chance=brief.TWO) as here:
        ana, bea = here.people
        await choose(here, ana, "text_only", "on")
        await here.begin(target=5)
        assert alt_texts_of(here.shown), "everybody's table is as the server has it"
        assert alt_texts_of(here.panel(bea))
        assert not alt_texts_of(here.panel(ana))
        await here.finish()
        commands = (
            "hand",
            "table",
            "stats",
            "games",
            "today",
            "practice",
            "learn",
            "rules",
            "leaderboard",
            "tournament",
        )
        for command in commands:
            await ana.slash(here.channel, f"escoba {command}")
        own = [each for each in ana.messages(here.channel) if each.flags.ephemeral]
        assert len(own) > len(commands)
        assert [alt_texts_of(each) for each in own if alt_texts_of(each)] == []
        await bea.slash(here.channel, "escoba stats")
        assert alt_texts_of(bea.panel(here.channel))


@pytest.mark.spanish
async def test_private_words_are_in_the_persons_language_and_public_ones_in_the_servers(room_of: RoomOf) -> None:
    async with room_of(2, guild_locale="en-US") as here:
        ana, bea = here.people
        set_locale(ana, "en-US")
        await choose(here, ana, "language", "es")
        assert "Tus preferencias" in here.private_text(ana)
        set_locale(bea, "es-ES")
        await choose(here, bea, "language", "en")
        await here.begin()
        assert "**En la mesa**" in here.private_text(ana)
        assert YOUR_HAND in here.private_text(bea)
        assert "to 21 points" in here.public_text or "round" in here.public_text.lower()


async def test_without_a_language_of_the_server_a_table_has_that_of_the_person_who_opens_it(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        await choose(here, here.people[0], "language", "es")
        await here.lobby()
        assert here.table.locale == "es"


async def test_ones_own_deck_is_shown_to_oneself_alone(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, bea = here.people
        await choose(here, ana, "deck", "french")
        await here.begin()
        suits = "♠♥♦♣"
        assert any(suit in here.private_text(ana) for suit in suits)
        for text in (here.public_text, here.private_text(bea)):
            assert not any(suit in text for suit in suits)
        await choose(here, ana, "deck", "usual")
        await ana.slash(here.channel, "escoba hand")
        assert not any(suit in here.private_text(ana) for suit in suits)


async def test_lobbies_begin_with_the_pace_of_the_person_who_opens_them(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, bea = here.people
        await choose(here, ana, "tempo", "three_days")
        await here.lobby()
        assert here.table.view().config.tempo is Tempo.THREE_DAYS
        await here.end(ana)
        await ana.slash(here.channel, "escoba challenge", player=bea.actor)
        assert here.table.view().config.tempo is Tempo.THREE_DAYS
        await here.end(ana)
        await bea.slash(here.channel, "escoba play")
        assert here.table.view().config.tempo is Tempo.USUAL


async def test_a_daily_hour_within_ones_quiet_hours_is_shown_with_the_hour_at_which_one_is_told(
    room_of: RoomOf,
) -> None:
    async with room_of(1) as here:
        [ana] = here.people
        await choose(here, ana, "slow_notice", "daily")
        await choose(here, ana, "digest_hour", "7")
        assert "7:00 → 8:00 (UTC)" in here.private_text(ana)
        await choose(here, ana, "digest_hour", "8")
        assert "**Hour of the private message** · 8:00 (UTC)" in here.private_text(ana)
