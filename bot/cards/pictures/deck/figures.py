"""The sota, caballo and rey of each Spanish suit, holding its emblem, in the suit's dress and pose."""

from typing import Final, NamedTuple

from bot.cards.pictures.deck.bodies import (
    DRESSES,
    Dress,
    beard,
    beret,
    bob,
    brimmed,
    crown,
    fringe,
    garland,
    hand,
    helmet,
    hood,
    limb,
    long_hair,
    visage,
)
from bot.cards.pictures.deck.ink import BLUE, BROWN, INK, RED, SNOW, YELLOW, block, disc, line, path, placed
from bot.cards.pictures.deck.suits import pip
from bot.engine.cards import Rank, Suit


class Grip(NamedTuple):
    """The way an emblem is held: its position, size and turn, and the positions of elbow and hand."""

    x: float
    y: float
    size: float
    turn: float
    elbow: tuple[float, float]
    hand: tuple[float, float]


def figure(rank: Rank, suit: Suit) -> str:
    """The figure of a rank and suit, filling a card; the upper left corner stays free for the index."""
    return {Rank.SOTA: _sota, Rank.CABALLO: _caballo, Rank.REY: _rey}[rank](suit, DRESSES[suit])


_SOTA: Final = {
    Suit.OROS: Grip(159, 66, 0.62, 0, (158, 150), (158, 101)),
    Suit.COPAS: Grip(157, 98, 0.68, 0, (160, 166), (157, 130)),
    Suit.ESPADAS: Grip(158, 92, 1.12, 6, (154, 164), (154, 128)),
    Suit.BASTOS: Grip(156, 112, 1.45, 6, (158, 186), (151, 158)),
}


def _sota(suit: Suit, dress: Dress) -> str:
    grip = _SOTA[suit]
    striding = suit in (Suit.COPAS, Suit.BASTOS)
    cape = path("M72 112C40 140 34 210 44 268Q70 256 100 262Q130 256 154 268C166 210 160 140 128 112Z", dress.lining)
    cape += line("M58 160Q50 210 56 256M144 160Q150 210 144 256", 2.2)
    left, right = (
        ("M88 205L84 250L70 284", "M112 205L118 250L116 284") if striding else ("M88 205L86 284", "M112 205L114 284")
    )
    feet = [(70, 286), (117, 286)] if striding else [(84, 286), (116, 286)]
    legs = limb(left, dress.hose, 17) + limb(right, dress.trim if dress.hose != dress.trim else YELLOW, 17)
    legs += path(f"M{feet[0][0] + 11} 278V293H{feet[0][0] - 24}Q{feet[0][0] - 22} 283 {feet[0][0] - 10} 278Z", BROWN)
    legs += path(f"M{feet[1][0] - 11} 278V293H{feet[1][0] + 24}Q{feet[1][0] + 22} 283 {feet[1][0] + 10} 278Z", BROWN)
    tunic = (
        path("M70 114Q100 102 130 114L133 164L148 214Q124 226 100 222Q76 226 52 214L67 164Z", dress.cloth)
        + path("M52 214L55 203Q78 214 100 211Q122 214 145 203L148 214Q124 226 100 222Q76 226 52 214Z",
               dress.trim, width=2.5)
        + path("M90 106H110L106 160H94Z", dress.lining, width=2.5)
        + "".join(disc(100, y, 3.4, dress.trim, width=1.8) for y in (122, 136, 150))
        + line("M76 178L68 202M88 180L86 206M112 180L114 206M124 178L132 202", 2.2)
        + block(64, 158, 72, 13, dress.trim, radius=3, outline=2.5)
        + block(92, 156, 16, 17, YELLOW, radius=3, outline=2.5)
    )  # fmt: skip
    akimbo = limb("M76 124L48 154L68 174", dress.cloth) + hand(70, 175) + line("M62 132L72 142", 3, dress.trim)
    if suit is Suit.ESPADAS:  # the other hand rests on the scabbard
        akimbo = (
            limb("M76 124L54 160L70 188", dress.cloth) + line("M66 186L44 262", 11) + line("M66 186L44 262", 5, RED)
        )
        akimbo += hand(70, 188)
    if suit is Suit.BASTOS:  # and here it is lifted in greeting
        akimbo = limb("M76 124L46 146L40 116", dress.cloth) + path(
            "M33 108Q40 88 47 108Q48 118 40 118Q32 118 33 108Z", "#f4cda4"
        )
    hair = placed(bob(dress.hair), 100, 82)
    hat = {
        Suit.OROS: beret(BLUE, YELLOW),
        Suit.COPAS: garland(YELLOW),
        Suit.ESPADAS: helmet(RED),
        Suit.BASTOS: hood(RED, YELLOW),
    }[suit]
    head = placed(visage() + fringe(dress.hair) + hat, 100, 82, size=0.98)
    collar = path("M78 112Q100 98 122 112Q112 126 100 116Q88 126 78 112Z", SNOW, width=2.5)
    return cape + legs + hair + tunic + akimbo + collar + head + _held(suit, grip, dress.cloth, (124, 124), dress.trim)


