"""The public picture and all panels share the table's compressed rows, which include no hand."""

import zlib
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.cards.pictures.canvas import LEAST, WIDE, Canvas, fitting
from bot.cards.pictures.deck.signs import width_of, writing
from bot.cards.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, GOLD, TABLE_HEIGHT, TABLE_WIDTH, rgb
from bot.engine.cards import DECK
from bot.platform.drawing.png import Piece
from bot.platform.drawing.scenes import Scene, Shared, paint
from bot.platform.language.faces import Deck
from bot.tables.pictures.sides import Side
from bot.tables.pictures.table import PanelScene, TableScene, Taking
from tests.platform.drawing.test_png import chunks
from tests.platform.drawing.test_studio import scene_of
from tests.support.dose import thorough_but
from tests.support.painted import Box, in_colour, meets, paintings

HANDS = [(DECK[0], DECK[11], DECK[39]), (DECK[5],), ()]
PLAIN = scene_of()
SWEPT = replace(PLAIN, places=(), latest=Taking(0, 0, DECK[3], (DECK[7],), 1), escoba="Escoba!")
LAID = replace(PLAIN, laid=DECK[8], choices=((PLAIN.cards[0],), (PLAIN.cards[0], PLAIN.cards[-1])))
every_table = pytest.mark.parametrize("table", [PLAIN, SWEPT, LAID], ids=["plain", "escoba", "laid"])


def rows(file: bytes) -> list[bytes]:
    """A file's rows of pixels."""
    data = zlib.decompress(chunks(file)[b"IDAT"])
    return [data[at + 1 : at + 1 + WIDE] for at in range(0, len(data), 1 + WIDE)]


@every_table
def test_a_public_picture_is_the_same_whichever_hand_was_painted_before_it(table: TableScene) -> None:
    alone = paint(table, Shared())
    for hand in HANDS:
        shared = Shared()
        paint(PanelScene(table, hand), shared)
        assert paint(table, shared) == alone


@every_table
def test_a_panel_is_the_public_picture_with_the_hand_below_it(table: TableScene) -> None:
    shared = Shared()
    public = rows(paint(table, shared).data)
    panels = [rows(paint(PanelScene(table, hand), shared).data) for hand in HANDS]
    for panel in panels:
        assert panel[: len(public)] == public
    assert len({b"".join(panel[len(public) :]) for panel in panels}) == len(panels)


def test_shared_rows_are_compressed_once_and_only_public_ones_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Piece] = []
    compressed = Canvas.compressed

    def counted(canvas: Canvas) -> Piece:
        made.append(compressed(canvas))
        return made[-1]

    monkeypatch.setattr(Canvas, "compressed", counted)
    shared = Shared()
    panels = [paint(PanelScene(PLAIN, hand), shared).data for hand in HANDS]
    public = paint(PLAIN, shared).data
    paint(PanelScene(replace(PLAIN, places=PLAIN.cards[:1]), HANDS[0]), shared)
    table, *_ = made
    assert len(made) == 5  # after it, three hands, and the changed table: one of the hands is still held then
    held = b"".join(b"\0" + row for row in rows(public))
    assert zlib.decompressobj(-15).decompress(table.deflated) == held
    for panel in panels:
        assert chunks(panel)[b"IDAT"][2:].startswith(table.deflated)


@every_table
def test_a_picture_can_be_put_together_once_its_parts_were_painted(table: TableScene) -> None:
    shared = Shared()
    panels = [PanelScene(table, hand) for hand in HANDS]
    assert not any(scene.put_together(shared) for scene in (table, *panels))
    for panel in panels:
        paint(panel, shared)
        paint(replace(panel, table=LAID if table is PLAIN else PLAIN), shared)
    assert table.put_together(shared) == paint(table, Shared())
    for panel in panels:
        assert panel.put_together(shared) == paint(panel, Shared())
    assert PanelScene(table, HANDS[0][:2]).put_together(shared) is None


