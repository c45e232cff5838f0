"""The lessons' steps, and the rounds that they show."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards import DECK, Card, CardSet
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.notation import format_event
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.scoring import Item
from bot.training.rules.lessons import LEARNER, NOBODY, Asks, Lesson, LessonStep

FINISHED: Final = """\
match capture=fifteen duty=compulsory opening=sum prime=setenta target=21 seating=2 dealer=1
deal 5b 2c 12b 12o 11c 6c 6o 11o 4c 7e 3e 6b 3o 3c 2o 4b 1b 2e 12c 3b 12e 5c 1o 10c 5o 10e 10o 7b 2b 4e 6e 1e 4o 11b \
11e 10b 5e 1c 7o 7c
0 2c x 6o 7e
1 6c x 11o
0 5b
1 12o x 5b
0 12b
1 11c
0 3e
1 2o x 4c 11c
0 6b
1 3c
0 3o x 3c 3e 6b
1 4b
0 1b x 4b 12b
1 3b
0 2e
1 12e x 2e 3b
0 12c
1 5c x 12c
0 5o
1 7b
0 10c x 7b
1 10e
0 1o
1 10o
0 6e x 1o 10o
1 11b
0 2b x 5o 10e
1 4o
0 4e
1 1e
0 10b
1 7o x 4o 4e
0 11e
1 7c x 10b
0 5e x 1e 11e
1 1c
"""
"""A whole round, 3 to 3: most cards and the setenta for the learner, a tie in oros, the seven of oros for the other."""

TO_PLAY: Final = """\
match capture=fifteen duty=compulsory opening=sum prime=setenta target=21 seating=2 dealer=1
deal 7o 12c 3b 4c 3e 4o 11b 2c 3c 7c 6e 10b 6b 12b 1o 4e 7e 6o 1b 10e 5o 11o 4b 7b 10o 2b 1c 11c 2o 5c 1e 5e 12e 10c \
5b 11e 2e 6c 12o 3o
0 3b x 2c 3c 7c
1 3e
0 12c
1 4c
0 7o
1 4o x 4c 7o
0 6b x 11b
1 12b
0 10b
1 4e x 3e 10b
0 6e
1 1o
0 1b
1 10e x 1o 6e
0 7e
1 5o x 12b
0 6o
1 11o x 6o
0 10o x 7e
1 11c
0 4b x 1b 12c
1 2b
0 7b
1 1c
"""
"""A round up to its last deal but one, with the learner at turn: an escoba is possible, and the round is close."""


FIRST: Final = "escoba"
"""The lesson for somebody who has never played."""


def _dealt(hand: str, other: str, table: str, *moves: str, preset: str = "escoba") -> str:
    """Begin a first deal with these cards; if `moves` are given, they are those of the other player, who begins."""
    first, second = (other, hand) if moves else (hand, other)
    known = list(map(Card.parse, f"{first} {second} {table}".split()))
    rest = [card for card in DECK if card not in CardSet.of(known)]
    rules: Rules = replace(PRESETS[preset].rules, target=21)
    dealer = LEARNER if moves else 1 - LEARNER
    events = (MatchStarted(rules, Seating.TWO, dealer), RoundDealt((*known, *rest)))
    return "\n".join((*map(format_event, events), *(f"{1 - LEARNER} {move}" for move in moves)))


_FIGURES: Final = "10b 11c 12o"

_FIRST_STEPS: Final = (
    LessonStep("sota", Asks.PARTNER, _dealt(_FIGURES, "2c 2e 3o", "7c 5o 1e 4b"), ("10b-7c",), Card.parse("10b")),
    LessonStep("caballo", Asks.PARTNER, _dealt(_FIGURES, "2c 2e 3o", "4c 6e 7o 3b"), ("11c-6e",), Card.parse("11c")),
    LessonStep("rey", Asks.PARTNER, _dealt(_FIGURES, "2c 2e 1o", "3e 7b 5c 6o"), ("12o-5c",), Card.parse("12o")),
    LessonStep("capture", Asks.CARD, _dealt("2o 6c 7b", "1c 4e 11o", "4o 12c 5b 2e"), ("6c",)),
    LessonStep(
        "choice",
        Asks.CAPTURE,
        _dealt("5c 1b 2e", "4c 11e 1o", "12b 7o 6e 3e", "4c") + f"\n{LEARNER} 5c ?",
        ("5c-3e-7o",),
    ),
    LessonStep("which", Asks.MOVE, _dealt("4c 11b 10c", "1c 7b 2o", "5o 12b 6o 10e"), ("4c",)),
    LessonStep("escoba", Asks.CARD, _dealt("12c 7b 10e", "1c 6o 2b", "5e 3c 12o 4b", "1c x 4b 12o"), ("7b",)),
    LessonStep("large_escoba", Asks.CARD, _dealt("7e 2b 12e", "3c 11o 5b", "1c 2e 4b 6o"), ("2b",)),
    LessonStep("leaving", Asks.MOVE, _dealt("1o 4b 12e", "3c 5b 11o", "6c 7b 4e 1c", "3c x 1c 4e 7b"), ("12e",)),
    LessonStep("leaving_little", Asks.MOVE, _dealt("3c 5o 6b", "2c 5b 11o", "1c 7b 4e 2b", "2c x 2b 4e 7b"), ("3c",)),
    LessonStep("score_cards", Asks.SIDE, FINISHED, ("0",), item=Item.CARDS),
    LessonStep("score_oros", Asks.SIDE, FINISHED, (NOBODY,), item=Item.OROS),
    LessonStep("score_seven", Asks.SIDE, FINISHED, ("1",), item=Item.SEVEN_OF_OROS),
    LessonStep("score_setenta", Asks.SIDE, FINISHED, ("0",), item=Item.PRIME),
    LessonStep("score_points", Asks.POINTS, FINISHED, ("3",), item=Item.ESCOBAS),
    LessonStep("deal", Asks.DEAL, TO_PLAY),
)
_QUINCE_STEPS: Final = (
    LessonStep(
        "quince_find",
        Asks.PICK,
        _dealt("7c 10e 2o", "6c 6o 12b", "5e 3b 4c 11o", preset="quince"),
        ("2o-4c-11o", "7c-3b-5e", "10e-3b-4c"),
    ),
    LessonStep(
        "quince_claim",
        Asks.PICK,
        _dealt("12c 4o 3e", "6c 2b 7b", "11e 2e 1b 7c", "6c", preset="quince"),
        ("claim-2e-6c-7c", "claim-6c-11e"),
    ),
    LessonStep(
        "quince_escoba",
        Asks.PICK,
        _dealt("5c 2b 7e", "6c 4b 11o", "1c 2e 3b 7o", preset="quince"),
        ("2b-1c-2e-3b-7o",),
    ),
)
_CLASICA_STEPS: Final = (
    LessonStep(
        "clasica_equal",
        Asks.PICK,
        _dealt("7b 6c 1c", "2e 5b 12c", "6o 11b 4e 10c", preset="clasica"),
        ("6c-6o",),
    ),
    LessonStep(
        "clasica_sum",
        Asks.PICK,
        _dealt("1e 7c 2b", "6e 5b 1o", "4e 10o 3b 12c", preset="clasica"),
        ("7c-3b-4e",),
    ),
    LessonStep(
        "clasica_choice",
        Asks.PICK,
        _dealt("7c 1b 2o", "6e 5b 1o", "4e 7o 3b 12c", preset="clasica"),
        ("7c-7o",),
    ),
    LessonStep(
        "clasica_escoba",
        Asks.PICK,
        _dealt("7e 12c 4c", "6e 5b 1o", "1c 4o 2e 3b", preset="clasica"),
        ("12c-1c-2e-3b-4o",),
    ),
    LessonStep(
        "clasica_leaving",
        Asks.CARD,
        _dealt("3o 2e 7b", "12b 5b 1o", "6c 1c 7e 2b", "12b x 1c 2b 7e", preset="clasica"),
        ("7b",),
    ),
)

LESSONS: Final[Mapping[str, Lesson]] = {
    lesson.name: lesson
    for lesson in (
        Lesson(FIRST, _FIRST_STEPS),
        Lesson("quince", _QUINCE_STEPS),
        Lesson("clasica", _CLASICA_STEPS),
    )
}