def _held(suit: Suit, grip: Grip, sleeve: str, shoulder: tuple[float, float], cuff: str, width: float = 19) -> str:
    (sx, sy) = shoulder
    (ex, ey) = grip.elbow
    (hx, hy) = grip.hand
    emblem = placed(pip(suit), grip.x, grip.y, size=grip.size, turn=grip.turn)
    arm = limb(f"M{sx} {sy}L{ex} {ey}L{ex + (hx - ex) * 0.6:g} {ey + (hy - ey) * 0.6:g}", sleeve, width)
    d = f"M{ex + (hx - ex) * 0.62:g} {ey + (hy - ey) * 0.62:g}L{ex + (hx - ex) * 0.66:g} {ey + (hy - ey) * 0.66:g}"
    wrist = line(d, width + 4, INK) + line(d, width - 1, cuff)
    if suit in (Suit.ESPADAS, Suit.BASTOS):  # the fist closes around the hilt
        return arm + wrist + emblem + hand(hx, hy)
    return arm + wrist + hand(hx, hy) + emblem


_REY: Final = {
    Suit.OROS: Grip(159, 88, 0.64, 0, (166, 172), (158, 124)),
    Suit.COPAS: Grip(157, 124, 0.7, 0, (166, 190), (156, 158)),
    Suit.ESPADAS: Grip(160, 104, 1.16, 5, (162, 184), (156, 142)),
    Suit.BASTOS: Grip(155, 112, 1.36, 5, (164, 190), (151, 155)),
}
_BEARDS: Final = {
    Suit.OROS: ("#f3efe2", 24),
    Suit.COPAS: ("#5b3416", 12),
    Suit.ESPADAS: ("#2b2522", 18),
    Suit.BASTOS: ("#b4531f", 30),
}


def _rey(suit: Suit, dress: Dress) -> str:
    hair, length = _BEARDS[suit]
    robe = (
        path("M64 122Q100 106 136 122C156 170 164 230 168 292H32C36 230 44 170 64 122Z", dress.cloth)
        + path("M84 120H116L128 292H72Z", dress.lining)
        + _panel(suit, dress.trim)
        + path("M32 292L33 276Q52 270 74 276L72 292ZM128 292L126 276Q148 270 167 276L168 292Z", SNOW, width=2.5)
        + "".join(line(f"M{x} 281V287", 3) for x in (42, 54, 66, 134, 146, 158))
        + line("M62 176Q52 220 50 266M138 190Q148 224 150 266M70 190Q64 226 62 262", 2.2)
        + path("M86 292Q84 298 76 299H98V292ZM114 292Q116 298 124 299H102V292Z", RED, width=2.5)
    )
    mantle = path(
        "M62 124Q100 100 138 124Q148 140 146 156Q120 138 100 146Q80 138 54 156Q52 140 62 124Z", SNOW
    ) + "".join(
        line(f"M{x} {y}V{y + 6}", 3) for x, y in ((66, 132), (80, 126), (120, 126), (134, 132), (62, 143), (138, 143))
    )
    other = limb("M68 150L54 190L84 200", dress.cloth, 24) + hand(92, 200, 9.5)
    if suit is Suit.OROS:  # a sceptre in the other hand
        other = (
            line("M58 100L66 236", 10)
            + line("M58 100L66 236", 5, YELLOW)
            + disc(57, 96, 8, YELLOW)
            + limb("M66 150L42 186L58 196", dress.cloth, 22)
            + hand(64, 196, 9.5)
        )
    if suit is Suit.ESPADAS:  # a hand at the belt
        other = limb("M68 150L44 184L74 206", dress.cloth, 24) + hand(80, 207, 9.5)
    jewels = dress.trim if dress.trim != YELLOW else dress.lining
    head = placed(long_hair(hair), 100, 90) + placed(
        visage(stern=suit in (Suit.ESPADAS, Suit.BASTOS)) + beard(hair, length) + crown(jewels),
        100, 90, size=1.0,
    )  # fmt: skip
    return robe + other + mantle + head + _held(suit, _REY[suit], dress.cloth, (134, 150), dress.trim, 23)


def _panel(suit: Suit, colour: str) -> str:
    """The pattern woven into a king's robe."""
    marks = ""
    for n, y in enumerate((172, 198, 224, 250, 274)):
        if suit is Suit.OROS:
            marks += disc(100, y, 8, colour, width=2) + disc(100, y, 2.5, INK, width=0)
        elif suit is Suit.COPAS:
            marks += path(f"M100 {y - 11}L111 {y}L100 {y + 11}L89 {y}Z", colour, width=2)
        elif suit is Suit.ESPADAS:
            marks += path(
                f"M{84 - n * 2} {y - 6}L100 {y + 6}L{116 + n * 2} {y - 6}V{y + 3}L100 {y + 15}L{84 - n * 2} {y + 3}Z",
                colour,
                width=2,
            )
        else:
            marks += path(
                f"M100 {y + 9}C88 {y + 2} 88 {y - 8} 100 {y - 12}C112 {y - 8} 112 {y + 2} 100 {y + 9}Z", colour, width=2
            ) + line(f"M100 {y - 9}V{y + 9}", 1.8)
    return marks