def test_a_hand_of_the_other_deck_is_a_different_picture() -> None:
    other = replace(PLAIN, deck=Deck.FRENCH)
    shared = Shared()
    assert paint(PanelScene(PLAIN, HANDS[0]), shared) != paint(PanelScene(other, HANDS[0]), shared)


def state(*, cards: int = 4, laid: bool = False, choices: int = 0, latest: Taking | None = None) -> TableScene:
    """A table with this many cards on it, in one of the states that occur in a match."""
    on_table = DECK[:cards]
    return replace(
        PLAIN,
        places=on_table,
        laid=DECK[39] if laid else None,
        choices=tuple(on_table[n % cards : n % cards + 2] for n in range(choices)),
        latest=latest,
        escoba="Escoba!" if latest is not None and latest.escobas else "",
    )


TAKEN = [Taking(1, 0, DECK[30], DECK[31 : 31 + taken], 0) for taken in range(9)]
STATES = [
    *(state(cards=cards) for cards in range(39)),
    *(
        state(cards=cards, laid=True, choices=choices)
        for cards, choices in ((2, 1), (5, 4), (9, 20), (14, 20), (36, 9))
    ),
    *(state(cards=6, latest=latest) for latest in TAKEN),
    state(cards=0, latest=replace(TAKEN[3], escobas=1)),
    state(cards=0, latest=replace(TAKEN[4], card=None, escobas=2)),
]


def size_of(file: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(file)) as image:
        return image.size


def seated(scene: TableScene, sides: int, names: tuple[str, ...]) -> TableScene:
    """The table with this many sides, each of players with these names."""
    hands = (3,) * len(names)
    return replace(scene, sides=tuple(Side(names, hands, 12, 2, 20, 0 if not n else None) for n in range(sides)))


@pytest.mark.parametrize(
    ("sides", "players", "height"),
    [
        (2, 1, 400),
        (3, 2, 420),
        *(pytest.param(*each, marks=pytest.mark.thorough) for each in ((3, 1, 400), (4, 1, 400), (2, 2, 420))),
    ],
)
def test_a_table_has_one_size_whatever_lies_on_it(sides: int, players: int, height: int) -> None:
    sizes = {size_of(paint(seated(each, sides, ("Ana",) * players), Shared()).data) for each in STATES}
    assert len(sizes) == 1
    wide, high = sizes.pop()
    assert wide == WIDE
    assert 350 < high <= height


@pytest.mark.parametrize(("most", "height"), [(3, 600), (10, 770)])
def test_a_panel_has_one_size_all_through_a_match(most: int, height: int) -> None:
    shared = Shared()
    hands = [DECK[:cards] for cards in range(most + 1)]
    panels = [
        PanelScene(table, hand, most, swept=swept) for table in STATES[::7] for hand in hands for swept in (True, False)
    ]
    sizes = {size_of(paint(panel, shared).data) for panel in panels}
    assert len(sizes) == 1
    assert sizes.pop()[1] <= height


@pytest.mark.parametrize("cards", thorough_but([3, 9, 10, 11, 16, 22, 33, 38], 11, 38))
def test_every_card_on_the_table_keeps_its_index_in_sight(cards: int) -> None:
    """Exchanging any one card on the table changes at least 20 pixels each way, enough for its index."""
    scene = state(cards=cards)
    image = pixels(scene)
    for place in range(cards):
        other = [*scene.places]
        other[place] = DECK[39] if other[place] is not DECK[39] else DECK[38]
        changed = ImageChops.difference(image, pixels(replace(scene, places=tuple(other)))).getbbox()
        assert changed is not None, place
        assert changed[2] - changed[0] >= 20, place
        assert changed[3] - changed[1] >= 20, place


def pixels(scene: TableScene) -> Image.Image:
    with Image.open(BytesIO(paint(scene, Shared()).data)) as image:
        return image.convert("RGB")


