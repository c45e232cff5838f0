"""Achievements: each is decided from what everybody saw of a match, or from the sum of a person's matches."""

from dataclasses import replace
from random import Random

import pytest

from bot.club.rules.achievements import DEEDS, Achievement, Progress, deeds_of, reached
from bot.engine.cards import FULL, CardSet
from bot.engine.events import MatchStarted
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken, RoundBegan
from bot.engine.highlights import Deed, no_highlights
from bot.engine.match import Match, start
from bot.engine.rules import PRESETS, Seating
from bot.engine.scoring import SEVEN_OF_OROS, RoundScore, score_round
from tests.support.engine import after, cards, position, random_events

GOLD = "1o 2o 3o 4o 5o 6o 7o 10o 11o 12o"
SEVENS = "7o 7c 7e 7b"


def scored(pile: str, escobas: tuple[int, int] = (0, 0), preset: str = "escoba") -> RoundScore:
    """A round between two in which the first took these cards, and the other all the rest."""
    own = cards(pile)
    items = score_round(PRESETS[preset].rules, (own, FULL - own), escobas)
    return RoundScore(items, CardSet.of([]), None)


def match_of(*scores: RoundScore, target: int = 21, preset: str = "escoba", seating: Seating = Seating.TWO) -> Match:
    """A match with these rounds; the side with the most points has won if it reached the target."""
    begun = start(MatchStarted(replace(PRESETS[preset].rules, target=target), seating, 0))
    totals = tuple(map(sum, zip(*(score.points for score in scores), strict=True)))
    winner = totals.index(max(totals)) if max(totals) >= target else None
    return replace(begun, scores=scores, totals=totals, winner=winner)


def deeds(match: Match, seat: int = 0) -> frozenset[Achievement]:
    """What the scores and the latest event of a match brought a seat."""
    return deeds_of(match, no_highlights(match.seating).after_event(match), seat)


def points(first: int, second: int) -> RoundScore:
    """A round that brought these points, all from escobas: nobody has most of anything."""
    half = "1o 2o 3o 4o 5o 1c 2c 3c 4c 5c 1e 2e 3e 4e 5e 1b 2b 3b 4b 5b"
    score = scored(half, (first, second))
    return replace(score, items=score.items[:1] + tuple(replace(each, points=(0, 0)) for each in score.items[1:]))


def test_all_sevens_and_all_oros_count_whatever_the_rules_score() -> None:
    for preset in PRESETS:
        assert Achievement.SEVENS in deeds(match_of(scored(SEVENS, preset=preset), preset=preset))
        assert Achievement.OROS in deeds(match_of(scored(GOLD, preset=preset), preset=preset))
    three = match_of(scored("7o 7c 7e 1o"), scored("7b 1o"))
    assert deeds(three) | deeds(three, seat=1) == frozenset(), "sevens of two rounds don't add up"
    assert Achievement.OROS in deeds(match_of(scored(GOLD)))
    assert Achievement.OROS not in deeds(match_of(scored(GOLD.removeprefix("1o "))))


def test_a_clean_sweep_needs_every_item_and_leaves_the_others_nothing() -> None:
    most = f"{GOLD} {SEVENS.removeprefix('7o ')} 1c 2c 3c 4c 5c 6c 1e 2e 3e"
    assert Achievement.CLEAN_SWEEP in deeds(match_of(scored(most, (1, 0))))
    assert Achievement.CLEAN_SWEEP not in deeds(match_of(scored(most, (0, 0)))), "no escoba"
    silent = match_of(scored(most, (1, 0), preset="chorizo"), preset="chorizo")
    assert Achievement.CLEAN_SWEEP in deeds(silent), "few hands have a canto to sing"
    assert Achievement.CLEAN_SWEEP not in deeds(match_of(scored(most, (1, 1)))), "the other has an escoba, too"
    assert Achievement.CLEAN_SWEEP not in deeds(match_of(scored(GOLD, (1, 0)))), "not the most cards"


@pytest.mark.parametrize(("target", "behind", "enough"), [(21, 9, True), (21, 8, False), (11, 5, True), (10, 9, False)])
def test_a_comeback_begins_two_fifths_of_the_target_behind(target: int, behind: int, enough: bool) -> None:
    match = match_of(points(0, behind), points(target, 0), target=target)
    assert (Achievement.COMEBACK in deeds(match)) is enough
    assert Achievement.COMEBACK not in deeds(match, seat=1), "the other side had been ahead"