_CABALLO: Final = {
    Suit.OROS: Grip(163, 60, 0.58, 0, (166, 134), (162, 93)),
    Suit.COPAS: Grip(163, 80, 0.64, 0, (166, 144), (163, 111)),
    Suit.ESPADAS: Grip(164, 68, 1.0, 12, (162, 142), (158, 101)),
    Suit.BASTOS: Grip(158, 80, 1.2, 8, (163, 150), (154, 113)),
}


def _caballo(suit: Suit, dress: Dress) -> str:
    dark = INK if dress.horse != INK else BROWN
    mane_colour = {Suit.OROS: YELLOW, Suit.COPAS: "#5b3416", Suit.ESPADAS: "#3c434b", Suit.BASTOS: INK}[suit]
    tail = path(
        "M158 196C186 190 190 226 182 246C180 258 184 266 190 270C172 274 162 258 164 240C166 224 166 214 156 210Z",
        mane_colour,
    )
    tail += line("M172 206Q180 226 174 250", 2, SNOW if mane_colour != YELLOW else INK)
    far = limb("M142 236L160 256L154 280", dress.horse, 13) + limb("M70 238L80 262L76 280", dress.horse, 12)
    far += path("M147 280H162L165 293H143ZM69 280H84L87 293H65Z", dark)
    near = limb("M128 238L140 260L128 280", dress.horse, 14) + limb("M60 232L36 244L42 266", dress.horse, 13)
    near += path("M121 280H136L139 293H117Z", dark) + placed(path("M-8 0H8L11 13H-11Z", dark), 43, 268, turn=-14)
    horse = path(
        "M66 126L62 112L74 122C92 130 96 150 98 168C100 180 108 186 120 188H146C162 190 168 206 164 222"
        "C160 240 148 248 134 248C114 246 96 250 76 248C52 244 46 222 54 202C58 192 58 184 54 176L36 188"
        "C28 192 20 184 24 176L44 140C50 130 58 126 66 126Z",
        dress.horse,
    )
    mane = path(
        "M62 112L74 122C92 130 98 150 99 172Q90 172 86 164Q88 156 80 152"
        "Q84 144 75 140Q78 132 68 130Q60 132 54 138Q56 124 68 124Z",
        mane_colour,
        width=2.5,
    )
    eye = (
        disc(52, 150, 3, INK, width=0)
        + line("M47 145Q52 142 57 146", 2)
        + line("M28 180L34 178M34 186Q40 180 44 178", 2.2)
    )
    bridle = line("M44 141L60 172M36 156L48 181", 3, RED) + line("M47 178Q66 190 90 172", 3, RED)
    cloth = path("M96 182Q118 192 142 186L148 226Q120 238 92 226Z", dress.lining) + path(
        "M92 226Q120 238 148 226L147 217Q120 229 93 217Z", dress.trim, width=2.5
    )
    strap = line("M54 214Q66 222 92 214", 4, RED) + line("M148 204H162", 4, RED) + disc(62, 217, 3.5, YELLOW, width=2)
    cape = path("M128 118C160 128 182 160 180 196C168 184 152 184 138 186L124 150Z", dress.lining) + line(
        "M142 142Q160 160 164 182", 2.2
    )
    leg = (
        limb("M116 188L98 208L106 236", dress.hose, 17)
        + path("M98 230H116V243H86Q88 234 98 230Z", BROWN)
        + line("M88 246H112", 3.5, YELLOW)
    )
    torso = (
        path("M94 118Q114 108 134 118L138 190Q116 198 92 190Z", dress.cloth)
        + path("M106 112H122L120 170H108Z", dress.trim, width=2.5) + line("M109 126H120M109 138H120M109 150H120", 2.2)
        + path("M92 190L94 178Q116 186 137 178L138 190Q116 198 92 190Z", dress.trim, width=2.5)
    )  # fmt: skip
    rein = limb("M98 126L80 154L90 168", dress.cloth, 16) + hand(92, 170, 8)
    hat = {
        Suit.OROS: brimmed(BLUE, YELLOW),
        Suit.COPAS: beret(RED, YELLOW),
        Suit.ESPADAS: helmet(BLUE),
        Suit.BASTOS: brimmed(RED, YELLOW),
    }[suit]
    head = placed(bob(dress.hair), 114, 84, size=0.84) + placed(visage() + fringe(dress.hair) + hat, 114, 84, size=0.88)
    collar = path("M98 114Q114 102 130 114Q122 126 114 118Q106 126 98 114Z", SNOW, width=2.5)
    rider = torso + rein + collar + head + _held(suit, _CABALLO[suit], dress.cloth, (130, 126), dress.trim, 16)
    return tail + far + cape + horse + mane + eye + near + strap + cloth + leg + bridle + rider