def gold_of(scene: TableScene, box: tuple[int, int, int, int]) -> int:
    """The number of pixels within `box` in the gold that marks whose turn it is."""
    part = pixels(scene).crop(box)
    return sum(count for count, colour in part.getcolors(box[2] * box[3]) or () if colour == rgb(GOLD))


@pytest.mark.parametrize(("sides", "width"), [(2, 300), (3, 200)])
def test_of_a_pair_only_the_partner_at_turn_is_marked(sides: int, width: int) -> None:
    scene = seated(PLAIN, sides, ("Maximiliano", "Wilhelmina M"))
    for turn in (0, 1):
        now = replace(scene, sides=(replace(scene.sides[0], turn=turn), *scene.sides[1:]))
        lines = [(0, 4, width, 36), (0, 38, width, 70)]
        assert gold_of(now, lines[turn]) > 0.4 * width * 32
        assert gold_of(now, lines[1 - turn]) == 0
        assert gold_of(now, (width, 0, WIDE, 70)) == 0


def test_the_hand_of_a_player_at_turn_is_marked_with_the_name() -> None:
    scene = seated(PLAIN, 2, ("Ana",))
    below_the_name = (0, 38, 90, 100)
    assert gold_of(scene, below_the_name) > 300
    assert gold_of(replace(scene, sides=scene.sides[::-1]), below_the_name) == 0


@pytest.mark.parametrize("name", ["Maximiliano", "WILHELMINA M", "Ñandú Güemes", "Wilhelmina von Hohenstein"])
@pytest.mark.parametrize("width", [284, 190, 140, 134])
def test_a_name_is_written_smaller_before_it_is_cut_but_never_too_small_for_a_phone(name: str, width: int) -> None:
    shown, high = fitting(name, width, 20, "#1")
    room = (width_of(name) + 22) / 60
    assert (shown == name) == (room * 14 <= width)
    assert high == max(14, min(20, int(width / room)))


def test_a_name_without_a_letter_of_the_alphabets_is_its_sign_or_else_its_stand_in() -> None:
    for name in ("محمد", "🎉🎉", "日本", "-"):
        assert fitting(name, 140, 20, "#4") == ("#4", 20)
        assert fitting(f"□ {name}", 140, 20, "#4") == ("□", 20)


@pytest.mark.parametrize("fancy", ["𝓔𝓶𝓶𝓪", "Ⓔⓜⓜⓐ", "ᴱᵐᵐᵃ", "𝗘𝗺𝗺𝗮", "ᴇᴍᴍᴀ", "🅴🅼🅼🅰", "🅔🅜🅜🅐"])
def test_a_name_in_fancy_letters_is_written_in_plain_ones(fancy: str) -> None:
    assert fitting(fancy, 140, 20, "#1") == (fancy, 20)
    assert writing(fancy, 0, 0, 20) == writing("Emma", 0, 0, 20)


def test_the_sweepers_name_and_the_owners_frame_say_whose_escoba_it_is() -> None:
    theirs = replace(SWEPT, sides=seated(PLAIN, 2, ("Ana",)).sides)
    shared = Shared()
    assert pixels(theirs) != pixels(replace(theirs, latest=replace(TAKEN[1], escobas=1)))
    panels = [rows(paint(PanelScene(theirs, HANDS[0], swept=swept), shared).data) for swept in (True, False)]
    high = size_of(paint(theirs, shared).data)[1]
    assert panels[0][:high] == panels[1][:high]
    assert panels[0][high:] != panels[1][high:]


def boxes(scene: Scene, size: tuple[int, int]) -> list[Box]:
    """Where sprites of this size lie, cards' faces and backs among them."""
    found = [each for _, painting in paintings(scene) for each in painting.laid]
    return [each.box for each in found if each.sprite.image.size == size]


def apart(found: list[Box]) -> bool:
    return not any(meets(one, other) for one, other in combinations(found, 2))


