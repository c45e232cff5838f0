"""A match in each seating and language, as a screen reader reads it: golden texts that a person has read and approved.

The first deal, capture, choice, escoba and claim, the first score and the end are read whole; of other moves, only the
texts that are new. After a change of texts, run this with `ALOUD=write`, and read what has changed in `git diff`.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random

import pytest

from bot.cards.pictures.emojis import Uploaded, card_emojis, faces_of
from bot.club.store.career import Aftermath
from bot.engine.events import Laid, MatchStarted, RoundDealt
from bot.engine.facts import (
    CantosSung,
    CaptureClaimed,
    CardLaid,
    CardPlayed,
    MatchWon,
    OpeningTaken,
    RoundBegan,
    RoundScored,
)
from bot.engine.match import Match, start
from bot.engine.moves import Claim, Move, Play, Sing, Stage
from bot.engine.rules import PRESETS, Duty, Seating
from bot.engine.views import public_view, seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import languages, words
from bot.platform.language.faces import CardFaces, Deck
from bot.players import Character, Level
from bot.players.characters import SILENCE, Talk
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.seats import Seat
from bot.tables.screens.lobby import lobby_layout
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.table import end_panel, public_layout
from tests.support.aloud import lines_of
from tests.support.engine import highlights_of, shuffled
from tests.support.finished import is_finished

GOLDEN = Path(__file__).parent / "aloud"
HOW = "if this is what should be heard: ALOUD=write .venv/bin/python -m pytest -n0 tests/played/words/test_aloud.py"
NAMES = ("Ana", "Bruno", "Celia", "Dora", "Elías", "Fran")
PEOPLE = dict(enumerate(NAMES, start=1))
SOME_TIME = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class ReadMatch:
    """A match to be read. `whole`: read what is new after every move, and not only in the first deal."""

    preset: str
    seating: Seating
    target: int
    deck: Deck
    pictures: bool
    seed: int
    computers: int = 0
    whole: bool = False


EVENINGS = {
    "two": ReadMatch("escoba", Seating.TWO, 11, Deck.SPANISH, True, 265, computers=1, whole=True),
    "three": ReadMatch("quince", Seating.THREE, 5, Deck.SPANISH, False, 2),
    "four": ReadMatch("juegon", Seating.FOUR, 5, Deck.FRENCH, False, 25),
    "pairs": ReadMatch("quince", Seating.PAIRS, 5, Deck.SPANISH, True, 1),
    "chorizo": ReadMatch("chorizo", Seating.TWO, 5, Deck.SPANISH, True, 77),
    "six": ReadMatch("quince", Seating.TRIPLE_PAIRS, 5, Deck.FRENCH, True, 8),
}


@cache
def faces(deck: Deck) -> CardFaces:
    """A deck's emojis as they are after a sync."""
    return faces_of(deck, [Uploaded(each.deck, each.key, each.name, 10**18, each.digest) for each in card_emojis()])


@cache
def states(evening: ReadMatch) -> tuple[Match, ...]:
    """The states of a match whose players take what they can, but overlook something now and then."""
    rng = Random(evening.seed)
    rules = replace(PRESETS[evening.preset].rules, target=evening.target)
    match = start(MatchStarted(rules, evening.seating, evening.seating.seats - 1))
    found: list[Match] = []
    while match.stage is not Stage.OVER:
        if match.stage is Stage.TO_DEAL:
            match = match.apply(RoundDealt(shuffled(rng)))
        else:
            now = match.round
            assert now is not None
            move = _choice(rng, match.legal_moves())
            event = match.event_of(move)
            if isinstance(move, Play) and rules.duty is Duty.COMPULSORY and now.laid is None:
                event = Laid(now.turn, move.card) if len(now.captures_of(move.card)) > 1 else event
            match = match.apply(event)
        found.append(match)
    return tuple(found)


def _choice(rng: Random, moves: tuple[Move, ...]) -> Move:
    if Sing() in moves:
        return Sing()
    claims = [move for move in moves if isinstance(move, Claim)]
    taking = [move for move in moves if isinstance(move, Play) and move.captured]
    if claims:
        return claims[0]
    return max(taking, key=lambda move: len(move.captured)) if taking and rng.random() < 0.8 else rng.choice(moves)


def view_of(evening: ReadMatch, match: Match | None) -> TableView:
    """The table of an evening's people."""
    seats = [Seat(name, person_id) for person_id, name in PEOPLE.items()][: evening.seating.seats]
    if evening.computers:
        seats[-1] = Seat("Nuria", None, Level.NORMAL, character=Character.NURIA)
    rules = replace(PRESETS[evening.preset].rules, target=evening.target)
    phase = Phase.LOBBY if match is None else Phase.FINISHED if match.stage is Stage.OVER else Phase.PLAYING
    return TableView(
        id=1,
        guild_id=1,
        channel_id=1,
        opener_id=1,
        locale="en",
        phase=phase,
        config=Config(evening.preset, rules, teams=evening.seating.in_teams, capacity=max(4, evening.seating.seats)),
        seats=tuple(seats),
        version=1 if match is None else match.version,
        match=None if match is None else public_view(match),
        highlights=None if match is None else highlights_of(states(evening)[: states(evening).index(match) + 1]),
        remark=None if match is None else talk_of(evening, [seat.character for seat in seats], match).remark,
        deadline=SOME_TIME,
        waiting=False,
        restored=False,
        hints=bool(evening.computers),
    )


