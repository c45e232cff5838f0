"""A database knows whose it is: the first bot that finds its servers there keeps it, unless another adopts it."""

from pathlib import Path

import pytest

from bot.cards.pictures.emojis import Uploaded
from bot.platform.language.faces import Deck
from bot.process.belonging import adopt, belongs, claim
from bot.process.stores import Stores
from bot.process.wording import EMOJI_IDS, Kept, known_faces
from bot.settings import SettingsError
from tests.support.databases import with_tables

OURS, THEIRS = 614807913302851594, 614807913302851595


async def test_a_database_belongs_to_the_application_that_claimed_it_first(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    assert not await belongs(store.values, OURS)
    await claim(store.values, OURS)
    await claim(store.values, THEIRS)
    assert await belongs(store.values, OURS)
    with pytest.raises(SettingsError, match=rf"{OURS}.* token of {THEIRS}.*`sync --adopt`"):
        await belongs(store.values, THEIRS)
    await adopt(store.values, THEIRS)
    assert await belongs(store.values, THEIRS)
    with pytest.raises(SettingsError):
        await belongs(store.values, OURS)
    await store.database.close()


async def test_an_application_shows_no_emojis_that_were_uploaded_by_another(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    uploaded = Uploaded(Deck.SPANISH, "7o", "7_de_oros", 7, "889e9ab2")
    await store.values.set(f"{EMOJI_IDS}{THEIRS}", Kept((uploaded,)).dump())
    assert (await known_faces(store.values, OURS))[Deck.SPANISH].emojis == {}
    assert (await known_faces(store.values, THEIRS))[Deck.SPANISH].emojis == {"7o": "<:7_de_oros:7>"}
    await store.database.close()
