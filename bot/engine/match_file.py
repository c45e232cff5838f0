"""A whole match as a text that people can read: who played by which rules, every deck, move and score, and who won.

    escoba match, version 1
    preset: escoba
    rules: capture=fifteen duty=compulsory ... target=21
    seating: 2
    dealer: 0
    played: 2026-11-23 21:30 UTC
    seat 0: Ana
    seat 1: Bea
    commitment: mMmE...         the proof of the deal, if the match has one: see `deals`
    message: 1234567890123456789
    posted: 1
    draws dealer: yes

    round 1
    deal 3o 2b ...              the deck and the moves, as in `notation`
    1 4e x 4c 7o
    ...
    left: 3e 12c (13) to seat 1
    escobas: 1 - 2 => 1 - 2     what each side has => the points that it gets
    ...
    points: 3 - 4
    totals: 3 - 4
    link: Xy1B...

    result: side 1 wins

`read` plays every move through the engine and compares every score. Blank lines don't count, nor does anything after a
``#``, except in names. The same match always makes the same text. Later versions of the bot must read version 1, too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from bot.engine.deals import from_text
from bot.engine.errors import IllegalMove, NotationError, RuleCode
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.notation import (
    format_event,
    format_rules,
    move_remarks,
    parse_event,
    parse_rules,
    remark_lines,
    result_line,
    score_lines,
    without_remarks,
)
from bot.engine.proofs import Proof
from bot.engine.rules import PRESETS, Seating

LARGEST: Final = 1_000_000
"""The most bytes that a file may have; a match of fifty rounds takes a tenth of that."""
LONGEST_NAME: Final = 100
_SHOWN: Final = 80
"""Characters of a wrong line that an error quotes."""

_FIRST_LINE: Final = "escoba match, version 1"
_LEGEND: Final = (
    "# A card: its number, then o for oros, c copas, e espadas, b bastos. 10 is the sota, 11 the caballo, 12 the rey.",
    "# A move: the seat, the card and, after an x, what it takes.",
)
_LINK: Final = "link:"
_BY_MOVES: Final = "by the moves, this is"
_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,19}")
_WHEN: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC")
_WHY: Final = {
    RuleCode.NOT_YOUR_TURN: "it's another seat's turn",
    RuleCode.CARD_NOT_HELD: "the seat doesn't hold that card",
    RuleCode.NOT_A_CAPTURE: "the card can't take these cards",
    RuleCode.MUST_CAPTURE: "the card can capture, so it must",
    RuleCode.NOTHING_TO_CLAIM: "there is nothing to claim",
    RuleCode.NOTHING_TO_SING: "there is nothing to sing, or it is too late",
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
        line: the number of the line, from 1.
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
        when: when it ended, as ``2026-11-23 21:30 UTC``; empty if that isn't known.
        proof: the evidence of how it was dealt; None if it was dealt in another way.
    """

    preset: str
    names: tuple[str, ...]
    events: tuple[Event, ...]
    when: str = ""
    proof: Proof | None = None

    @cached_property
    def start(self) -> MatchStarted:
        """The beginning of the match: with its rules, seating and first dealer."""
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
        lines += [format_event(event) + move_remarks(match), *remark_lines(match)]
        if match.round is not None and match.round.over:
            lines += [*score_lines(match), *_link(file.proof, len(match.scores))]
    lines += ["", result_line(file.match)]
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
    if (proof := file.proof) is not None:
        yield f"commitment: {proof.commitment}"
        yield f"message: {proof.message_id}"
        yield f"posted: {proof.posted}"
        yield f"draws dealer: {'yes' if proof.draws_dealer else 'no'}"


def one_line(name: str) -> str:
    """A name as it is written in a file: on one line, without invisible characters."""
    kept = "".join(" " if sign.isspace() else sign for sign in name if sign.isspace() or sign.isprintable())
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def _link(proof: Proof | None, round_number: int) -> tuple[str, ...]:
    """The link of a round, if it was opened."""
    if proof is None or len(proof.links) < round_number:
        return ()
    return (f"{_LINK} {proof.links[round_number - 1]}",)


def read(content: str | bytes) -> MatchFile:
    """The match that a text describes, after playing every move of it and comparing every score.

    Raises:
        MatchFileError: if the text isn't in this format, a move isn't legal, or a score doesn't follow from the moves.
    """
    if len(content) > LARGEST:
        raise MatchFileError(1, f"a match has at most {LARGEST:,} bytes")
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise MatchFileError(content.count(b"\n", 0, error.start) + 1, "this isn't text in UTF-8") from None
    return _Reader(content).match_file()


