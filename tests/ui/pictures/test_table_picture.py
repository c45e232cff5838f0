"""The public picture and all panels share the table's compressed rows, and no hand is among them."""

from __future__ import annotations

import zlib
from dataclasses import replace

import pytest

from bot.engine.cards import DECK
from bot.ui.pictures import table_picture
from bot.ui.pictures.canvas import WIDE
from bot.ui.pictures.png import Piece
from bot.ui.pictures.scenes import PanelScene, TableScene, Taking
from bot.ui.pictures.table_picture import Kept, Shared, paint_panel, paint_table, put_together
from bot.ui.words.faces import Deck
from tests.ui.pictures.test_png import chunks
from tests.ui.pictures.test_studio import scene_of

HANDS = [(DECK[0], DECK[11], DECK[39]), (DECK[5],), ()]
PLAIN = scene_of()
SWEPT = replace(PLAIN, cards=(), latest=Taking(0, 0, DECK[3], (DECK[7],), 1), escoba="Escoba!")
LAID = replace(PLAIN, laid=DECK[8], choices=((PLAIN.cards[0],), (PLAIN.cards[0], PLAIN.cards[-1])))
every_table = pytest.mark.parametrize("table", [PLAIN, SWEPT, LAID], ids=["plain", "escoba", "laid"])


def rows(file: bytes) -> list[bytes]:
    """A file's rows of pixels."""
    data = zlib.decompress(chunks(file)[b"IDAT"])
    return [data[at + 1 : at + 1 + WIDE] for at in range(0, len(data), 1 + WIDE)]


@every_table
def test_a_public_picture_is_the_same_whichever_hand_was_painted_before_it(table: TableScene) -> None:
    alone = paint_table(table, Shared())
    for hand in HANDS:
        shared = Shared()
        paint_panel(PanelScene(table, hand), shared)
        assert paint_table(table, shared) == alone


@every_table
def test_a_panel_is_the_public_picture_with_the_hand_below_it(table: TableScene) -> None:
    shared = Shared()
    public = rows(paint_table(table, shared))
    panels = [rows(paint_panel(PanelScene(table, hand), shared)) for hand in HANDS]
    for panel in panels:
        assert panel[: len(public)] == public
    assert panels[0][len(public) :] != panels[1][len(public) :]
    assert panels[2] == public


def test_what_is_shared_is_compressed_once_and_holds_only_the_publics_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Piece] = []
    compressed = table_picture.Canvas.compressed

    def counted(canvas: table_picture.Canvas) -> Piece:
        made.append(compressed(canvas))
        return made[-1]

    monkeypatch.setattr(table_picture.Canvas, "compressed", counted)
    shared = Shared()
    panels = [paint_panel(PanelScene(PLAIN, hand), shared) for hand in HANDS]
    public = paint_table(PLAIN, shared)
    paint_panel(PanelScene(replace(PLAIN, cards=PLAIN.cards[:1]), HANDS[0]), shared)
    table, _, _, _ = made  # then two hands, of which one is still held when the table has changed, and that table
    held = b"".join(b"\0" + row for row in rows(public))
    assert zlib.decompressobj(-15).decompress(table.deflated) == held
    for panel in panels:
        assert chunks(panel)[b"IDAT"][2:].startswith(table.deflated)


@every_table
def test_a_picture_can_be_put_together_once_its_parts_were_painted(table: TableScene) -> None:
    shared = Shared()
    panels = [PanelScene(table, hand) for hand in HANDS]
    assert not any(put_together(scene, shared) for scene in (table, *panels))
    for panel in panels[:2]:
        paint_panel(panel, shared)
        paint_panel(replace(panel, table=LAID if table is PLAIN else PLAIN), shared)
    assert put_together(table, shared) == paint_table(table, Shared())
    for panel in panels:
        assert put_together(panel, shared) == paint_panel(panel, Shared())
    assert put_together(PanelScene(table, HANDS[0][:2]), shared) is None


def test_what_was_asked_for_lately_stays() -> None:
    made: list[int] = []

    def make(number: int) -> Piece:
        made.append(number)
        return Piece(b"", number, 1)

    kept = Kept(make, 2)
    for number in (1, 2, 1, 3, 1, 2):
        assert kept.made(number).length == number
    assert made == [1, 2, 3, 2]
    assert (kept.at_hand(3), kept.at_hand(1)) == (None, Piece(b"", 1, 1))


def test_a_hand_of_the_other_deck_is_another() -> None:
    other = replace(PLAIN, deck=Deck.FRENCH)
    shared = Shared()
    assert paint_panel(PanelScene(PLAIN, HANDS[0]), shared) != paint_panel(PanelScene(other, HANDS[0]), shared)


def test_what_is_kept_of_tables_and_hands_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_picture.Canvas, "compressed", lambda canvas: Piece(b"", 0, 1))
    shared = Shared()
    for number in range(600):
        table = replace(PLAIN, sides=(replace(PLAIN.sides[0], total=number % 150), *PLAIN.sides[1:]))
        paint_panel(PanelScene(table, (DECK[number // 30], DECK[number % 30], DECK[39])), shared)
    assert (len(shared.tables), len(shared.hands)) == (128, 512)
