"""The events of a match as text, one per line, for the log and tests; positions, and the lines of a match's file.

``parse_event(format_event(event)) == event``.

    match capture=fifteen duty=compulsory ... target=21 seating=2 dealer=0
    deal 7o 1c 10e ...      a round's deck, in dealing order
    0 4c                    seat 0 lays the 4 of copas on the table
    1 4e x 4c 7o            seat 1 captures the 4 of copas and the 7 of oros with the 4 of espadas
    0 5c ?                  seat 0 shows the 5 of copas and has yet to choose what it takes
    1 claim 4c 7o 4e        seat 1 claims a capture that was missed
    0 sing                  seat 0 sings what its three cards are
    1 4e  # forced          seat 1 had no other move, and nobody had to make it

Anything else after a ``#`` is ignored, as that was before 1.1, too.

>>> from bot.engine.notation import format_event, parse_event
>>> event = parse_event("1 4e x 4c 7o")
>>> event
Played(seat=1, card=Card(4e), captured=CardSet(4c 7o), forced=False)
>>> format_event(event)
'1 4e x 4c 7o'
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Final

from bot.engine.cards import Card, CardSet
from bot.engine.errors import IllegalMove, NotationError, RuleCode, UnknownNotation
from bot.engine.events import Claimed, Event, Laid, MatchStarted, Played, RoundDealt, Sang
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.match import Match, replay
from bot.engine.moves import Stage
from bot.engine.rules import Capture, Duty, Opening, Prime, Rules, Seating
from bot.engine.scoring import Item, ItemScore
from bot.engine.views import SeatView, seat_view

_ENUMS: dict[str, type[StrEnum]] = {"capture": Capture, "duty": Duty, "opening": Opening, "prime": Prime}
_NUMBERS = ("hand", "table", "target", "rounds", "lead")
_FIRST = (
    *("capture", "duty", "opening", "prime", "most_sevens", "many_cards", "all_oros", "four_sevens"),
    *("hand", "table", "target"),
)
"""The rules that are always written. Those that came later are written only if they aren't at their defaults, so that
older matches keep their text."""
_DEFAULTS = Rules()
_KNOWN = ("match", "deal", "claim", "sing", "x")
"""The words of events."""
_FORCED: Final = "forced"
"""The remark of a move that nobody had to make: versions that don't know it read the move without it."""


def format_rules(rules: Rules) -> str:
    """The rules as ``name=value`` words. Every field is written, so that an old game keeps its rules.

    Only those that aren't in `_FIRST` are left out if they are at their defaults, which will never change.
    """
    words: list[str] = []
    for field in fields(rules):
        value = getattr(rules, field.name)
        if field.name not in _FIRST and value == getattr(_DEFAULTS, field.name):
            continue
        words.append(f"{field.name}={'yes' if value is True else 'no' if value is False else value}")
    return " ".join(words)


def parse_rules(words: Iterable[str]) -> Rules:
    """The rules given by ``name=value`` words; fields that aren't named take their defaults.

    Raises:
        UnknownNotation: for an unknown name, or an unknown value of a rule that isn't a number.
        NotationError: if they can't be read otherwise.
    """
    values: dict[str, object] = {}
    known = {field.name for field in fields(Rules)}
    for word in words:
        name, _, value = word.partition("=")
        if name not in known:
            raise (UnknownNotation if name.isidentifier() and value else NotationError)(f"not a rule: {name[:20]!r}")
        try:
            if name in _ENUMS:
                values[name] = _ENUMS[name](value)
            elif name in _NUMBERS:
                values[name] = int(value)
            else:
                values[name] = {"yes": True, "no": False}[value]
        except (ValueError, KeyError):
            unknown = UnknownNotation if value and name not in _NUMBERS else NotationError
            raise unknown(f"not a value of {name}: {value[:20]!r}") from None
    return Rules(**values)  # pyright: ignore[reportArgumentType] - each value was parsed as its field's type


def format_event(event: Event) -> str:
    match event:
        case MatchStarted(rules, seating, dealer):
            return f"match {format_rules(rules)} seating={seating} dealer={dealer}"
        case RoundDealt(deck):
            return f"deal {' '.join(map(str, deck))}"
        case Laid(seat, card):
            return f"{seat} {card} ?"
        case Played(seat, card, captured, forced):
            line = f"{seat} {card} x {captured}" if captured else f"{seat} {card}"
            return f"{line}  # {_FORCED}" if forced else line
        case Claimed(seat, captured):
            return f"{seat} claim {captured}"
        case Sang(seat):
            return f"{seat} sing"


def parse_event(line: str) -> Event:
    """The event on one line.

    Raises:
        UnknownNotation: if it has the form of an event, but it, its rules or its seating aren't known.
        NotationError: if the line isn't an event otherwise.
    """
    text, *remarks = line.split("#")
    match text.split():
        case ["match", *rules, seating, dealer] if seating.startswith("seating=") and dealer.startswith("dealer="):
            try:
                seats = Seating(seating.removeprefix("seating="))
            except ValueError:
                raise UnknownNotation(f"not a seating: {seating[:20]!r}") from None
            return MatchStarted(parse_rules(rules), seats, _number(dealer.removeprefix("dealer=")))
        case ["deal", *deck]:
            return RoundDealt(tuple(map(Card.parse, deck)))
        case [seat, "claim", *captured] if captured:
            return Claimed(_number(seat), CardSet.of(map(Card.parse, captured)))
        case [seat, "sing"]:
            return Sang(_number(seat))
        case [word, *_] if _is_new(word):
            raise UnknownNotation(f"not an event: {line[:40]!r}")
        case [seat, word, *_] if seat.isdigit() and _is_new(word):
            raise UnknownNotation(f"not an event: {line[:40]!r}")
        case [seat, card, "?"]:
            return Laid(_number(seat), Card.parse(card))
        case [seat, card]:
            return Played(_number(seat), Card.parse(card), forced=_is_forced(remarks))
        case [seat, card, "x", *captured] if captured:
            taken = CardSet.of(map(Card.parse, captured))
            return Played(_number(seat), Card.parse(card), taken, forced=_is_forced(remarks))
        case _:
            raise NotationError(f"not an event: {line[:40]!r}")


