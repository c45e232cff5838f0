"""The story of a match, from what everybody saw: its turn, its escobas, its best capture."""

from collections import Counter
from random import Random

import pytest

from bot.engine.cards import Canto, Card, CardSet, canto_points
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.highlights import Feat, Highlights, Song
from bot.engine.match import Match
from bot.engine.rules import Seating
from bot.engine.story import Course, Story, story_of
from bot.engine.views import PublicView, public_view
from tests.support.engine import cards, highlights_of, random_events

C = Card.parse


def feat(card: str, taken: str, *, escoba: bool = False) -> Feat:
    return Feat(1, 0, C(card), cards(taken), escoba)


def played(seed: int, seating: Seating = Seating.TWO, preset: str = "escoba", target: int = 11) -> list[Match]:
    return [match for _, match in random_events(preset, seating, Random(seed), target=target)]


def told(seed: int, seating: Seating = Seating.TWO, preset: str = "escoba") -> tuple[PublicView, Story]:
    states = played(seed, seating, preset)
    view = public_view(states[-1])
    return view, story_of(view, highlights_of(states))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(feat("5c", "10e 2b", escoba=True), feat("5c", "10e 2b 1c"), id="an escoba is worth a point"),
        pytest.param(feat("7o", "10c"), feat("7c", "10o"), id="so is the seven of oros"),
        pytest.param(feat("7c", "1c 7e"), feat("5c", "3c 7e"), id="two sevens are better than one"),
        pytest.param(feat("5o", "10o 2o"), feat("5c", "10o 2o"), id="oros are better than other suits"),
        pytest.param(feat("5c", "4c 3c 2c 1c"), feat("5c", "10c 2c"), id="many cards are better than few"),
        pytest.param(feat("5c", "12b", escoba=True), feat("7c", "7e 1c"), id="an escoba is better than sevens"),
    ],
)
def test_the_better_of_two_captures_is_the_one_that_scores_more(better: Feat, worse: Feat) -> None:
    assert better.worth > worse.worth


def test_the_first_of_equally_good_captures_is_the_best() -> None:
    facts = [CardPlayed(0, C("5c"), cards("12c"), escoba=False), CardPlayed(1, C("5e"), cards("12e"), escoba=False)]
    best = Highlights((0, 0)).after(facts, 3).best
    assert best is not None
    assert (best.seat, best.round) == (0, 3)


def test_a_draw_has_its_highlights_but_no_winner_and_no_turn() -> None:
    drawn = next(
        states
        for seed in range(100)
        for states in [[each for _, each in random_events("escoba", Seating.TWO, Random(seed), rounds=2)]]
        if states[-1].winner is None
    )
    story = story_of(drawn[-1], highlights_of(drawn))
    assert (story.winner, story.course, story.turning_round, story.behind) == (None, Course.DRAWN, 0, 0)
    assert story.totals[0][-1] == story.totals[1][-1]
    assert story.best is not None


def test_the_best_song_is_the_earliest_of_those_with_the_most_points() -> None:
    facts = [
        CantosSung(1, cards("1c 1e 5b"), (Canto.MISERIA,)),
        CantosSung(0, cards("2c 3c 4c"), (Canto.ESCALERA, Canto.FLOR, Canto.TRES_DE_NUEVE)),
        CantosSung(1, cards("2o 3o 4o"), (Canto.ESCALERA, Canto.FLOR, Canto.TRES_DE_NUEVE)),
        CantosSung(1, cards("10o 11o 12o"), (Canto.ESCALERA, Canto.FLOR)),
    ]
    song = Highlights((0, 0)).after(facts, 4).song
    assert song is not None
    assert song == Song(4, 0, cards("2c 3c 4c"), (Canto.ESCALERA, Canto.FLOR, Canto.TRES_DE_NUEVE))
    assert song.points == 9


def test_the_story_of_a_match_with_cantos_tells_the_best_song() -> None:
    sung: list[CantosSung] = []
    states = played(4, preset="chorizo", target=31)
    for match in states:
        sung += [fact for fact in match.facts if isinstance(fact, CantosSung)]
    song = story_of(states[-1], highlights_of(states)).song
    assert song is not None
    assert len(sung) > 1
    assert song.points == max(canto_points(each.cantos) for each in sung)
    assert told(1)[1].song is None


def test_claimed_and_opening_escobas_count_for_whoever_took_them() -> None:
    facts = [
        OpeningTaken(1, cards("1c 2c 3c 11o"), 1),
        CaptureClaimed(0, C("5c"), cards("12c"), escoba=True),
        CardPlayed(2, C("5c"), CardSet.of([]), escoba=False),
    ]
    assert Highlights((0, 0, 0)).after(facts, 1).escobas == (1, 1, 0)


@pytest.mark.parametrize("seating", [Seating.TWO, Seating.THREE, Seating.PAIRS])
@pytest.mark.parametrize("preset", ["escoba", "quince"])
def test_the_highlights_are_the_best_of_all_that_was_seen(seating: Seating, preset: str) -> None:
    for seed in range(8):
        states = played(seed, seating, preset)
        swept: Counter[int] = Counter()
        worths: list[int] = []
        for state in states:
            for fact in state.facts:
                if isinstance(fact, CardPlayed | CaptureClaimed) and fact.captured:
                    swept[fact.seat] += fact.escoba
                    worths.append(Feat(1, fact.seat, fact.card, fact.captured, fact.escoba).worth)
                elif isinstance(fact, OpeningTaken):
                    swept[fact.seat] += fact.escobas
        last = states[-1]
        found = highlights_of(states)
        assert found.escobas == tuple(swept[seat] for seat in range(seating.seats))
        sides = [sum(found.escobas[seat] for seat in seating.seats_of(side)) for side in range(seating.sides)]
        assert tuple(sides) == last.escobas
        assert found.best is not None
        assert found.best.worth == max(worths)


def test_the_winner_is_ahead_from_the_turn_on_and_was_not_before() -> None:
    courses: set[Course] = set()
    for seed in range(60):
        view, story = told(seed)
        assert story.winner is not None
        assert story.winner == view.winner
        assert [totals[-1] for totals in story.totals] == list(view.totals)
        own = story.totals[story.winner]
        rest = story.totals[1 - story.winner]
        ahead = [mine > theirs for mine, theirs in zip(own, rest, strict=True)][1:]
        assert all(ahead[story.turning_round - 1 :])
        assert story.turning_round == 1 or not ahead[story.turning_round - 2]
        assert story.behind == max(0, *(theirs - mine for mine, theirs in zip(own, rest, strict=True)))
        assert (story.course is Course.AT_ONCE) == (story.rounds == 1)
        courses.add(story.course)
    assert courses >= {Course.ALWAYS_AHEAD, Course.TOOK_LEAD, Course.AT_THE_LAST}


def test_everybody_with_the_most_escobas_is_named_unless_all_have_as_many() -> None:
    for seed in range(20):
        _, story = told(seed, Seating.THREE)
        counts = highlights_of(played(seed, Seating.THREE)).escobas
        assert story.escobas == max(counts)
        assert story.sweepers == tuple(s for s, n in enumerate(counts) if n == max(counts) > min(counts))
