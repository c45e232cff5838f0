"""The parts of the figures: heads, limbs, crowns and hats, and the cloth of each suit."""

from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.deck.ink import BLUE, BROWN, GREEN, INK, RED, SKIN, SNOW, STEEL, YELLOW, disc, line, oval, path
from bot.engine.cards import Suit

_BLUSH: Final = "#e79a6c"


@dataclass(frozen=True, slots=True)
class Dress:
    """The colours of a suit's people: cloth, lining, trimmings, hose, hair and horse."""

    cloth: str
    lining: str
    trim: str
    hose: str
    hair: str
    horse: str


DRESSES: Final = {
    Suit.OROS: Dress(RED, BLUE, YELLOW, SNOW, "#d9932f", SNOW),
    Suit.COPAS: Dress(BLUE, RED, YELLOW, YELLOW, "#5b3416", "#c98d4b"),
    Suit.ESPADAS: Dress(YELLOW, BLUE, RED, STEEL, INK, "#8f9aa6"),
    Suit.BASTOS: Dress(GREEN, YELLOW, RED, RED, "#a5441c", BROWN),
}


def limb(d: str, colour: str, width: float = 19) -> str:
    """A sleeve or a leg along a line."""
    return line(d, width + 6) + line(d, width, colour)


def hand(x: float, y: float, radius: float = 9) -> str:
    """A fist."""
    return disc(x, y, radius, SKIN) + line(f"M{x - 4} {y - 2}H{x + 5}M{x - 4} {y + 3}H{x + 4}", 1.8)


def visage(*, stern: bool = False) -> str:
    """A face around (0, 0), some fifty units high, looking a little to the left."""
    brows = "M-14 -9L-4 -7M14 -9L4 -7" if stern else "M-14 -8Q-9 -12 -4 -8M14 -8Q9 -12 4 -8"
    return (
        path("M-20 -14C-22 14 -10 27 0 27C10 27 22 14 20 -14C20 -28 -20 -28 -20 -14Z", SKIN)
        + disc(-12, 8, 4.5, _BLUSH, width=0) + disc(12, 8, 4.5, _BLUSH, width=0)
        + line(brows, 2.6)
        + oval(-9, -2, 4.2, 2.8, SNOW, width=1.6) + oval(9, -2, 4.2, 2.8, SNOW, width=1.6)
        + disc(-9.6, -2, 2.3, INK, width=0) + disc(8.4, -2, 2.3, INK, width=0)
        + line("M1 -4L-4 9Q-1 11 3 10", 2.2)
        + path("M-6 17Q0 14 6 17Q0 22 -6 17Z", RED, width=1.6)
    )  # fmt: skip


def bob(colour: str) -> str:
    """A page's hair, cut at the chin: the part behind the face that frames it."""
    return path("M-27 -10C-30 -38 30 -38 27 -10L30 16Q24 26 12 22V-6H-12V22Q-24 26 -30 16Z", colour) + line(
        "M-24 -4V14M24 -4V14M-19 0V18M19 0V18", 2
    )


def fringe(colour: str) -> str:
    """The hair that falls on a forehead."""
    return path("M-22 -10C-24 -34 24 -34 22 -10C16 -18 8 -16 0 -19C-8 -16 -16 -18 -22 -10Z", colour, width=2.5)


def long_hair(colour: str) -> str:
    """A king's hair, down to the shoulders, behind the face."""
    return path(
        "M-24 -14C-34 0 -28 10 -33 22C-36 32 -28 38 -18 34H18C28 38 36 32 33 22C28 10 34 0 24 -14Z", colour
    ) + line("M-26 4Q-22 14 -27 28M26 4Q22 14 27 28", 2)


def beard(colour: str, length: float) -> str:
    """A full beard with its moustache; `length` from the chin down."""
    tip = 24 + length
    return (
        path(
            f"M-20 0C-24 24 -20 {tip - 8:g} -8 {tip:g}Q-4 {tip - 6:g} 0 {tip + 5:g}Q4 {tip - 6:g} 8 {tip:g}"
            "C20 32 24 24 20 0C16 10 10 11 0 11C-10 11 -16 10 -20 0Z",
            colour,
        )
        + path("M0 10C-6 8 -14 10 -17 18C-10 21 -4 19 0 14C4 19 10 21 17 18C14 10 6 8 0 10Z", colour, width=2.2)
        + path("M-5 20Q0 18 5 20Q0 24 -5 20Z", RED, width=1.4)
        + line(f"M-9 27Q-11 {tip - 12:g} -6 {tip - 8:g}M0 28V{tip - 4:g}M9 27Q11 {tip - 12:g} 6 {tip - 8:g}", 1.8)
    )


