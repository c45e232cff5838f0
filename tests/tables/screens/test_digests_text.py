"""A layout's digest says whether a message shows it already, without painting its picture."""

import subprocess
import sys
from dataclasses import replace

from bot.engine.cards import DECK
from bot.platform.drawing.scenes import Picture
from bot.platform.language.faces import Deck
from bot.platform.layout import Layout, box_of, notice
from bot.platform.transport.files import Shown
from bot.tables.pictures.table import TableScene

SCENE = TableScene(Deck.SPANISH, (), tuple(DECK[:4]), None, (), None)
PICTURE = Picture(b"some bytes", "table.png", b"their digest")


def table_of(scene: TableScene, text: str = "Ana plays") -> Layout:
    return box_of(1, {"type": 10, "content": text}, scene=scene)


def test_with_its_picture_a_layout_has_the_digest_it_was_expected_to_have() -> None:
    layout = table_of(SCENE)
    drawn = layout.with_picture(PICTURE)
    assert drawn.digest == drawn.whole_digest == layout.whole_digest
    assert drawn.without_picture.digest == layout.digest != drawn.digest


def test_layouts_that_look_different_have_different_digests() -> None:
    others = [table_of(replace(SCENE, deck=Deck.FRENCH)), table_of(SCENE, "Bea plays"), notice("Ana plays")]
    assert len({each.whole_digest for each in (table_of(SCENE), *others)}) == 4


def test_a_layout_without_a_drawing_is_whole_without_a_picture() -> None:
    assert notice("hello").digest == notice("hello").whole_digest != notice("hallo").digest


def test_a_message_shows_a_layout_wholly_only_with_its_picture() -> None:
    layout = table_of(SCENE)
    assert Shown(layout.whole_digest).shows(layout.whole_digest)
    assert not Shown(layout.digest).shows(layout.whole_digest)
    assert not Shown().shows(layout.whole_digest)


def test_another_process_computes_the_same_digest() -> None:
    imports = "import gc; gc.disable(); from tests.tables.screens.test_digests_text import *"
    code = f"{imports}; print(table_of(SCENE).whole_digest)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == table_of(SCENE).whole_digest
