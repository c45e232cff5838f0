"""The application's emojis: uploaded by the sync, named after their cards, used after the next start."""

import logging
import re
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.cards.pictures.emojis import CardEmoji, Uploaded, card_emojis, common_form
from bot.cards.words.cards import named, on_button, shown
from bot.engine.cards import DECK, Suit
from bot.platform.language.catalogues import words
from bot.platform.language.faces import PLAIN, CardFaces, Deck
from bot.platform.layout import button, layout_of, row
from bot.platform.transport.plain_faces import with_plain_faces
from bot.process.belonging import application_of
from bot.process.wording import EMOJI_IDS, FEW, WHILE, Kept, known_faces, sync_emojis
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf, bot_maker, settings_for
from tests.support.limits_commands import emoji_problems
from tests.support.limits_components import walk

EN = words("en")


async def names(bot: discord.Client) -> set[str]:
    """The names of the application's emojis."""
    return {emoji.name for emoji in await bot.fetch_application_emojis()}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Upload the same picture for every emoji: drawing 88 takes a second."""
    image = card_emojis()[0].image()
    monkeypatch.setattr(CardEmoji, "image", lambda _: image)


def changed(monkeypatch: pytest.MonkeyPatch, key: str, drawing: str) -> None:
    """Change the drawing of one Spanish card."""
    other = tuple(
        replace(each, drawing=drawing) if (each.deck, each.key) == (Deck.SPANISH, key) else each
        for each in card_emojis()
    )
    monkeypatch.setattr("bot.process.wording.card_emojis", lambda: other)


def by_name(ids: Iterable[tuple[CardEmoji, int]]) -> str:
    """What is stored after a sync in which Discord gave the emojis these ids."""
    return Kept(tuple(Uploaded(each.deck, each.key, each.name, id_, each.digest) for each, id_ in ids)).dump()


async def shown_as(here: Room, key: str, deck: Deck = Deck.SPANISH) -> str:
    """The emoji that the next start would show for a card."""
    return (await known_faces(here.bot.parts.stores.values, application_of(here.bot)))[deck].emojis[key]


def test_each_card_and_suit_of_both_decks_has_an_emoji_within_discords_limits() -> None:
    found = card_emojis()
    assert len({emoji.name for emoji in found}) == len(found) == 2 * (len(DECK) + len(Suit))
    for emoji in found[::9]:
        image = emoji.image()
        assert image.startswith(b"\x89PNG")
        assert int.from_bytes(image[16:20]) == int.from_bytes(image[20:24]) == 128
        assert len(image) <= 32 * 1024
        assert re.fullmatch(r"\w{2,32}", emoji.name, re.ASCII)
    assert list(emoji_problems({"name": found[0].name, "image": "data:image/png;base64,AAAA"})) == []


@pytest.mark.usefixtures("undrawn")
async def test_a_start_before_the_first_sync_asks_for_it(
    room_of: RoomOf, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with room_of(1) as here:
        here.make = bot_maker(settings_for(tmp_path), forgets=False)
        with caplog.at_level(logging.INFO):
            await here.restart()
            assert "the command `sync` uploads them" in caplog.text
            await sync_emojis(here.bot, here.bot.parts.stores.values)
            caplog.clear()
            await here.restart()
            assert "the command `sync`" not in caplog.text


@pytest.mark.usefixtures("undrawn")
async def test_a_sync_uploads_every_emoji_once_and_logs_its_progress(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture
) -> None:
    async with room_of(1) as here:
        with caplog.at_level(logging.INFO, "bot.process.wording"):
            await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert "Emojis: 10 of 88 uploaded" in caplog.text
        assert "Emojis: 88 of 88 uploaded" in caplog.text
        assert await names(here.bot) == {emoji.name for emoji in card_emojis()}
        caplog.clear()
        with caplog.at_level(logging.INFO, "bot.process.wording"):
            await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert "0 new, 0 outdated" in caplog.text


@pytest.mark.parametrize(
    ("key", "deck", "name"),
    [
        ("1c", Deck.SPANISH, "as_de_copas"),
        ("7o", Deck.SPANISH, "7_de_oros"),
        ("11e", Deck.SPANISH, "caballo_de_espadas"),
        ("b", Deck.SPANISH, "bastos"),
        ("1c", Deck.FRENCH, "ace_of_hearts"),
        ("11e", Deck.FRENCH, "queen_of_spades"),
        ("o", Deck.FRENCH, "diamonds"),
    ],
)
def test_an_emoji_has_the_name_of_its_card(key: str, deck: Deck, name: str) -> None:
    assert [each.name for each in card_emojis() if (each.deck, each.key) == (deck, key)] == [name]


@pytest.mark.usefixtures("undrawn")
async def test_a_changed_drawing_replaces_its_emoji_and_other_emojis_stay(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(1) as here:
        await here.bot.create_application_emoji(name="escoba_party", image=card_emojis()[0].image())
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        first = await shown_as(here, "7o")
        changed(monkeypatch, "7o", "another")
        assert await shown_as(here, "7o") == first, "the old drawing is better than none"
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert {"7_de_oros_2", "escoba_party", "7_de_oros"} <= await names(here.bot)  # a running bot shows the old one
        assert (await shown_as(here, "7o")).startswith("<:7_de_oros_2:")
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert "7_de_oros" not in await names(here.bot)
        assert {"7_de_oros_2", "escoba_party"} <= await names(here.bot)
        changed(monkeypatch, "7o", "a third")
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert (await shown_as(here, "7o")).startswith("<:7_de_oros:"), "the name is free again"
        assert len(await names(here.bot)) == 88 + 2


@pytest.mark.usefixtures("undrawn")
async def test_an_emoji_of_somebody_else_is_neither_shown_nor_deleted(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(1) as here:
        theirs = await here.bot.create_application_emoji(name="copas", image=card_emojis()[0].image())
        here.env.backend.application_emojis[theirs.id].user_id = here.people[0].id
        for _ in range(2):
            await sync_emojis(here.bot, here.bot.parts.stores.values)
            assert (await shown_as(here, "c")).startswith("<:copas_2:")
            assert theirs.id in {emoji.id for emoji in await here.bot.fetch_application_emojis()}


@pytest.mark.usefixtures("undrawn")
async def test_a_sync_that_was_killed_uploads_nothing_twice(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        emoji = next(each for each in card_emojis() if each.name == "rey_de_bastos")
        made = await here.bot.create_application_emoji(name=emoji.name, image=emoji.image())
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert await shown_as(here, "12b") == f"<:rey_de_bastos:{made.id}>"
        assert len(await here.bot.fetch_application_emojis()) == 88


@pytest.mark.usefixtures("undrawn")
async def test_a_failed_sync_resumes_without_uploading_anything_twice(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(1) as here:
        create = here.bot.create_application_emoji
        calls: list[str] = []

        async def failing(*, name: str, image: bytes) -> Any:
            if len(calls) == 5:
                raise OSError("gone")
            calls.append(name)
            return await create(name=name, image=image)

        monkeypatch.setattr(here.bot, "create_application_emoji", failing)
        with pytest.raises(OSError, match="gone"):
            await sync_emojis(here.bot, here.bot.parts.stores.values)
        known = await known_faces(here.bot.parts.stores.values, application_of(here.bot))
        assert sum(len(faces.emojis) for faces in known.values()) == 5
        monkeypatch.setattr(here.bot, "create_application_emoji", create)
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert len(await here.bot.fetch_application_emojis()) == 88


@pytest.mark.usefixtures("undrawn")
async def test_an_outdated_emoji_that_discord_does_not_delete_yet_is_deleted_by_a_later_sync(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(1) as here:
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        changed(monkeypatch, "7o", "another")
        await sync_emojis(here.bot, here.bot.parts.stores.values)

        async def limited(_: discord.Emoji) -> None:
            raise discord.RateLimited(1800.0)

        with monkeypatch.context() as now:
            now.setattr(discord.Emoji, "delete", limited)
            assert not await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert "7_de_oros" in await names(here.bot)
        assert (await shown_as(here, "7o")).startswith("<:7_de_oros_2:")
        assert await sync_emojis(here.bot, here.bot.parts.stores.values)
        assert "7_de_oros" not in await names(here.bot)


async def test_a_bot_that_was_never_synced_shows_standard_emojis(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        assert here.bot.parts.wording.faces[Deck.SPANISH].emojis == PLAIN.emojis
        assert here.bot.parts.wording.faces[Deck.FRENCH].deck is Deck.FRENCH


@asynccontextmanager
async def emojis_shown(room_of: RoomOf, *, known: bool, **how: Any) -> AsyncGenerator[Room]:
    """A table for two whose cards are shown by emojis. `known`: whether Discord knows them."""
    async with room_of(2, **how) as here:
        here.tap.watchers.remove(here.watch)  # the watch checks texts, which show emojis until one is refused
        if known:
            await sync_emojis(here.bot, here.bot.parts.stores.values)
        else:
            ids = by_name((emoji, 614807913302851594) for emoji in card_emojis())
            await here.bot.parts.stores.values.set(f"{EMOJI_IDS}{application_of(here.bot)}", ids)
        await here.bot.parts.wording.load(application_of(here.bot))
        yield here


def refuse_emojis(here: Room, times: int) -> None:
    """Have Discord refuse the next messages with emojis, as on a bad day."""
    backend: Any = here.env.backend
    backend._tests_emoji_refusals = times


def shows_emojis(here: Room) -> bool:
    """Whether the latest panel of the player whose turn it is shows the application's emojis."""
    person = here.people[here.table.view().match.turn]  # type: ignore[union-attr, index]
    return any("id" in (node.get("emoji") or ()) for _, node in walk(person.stored(here.panel(person)).components))


