"""A whole match as a text that people can read: who played by which rules, every deck, move and score, and who won.

    escoba match, version 1
    preset: escoba
    rules: capture=fifteen duty=compulsory ... target=21
    seating: 2
    dealer: 0
    played: 2026-11-23 21:30 UTC
    seat 0: Ana
    seat 1: Bea

    round 1
    deal 3o 2b ...              the deck and the moves, as in `notation`
    1 4e x 4c 7o
    ...
    left: 3e 12c (13) to seat 1
    escobas: 1 - 2 => 1 - 2     what each side has => the points that it gets
    ...
    points: 3 - 4
    totals: 3 - 4

    result: side 1 wins

`read` plays every move through the engine and compares every score. Blank lines don't count, nor does anything after a
``#``, except in names. The same match always makes the same text. Later versions of the bot must read version 1, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from bot.engine.cards import CardSet
from bot.engine.errors import IllegalMove, NotationError, RuleCode
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.facts import CaptureClaimed, CardPlayed, DealMade, OpeningTaken
from bot.engine.match import Match, Stage, start
from bot.engine.notation import format_event, format_rules, parse_event, parse_rules
from bot.engine.rules import PRESETS, Prime, Seating
from bot.engine.scoring import Item, ItemScore

LARGEST: Final = 1_000_000
"""The most bytes that a file may have; a match of fifty rounds has a tenth of it."""
LONGEST_NAME: Final = 100
_SHOWN: Final = 80
"""How many characters of a wrong line an error quotes."""

_FIRST_LINE: Final = "escoba match, version 1"
_LEGEND: Final = (
    "# A card: its number, then o for oros, c copas, e espadas, b bastos. 10 is the sota, 11 the caballo, 12 the rey.",
    "# A move: the seat, the card and, after an x, what it takes.",
)
_WHEN: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC")
_RANKS: Final = (7, 6, 1, 5, 4, 3, 2, 10, 11, 12)
"""The order in which the cards of a setenta are written: the best first."""
_WHY: Final = {
    RuleCode.NOT_YOUR_TURN: "another seat is at turn",
    RuleCode.CARD_NOT_HELD: "the seat doesn't hold that card",
    RuleCode.NOT_A_CAPTURE: "the card can't take these cards",
    RuleCode.MUST_CAPTURE: "the card can capture, so it must",
    RuleCode.NOTHING_TO_CLAIM: "there is nothing to claim",
    RuleCode.NOTHING_TO_CHOOSE: "there is no choice to make for that card",
    RuleCode.CHOOSE_FIRST: "the capture of the card that was shown comes first",
    RuleCode.NO_ROUND: "no round is being played",
    RuleCode.ROUND_RUNNING: "the round before it isn't over",
    RuleCode.MATCH_OVER: "the match is over",
    RuleCode.BAD_DECK: "a deck is all forty cards, each once",
    RuleCode.BAD_RULES: "the rules don't fit the seating, or there is no such dealer",
}


class MatchFileError(NotationError):
    """A text that isn't a match in this format, or whose moves or scores are wrong.

    Args:
        line: the line, from 1.
        problem: what is wrong there, in English.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


@dataclass(frozen=True)
class MatchFile:
    """A match as it is written into a file.

    Attributes:
        preset: the preset that the rules began with; they may differ from it.
        names: the players' names by seat, as they were at the table.
        events: the match, from its `MatchStarted` on; it may have been broken off.
        when: when it was over, as ``2026-11-23 21:30 UTC``; empty if that isn't known.
    """

    preset: str
    names: tuple[str, ...]
    events: tuple[Event, ...]
    when: str = ""

    @cached_property
    def start(self) -> MatchStarted:
        """How the match began: with its rules, seating and first dealer."""
        first = self.events[0] if self.events else None
        if not isinstance(first, MatchStarted):
            raise IllegalMove(RuleCode.NO_ROUND)
        return first

    @cached_property
    def match(self) -> Match:
        """The match after its last event.

        Raises:
            IllegalMove: if the rules don't allow the events.
        """
        return start(self.start).apply_all(self.events[1:])  # pyright: ignore[reportArgumentType]

    def steps(self) -> Iterator[tuple[Event, Match]]:
        """Each event after the first, with the match after it.

        Raises:
            IllegalMove: if the rules don't allow an event.
        """
        match = start(self.start)
        for event in self.events[1:]:
            match = match.apply(event)
            yield event, match


