"""The story of a match in words."""

import re
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.engine.cards import Canto, CardSet
from bot.engine.facts import RoundScored
from bot.engine.highlights import Song
from bot.engine.match import start
from bot.engine.rules import Seating
from bot.engine.story import Course, Story, story_of
from bot.platform.language.catalogues import words
from bot.tables.log.codec import LOG, MATCH, decode
from bot.tables.log.seats import Seat
from bot.tables.words.telling import story_lines
from tests.support.dose import thorough_but
from tests.support.engine import highlights_of, random_events
from tests.support.store import NOON

SEATS = (Seat("Ana", 1), Seat("Bea", 2))
STORY = Story(0, ((0, 31), (0, 4)), Course.AT_ONCE, 1, 0, (), 0, None)


@pytest.mark.spanish
def test_the_best_canto_is_mentioned_where_somebody_sang() -> None:
    sung = Song(1, 1, CardSet.of("3o 3c 3e"), (Canto.TRES_DE_NUEVE, Canto.CHORIZO))
    story = replace(STORY, song=sung)
    assert story_lines(story, SEATS, words("en"))[1:] == ["🎵 Best canto: Bea, tres de nueve + chorizo"]
    assert story_lines(story, SEATS, words("es"))[1:] == ["🎵 Mejor canto: Bea, tres de nueve + chorizo"]
    assert len(story_lines(STORY, SEATS, words("en"))) == 1


SENTENCES = {
    "drawn": re.compile(r"🤝 It was a tie in the end\."),
    "once": re.compile(r"⚡ (?P<name>.+) won in a single round\."),
    "always": re.compile(r"🏁 (?P<name>.+) (was|were) ahead from the first round to the last\."),
    "last": re.compile(
        r"🎬 (?P<name>.+) took the lead in the very last round, after being (?P<n>\d+) points? behind\."
    ),
    "last tie": re.compile(r"🎬 (?P<name>.+) took the lead in the very last round, after a tie\."),
    "comeback": re.compile(
        r"📈 (?P<name>.+) came back from (?P<n>\d+) points? behind and led from round (?P<round>\d+) on\."
    ),
    "tie": re.compile(r"📈 (?P<name>.+) led from round (?P<round>\d+) on, after a tie\."),
}
NAMES = ("Ana", "Bea", "Ciro", "Dora")
KINDS = (("escoba", Seating.TWO), ("quince", Seating.THREE), ("escoba", Seating.PAIRS))


def recounted(preset: str, seating: Seating, number: int) -> tuple[list[list[int]], str]:
    """The points of each side after each round, added up from a match's events alone, and the sentence about it."""
    rounds = {0: 2, 3: 1}.get(number % 6)
    how: dict[str, Any] = {"rounds": rounds} if rounds else {"target": 7 + number % 15}
    played = list(random_events(preset, seating, Random(f"{preset}/{seating}/{number}"), **how))
    texts = [LOG.entries([event], NOON)[0].body for event, _ in played]  # as it is stored
    course: list[list[int]] = [[0] * seating.sides]
    replayed = None
    for text in texts:
        event = decode(MATCH, text)
        replayed = start(event) if replayed is None else replayed.apply(event)  # type: ignore[arg-type]
        for fact in replayed.facts:
            if isinstance(fact, RoundScored):
                gained = [sum(item.points[side] for item in fact.score.items) for side in range(seating.sides)]
                course.append([before + more for before, more in zip(course[-1], gained, strict=True)])
    states = [match for _, match in played]
    seats = tuple(Seat(name, place) for place, name in enumerate(NAMES[: seating.seats], start=1))
    return course, story_lines(story_of(states[-1], highlights_of(states)), seats, words("en"))[0]


@pytest.mark.parametrize("each", thorough_but([12, 100], 12))
def test_the_sentence_about_a_match_is_true_by_an_independent_recount(each: int) -> None:
    kinds = set[str]()
    for (preset, seating), number in product(KINDS, range(each)):
        course, sentence = recounted(preset, seating, number)
        [(kind, said)] = [(kind, found) for kind, each in SENTENCES.items() if (found := each.fullmatch(sentence))]
        kinds.add(kind)
        best = max(course[-1])
        first = [side for side, total in enumerate(course[-1]) if total == best]
        if kind == "drawn":
            assert len(first) > 1, sentence
            continue
        [winner] = first
        assert said["name"] == " & ".join(NAMES[winner : seating.seats : seating.sides]), sentence
        leads = [
            totals[winner] - max(total for side, total in enumerate(totals) if side != winner) for totals in course[1:]
        ]
        if kind in ("once", "always"):
            assert all(lead > 0 for lead in leads), sentence
            assert (len(leads) == 1) == (kind == "once"), sentence
        else:
            since = int(said["round"]) if kind in ("comeback", "tie") else len(leads)
            assert 1 < since <= len(leads), sentence
            assert all(lead > 0 for lead in leads[since - 1 :]), sentence
            assert leads[since - 2] <= 0, sentence
            if kind in ("last", "comeback"):
                assert int(said["n"]) == -min(leads), sentence
            else:
                assert leads[since - 2] == 0 <= min(leads), sentence
    assert kinds >= {"drawn", "once", "always", "last", "comeback"}