@pytest.mark.parametrize("pictures", thorough_but([False, True], False))
async def test_while_discord_refuses_the_emojis_the_game_goes_on_with_plain_faces(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture, pictures: bool
) -> None:
    async with emojis_shown(room_of, known=False, pictures=pictures) as here:
        await here.begin(target=5)
        assert not shows_emojis(here)
        assert {request.code for request in here.tap.refused} == {50035}
        await here.play_out(until=lambda: here.table.version > 12)
        assert "run the command `sync`" in caplog.text
        refused = len(here.tap.refused)
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.play_out(until=lambda: here.table.version > 18)
        assert len(here.tap.refused) == refused, "no emoji is tried again so soon"
        assert not shows_emojis(here)


async def test_one_refusal_of_a_valid_emoji_costs_nobody_their_cards(room_of: RoomOf) -> None:
    async with emojis_shown(room_of, known=True) as here:
        await here.begin(target=5)
        assert shows_emojis(here)
        refuse_emojis(here, 1)
        await here.play_out(until=lambda: here.table.version > 6)
        assert len(here.tap.refused) == 1
        assert shows_emojis(here), "the same message was accepted when it was sent again"


async def test_after_repeated_refusals_emojis_come_back_within_minutes(room_of: RoomOf) -> None:
    async with emojis_shown(room_of, known=True) as here:
        await here.begin(target=5)
        refuse_emojis(here, 2 * FEW)
        await here.play_out(until=lambda: here.table.version > 12)
        assert not shows_emojis(here)
        await here.wait(WHILE.total_seconds())
        person = here.people[here.table.view().match.turn]  # type: ignore[union-attr, index]
        await here.press(person, here.shown, "hand")
        assert shows_emojis(here)