def write(file: MatchFile) -> str:
    """The text of a match.

    Raises:
        IllegalMove: if the rules don't allow its events.
    """
    lines = [*_head(file), *_LEGEND]
    for event, match in file.steps():
        if isinstance(event, RoundDealt):
            lines += ["", f"round {match.round_number}"]
        swept = any(isinstance(fact, CardPlayed | CaptureClaimed) and fact.escoba for fact in match.facts)
        lines.append(format_event(event) + ("  # escoba" if swept else ""))
        lines += _remarks(match)
        if match.round is not None and match.round.over:
            lines += _score_lines(match)
    lines += ["", _result(file.match)]
    return "\n".join(lines) + "\n"


def _head(file: MatchFile) -> Iterator[str]:
    yield _FIRST_LINE
    yield f"preset: {file.preset}"
    yield f"rules: {format_rules(file.start.rules)}"
    yield f"seating: {file.start.seating}"
    yield f"dealer: {file.start.dealer}"
    if file.when:
        yield f"played: {file.when}"
    for seat, name in enumerate(file.names):
        yield f"seat {seat}: {one_line(name)}".rstrip()


def one_line(name: str) -> str:
    """A name as it stands in a file: on one line, without signs that aren't seen."""
    kept = "".join(" " if sign.isspace() else sign for sign in name if sign.isspace() or sign.isprintable())
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def _remarks(match: Match) -> Iterator[str]:
    """What the latest line doesn't tell: the hands that were dealt, and what the dealer took."""
    opening = next((fact for fact in match.facts if isinstance(fact, OpeningTaken)), None)
    if match.round is not None and any(isinstance(fact, DealMade) for fact in match.facts):
        hands = " · ".join(f"seat {seat}: {hand}" for seat, hand in enumerate(match.round.hands))
        table = match.round.table if opening is None else opening.cards
        yield f"# {hands} · table: {table or 'empty'}"
    if opening is not None:
        escobas = "escoba" if opening.escobas == 1 else f"{opening.escobas} escobas"
        yield f"# seat {opening.seat} takes the table: {escobas}"


def _score_lines(match: Match) -> Iterator[str]:
    """What the round that is over has scored."""
    score = match.scores[-1]
    to = "nobody" if score.leftovers_to is None else f"seat {score.leftovers_to}"
    yield f"left: {score.leftovers or 'nothing'} ({score.leftovers.worth}) to {to}"
    for item in score.items:
        yield f"{item.item}: {_compared(item, match)} => {_sides(item.points)}"
    yield f"points: {_sides(score.points)}"
    yield f"totals: {_sides(match.totals)}"


def _compared(item: ItemScore, match: Match) -> str:
    """What was compared between the sides; the cards of a setenta, whose number tells nobody anything."""
    if item.item is Item.PRIME and match.rules.prime is Prime.SETENTA:
        return " - ".join(map(_ranks, item.cards))
    return _sides(item.amounts)


def _ranks(cards: CardSet) -> str:
    return " ".join(map(str, sorted((card.printed for card in cards), key=_RANKS.index))) or "none"


def _sides(values: Iterable[int]) -> str:
    return " - ".join(map(str, values))


def _result(match: Match) -> str:
    if match.winner is not None:
        return f"result: side {match.winner} wins"
    return "result: drawn" if match.stage is Stage.OVER else "result: broken off"


def read(content: str | bytes) -> MatchFile:
    """The match that a text describes, once every move of it has been played and every score compared.

    Raises:
        MatchFileError: if it isn't such a text, a move isn't legal, or a score isn't what the moves make.
    """
    if len(content) > LARGEST:
        raise MatchFileError(1, f"a match has at most {LARGEST:,} bytes")
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise MatchFileError(content.count(b"\n", 0, error.start) + 1, "this isn't text in UTF-8") from None
    lines = _Lines(content)
    file = _read_head(lines)
    return replace(file, events=(*file.events, *_read_events(lines, start(file.start))))


