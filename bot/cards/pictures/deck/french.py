"""The French-suited deck: diamonds for oros, hearts for copas, spades for espadas, clubs for bastos; jota, dama, rey.

The courts are two-headed half figures, as they are printed everywhere, in the dress of our Spanish deck.
"""

from typing import Final

from bot.cards.pictures.deck.bodies import (
    DRESSES,
    Dress,
    beard,
    beret,
    bob,
    crown,
    fringe,
    hand,
    limb,
    long_hair,
    visage,
)
from bot.cards.pictures.deck.ink import (
    BLUE,
    HEIGHT,
    INK,
    PAPER,
    RED,
    SNOW,
    WIDTH,
    YELLOW,
    block,
    disc,
    line,
    path,
    placed,
)
from bot.cards.pictures.deck.signs import writing
from bot.cards.pictures.deck.suits import star
from bot.cards.words.cards import FRENCH_INDICES
from bot.engine.cards import Card, Rank, Suit

COLOURS: Final = {Suit.OROS: RED, Suit.COPAS: RED, Suit.ESPADAS: INK, Suit.BASTOS: INK}
_SHAPES: Final = {
    Suit.OROS: "M0 -48Q14 -20 36 0Q14 20 0 48Q-14 20 -36 0Q-14 -20 0 -48Z",
    Suit.COPAS: "M0 46C-10 20 -44 8 -44 -18C-44 -48 -6 -50 0 -22C6 -50 44 -48 44 -18C44 8 10 20 0 46Z",
    Suit.ESPADAS: "M0 -48C10 -22 43 -10 43 14C43 38 12 40 4 20C5 34 10 42 16 47H-16C-10 42 -5 34 -4 20"
    "C-12 40 -43 38 -43 14C-43 -10 -10 -22 0 -48Z",
    Suit.BASTOS: "M4 18C5 32 10 42 16 47H-16C-10 42 -5 32 -4 18C-14 34 -44 28 -43 4C-42 -16 -22 -20 -13 -12"
    "C-26 -30 -14 -48 0 -48C14 -48 26 -30 13 -12C22 -20 42 -16 43 4C44 28 14 34 4 18Z",
}
_LEFT, _RIGHT = 75, 125
_LIES: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((100, 78), (100, 232)),
    3: ((100, 70), (100, 155), (100, 240)),
    4: ((_LEFT, 82), (_RIGHT, 82), (_LEFT, 228), (_RIGHT, 228)),
    5: ((_LEFT, 82), (_RIGHT, 82), (100, 155), (_LEFT, 228), (_RIGHT, 228)),
    6: ((_LEFT, 78), (_RIGHT, 78), (_LEFT, 155), (_RIGHT, 155), (_LEFT, 232), (_RIGHT, 232)),
    7: ((_LEFT, 76), (_RIGHT, 76), (100, 114), (_LEFT, 155), (_RIGHT, 155), (_LEFT, 234), (_RIGHT, 234)),
}


def index(card: Card) -> str:
    """Draw what is printed in the card's corner."""
    return FRENCH_INDICES.get(card.rank, str(card.printed))


def suit_mark(suit: Suit) -> str:
    """The suit around (0, 0), about a hundred units high."""
    return path(_SHAPES[suit], COLOURS[suit], width=2.5)


def rimmed_mark(suit: Suit) -> str:
    """The suit with a rim of paper, so that black suits stand out on dark backgrounds."""
    return path(_SHAPES[suit], PAPER, width=13, stroke=PAPER) + suit_mark(suit)


def face(card: Card, *, small: bool = False) -> str:
    """A card's drawing; `small` is the cut for the table, with one large index above its suit."""
    colour = COLOURS[card.suit]
    mark = suit_mark(card.suit)
    paper = block(1.5, 1.5, WIDTH - 3, HEIGHT - 3, PAPER, radius=16)
    if small:
        corner = writing(index(card), 24, 27, 65, bold=13, colour=colour)
        corner += placed(rimmed_mark(card.suit), 42, 124, size=0.5)
        if card.rank <= Rank.SEVEN:
            return paper + placed(mark, 118, 208, size=1.5) + corner
        bust = placed(_half(card), 14, 104, size=0.86)
        return (
            paper
            + '<clipPath id="cut"><path d="M0 0H200V299H0Z"/></clipPath>'
            + (f'<g clip-path="url(#cut)">{bust}</g>')
            + corner
            + placed(mark, 148, 62, size=0.9)
        )
    corner = writing(index(card), 19, 22, 32, bold=11, colour=colour) + placed(mark, 29, 80, size=0.3)
    corners = corner + placed(corner, WIDTH, HEIGHT, turn=180)
    if card.rank is Rank.ACE:
        art = _ace(card.suit, mark)
    elif card.rank <= Rank.SEVEN:
        art = "".join(
            placed(mark, x, y, size=0.52, turn=180 if y > HEIGHT / 2 else 0) for x, y in _LIES[card.rank.value]
        )
    else:
        art = _court(card)
    return paper + art + corners