def talk_of(evening: ReadMatch, characters: Sequence[Character | None], match: Match) -> Talk:
    """What has been said until a state of an evening's match."""
    talk = SILENCE
    for state in states(evening)[: states(evening).index(match) + 1]:
        if state.round is not None:
            held = [len(hand) for hand in state.round.hands]
            talk = talk.after(characters, state.facts, state.round.table, held)
    return talk


def reading(evening: ReadMatch, language: str) -> Iterator[str]:
    """An evening read aloud, line by line."""
    display = Display(words(language, faces=faces(evening.deck)), evening.pictures)
    yield f"# {evening.preset}, {evening.seating}, {evening.deck} cards, {'pictures' if evening.pictures else 'text'}"
    yield "\n## the lobby"
    yield from lines_of(lobby_layout(view_of(evening, None), display.words), PEOPLE)
    known: set[str] = set()
    met: set[str] = set()
    between = False
    for match in states(evening):
        view = view_of(evening, match)
        heard = lines_of(public_layout(view, display), PEOPLE)
        new = [moment for moment in _moments(match) if moment not in met]
        if new:
            met.update(new)
            yield f"\n## {', '.join(new)}"
            yield from heard
            yield from _panels(view, match, new, display)
            between = False
        elif evening.whole or (match.round is not None and match.round.deal == match.round_number == 1):
            if not between:
                yield "\n## and so on"
            between = True
            yield from (line for line in heard if line not in known and not line.startswith("["))
        known = set(heard)


def _moments(match: Match) -> list[str]:
    """The moments in the latest facts that are read whole when they happen for the first time."""
    found: list[str] = []
    for fact in match.facts:
        match fact:
            case RoundBegan(number=1):
                found.append("deal")
            case CantosSung():
                found.append("canto")
            case OpeningTaken():
                found.append("opening")
            case CaptureClaimed():
                found.append("claim")
            case CardPlayed(captured=captured, escoba=escoba) if captured:
                found.append("escoba" if escoba else "capture")
            case CardLaid():
                found.append("choice")
            case RoundScored() if match.stage is not Stage.OVER:
                found.append("score")
            case MatchWon():
                found.append("end")
            case _:
                pass
    return found


def _panels(view: TableView, match: Match, moments: Sequence[str], display: Display) -> Iterator[str]:
    """The panels worth reading: the current player's, and sometimes another's, or theirs as if they were away."""

    def panel(seat: int, view: TableView = view) -> list[str]:
        return lines_of(panel_layout(view, seat_view(match, seat), display), PEOPLE)

    people = [seat for seat, held in enumerate(view.seats) if not held.is_computer]
    turn = match.turn
    if match.stage is Stage.OVER:
        for seat in people[:2]:
            yield f"\n### {NAMES[seat]}'s panel"
            yield from lines_of(end_panel(view, view.seats[seat].person_id or 0, Aftermath(), display), PEOPLE)
    elif turn is None:
        yield f"\n### {NAMES[0]}'s panel"
        yield from panel(0)
    elif turn in people:
        yield f"\n### {NAMES[turn]}'s panel, at turn"
        yield from panel(turn)
        other = (turn + 1) % len(people)
        if other != turn and not {"deal", "claim", "canto"}.isdisjoint(moments):
            yield f"\n### {NAMES[other]}'s panel"
            yield from panel(other)
        if "escoba" in moments:
            seats = [
                replace(held, presence=Presence.AWAY) if seat == turn else held for seat, held in enumerate(view.seats)
            ]
            alone = not any(held.human_here for held in seats)
            yield f"\n### {NAMES[turn]}'s panel, away"
            yield from panel(turn, replace(view, seats=tuple(seats), waiting=alone))


OWN = [each for each in ("en", "es") if is_finished(each)]
OTHERS = [each for each in languages() if each not in OWN and is_finished(each)]
READINGS = [
    *((name, language) for name in EVENINGS for language in OWN),
    *(pytest.param("two", language, marks=pytest.mark.thorough) for language in OTHERS),
]
"""Each match in the languages that the project itself keeps, and one in all others that are finished."""


@pytest.mark.parametrize(("name", "language"), READINGS)
def test_a_match_is_read_aloud_as_somebody_has_read_and_approved_it(name: str, language: str) -> None:
    said = "\n".join(reading(EVENINGS[name], language)) + "\n"
    path = GOLDEN / f"{name}.{language}.txt"
    if os.environ.get("ALOUD") == "write":
        path.write_text(said, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == said, HOW


def test_every_kind_of_moment_is_read_in_some_match() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.en.txt"))
    for moment in ("deal", "capture", "choice", "escoba", "claim", "canto", "opening", "score", "end", "away"):
        assert moment in texts
