"""Names for the rules: presets, seatings, differences from a preset, and the items of the score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.cards.words.cards import oros_in
from bot.engine.rules import PRESETS, SWITCHES, Capture, Duty, Opening, Prime, Rules, Seating
from bot.engine.scoring import MOST_OF, Item
from bot.platform.language.catalogues import languages, words
from bot.platform.language.spelling import capital, normalized_name
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.people import plain


@dataclass(frozen=True, slots=True)
class ItemWords:
    """The words about an item of the score.

    Attributes:
        name: its name on the score sheet; empty for oros, which are named like the suit.
        line: its line in `/escoba rules`.
        larger: how that line goes on where the larger value is played.
        alone: its line where only the larger value brings a point.
    """

    name: str = ""
    line: str = ""
    larger: str = ""
    alone: str = ""


@dataclass(frozen=True, slots=True)
class SwitchWords:
    """The words about a switch of the rules: its name, and what a lobby's caption has room for on a phone."""

    name: str
    brief: str


@dataclass(frozen=True, slots=True)
class PresetWords:
    """The words about a preset: its name, what tells it from the others, what it is, and where its rules come from.

    What it is must fit in the hundred characters of an option of a menu.
    """

    name: str
    brief: str
    introduction: str
    source: str


PRESET_WORDS: Final[Mapping[str, PresetWords]] = {
    "escoba": PresetWords(
        NC_("variant", "Escoba"),
        N_("the usual variant"),
        N_("The game as it is played in most of Spain and in the River Plate countries."),
        N_("descriptions of the game in Spain, Argentina and Chile"),
    ),
    "juegon": PresetWords(
        N_("Juegón's escoba"),
        N_("more points for sweeping majorities"),
        N_("The game as a Catalan games league plays it, with more points for sweeping majorities."),
        N_("the general rules of the Juegón league"),
    ),
    "quince": PresetWords(
        N_("Escoba de quince"),
        N_("missed captures can be claimed"),
        N_("The escoba de quince of the card books, where a missed capture may be claimed."),
        N_("“Escoba de Quince” in an old card book"),
    ),
    "clasica": PresetWords(
        N_("Classic escoba"),
        N_("take what equals your card"),
        N_("The old Italian game: a card takes its equal instead of making fifteen."),
        N_("the original game in an old card book"),
    ),
    "cientifica": PresetWords(
        N_("Scientific escoba"),
        N_("two pairs, ten cards each"),
        N_("Two pairs, and all cards dealt at once: whoever counts best wins."),
        N_("“Escoba Científica” in an old card book"),
    ),
    "chorizo": PresetWords(
        NC_("variant", "Chorizo"),
        N_("three cards sung for points"),
        N_("Escoba as it is played in Uruguay: three cards that go together may be sung for points."),
        N_("descriptions of the game in Uruguay"),
    ),
}

_ITEMS: Final[Mapping[Item, ItemWords]] = {
    Item.ESCOBAS: ItemWords(name=NC_("item of a score", "Escobas"), line=N_("- each escoba: 1")),
    Item.CANTOS: ItemWords(name=NC_("item of a score", "Cantos"), line=N_("- cantos: what was sung")),
    Item.CARDS: ItemWords(
        name=NC_("item of a score", "Cards"), line=N_("- most cards: 1"), larger=N_(", or 2 with more than 30")
    ),
    Item.OROS: ItemWords(line=N_("- most {oros}: 1"), larger=N_(", or 2 with all ten")),
    Item.SEVEN_OF_OROS: ItemWords(name=N_("Seven {of_oros}"), line=N_("- the seven {of_oros}: 1")),
    Item.SEVENS: ItemWords(
        name=NC_("item of a score", "Sevens"),
        line=N_("- most sevens: 1"),
        larger=N_(", or 2 with all four"),
        alone=N_("- all four sevens: 1"),
    ),
    Item.PRIME: ItemWords(name=NC_("item of a score", "Prime")),
}
_PRIMES: Final[Mapping[Prime, str]] = {
    Prime.SETENTA: N_(
        "- the setenta: 1. The best card of each suit, compared highest first: 7, 6, 1, 5, 4, 3, 2, face cards."
    ),
    Prime.POINTS: N_(
        "- the prime: 1. Your four best cards by 7 = 21, 6 = 18, 1 = 16, 5 = 15, 4 = 14, 3 = 13, 2 = 12, face cards "
        "= 10."
    ),
    Prime.SUITS: N_(
        "- the prime: 1. Your best card of each suit, added up by 7 = 21, 6 = 18, 1 = 16, 5 = 15, 4 = 14, 3 = 13, 2 "
        "= 12, face cards = 10: 7, 7, 6 and a face card make 70. Without a card of each suit you have none."
    ),
    Prime.SEVENS: N_(
        "- the setenta: 1, for most sevens. If they are tied, most sixes; then aces, then fives: 2 sevens and 3 "
        "sixes beat 2 sevens and 1 six."
    ),
}
"""The line of each prime in `/escoba rules`."""
_SWITCHES: Final[Mapping[str, SwitchWords]] = {
    "most_sevens": SwitchWords(N_("a point for most sevens"), brief=NC_("extra", "sevens")),
    "many_cards": SwitchWords(N_("2 for more than 30 cards"), brief=N_("over 30 cards: 2")),
    "all_oros": SwitchWords(N_("2 for all ten {oros}"), brief=N_("ten {oros}: 2")),
    "four_sevens": SwitchWords(N_("one more for all four sevens"), brief=N_("four sevens: +1")),
    "cantos": SwitchWords(NC_("extra", "cantos"), brief=NC_("extra", "cantos")),
}
_SEATINGS: Final = {
    Seating.TWO: N_("two players"),
    Seating.THREE: N_("three players"),
    Seating.FOUR: N_("four players, solo"),
    Seating.PAIRS: N_("two pairs"),
    Seating.FIVE: N_("five players, solo"),
    Seating.TRIPLE_PAIRS: N_("three pairs"),
    Seating.TRIPLES: N_("three against three"),
}