def _ace(suit: Suit, mark: str) -> str:
    rays = placed(star(20, 76, 60, YELLOW, width=2), 100, 155) + disc(100, 155, 61, SNOW, width=2.5)
    return rays + placed(mark, 100, 157 if suit is Suit.COPAS else 155, size=0.94)


def _court(card: Card) -> str:
    half = placed(_half(card), 33, 22, size=0.67) + placed(suit_mark(card.suit), 59, 58, size=0.26)
    clip = '<clipPath id="half"><path d="M45 33H155V189L45 121Z"/></clipPath>'
    upper = f'<g clip-path="url(#half)">{half}</g>'
    frame = block(44, 32, 112, 246, "none", radius=5, outline=2.5)
    ribbon = line("M45 121L155 189", 9, INK) + line("M45 121L155 189", 4, YELLOW)
    return clip + upper + placed(upper, WIDTH, HEIGHT, turn=180) + ribbon + frame


def _half(card: Card) -> str:
    """A figure down to the hips, two hundred units wide, its head around (100, 90)."""
    dress = _DRESSES[card.suit]
    body = (
        path("M40 290C36 200 44 150 66 134Q100 116 134 134C156 150 164 200 160 290Z", dress.cloth)
        + path("M84 130H116L124 290H76Z", dress.lining)
        + "".join(
            path(f"M100 {y - 12}L111 {y}L100 {y + 12}L89 {y}Z", dress.trim, width=2) for y in (170, 200, 230, 260)
        )
        + line("M62 190Q54 230 56 280M138 190Q146 230 144 280", 2.2)
    )
    head = _heads(card, dress)
    held = placed(suit_mark(card.suit), 162, 122, size=0.5)
    arm = limb("M136 150L160 196L162 172", dress.cloth, 20) + hand(162, 156, 10)
    other = limb("M66 156L44 206L82 214", dress.cloth, 20) + hand(88, 214, 10)
    if card.rank is Rank.CABALLO:  # the dama holds a flower
        held = line("M162 150V112", 5, "#3f8f43") + "".join(
            disc(162 + x, 96 + y, 9, dress.trim, width=2.2) for x, y in _PETALS
        ) + disc(162, 97, 6, YELLOW, width=2)  # fmt: skip
    if card.rank is Rank.REY:
        held = (
            line("M162 190V70", 10)
            + line("M162 190V70", 5, YELLOW)
            + disc(162, 62, 12, dress.trim)
            + line("M162 44V54M156 48H168", 4)
        )
    return body + other + held + arm + head


_DRESSES: Final = {
    Suit.OROS: DRESSES[Suit.OROS],
    Suit.COPAS: Dress(YELLOW, RED, BLUE, SNOW, "#8a5a2b", SNOW),
    Suit.ESPADAS: Dress(BLUE, YELLOW, RED, SNOW, INK, SNOW),
    Suit.BASTOS: DRESSES[Suit.BASTOS],
}
_PETALS: Final = ((0, -11), (11, -2), (7, 10), (-7, 10), (-11, -2))
_HAIR: Final = {Suit.OROS: "#d9932f", Suit.COPAS: "#8a5a2b", Suit.ESPADAS: "#2b2522", Suit.BASTOS: "#a5441c"}


def _heads(card: Card, dress: Dress) -> str:
    hair = _HAIR[card.suit]
    if card.rank is Rank.SOTA:
        collar = path("M72 132Q100 112 128 132Q112 148 100 138Q88 148 72 132Z", SNOW, width=2.5)
        return (
            placed(bob(hair), 100, 92)
            + collar
            + placed(visage() + fringe(hair) + beret(dress.lining, dress.trim), 100, 92)
        )
    if card.rank is Rank.CABALLO:
        locks = path("M70 84C54 110 66 128 56 152Q76 166 88 146H112Q124 166 144 152C134 128 146 110 130 84Z", hair)
        veil = path("M66 92C58 30 142 30 134 92C126 62 74 62 66 92Z", hair, width=2.5)
        tiara = path("M76 62L72 40L88 54L100 32L112 54L128 40L124 62Q100 50 76 62Z", YELLOW) + disc(
            100, 30, 5, dress.trim
        )
        necklace = "".join(
            disc(x, y, 3.6, dress.trim, width=1.8)
            for x, y in ((84, 128), (92, 133), (100, 135), (108, 133), (116, 128))
        )
        neck = path("M88 110H112V128Q100 142 88 128Z", "#f4cda4", width=2.5)
        return locks + neck + placed(visage(), 100, 92) + veil + tiara + necklace
    mantle = path("M62 140Q100 112 138 140L134 164Q100 146 66 164Z", SNOW) + line("M76 142V149M124 142V149", 3)
    stern = card.suit in (Suit.ESPADAS, Suit.BASTOS)
    face_ = (
        visage(stern=stern)
        + beard("#f3efe2" if card.suit is Suit.OROS else hair, 12 + 5 * card.suit)
        + crown(dress.trim if dress.trim != YELLOW else BLUE)
    )
    return mantle + placed(long_hair("#f3efe2" if card.suit is Suit.OROS else hair), 100, 92) + placed(face_, 100, 92)
