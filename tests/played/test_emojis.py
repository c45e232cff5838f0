"""The application's emojis: uploaded by the sync, named by the hash of their drawing, used after the next start."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.engine.cards import DECK, Suit
from bot.process.belonging import application_of
from bot.process.emojis import EMOJI_IDS, known_faces, sync_emojis
from bot.ui.pictures import emojis
from bot.ui.pictures.emojis import card_emojis
from bot.ui.screens.layout import button, layout_of, row
from bot.ui.transport.plain_faces import with_plain_faces
from bot.ui.words.cards import named, on_button, shown
from bot.ui.words.faces import PLAIN, CardFaces, Deck
from bot.ui.words.texts import words
from tests.played.conftest import RoomOf
from tests.support.errors import Expected
from tests.support.limits_commands import emoji_problems

EN = words("en")


async def names(bot: discord.Client) -> set[str]:
    """The names of the application's emojis."""
    return {emoji.name for emoji in await bot.fetch_application_emojis()}


def changed(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """Change the drawing of one Spanish card."""
    other = tuple(
        replace(each, name=f"escoba_{key}_00000000") if (each.deck, each.key) == (Deck.SPANISH, key) else each
        for each in card_emojis()
    )
    monkeypatch.setattr("bot.process.emojis.card_emojis", lambda: other)
    monkeypatch.setattr(emojis, "card_emojis", lambda: other)


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


async def test_a_sync_uploads_every_emoji_once_and_logs_its_progress(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture
) -> None:
    async with room_of(1) as here:
        with caplog.at_level(logging.INFO, "bot.process.emojis"):
            await sync_emojis(here.bot, here.bot.store)
        assert "Emojis: 10 of 88 uploaded" in caplog.text
        assert "Emojis: 88 of 88 uploaded" in caplog.text
        assert await names(here.bot) == {emoji.name for emoji in card_emojis()}
        caplog.clear()
        with caplog.at_level(logging.INFO, "bot.process.emojis"):
            await sync_emojis(here.bot, here.bot.store)
        assert "0 new, 0 outdated" in caplog.text


async def test_a_changed_drawing_replaces_its_emoji_and_other_emojis_stay(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(1) as here:
        await here.bot.create_application_emoji(name="escoba_party", image=card_emojis()[0].image())
        await sync_emojis(here.bot, here.bot.store)
        old = next(emoji.name for emoji in card_emojis() if emoji.key == "7o")
        before = await known_faces(here.bot.store, application_of(here.bot))
        changed(monkeypatch, "7o")
        await sync_emojis(here.bot, here.bot.store)
        assert {"escoba_7o_00000000", "escoba_party", old} <= await names(
            here.bot
        )  # a running bot still shows the old one
        after = await known_faces(here.bot.store, application_of(here.bot))
        assert before[Deck.SPANISH].emojis["7o"].startswith(f"<:{old}:")
        assert after[Deck.SPANISH].emojis["7o"].startswith("<:escoba_7o_00000000:")
        await sync_emojis(here.bot, here.bot.store)
        assert old not in await names(here.bot)
        assert "escoba_party" in await names(here.bot)


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
            await sync_emojis(here.bot, here.bot.store)
        assert len(json.loads(await here.bot.store.get_value(f"{EMOJI_IDS}:{application_of(here.bot)}") or "{}")) == 5
        monkeypatch.setattr(here.bot, "create_application_emoji", create)
        await sync_emojis(here.bot, here.bot.store)
        assert len(await here.bot.fetch_application_emojis()) == 88


async def test_a_bot_that_was_never_synced_shows_standard_emojis(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        assert here.bot.parts.wording.faces[Deck.SPANISH].emojis == PLAIN.emojis
        assert here.bot.parts.wording.faces[Deck.FRENCH].deck is Deck.FRENCH


@pytest.mark.parametrize("pictures", [False, True])
async def test_when_discord_refuses_an_emoji_the_game_goes_on_with_plain_faces(
    room_of: RoomOf, expected_errors: Expected, pictures: bool
) -> None:
    expected_errors.append(("bot.process.wording", "refused an emoji.*run `make sync`"))
    async with room_of(2, pictures=pictures) as here:
        here.tap.watchers.remove(here.watch)  # it checks texts, which show emojis until one is refused
        ids = json.dumps({emoji.name: 614807913302851594 for emoji in card_emojis()})
        await here.bot.store.set_value(f"{EMOJI_IDS}:{application_of(here.bot)}", ids)
        await here.bot.parts.wording.load(application_of(here.bot))
        await here.begin(target=5)
        turn = here.table.view().match.turn  # type: ignore[union-attr]
        assert "'emoji': {'name': '" in str(here.people[turn].stored(here.panel(here.people[turn])).components)  # type: ignore[index]
        assert {request.code for request in here.tap.refused} == {50035}
        refused = len(here.tap.refused)
        for person in here.people:
            await here.press(person, here.shown, "hand")
            shown = str(person.stored(here.panel(person)).components)
            assert "escoba_" not in shown
        await here.play_out(until=lambda: here.table.version > 12)
        assert len(here.tap.refused) == refused


def test_only_emojis_of_our_own_are_replaced_by_common_ones() -> None:
    name = next(emoji.name for emoji in card_emojis() if (emoji.deck, emoji.key) == (Deck.FRENCH, "12o"))
    suit = next(emoji.name for emoji in card_emojis() if (emoji.deck, emoji.key) == (Deck.SPANISH, "o"))
    parts = (f"A <:{name}:7> and 🎴", row(button("e:x", "7", emoji=f"<:{suit}:8>"), button("e:y", "Hint", emoji="💡")))
    plain = ("A K\u2060♦️ and 🎴", row(button("e:x", "7", emoji="🪙"), button("e:y", "Hint", emoji="💡")))
    assert with_plain_faces(layout_of(*parts)) == layout_of(*plain)


async def test_texts_and_buttons_show_the_applications_emojis_after_a_sync(room_of: RoomOf) -> None:
    async with room_of(1) as here:
        await sync_emojis(here.bot, here.bot.store)
        faces = (await known_faces(here.bot.store, application_of(here.bot)))[Deck.SPANISH]
        t = words("en", faces=faces)
        for card in DECK:
            assert re.fullmatch(rf"<:escoba_{card}_[0-9a-f]{{8}}:\d+>", shown(card, t))
            text, emoji = on_button(card, t)
            assert str(card.printed) in text
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
