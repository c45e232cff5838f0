"""Names for the rules: presets, seatings, the items of a score, and differences from a preset."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Suit
from bot.engine.rules import SWITCHES, Capture, Duty, Opening, Prime, Rules, Seating
from bot.engine.scoring import Item
from bot.ui.words.cards import suit_name
from bot.ui.words.texts import N_, Words

ITEMS: Final = {
    Item.ESCOBAS: N_("Escobas"),
    Item.CARDS: N_("Cards"),
    Item.SEVEN_OF_OROS: N_("Seven of {oros}"),
    Item.SEVENS: N_("Sevens"),
    Item.PRIME: N_("Prime"),
}

PRESET_NAMES: Final = {
    "escoba": N_("Escoba"),
    "juegon": N_("Juegón's escoba"),
    "quince": N_("Escoba de quince"),
    "clasica": N_("Classic escoba"),
    "cientifica": N_("Scientific escoba"),
}

INTRODUCTIONS: Final = {
    "escoba": N_("The game as it is played in most of Spain and in the River Plate countries."),
    "juegon": N_("The game as a Catalan games league plays it, with more points for sweeping majorities."),
    "quince": N_("The escoba de quince of the card books, where a capture that is overlooked may be claimed."),
    "clasica": N_("The old Italian game: a capture matches the card instead of making fifteen."),
    "cientifica": N_("Two pairs, and all cards dealt at once: whoever counts best wins."),
}
"""What each preset is, in at most the hundred characters that fit in an option of a menu."""

_SEATINGS: Final = {
    Seating.TWO: N_("two players"),
    Seating.THREE: N_("three players"),
    Seating.FOUR: N_("four players, everyone for themselves"),
    Seating.PAIRS: N_("two pairs"),
    Seating.TRIPLE_PAIRS: N_("three pairs"),
}

_CAPTURES: Final = {
    Capture.FIFTEEN: N_("captures make fifteen"),
    Capture.MATCH: N_("captures match the card or sum to it"),
}
_DUTIES: Final = {
    Duty.COMPULSORY: N_("a card that can capture must"),
    Duty.CLAIMABLE: N_("a missed capture may be claimed by the next player"),
    Duty.OPTIONAL: N_("a capture may be missed"),
}
_OPENINGS: Final = {
    Opening.NONE: N_("no opening escoba"),
    Opening.SUM: N_("the dealer takes an opening 15 or 30"),
    Opening.PAIRS: N_("the dealer takes an opening 15, or 30 as two pairs of 15"),
}
_PRIMES: Final = {
    Prime.NONE: N_("no prime"),
    Prime.SETENTA: N_("setenta"),
    Prime.POINTS: N_("prime by points"),
}
_SWITCHES: Final = {
    "most_sevens": N_("a point for most sevens"),
    "many_cards": N_("2 for more than 30 cards"),
    "all_oros": N_("2 for all ten {oros}"),
    "four_sevens": N_("one more for all four sevens"),
}


def seating_name(seating: Seating, t: Words) -> str:
    """How the players sit."""
    return t(_SEATINGS[seating])


def item_name(item: Item, rules: Rules, t: Words) -> str:
    """The name of an item of the score; the prime is called setenta where the rules score it so."""
    if item is Item.PRIME and rules.prime is Prime.SETENTA:
        return t("Setenta")
    oros = suit_name(Suit.OROS, t)
    return capital(oros) if item is Item.OROS else t(ITEMS[item], oros=oros)


def capture_name(value: Capture, t: Words) -> str:
    """What a card takes, in a few words."""
    return t(_CAPTURES[value])


def aim_text(capture: Capture, t: Words) -> str:
    """What a capture must come to, as an equation."""
    if capture is Capture.FIFTEEN:
        return t("card + table = 15")
    return t("card = table: 7 = 7, 7 = 4 + 3")


def duty_name(value: Duty, t: Words) -> str:
    """Whether a capture may be missed, in a few words."""
    return t(_DUTIES[value])


def opening_name(value: Opening, t: Words) -> str:
    return t(_OPENINGS[value])


def prime_name(value: Prime, t: Words) -> str:
    return t(_PRIMES[value])


def switch_name(field: str, t: Words) -> str:
    """A switch of the rules, in a few words."""
    return t(_SWITCHES[field], oros=suit_name(Suit.OROS, t))


def summary(rules: Rules, t: Words) -> str:
    """The rules in a few words."""
    parts = [capture_name(rules.capture, t), duty_name(rules.duty, t)]
    if rules.opening is not Opening.NONE:
        parts.append(opening_name(rules.opening, t))
    parts.append(prime_name(rules.prime, t))
    parts += [switch_name(field, t) for field in SWITCHES if getattr(rules, field)]
    return " · ".join([capital(parts[0]), *parts[1:]])


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def differences(rules: Rules, preset: Rules, t: Words) -> list[str]:
    """What differs from the preset, in a few words each. The target doesn't count as a difference."""
    found: list[str] = []
    for value, usual, name in (
        (rules.capture, preset.capture, capture_name),
        (rules.duty, preset.duty, duty_name),
        (rules.opening, preset.opening, opening_name),
        (rules.prime, preset.prime, prime_name),
    ):
        if value is not usual:
            found.append(name(value, t))  # pyright: ignore[reportArgumentType] - each name goes with its value
    for field in SWITCHES:
        if getattr(rules, field) != getattr(preset, field):
            text = switch_name(field, t)
            found.append(text if getattr(rules, field) else t(N_("without {rule}"), rule=text))
    return found