def crown(jewels: str) -> str:
    """A crown that sits on a head at (0, 0)."""
    return (
        path("M-27 -18L-34 -52L-18 -36L0 -60L18 -36L34 -52L27 -18Q0 -27 -27 -18Z", YELLOW)
        + path("M-28 -22Q0 -32 28 -22L27 -13Q0 -22 -27 -13Z", jewels, width=2.5)
        + disc(-34, -54, 4.5, jewels, width=2.2) + disc(34, -54, 4.5, jewels, width=2.2)
        + disc(0, -63, 5.5, jewels, width=2.2)
        + disc(0, -38, 4.5, SNOW, width=2) + disc(-16, -22, 2, SNOW, width=0) + disc(0, -25, 2, SNOW, width=0)
        + disc(16, -22, 2, SNOW, width=0)
    )  # fmt: skip


def beret(cloth: str, feather: str) -> str:
    """A soft cap with a feather."""
    return (
        path("M20 -34C34 -62 58 -58 62 -36C50 -44 40 -36 28 -24Z", feather, width=2.5)
        + line("M26 -30Q40 -50 56 -44", 1.8)
        + path("M-30 -18C-42 -44 -6 -54 12 -48C34 -46 36 -28 28 -18Q0 -28 -30 -18Z", cloth)
        + path("M-29 -20Q0 -31 28 -20L26 -11Q0 -21 -27 -11Z", feather, width=2.5)
    )


def brimmed(cloth: str, feather: str) -> str:
    """A rider's hat with its brim turned up and a trailing plume."""
    return (
        path("M2 -40C20 -66 54 -56 58 -30C62 -20 52 -14 48 -20C46 -34 30 -40 14 -28Z", feather, width=2.5)
        + line("M12 -36Q34 -50 50 -26", 1.8)
        + path("M-20 -18C-20 -48 20 -48 20 -18Z", cloth)
        + path("M-38 -22Q-30 -10 0 -16Q30 -10 38 -22Q34 -6 0 -8Q-34 -6 -38 -22Z", cloth)
        + line("M-19 -22Q0 -26 19 -22", 4, feather)
    )


def helmet(plume: str) -> str:
    """An iron morion with its comb and a plume."""
    return (
        path("M14 -40C30 -66 56 -56 54 -26C46 -38 36 -40 22 -32Z", plume, width=2.5)
        + line("M20 -36Q36 -50 48 -38", 1.8)
        + path("M-24 -20C-24 -50 24 -50 24 -20Z", STEEL)
        + path("M-20 -38C-10 -66 10 -66 20 -38Q0 -52 -20 -38Z", STEEL)
        + path("M-40 -12Q-30 -26 0 -24Q30 -26 40 -12Q20 -18 0 -16Q-20 -18 -40 -12Z", STEEL)
        + "".join(disc(x, -27, 2.4, YELLOW, width=1.5) for x in (-15, -5, 5, 15))
    )  # fmt: skip


def hood(cloth: str, trim: str) -> str:
    """A forester's pointed cap, its tip falling to the side."""
    return (
        path("M-28 -16C-34 -42 -8 -64 22 -54C44 -48 48 -28 42 -12C36 -28 32 -30 27 -16Q0 -28 -28 -16Z", cloth)
        + disc(42, -10, 5, trim, width=2.5)
        + path("M-29 -17Q0 -29 28 -17L27 -8Q0 -19 -28 -8Z", trim, width=2.5)
        + line("M2 -46Q18 -46 26 -34", 2)
    )


def garland(flower: str) -> str:
    """Hair with a wreath of flowers in it."""
    blossoms = "".join(
        disc(x, y, 6.5, colour, width=2.2) + disc(x, y, 2, INK, width=0)
        for x, y, colour in ((-24, -22, RED), (-13, -30, flower), (0, -33, RED), (13, -30, flower), (24, -22, RED))
    )
    return (
        path("M-27 -12C-32 -46 32 -46 27 -12C20 -34 -20 -34 -27 -12Z", "#5b3416")
        + line("M-27 -14Q0 -40 27 -14", 7)
        + line("M-27 -14Q0 -40 27 -14", 3.5, GREEN)
        + blossoms
    )