def test_ten_cards_in_hand_lie_whole_in_five_columns() -> None:
    hand = boxes(PanelScene(PLAIN, DECK[:10], 10), (CARD_WIDTH, CARD_HEIGHT))
    assert len({left for left, *_ in hand}) == 5
    assert len(hand) == 10
    assert apart(hand)
    assert min(left for left, *_ in hand) >= 4
    assert max(right for _, _, right, _ in hand) <= WIDE - 4


@pytest.mark.parametrize(("sides", "players"), [(2, 1), (3, 1), (4, 1), (5, 1), (2, 2), (3, 2), (2, 3)])
def test_each_hand_says_in_a_number_how_many_cards_it_has(sides: int, players: int) -> None:
    scene = seated(PLAIN, sides, ("Ana",) * players)
    hands = tuple(range(7, 7 + players))
    scene = replace(scene, sides=tuple(replace(side, hands=hands) for side in scene.sides))
    [(_, painting)] = paintings(scene)
    numbers = [each.words for each in painting.written]
    assert all(numbers.count(str(number)) == sides for number in hands)


def test_at_five_seats_hand_and_pile_lie_apart_and_escobas_are_no_cards() -> None:
    scene = seated(PLAIN, 5, ("Ana",))
    assert boxes(scene, (44, 28)) == []
    alone = [
        boxes(replace(scene, sides=tuple(replace(side, **nothing) for side in scene.sides)), (28, 44))
        for nothing in ({"hands": (0,)}, {"pile": 0})
    ]
    assert all(alone)
    assert not any(meets(one, other) for one in alone[0] for other in alone[1])


@pytest.mark.parametrize(("sides", "players"), [(2, 1), (4, 1), (5, 1), (2, 2), (3, 2)])
@pytest.mark.parametrize(("total", "escobas"), [(0, 1), (19, 2), (101, 12)])
def test_the_rounds_escobas_are_written_apart_from_the_points_of_the_match(
    sides: int, players: int, total: int, escobas: int
) -> None:
    scene = seated(PLAIN, sides, ("Ana", "Bea")[:players])
    scene = replace(scene, sides=tuple(replace(each, total=total, escobas=escobas) for each in scene.sides))
    [(_, painting)] = paintings(scene)
    points = [each.box for each in painting.written if each.words == str(total)]
    gained = [each.box for each in painting.written if each.words == f"+{escobas}"]
    assert len(points) == len(gained) == sides
    assert apart(points + gained)
    assert all(left >= 0 and right <= WIDE for left, _, right, _ in gained)
    none = replace(scene, sides=tuple(replace(each, escobas=0) for each in scene.sides))
    [(_, painting)] = paintings(none)
    assert not any(each.words.startswith("+") for each in painting.written)


@pytest.mark.parametrize("taken", range(2, 7))
def test_captured_cards_show_an_index_of_two_digits(taken: int) -> None:
    found = boxes(state(cards=0, latest=Taking(1, 0, None, DECK[31 : 31 + taken], 0)), (TABLE_WIDTH, TABLE_HEIGHT))
    assert len(found) == taken
    for one, other in combinations(found, 2):
        assert one[1] != other[1] or abs(one[0] - other[0]) > TABLE_WIDTH // 2


@pytest.mark.parametrize(("cards", "choices"), [(2, 1), (5, 4), (9, 9), (9, 20), (14, 20), (36, 9)])
def test_the_number_of_a_capture_is_as_high_as_other_text(cards: int, choices: int) -> None:
    [(_, painting)] = paintings(state(cards=cards, laid=True, choices=choices))
    badges = [each.sprite for each in painting.laid if each.sprite.width == each.sprite.height and not each.colour]
    numbers = [each for each in painting.written if each.words.isdigit() and each.ground == GOLD]
    assert badges or numbers
    for badge in badges:
        edge = badge.width // 6  # within the ring
        number = in_colour(badge.image).convert("L").crop((edge, edge, badge.width - edge, badge.width - edge))
        box = number.point([255 if level < 110 else 0 for level in range(256)]).getbbox()
        assert box is not None
        assert box[3] - box[1] >= LEAST + 1  # with the stroke, whose outermost row of pixels is half covered