_BRIEFLY: Final = {
    Capture.FIFTEEN: NC_("way to capture", "fifteens"),
    Capture.MATCH: N_("equal cards or sums"),
    Duty.COMPULSORY: N_("you must take"),
    Duty.CLAIMABLE: N_("missed captures may be claimed"),
    Duty.OPTIONAL: N_("missed captures stay"),
    Opening.SUM: N_("opening escoba"),
    Opening.PAIRS: N_("opening escoba"),
}
"""Short forms of the rules, for which a lobby's caption has room on a phone."""

CAPTURE_NAMES: Final = {
    Capture.FIFTEEN: N_("captures make fifteen"),
    Capture.MATCH: N_("a capture is worth the card or adds up to it"),
}
DUTY_NAMES: Final = {
    Duty.COMPULSORY: N_("a card that can take must take"),
    Duty.CLAIMABLE: N_("a missed capture may be claimed by the next player"),
    Duty.OPTIONAL: N_("a missed capture stays on the table"),
}
OPENING_NAMES: Final = {
    Opening.NONE: N_("no opening escoba"),
    Opening.SUM: N_("the dealer takes an opening 15 or 30"),
    Opening.PAIRS: N_("the dealer takes an opening 15, or 30 as two pairs of 15"),
}
PRIME_NAMES: Final = {
    Prime.NONE: N_("no prime"),
    Prime.SETENTA: NC_("way to count the prime", "setenta"),
    Prime.POINTS: N_("prime by points"),
    Prime.SUITS: N_("prime by suits"),
    Prime.SEVENS: N_("setenta by sevens"),
}
PRIME_NOTES: Final = {
    Prime.NONE: N_("Nobody gets a point for their best cards."),
    Prime.SETENTA: N_("The best card of each suit, compared from the highest: 7, 6, 1, 5, 4, 3, 2, face cards."),
    Prime.POINTS: N_("The four best cards of any suit, added up: 7 = 21, 6 = 18, 1 = 16, 5 = 15 and so on."),
    Prime.SUITS: N_("The best card of each suit, added up; without a card of each suit there is none."),
    Prime.SEVENS: N_("Most sevens; if they are tied, most sixes, then aces, then fives."),
}
"""Explanations of how each prime is counted, in at most the hundred characters that fit in an option of a menu."""
DEAL_NAMES: Final = {
    (3, 4): N_("three cards each, four on the table"),
    (9, 4): N_("nine cards each, four on the table"),
    (10, 0): N_("ten cards each, none on the table"),
}
DEALS: Final = tuple(DEAL_NAMES)
"""The first deals that can be chosen: the cards for each player, and those for the table."""


def item_name(item: Item, rules: Rules | None, t: Words) -> str:
    """The name of an item of the score; the prime is called setenta where the rules, if there are any, score it so."""
    if item is Item.PRIME and rules is not None and rules.prime in (Prime.SETENTA, Prime.SEVENS):
        return t.context("item of a score", "Setenta")
    oros = oros_in(t)
    return capital(oros["oros"]) if item is Item.OROS else t(_ITEMS[item].name, **oros)


def item_lines(rules: Rules, t: Words) -> list[str]:
    """Say what each item brings by these rules, a line each."""
    oros = oros_in(t)
    lines = [t(_ITEMS[Item.ESCOBAS].line)]
    for item in Item:
        if item not in MOST_OF:
            continue
        point, more = MOST_OF[item].point(rules), MOST_OF[item].more(rules)
        if point:
            line = t(_ITEMS[item].line, **oros)
            lines.append(line + t(_ITEMS[item].larger, **oros) if more else line)
        elif more:
            lines.append(t(_ITEMS[item].alone, **oros))
    if rules.prime is not Prime.NONE:
        lines.append(t(_PRIMES[rules.prime]))
    if rules.cantos:
        lines.append(t(_ITEMS[Item.CANTOS].line))
    return lines


