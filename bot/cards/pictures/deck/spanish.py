"""The Spanish deck's faces, and its pips."""

from typing import Final

from bot.cards.pictures.deck.figures import figure
from bot.cards.pictures.deck.ink import (
    BLUE,
    GREEN,
    HEIGHT,
    INK,
    LEAF,
    PAPER,
    RED,
    WIDTH,
    YELLOW,
    block,
    disc,
    line,
    path,
    placed,
)
from bot.cards.pictures.deck.signs import writing
from bot.cards.pictures.deck.suits import basto, copa, espada, pip, rimmed, star, sun
from bot.engine.cards import Card, Rank, Suit

Point = tuple[float, float]

Places = dict[int, tuple[float, tuple[Point, ...]]]

_ROUND: Final[Places] = {
    2: (1.0, ((100, 92), (100, 218))),
    3: (0.84, ((128, 66), (100, 155), (72, 244))),
    4: (0.78, ((58, 106), (142, 106), (58, 206), (142, 206))),
    5: (0.72, ((60, 98), (140, 98), (100, 155), (60, 212), (140, 212))),
    6: (0.6, ((70, 75), (130, 75), (70, 155), (130, 155), (70, 235), (130, 235))),
    7: (0.56, ((71, 68), (129, 68), (100, 118), (71, 168), (129, 168), (71, 240), (129, 240))),
}
"""Coins and cups: their size and centres."""
_ROUND_SMALL: Final[Places] = {
    2: (0.98, ((132, 92), (76, 226))),
    3: (0.8, ((146, 62), (122, 152), (64, 240))),
    4: (0.65, ((60, 196), (140, 196), (60, 264), (140, 264))),
    5: (0.65, ((136, 88), (60, 196), (140, 196), (60, 264), (140, 264))),
    6: (0.56, ((42, 198), (100, 198), (158, 198), (42, 260), (100, 260), (158, 260))),
    7: (0.56, ((136, 88), (42, 198), (100, 198), (158, 198), (42, 260), (100, 260), (158, 260))),
}
"""In the small cut they lie around the index with its suit, six and seven in threes."""
_TALL: Final[Places] = {
    2: (1.5, ((59, 155), (141, 155))),
    3: (1.1, ((100, 92), (66, 216), (134, 216))),
    4: (1.1, ((66, 92), (134, 92), (66, 218), (134, 218))),
    5: (0.78, ((64, 84), (136, 84), (100, 155), (64, 226), (136, 226))),
    6: (0.95, ((50, 97), (100, 97), (150, 97), (50, 213), (100, 213), (150, 213))),
    7: (0.72, ((64, 78), (136, 78), (50, 155), (100, 155), (150, 155), (64, 232), (136, 232))),
}
"""Swords and clubs."""
_TALL_SMALL: Final[Places] = {
    2: (1.22, ((62, 228), (138, 228))),
    3: (1.08, ((134, 86), (62, 232), (138, 232))),
    4: (0.98, ((109, 84), (162, 84), (66, 234), (134, 234))),
    5: (0.98, ((109, 84), (162, 84), (44, 234), (100, 234), (156, 234))),
    6: (0.84, ((108, 86), (158, 86), (31, 232), (77, 232), (123, 232), (169, 232))),
    7: (0.76, ((88, 86), (129, 86), (170, 86), (31, 232), (77, 232), (123, 232), (169, 232))),
}
_PLACES: Final = {
    (False, False): _ROUND,
    (False, True): _ROUND_SMALL,
    (True, False): _TALL,
    (True, True): _TALL_SMALL,
}


def pips(count: int, suit: Suit, *, small: bool) -> str:
    """The pips of a card with `count` of them."""
    if count == 1:
        return placed(_ACES[suit](), 120, 196, size=0.8) if small else placed(_ACES[suit](), 100, 158, size=0.92)
    tall = suit in (Suit.ESPADAS, Suit.BASTOS)
    size, middles = _PLACES[tall, small][count]
    one = pip(suit)
    return "".join(placed(one, x, y, size=size) for x, y in middles)


def _ribbon(colour: str) -> str:
    """A ribbon across the foot of an ace."""
    return (
        path("M-66 58L-84 84L-60 78L-46 92L-40 66Z", colour) + path("M66 58L84 84L60 78L46 92L40 66Z", colour)
        + path("M-66 52Q-30 78 0 72Q30 78 66 52L62 80Q30 104 0 98Q-30 104 -62 80Z", "#fffaf0")
        + star(6, 9, 4, colour, width=1.5).replace("<path", '<path transform="translate(0 86)"')
        + disc(-24, 85, 3.5, colour, width=1.5) + disc(24, 85, 3.5, colour, width=1.5)
        + line("M-54 70Q-46 76 -38 79M54 70Q46 76 38 79", 2)
    )  # fmt: skip


def _leaf(x: float, y: float, turn: float, fill: str = LEAF) -> str:
    return placed(path("M0 0C8 -10 22 -10 32 0C22 9 8 9 0 0Z", fill, width=2.5) + line("M4 0H26", 1.8), x, y, turn=turn)