class _Reader:
    """Reads the lines that count, in order and with single spaces; `number` is the latest one's."""

    def __init__(self, text: str) -> None:
        numbered = enumerate(text.split("\n"), start=1)
        self._rest = [(number, text) for number, line in numbered if line and (text := _without_remark(line))]
        self._rest.reverse()
        self.number = 1

    def match_file(self) -> MatchFile:
        self._expect(_FIRST_LINE, "a match of Escoba begins with")
        if (preset := self._value("preset")) not in PRESETS:
            raise self._error(f"a preset is one of {', '.join(PRESETS)}")
        begun = self._start()
        when = self._value("played") if self._next.startswith("played:") else ""
        if when and not _WHEN.fullmatch(when):
            raise self._error("a time is written as 2026-11-23 21:30 UTC")
        names = tuple(one_line(self._value(f"seat {seat}")) for seat in range(begun.seating.seats))
        proof = self._proof(begun.seating) if self._next.startswith("commitment:") else None
        links: list[str] = []
        events = (begun, *self._events(start(begun), None if proof is None else links))
        return MatchFile(preset, names, events, when, proof and replace(proof, links=tuple(links)))

    def _start(self) -> MatchStarted:
        try:
            rules = parse_rules(self._value("rules").split())
        except NotationError as error:
            raise self._error(error) from None
        try:
            seating = Seating(self._value("seating"))
        except ValueError:
            raise self._error(f"a seating is one of {', '.join(Seating)}") from None
        if conflicts := rules.conflicts(seating):
            raise self._error(f"these rules and this seating can't be played: {conflicts[0].replace('_', ' ')}")
        seats = [str(seat) for seat in range(seating.seats)]
        if (dealer := self._value("dealer")) not in seats:
            raise self._error(f"the dealer is one of the seats {', '.join(seats)}")
        return MatchStarted(rules, seating, int(dealer))

    def _proof(self, seating: Seating) -> Proof:
        """The proof, without its links."""
        commitment = self._chained("commitment")
        message_id, posted = self._count("message"), self._count("posted")
        if (drawn := self._value("draws dealer")) not in ("yes", "no"):
            raise self._error("this is yes or no")
        return Proof(commitment, message_id, seating, posted=posted, draws_dealer=drawn == "yes")

    def _events(self, match: Match, links: list[str] | None) -> Iterator[Event]:
        """The events up to the result, each played by the engine and each round's score compared.

        The links of the rounds are appended to `links`; if that is None, the text may not contain any.
        """
        while True:
            if match.stage is not Stage.TO_PLAY and not self._next.startswith("result:"):
                self._expect(f"round {match.round_number + 1}" if match.stage is Stage.TO_DEAL else result_line(match))
            if (line := self._take()).startswith("result:"):
                break
            try:
                event = parse_event(line)
                match = match.apply(event)
            except (NotationError, IllegalMove) as error:
                raise self._error(error) from None
            yield event
            if match.round is not None and match.round.over:
                for score_line in score_lines(match):
                    self._expect(score_line, _BY_MOVES)
                if self._next.startswith(_LINK):
                    link = self._chained("link")
                    if links is None or len(links) != len(match.scores) - 1:
                        raise self._error("the commitment, or the link of a round before this, is missing")
                    links.append(link)
        if line != result_line(match):
            raise self._error(f"{_BY_MOVES} {result_line(match)!r}, not {_short(line)}")
        if self._next:
            self._take()
            raise self._error("nothing follows the result")

    # -------------------------------------------------------------------------------------------- single lines

    @property
    def _next(self) -> str:
        """The line that comes next; empty at the end."""
        return self._rest[-1][1] if self._rest else ""

    def _take(self) -> str:
        if not self._rest:
            raise self._error("the match ends here, without its result")
        self.number, line = self._rest.pop()
        return line

    def _expect(self, wanted: str, problem: str = "this line should be") -> None:
        """Take the next line, which must be `wanted`."""
        if (line := self._take()) != wanted:
            raise self._error(f"{problem} {wanted!r}, not {_short(line)}")

    def _value(self, key: str) -> str:
        """Take the next line, which must be ``key: value``."""
        found, colon, value = (line := self._take()).partition(":")
        if found != key or not colon:
            raise self._error(f"this line should be '{key}: ...', not {_short(line)}")
        return value.strip()

    def _count(self, key: str) -> int:
        if not _COUNT.fullmatch(value := self._value(key)):
            raise self._error("this is a whole number, without zeros before it")
        return int(value)

    def _chained(self, key: str) -> str:
        value = self._value(key)
        try:
            from_text(value)
        except NotationError as error:
            raise self._error(error) from None
        return value

    def _error(self, problem: str | NotationError | IllegalMove) -> MatchFileError:
        if isinstance(problem, IllegalMove):
            return MatchFileError(self.number, _WHY.get(problem.code, problem.code.replace("_", " ")))
        return MatchFileError(self.number, str(problem))


def _without_remark(line: str) -> str:
    """A line without its remark and needless space. A name may have a ``#`` in it."""
    return " ".join(line.split()) if line.lstrip().startswith("seat ") else without_remarks(line)


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