def switch_name(switch: str, t: Words) -> str:
    """A switch of the rules, in a few words."""
    return t(_SWITCHES[switch].name, **oros_in(t))


def preset_name(preset: str, t: Words) -> str:
    return t(PRESET_WORDS[preset].name)


def introduction(preset: str, t: Words) -> str:
    """Say what a preset is, in a sentence."""
    return t(PRESET_WORDS[preset].introduction)


def source_of(preset: str, t: Words) -> str:
    """Say where the rules of a preset come from."""
    return t(PRESET_WORDS[preset].source)


def name_of_key(key: str, names: Mapping[str, str], t: Words) -> str:
    """Name the rules with a key, as plain text. `names`: those of the server's own rules by their keys."""
    return preset_name(key, t) if key in PRESETS else plain(names.get(key, "")) or t("Deleted rules")


def choices_for(typed: str, names: Mapping[str, str], t: Words) -> list[tuple[str, str]]:
    """List the rules to choose from whose names contain what was typed, with their keys: the server's own first.

    `names`: those of the server's own rules by their keys.
    """
    everything = [(plain(name), key) for key, name in names.items()]
    everything += [(f"{preset_name(key, t)} · {t(PRESET_WORDS[key].brief)}", key) for key in PRESETS]
    return [(name, key) for name, key in everything if normalized_name(typed) in normalized_name(name) or typed == key]


def key_typed(typed: str, names: Mapping[str, str], t: Words) -> str | None:
    """Find the key of the rules that somebody chose from a list, or whose name they typed; None if there are none."""
    if typed in PRESETS or typed in names:
        return typed
    called = [*((plain(name), key) for key, name in names.items()), *((preset_name(key, t), key) for key in PRESETS)]
    called += choices_for("", names, t)
    return next((key for name, key in called if normalized_name(name) == normalized_name(typed)), None)


def is_preset_name(name: str) -> bool:
    """Whether a rule system has this name in any of the bot's languages."""
    called = {*PRESETS, *(preset_name(key, words(code)) for code in languages() for key in PRESETS)}
    return normalized_name(name) in map(normalized_name, called)


def seating_name(seating: Seating, t: Words) -> str:
    return t(_SEATINGS[seating])


def aim_text(capture: Capture, t: Words) -> str:
    """Write what a capture must add up to, as an equation."""
    if capture is Capture.FIFTEEN:
        return t("card + table = 15")
    return t("card = table: 7 = 7, 7 = 4 + 3")


def prime_name(value: Prime, t: Words) -> str:
    return t(PRIME_NAMES[value])


def deal_name(hand: int, table: int, t: Words) -> str:
    if (hand, table) in DEAL_NAMES:
        return t(DEAL_NAMES[hand, table])
    return t("{hand} cards each, {table} on the table", hand=hand, table=table)


def lead_name(lead: int, t: Words) -> str:
    """Say by how much a match is won, in a few words."""
    return t("a win by one point") if lead == 1 else t("a win by two points")


def summary(rules: Rules, t: Words) -> str:
    """Write the rules in so few words that a phone shows them in two lines; `/escoba rules` has the rest."""
    chosen = (rules.capture, rules.duty, rules.opening)
    parts = [t(_BRIEFLY[value]) for value in chosen if value in _BRIEFLY]
    if rules.prime is not Prime.NONE:
        parts.append(prime_name(rules.prime, t))
    parts += [t(_SWITCHES[field].brief, **oros_in(t)) for field in SWITCHES if getattr(rules, field)]
    if rules.hand != DEALS[0][0]:
        parts.append(t("{hand} cards each", hand=rules.hand))
    if rules.lead > 1:
        parts.append(lead_name(rules.lead, t))
    return " · ".join([capital(parts[0]), *parts[1:]])


def differences(rules: Rules, preset: Rules, t: Words) -> list[str]:
    """List the differences from the preset, in a few words each. The target doesn't count as a difference."""
    found: list[str] = []
    if rules.capture is not preset.capture:
        found.append(t(CAPTURE_NAMES[rules.capture]))
    if rules.duty is not preset.duty:
        found.append(t(DUTY_NAMES[rules.duty]))
    if rules.opening is not preset.opening:
        found.append(t(OPENING_NAMES[rules.opening]))
    if rules.prime is not preset.prime:
        found.append(prime_name(rules.prime, t))
    for field in SWITCHES:
        if getattr(rules, field) != getattr(preset, field):
            text = switch_name(field, t)
            found.append(text if getattr(rules, field) else t(N_("without {rule}"), rule=text))
    if (rules.hand, rules.table) != (preset.hand, preset.table):
        found.append(deal_name(rules.hand, rules.table, t))
    if rules.lead != preset.lead:
        found.append(lead_name(rules.lead, t))
    return found
