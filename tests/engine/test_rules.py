"""The presets match the table in RULES.md; also, which rules and seatings don't fit together."""

from random import Random

import pytest

from bot.engine.cards import EMPTY, FULL
from bot.engine.errors import RuleCode
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.rules import PRESETS, TARGETS, Capture, Conflict, Duty, Opening, Prime, Rules, Seating
from bot.engine.scoring import Item, score_round
from tests.support.dose import thorough_but
from tests.support.engine import every_preset_and_seating, finish_round, refused, rules_of, shuffled, the_round

TABLE = """
             | escoba     | juegon     | quince      | clasica     | cientifica | chorizo
sources      | 000,003,004| 001        | 002 §12     | 002 §1-11   | 002 §13    |
players      | 2,3,4,2x2  | 2,3,4,2x2  | 2x2,2,3,4,3x2 | 2x2,2,3,4,3x2 | 2x2    | 2,3,4,2x2
also         | 5,2x3      | 5,2x3      | 5,2x3       | 5,2x3       |            | 5,2x3
hand         | 3          | 3          | 3           | 3           | 10         | 3
table        | 4          | 4          | 4           | 4           | 0          | 4
capture      | fifteen    | fifteen    | fifteen     | match       | match      | fifteen
duty         | compulsory | compulsory | claimable   | optional    | optional   | compulsory
opening      | sum        | pairs      | none        | none        | none       | sum
many_cards   | no         | yes        | no          | no          | no         | no
all_oros     | no         | yes        | no          | no          | no         | no
most_sevens  | no         | yes        | yes         | no          | no         | no
four_sevens  | no         | yes        | no          | no          | no         | no
prime        | setenta    | none       | points      | points      | points     | sevens
target       | 21         | 21         | 21          | 21          | 21         | 31
lead         | 1          | 1          | 1           | 1           | 1          | 1
cantos       | no         | no         | no          | no          | no         | yes
points for   | prime      | sevens     | sevens,prime | prime      | prime      | cantos,prime
"""
ROWS = {
    cells[0]: cells[1:]
    for cells in ([cell.strip() for cell in row.split("|")] for row in TABLE.strip("\n").splitlines())
}
NAMES = ROWS.pop("")
ROWS = {row: cells + cells[:1] * (len(NAMES) - len(cells)) for row, cells in ROWS.items()}
"""The table's cells by rule. A line that ends early goes on as escoba's cell."""
RULE_ROWS = [row for row in ROWS if row not in ("sources", "players", "also", "points for")]