class _Lines:
    """The lines of a text that count, in order, with single spaces; `number` is that of the latest."""

    def __init__(self, text: str) -> None:
        self._rest = [pair for pair in enumerate(map(_meant, text.split("\n")), start=1) if pair[1]]
        self._rest.reverse()
        self.number = 1

    @property
    def next(self) -> str:
        """The line that comes next; empty at the end."""
        return self._rest[-1][1] if self._rest else ""

    def take(self) -> str:
        if not self._rest:
            raise self.error("the match ends here, without its result")
        self.number, line = self._rest.pop()
        return line

    def expect(self, wanted: str, problem: str = "this line should be") -> None:
        """Take the next line, which must be this one."""
        if (line := self.take()) != wanted:
            raise self.error(f"{problem} {wanted!r}, not {_short(line)}")

    def value(self, key: str) -> str:
        """Take the next line, which must be ``key: value``."""
        found, colon, value = (line := self.take()).partition(":")
        if found != key or not colon:
            raise self.error(f"this line should be '{key}: ...', not {_short(line)}")
        return value.strip()

    def error(self, problem: str | NotationError | IllegalMove) -> MatchFileError:
        if isinstance(problem, IllegalMove):
            return MatchFileError(self.number, _WHY.get(problem.code, problem.code.replace("_", " ")))
        return MatchFileError(self.number, str(problem))


def _meant(line: str) -> str:
    """A line without its remark and needless space. A name may have a ``#`` in it."""
    return " ".join((line if line.lstrip().startswith("seat ") else line.partition("#")[0]).split())


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _read_head(lines: _Lines) -> MatchFile:
    """All before the first round, with the start of the match as the only event."""
    lines.expect(_FIRST_LINE, "a match of Escoba begins with")
    if (preset := lines.value("preset")) not in PRESETS:
        raise lines.error(f"a preset is one of {', '.join(PRESETS)}")
    try:
        rules = parse_rules(lines.value("rules").split())
    except NotationError as error:
        raise lines.error(error) from None
    try:
        seating = Seating(lines.value("seating"))
    except ValueError:
        raise lines.error(f"a seating is one of {', '.join(Seating)}") from None
    if conflicts := rules.conflicts(seating):
        raise lines.error(f"these rules and this seating can't be played: {conflicts[0].replace('_', ' ')}")
    seats = [str(seat) for seat in range(seating.seats)]
    if (dealer := lines.value("dealer")) not in seats:
        raise lines.error(f"the dealer is one of the seats {', '.join(seats)}")
    begun = MatchStarted(rules, seating, int(dealer))
    when = lines.value("played") if lines.next.startswith("played:") else ""
    if when and not _WHEN.fullmatch(when):
        raise lines.error("a time is written as 2026-11-23 21:30 UTC")
    return MatchFile(preset, tuple(one_line(lines.value(f"seat {seat}")) for seat in seats), (begun,), when)


def _read_events(lines: _Lines, match: Match) -> Iterator[Event]:
    """The events after the start, each played by the engine and each round's score compared, down to the result."""
    while True:
        if match.stage is not Stage.TO_PLAY and not lines.next.startswith("result:"):
            lines.expect(f"round {match.round_number + 1}" if match.stage is Stage.TO_DEAL else _result(match))
        if (line := lines.take()).startswith("result:"):
            break
        try:
            event = parse_event(line)
            match = match.apply(event)
        except (NotationError, IllegalMove) as error:
            raise lines.error(error) from None
        yield event
        if match.round is not None and match.round.over:
            for score_line in _score_lines(match):
                lines.expect(score_line, "by the moves, this is")
    if line != _result(match):
        raise lines.error(f"by the moves, this is {_result(match)!r}, not {_short(line)}")
    if lines.next:
        lines.take()
        raise lines.error("nothing follows the result")