def _ace_of_oros() -> str:
    crown = (
        path("M-30 -72L-40 -112L-20 -96L0 -122L20 -96L40 -112L30 -72Q0 -80 -30 -72Z", YELLOW)
        + path("M-30 -72Q0 -82 30 -72L29 -62Q0 -71 -29 -62Z", RED) + disc(-40, -114, 5, RED, width=2)
        + disc(40, -114, 5, RED, width=2) + disc(0, -124, 6, BLUE, width=2) + disc(0, -95, 5, BLUE, width=2)
    )  # fmt: skip
    return crown + placed(sun(), size=1.1) + placed(_ribbon(RED), 0, 26)


def _ace_of_copas() -> str:
    flame = path("M0 -124C16 -104 14 -92 0 -90C-14 -92 -12 -104 0 -124Z", RED) + path(
        "M0 -108C6 -100 6 -95 0 -94C-6 -95 -6 -100 0 -108Z", YELLOW, width=0
    )
    handles = line("M-62 -52C-96 -54 -96 4 -42 6M62 -52C96 -54 96 4 42 6", 11) + line(
        "M-62 -52C-96 -54 -96 4 -42 6M62 -52C96 -54 96 4 42 6", 5, YELLOW
    )
    lid = path("M-58 -66C-48 -92 48 -92 58 -66Z", BLUE) + line("M-40 -74C-20 -84 20 -84 40 -74", 2.5, "#ffffff")
    return flame + handles + lid + placed(copa(), 0, 0, size=1.75) + placed(_ribbon(BLUE), 0, 30, size=0.98)


def _ace_of_espadas() -> str:
    wreath = "".join(
        _leaf(side * x, y, 90 - side * (90 + turn) if side < 0 else turn)
        for x, y, turn in ((22, 30, -30), (26, 4, -40), (26, -24, -52))
        for side in (-1, 1)
    )
    return wreath + placed(espada(), 0, -2, size=2.3) + placed(_ribbon(RED), 0, 12, size=0.9)


def _ace_of_bastos() -> str:
    leaves = (
        _leaf(-24, 6, 210) + _leaf(-30, 24, 160) + _leaf(30, -58, -30) + _leaf(30, 40, -20) + _leaf(-28, -66, 200)
        + _leaf(34, -8, 10)
    )  # fmt: skip
    return leaves + placed(basto(), 0, -2, size=2.3) + placed(_ribbon(GREEN), 0, 22, size=0.9)


_ACES: Final = {
    Suit.OROS: _ace_of_oros,
    Suit.COPAS: _ace_of_copas,
    Suit.ESPADAS: _ace_of_espadas,
    Suit.BASTOS: _ace_of_bastos,
}


_EDGE: Final = 10
_BREAK: Final = 16
_RIM: Final = 13
PINTA: Final = {Suit.OROS: 0, Suit.COPAS: 1, Suit.ESPADAS: 2, Suit.BASTOS: 3}
"""Breaks that the frame has on each short side."""


def face(card: Card, *, small: bool = False) -> str:
    """A card's drawing. `small` is the cut for the table: a large index and its suit, for which the rest makes room."""
    text = str(card.printed)
    paper = block(1.5, 1.5, WIDTH - 3, HEIGHT - 3, PAPER, radius=16) + frame(card.suit)
    x, y, high, bold = (26, 28, 58, 12.5) if small else (21, 24, 31, 11.5)
    index = writing(text, x, y, high, bold=bold)
    if card.rank > Rank.SEVEN:  # a rim of paper separates it from the figure below
        index = writing(text, x, y, high, bold=bold + (12 if small else 20), colour=PAPER) + index
    if small:
        size, y = (0.58, 127) if card.suit in (Suit.ESPADAS, Suit.BASTOS) else (0.48, 119)
        index += placed(rimmed(pip(card.suit), _RIM), 40, y, size=size)
    else:
        index += placed(index, WIDTH, HEIGHT, turn=180)
    if card.rank <= Rank.SEVEN:
        art = pips(card.rank, card.suit, small=small)
    else:
        art = figure(card.rank, card.suit)
        art = placed(art, 24, 44, size=0.85) if small else placed(art, 4, 4, size=0.97)
    return paper + art + index


def frame(suit: Suit) -> str:
    """The frame with its *pinta*: the breaks by which a player knows the suit from the edge of a fanned card."""
    breaks = PINTA[suit]
    inner = WIDTH - 2 * _EDGE - 16  # the straight part of a short side
    step = inner / (breaks + 1)
    edges = [float(_EDGE + 8)]
    for n in range(1, breaks + 1):
        middle = _EDGE + 8 + step * n if breaks != 3 else _EDGE + 8 + inner * (0.2 + 0.3 * (n - 1))
        edges += [middle - _BREAK / 2, middle + _BREAK / 2]
    edges.append(WIDTH - _EDGE - 8.0)
    top, bottom = _EDGE, HEIGHT - _EDGE
    d = "".join(f"M{a:g} {y}H{b:g}" for a, b in zip(edges[::2], edges[1::2], strict=True) for y in (top, bottom))
    d += f"M{_EDGE} {top + 8}V{bottom - 8}M{WIDTH - _EDGE} {top + 8}V{bottom - 8}"
    for x, y, turn_x, turn_y in (
        (_EDGE, top, 8, 8),
        (WIDTH - _EDGE, top, -8, 8),
        (_EDGE, bottom, 8, -8),
        (WIDTH - _EDGE, bottom, -8, -8),
    ):
        d += f"M{x} {y + turn_y}Q{x} {y} {x + turn_x} {y}"
    return line(d, 3, INK).replace('stroke-width="3"', 'stroke-width="3" stroke-linecap="butt"')