def written(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("row", RULE_ROWS)
@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_as_the_table_says(name, row):
    assert written(getattr(PRESETS[name].rules, row)) == ROWS[row][NAMES.index(name)]


@pytest.mark.parametrize("name", NAMES)
def test_the_seatings_of_a_preset_are_those_of_its_source_the_usual_one_first(name):
    assert ",".join(PRESETS[name].seatings) == ROWS["players"][NAMES.index(name)]
    assert ",".join(PRESETS[name].other_seatings) == ROWS["also"][NAMES.index(name)]


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_names_its_sources(name):
    assert ",".join(PRESETS[name].sources) == ROWS["sources"][NAMES.index(name)]
    assert PRESETS[name].name == name


@pytest.mark.parametrize("name", NAMES)
def test_each_preset_scores_its_items(name):
    usual = ("escobas", "cards", "oros", "seven_of_oros")
    found = [line.item for line in score_round(PRESETS[name].rules, [FULL, EMPTY], [0, 0])]
    assert [item for item in found if item in usual] == [*usual]
    assert ",".join(item for item in found if item not in usual) == ROWS["points for"][NAMES.index(name)]
    assert found == sorted(found, key=list(Item).index)


def test_the_table_has_every_preset_and_every_rule():
    assert list(PRESETS) == NAMES
    no_source_has = {"rounds"}  # a fixed number of rounds is for tournaments in which all tables play the same boards
    assert set(RULE_ROWS) == set(Rules.__dataclass_fields__) - no_source_has


def test_escoba_is_the_default():
    assert Rules() == PRESETS["escoba"].rules


@pytest.mark.parametrize(
    ("seating", "seats", "sides", "teams"),
    [
        ("2", 2, 2, False),
        ("3", 3, 3, False),
        ("4", 4, 4, False),
        ("2x2", 4, 2, True),
        ("5", 5, 5, False),
        ("3x2", 6, 3, True),
        ("2x3", 6, 2, True),
    ],
)
def test_a_seating_has_its_seats_and_sides(seating, seats, sides, teams):
    at = Seating(seating)
    assert (at.seats, at.sides, at.in_teams) == (seats, sides, teams)
    assert [at.side_of(seat) for seat in range(seats)] == [seat % sides for seat in range(seats)]
    assert sorted(seat for side in range(sides) for seat in at.seats_of(side)) == list(range(seats))
    assert all(at.side_of(seat) == side for side in range(sides) for seat in at.seats_of(side))


def test_partners_sit_opposite():
    assert [Seating.PAIRS.seats_of(side) for side in range(2)] == [(0, 2), (1, 3)]
    assert [Seating.TRIPLE_PAIRS.seats_of(side) for side in range(3)] == [(0, 3), (1, 4), (2, 5)]


def test_two_sides_of_three_sit_in_turn():
    assert [Seating.TRIPLES.seats_of(side) for side in range(2)] == [(0, 2, 4), (1, 3, 5)]


@every_preset_and_seating
def test_every_preset_can_be_played_with_its_seatings(preset, seating):
    assert rules_of(preset).conflicts(seating) == ()


class TestConflicts:
    """Rules that don't fit together, and how a match refuses them."""

    @pytest.mark.parametrize(
        ("rules", "seating", "conflict"),
        [
            (Rules(hand=4), Seating.FOUR, Conflict.CARDS_DO_NOT_DIVIDE),
            (Rules(hand=10, table=0, opening=Opening.NONE), Seating.THREE, Conflict.CARDS_DO_NOT_DIVIDE),
            (Rules(table=0, opening=Opening.NONE), Seating.TWO, Conflict.CARDS_DO_NOT_DIVIDE),
            (Rules(hand=10, table=0), Seating.PAIRS, Conflict.OPENING_WITHOUT_TABLE),
            (Rules(hand=10, table=0, opening=Opening.PAIRS), Seating.TWO, Conflict.OPENING_WITHOUT_TABLE),
            (Rules(prime=Prime.NONE, four_sevens=True), Seating.TWO, Conflict.SEVENS_NOT_SCORED),
            (Rules(target=4), Seating.TWO, Conflict.TARGET_OUT_OF_RANGE),
            (Rules(target=102), Seating.TWO, Conflict.TARGET_OUT_OF_RANGE),
            (Rules(rounds=-1), Seating.TWO, Conflict.ROUNDS_OUT_OF_RANGE),
            (Rules(rounds=41), Seating.TWO, Conflict.ROUNDS_OUT_OF_RANGE),
            (Rules(lead=0), Seating.TWO, Conflict.LEAD_OUT_OF_RANGE),
            (Rules(lead=3), Seating.TWO, Conflict.LEAD_OUT_OF_RANGE),
            (Rules(hand=9, cantos=True), Seating.PAIRS, Conflict.CANTOS_NEED_THREE),
            (Rules(hand=6, cantos=True), Seating.TWO, Conflict.CANTOS_NEED_THREE),
            (Rules(hand=9), Seating.FIVE, Conflict.CARDS_DO_NOT_DIVIDE),
            (Rules(hand=9), Seating.TRIPLES, Conflict.CARDS_DO_NOT_DIVIDE),
            (Rules(hand=4), Seating.FIVE, Conflict.CARDS_DO_NOT_DIVIDE),
        ],
    )
    def test_each_conflict_is_reported(self, rules, seating, conflict):
        assert rules.conflicts(seating) == (conflict,)
        with refused(RuleCode.BAD_RULES):
            start(MatchStarted(rules, seating, 0))

    def test_all_conflicts_are_reported_at_once(self):
        rules = Rules(hand=7, table=0, target=0, rounds=-1, lead=0, prime=Prime.NONE, four_sevens=True, cantos=True)
        assert set(rules.conflicts(Seating.TRIPLE_PAIRS)) == set(Conflict) - {Conflict.SCOPONE_IS_FOR_FOUR}

    @pytest.mark.parametrize("most_sevens", [True, False])
    @pytest.mark.parametrize("prime", Prime)
    def test_four_sevens_need_an_item_that_sevens_matter_for(self, most_sevens, prime):
        rules = Rules(most_sevens=most_sevens, prime=prime, four_sevens=True)
        assert bool(rules.conflicts(Seating.TWO)) == (not most_sevens and prime is Prime.NONE)

    @pytest.mark.parametrize("target", [TARGETS[0], TARGETS[-1]])
    def test_the_bounds_of_the_target_are_allowed(self, target):
        assert Rules(target=target).conflicts(Seating.TWO) == ()

    @pytest.mark.parametrize(("hand", "table"), [(0, 4), (-3, 4), (3, -2), (3, 40), (3, 46), (1, 44)])
    def test_hands_and_tables_that_no_deck_can_deal_are_a_conflict_too(self, hand, table):
        assert Conflict.CARDS_DO_NOT_DIVIDE in Rules(hand=hand, table=table).conflicts(Seating.TWO)
        with refused(RuleCode.BAD_RULES):
            start(MatchStarted(Rules(hand=hand, table=table), Seating.TWO, 0))

    @pytest.mark.parametrize("dealer", [-1, 2, 7])
    def test_the_dealer_must_have_a_seat(self, dealer):
        with refused(RuleCode.BAD_RULES):
            start(MatchStarted(Rules(), Seating.TWO, dealer))


@pytest.mark.parametrize("capture", Capture)
@pytest.mark.parametrize("duty", Duty)
@pytest.mark.parametrize("prime", thorough_but(Prime, Prime.SETENTA))
def test_any_mixture_without_a_conflict_can_be_played(capture, duty, prime):
    rng = Random(f"{capture} {duty} {prime}")
    for seating in Seating:
        for opening in Opening:
            rules = Rules(capture=capture, duty=duty, opening=opening, prime=prime, most_sevens=True, four_sevens=True)
            assert rules.conflicts(seating) == ()
            match = finish_round(start(MatchStarted(rules, seating, 0)).apply(RoundDealt(shuffled(rng))), rng)
            assert the_round(match).over


def test_cientifica_can_be_played_with_fifteens():
    rules = rules_of("cientifica", capture=Capture.FIFTEEN)
    assert rules.conflicts(Seating.PAIRS) == ()
    rng = Random("cientifica with fifteens")
    match = finish_round(start(MatchStarted(rules, Seating.PAIRS, 0)).apply(RoundDealt(shuffled(rng))), rng)
    assert match.scores[-1].leftovers.worth % 15 == 10