def test_only_emojis_of_our_own_are_replaced_by_common_ones() -> None:
    name = next(emoji.name for emoji in card_emojis() if (emoji.deck, emoji.key) == (Deck.FRENCH, "12o"))
    suit = next(emoji.name for emoji in card_emojis() if (emoji.deck, emoji.key) == (Deck.SPANISH, "o"))
    numbered = f"A <:{name}_2:7>"
    assert with_plain_faces(layout_of(numbered), common_form) == layout_of("A K\u2060♦️")
    parts = (f"A <:{name}:7> and 🎴", row(button("e:x", "7", emoji=f"<:{suit}:8>"), button("e:y", "Hint", emoji="💡")))
    plain = ("A K\u2060♦️ and 🎴", row(button("e:x", "7", emoji="🪙"), button("e:y", "Hint", emoji="💡")))
    assert with_plain_faces(layout_of(*parts), common_form) == layout_of(*plain)


@pytest.mark.thorough
async def test_texts_and_buttons_show_the_applications_emojis_after_a_sync(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        await sync_emojis(here.bot, here.bot.parts.stores.values)
        faces = (await known_faces(here.bot.parts.stores.values, application_of(here.bot)))[Deck.SPANISH]
        t = words("en", faces=faces)
        for card in DECK:
            assert re.fullmatch(rf"<:\w+_de_{card.suit.name.lower()}:\d+>", shown(card, t))
            text, emoji = on_button(card, t)
            assert re.findall(r"\d+", text) == [str(card.worth)]
            assert emoji == faces.emojis[card.suit.letter]


@pytest.mark.parametrize("french", [False, True])
def test_a_card_never_breaks_across_two_lines(french: bool) -> None:
    t = words("en", faces=CardFaces(Deck.FRENCH if french else Deck.SPANISH))
    for card in DECK:
        index, joined, suit = shown(card, t).partition("\u2060")
        assert index.isalnum()
        assert joined
        assert suit
        assert shown(card, t) in named(card, t)
        assert " " not in shown(card, t)