def _is_forced(remarks: Sequence[str]) -> bool:
    return bool(remarks) and remarks[0].strip() == _FORCED


def without_remarks(line: str) -> str:
    """A line with single spaces, and without remarks but the one that belongs to an event."""
    text, *remarks = line.split("#")
    words = text.split()
    return " ".join((*words, "#", _FORCED) if words[:1] and words[0].isdigit() and _is_forced(remarks) else words)


def is_deal(line: str) -> bool:
    """Whether a line is the deal of a round, decided without parsing the rest of it."""
    return line.startswith("deal ")


def _is_new(word: str) -> bool:
    return word.isascii() and word.isalpha() and word not in _KNOWN


def _number(word: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 3:  # int() itself fails on thousands of digits
        raise NotationError(f"not a number: {word[:20]!r}")
    return int(word)


@dataclass(frozen=True)
class Position:
    """A match up to a decision: its events, the decks included. Show players its `view`, never its `match`.

    Raises:
        IllegalMove: if the rules don't allow the events, or it is nobody's turn after them.
    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        if self.match.turn is None:
            raise IllegalMove(RuleCode.NO_ROUND)

    @cached_property
    def match(self) -> Match:
        return replay(self.events)

    @cached_property
    def view(self) -> SeatView:
        """The current player's view."""
        assert self.match.turn is not None, "in a position it is somebody's turn"
        return seat_view(self.match, self.match.turn)


def format_position(position: Position) -> str:
    """The position's events in the engine's notation, one per line."""
    return "\n".join(map(format_event, position.events))


def parse_position(lines: Iterable[str]) -> Position:
    """The position that lines of the engine's notation describe.

    Raises:
        NotationError: if a line isn't an event.
        IllegalMove: if the rules don't allow the events, or it is nobody's turn after them.
    """
    return Position(tuple(map(parse_event, lines)))


_RANKED: Final = (Prime.SETENTA, Prime.SEVENS)
"""The primes whose amounts only rank the sides and aren't points."""
_RANKS: Final = (7, 6, 1, 5, 4, 3, 2, 10, 11, 12)
"""The order in which the cards of these primes are written, best first."""


def move_remarks(match: Match) -> str:
    """The remarks to append to the line of a move."""
    return "".join(f"  # {remark}" for remark in map(_remark, match.facts) if remark)


def _remark(fact: Fact) -> str:
    match fact:
        case CardPlayed(escoba=True) | CaptureClaimed(escoba=True):
            return "escoba"
        case CantosSung(_, cards, cantos):
            return f"{', '.join(cantos)}: {cards}"
        case _:
            return ""


def remark_lines(match: Match) -> Iterator[str]:
    """Tell what the latest line doesn't show: the hands that were dealt, and what the dealer took."""
    opening = next((fact for fact in match.facts if isinstance(fact, OpeningTaken)), None)
    if match.round is not None and any(isinstance(fact, DealMade) for fact in match.facts):
        hands = " · ".join(f"seat {seat}: {hand}" for seat, hand in enumerate(match.round.hands))
        table = match.round.table if opening is None else opening.cards
        yield f"# {hands} · table: {table or 'empty'}"
    if opening is not None:
        escobas = "escoba" if opening.escobas == 1 else f"{opening.escobas} escobas"
        yield f"# seat {opening.seat} takes the table: {escobas}"


def score_lines(match: Match) -> Iterator[str]:
    """The score of the round that has just ended."""
    score = match.scores[-1]
    to = "nobody" if score.leftovers_to is None else f"seat {score.leftovers_to}"
    yield f"left: {score.leftovers or 'nothing'} ({score.leftovers.worth}) to {to}"
    for item in score.items:
        yield f"{item.item}: {_compared(item, match)} => {_sides(item.points)}"
    yield f"points: {_sides(score.points)}"
    yield f"totals: {_sides(match.totals)}"


def _compared(item: ItemScore, match: Match) -> str:
    """Tell what was compared between the sides: the amounts, or the cards if the amounts only rank them."""
    if item.item is Item.PRIME and match.rules.prime in _RANKED:
        return " - ".join(map(_ranks, item.cards))
    return _sides(item.amounts)


def _ranks(cards: CardSet) -> str:
    return " ".join(map(str, sorted((card.printed for card in cards), key=_RANKS.index))) or "none"


def _sides(values: Iterable[int]) -> str:
    return " - ".join(map(str, values))


def result_line(match: Match) -> str:
    if match.winner is not None:
        return f"result: side {match.winner} wins"
    return "result: drawn" if match.stage is Stage.OVER else "result: broken off"
