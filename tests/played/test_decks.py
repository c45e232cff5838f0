"""A server chooses its deck: French cards have French suits and indices everywhere and play the same."""

import discord

from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, text_of

SPANISH = ("🪙", "🏆", "🗡️", "🪵", "sota", "caballo", "rey")


async def choose_deck(here: Room, deck: str) -> None:
    """Choose a deck in the guild settings as a server manager."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    boss = Person(here.world.guild.add_member(here.env.create_user("Jefa"), roles=[role]))
    await here.setting(boss, "deck", deck)


async def test_the_table_panels_and_buttons_show_french_cards(room_of: RoomOf):
    rigged = Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"}, dealer=1)
    async with room_of(2, chance=rigged) as here:
        await choose_deck(here, "french")
        await here.restart()
        await here.begin()
        ana, bea = here.people
        table = "A♦️  3♥️  7♥️  K♦️"
        assert table in here.public_text
        assert table in text_of(here.panel(ana))
        labels = [button.label for button in ana.buttons(here.panel(ana))]
        assert labels[0] == "4♣️ · 2 ways"
        await here.press(ana, here.panel(ana), "card", "4b")
        said = [here.public_text, text_of(here.panel(ana)), text_of(here.panel(bea)), *labels]
        said += [button.label for button in ana.buttons(here.shown)]
        assert "ace ♦️ (1) + king ♦️ (10)" in said
        await here.press(bea, here.shown, "guide")
        said.append(here.private_text(bea).partition("**Scoring")[0].partition("**Example")[2])
        assert not [text for text in said if any(word in text for word in SPANISH)]


async def test_cards_are_spanish_by_default(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        assert any(suit in here.public_text for suit in SPANISH[:4])
        assert not any(suit in here.public_text for suit in ("♦️", "♥️", "♠️", "♣️"))
