"""A database knows whose it is: the first bot that finds its servers there keeps it, unless another adopts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.process.belonging import adopt, belongs, claim
from bot.process.emojis import EMOJI_IDS, Kept, known_faces
from bot.settings import SettingsError
from bot.store import Store
from bot.ui.pictures.emojis import Uploaded
from bot.ui.words.faces import Deck
from tests.support.databases import with_tables

OURS, THEIRS = 614807913302851594, 614807913302851595


async def test_a_database_belongs_to_the_application_that_claimed_it_first(tmp_path: Path) -> None:
    store = await Store.open(with_tables(tmp_path / "escoba.sqlite3"))
    assert not await belongs(store, OURS)
    await claim(store, OURS)
    await claim(store, THEIRS)
    assert await belongs(store, OURS)
    with pytest.raises(SettingsError, match=rf"{OURS}.* token of {THEIRS}.*`sync --adopt`"):
        await belongs(store, THEIRS)
    await adopt(store, THEIRS)
    assert await belongs(store, THEIRS)
    with pytest.raises(SettingsError):
        await belongs(store, OURS)
    await store.close()


async def test_an_application_shows_no_emojis_that_were_uploaded_by_another(tmp_path: Path) -> None:
    store = await Store.open(with_tables(tmp_path / "escoba.sqlite3"))
    uploaded = Uploaded(Deck.SPANISH, "7o", "7_de_oros", 7, "889e9ab2")
    await store.set_value(f"{EMOJI_IDS}{THEIRS}", Kept((uploaded,)).dump())
    assert (await known_faces(store, OURS))[Deck.SPANISH].emojis == {}
    assert (await known_faces(store, THEIRS))[Deck.SPANISH].emojis == {"7o": "<:7_de_oros:7>"}
    await store.close()
