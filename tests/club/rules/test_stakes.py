"""A match's stakes are what rating its outcome would change, in whole points."""

from bot.club.rules.gains import MOST, UNIT, Gains, stakes_of
from bot.club.rules.rating import Rated, Rating, rate

ANA, BEA, CLO, DON = 1, 2, 3, 4
NEW, STRONG, WEAK = Rating(), Rating(33.0, 2.0), Rating(19.0, 2.5)


def test_a_duels_stakes_are_what_either_outcome_would_change():
    stakes = stakes_of([(ANA, 0), (BEA, 1)], {ANA: STRONG, BEA: WEAK})
    assert [each.person_id for each in stakes.people] == [ANA, BEA]
    won = rate([Rated(0, 1, STRONG), Rated(1, 2, WEAK)])
    lost = rate([Rated(0, 2, STRONG), Rated(1, 1, WEAK)])
    ana, bea = stakes.people
    assert (ana.first, ana.last) == (won[0].shown - STRONG.shown, lost[0].shown - STRONG.shown)
    assert (bea.first, bea.last) == (lost[1].shown - WEAK.shown, won[1].shown - WEAK.shown)
    assert ana.first < bea.first  # the one who is expected to win gains less
    assert ana.last < 0 < ana.first


def test_with_three_sides_the_last_loses_to_the_others_in_the_order_of_their_strength():
    ratings = {ANA: NEW, BEA: WEAK, CLO: STRONG}
    stakes = stakes_of([(ANA, 0), (BEA, 1), (CLO, 2)], ratings)
    last = rate([Rated(0, 3, NEW), Rated(1, 2, WEAK), Rated(2, 1, STRONG)])
    first = rate([Rated(0, 1, NEW), Rated(1, 2, WEAK), Rated(2, 3, STRONG)])
    assert stakes.people[0].last == last[0].shown - NEW.shown
    assert stakes.people[0].first == first[0].shown - NEW.shown
    assert stakes.sides == 3


def test_partners_win_and_lose_together():
    people = [(ANA, 0), (BEA, 1), (CLO, 0), (DON, 1)]
    stakes = stakes_of(people, dict.fromkeys((ANA, BEA, CLO, DON), NEW))
    assert len({(each.first, each.last) for each in stakes.people}) == 1
    assert stakes.sides == 2


def test_a_match_that_counts_half_brings_half_as_much():
    full = stakes_of([(ANA, 0), (BEA, 1)], {ANA: NEW, BEA: NEW}).people[0]
    half = stakes_of([(ANA, 0), (BEA, 1)], {ANA: NEW, BEA: NEW}, 4).people[0]
    assert abs(half.first - full.first / 2) <= 1
    assert abs(half.last - full.last / 2) <= 1


def test_whoever_has_gained_enough_from_the_other_is_offered_the_rest():
    gains = Gains(frozenset({ANA, BEA}), {(ANA, BEA): (MOST - 10) * UNIT, (BEA, ANA): -(MOST - 10) * UNIT})
    free = stakes_of([(ANA, 0), (BEA, 1)], {ANA: NEW, BEA: NEW}).people
    ana, bea = stakes_of([(ANA, 0), (BEA, 1)], {ANA: NEW, BEA: NEW}, gains=gains).people
    assert (ana.limited, bea.limited) == (True, False)
    assert 10 <= ana.first < free[0].first
    assert ana.last == free[0].last, "what they lose can be won back"
    assert bea.first == free[1].first
    assert free[1].last < bea.last < 0