@pytest.mark.parametrize(("other", "enough"), [(7, True), (8, False)])
def test_in_a_rout_nobody_else_gets_beyond_a_third_of_the_target(other: int, enough: bool) -> None:
    match = match_of(points(21, other))
    assert (Achievement.ROUT in deeds(match)) is enough
    assert Achievement.ROUT not in deeds(match_of(points(20, 0))), "nobody has won"


def test_partners_share_what_their_side_did_and_not_what_one_of_them_did() -> None:
    match = match_of(scored(SEVENS), seating=Seating.PAIRS)
    highlights = replace(no_highlights(Seating.PAIRS), deeds=frozenset({(2, Deed.SIX_CARDS)}))
    assert [deeds_of(match, highlights, seat) for seat in range(4)] == [
        {Achievement.SEVENS},
        frozenset(),
        {Achievement.SEVENS, Achievement.SIX_CARDS},
        frozenset(),
    ]


def test_a_last_card_escoba_counts_even_if_others_have_cards_left() -> None:
    match = position(["5c", "10c"], "12e")
    swept = after(match, "0 5c x 12e")
    assert Achievement.LAST_CARD in deeds(swept)
    earlier = after(position(["5c", "10c"], "12e", stock="1c 2c 3c 4c 5e 6c"), "0 5c x 12e")
    assert Achievement.LAST_CARD not in deeds(earlier), "another deal comes"
    early = after(position(["5c 1o", "10c 11c"], "12e"), "0 5c x 12e")
    assert Achievement.LAST_CARD not in deeds(early), "a card is left in the hand"
    none = after(position(["5c", "10c"], "12e 11b"), "0 5c x 12e")
    assert Achievement.LAST_CARD not in deeds(none), "no escoba"


@pytest.mark.parametrize("preset", ["escoba", "quince"])
def test_a_seats_deeds_follow_from_what_everybody_saw(preset: str) -> None:
    found: set[Deed] = set()
    for seed in range(4):
        expected: set[tuple[int, Deed]] = set()
        in_round = [0, 0, 0]
        highlights = no_highlights(Seating.THREE)
        for _, match in random_events(preset, Seating.THREE, Random(f"deeds {seed}"), target=15):
            highlights = highlights.after_event(match)
            for fact in match.facts:
                match fact:
                    case RoundBegan():
                        in_round = [0, 0, 0]
                    case CardPlayed(seat, card, taken, escoba) | CaptureClaimed(seat, card, taken, escoba) if taken:
                        whole = taken.with_card(card)
                        in_round[seat] += escoba
                        expected |= {(seat, Deed.SIX_CARDS)} if len(whole) >= 6 else set()
                        expected |= {(seat, Deed.GOLDEN_ESCOBA)} if escoba and SEVEN_OF_OROS in whole else set()
                        expected |= {(seat, Deed.FOUR_ESCOBAS)} if in_round[seat] >= 4 else set()
                    case OpeningTaken(seat, taken, escobas):
                        in_round[seat] += escobas
                    case _:
                        pass
        assert {each for each in highlights.deeds if each[1] is not Deed.LAST_CARD} == expected
        found |= {deed for _, deed in highlights.deeds}
    assert found


def test_progress_earns_each_achievement_at_its_mark_and_not_before() -> None:
    below = Progress(matches=99, wins=0, best_streak=4, rivals=9, presets=frozenset([*PRESETS][1:]), above=149)
    assert reached(below) == frozenset()
    marks = {
        Achievement.HUNDRED: {"matches": 100},
        Achievement.FIRST_WIN: {"wins": 1},
        Achievement.RUN: {"best_streak": 5},
        Achievement.TEN_RIVALS: {"rivals": 10},
        Achievement.ALL_ROUNDER: {"presets": frozenset(["", *PRESETS])},
        Achievement.GIANT_KILLER: {"above": 150},
    }
    for achievement, change in marks.items():
        assert reached(replace(below, **change)) == {achievement}
    assert reached(replace(below, best_streak=10)) == {Achievement.RUN, Achievement.LONG_RUN}
    assert {*marks, Achievement.LONG_RUN} == set(Achievement) - DEEDS
