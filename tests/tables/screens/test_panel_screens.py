"""A panel gives nothing away, keeps its errors beside its buttons, and has rows that fit its hand."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK, Card
from bot.engine.facts import CardPlayed, DealMade
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Duty, Seating
from bot.engine.views import public_view, seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.tables.live.view import TableView
from bot.tables.log.seats import Seat
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.picking import Picking, claim_of
from tests.support.engine import after, position, random_events, the_round
from tests.support.layouts import table_of

EN = Display(words("en"))
CLAIM = "e:claim:"


def shown(match: Match, seat: int, **how: Any) -> Layout:
    """A seat's panel."""
    return panel_layout(seated(match), seat_view(match, seat), EN, **how)


def seated(match: Match) -> TableView:
    """A table at which everybody is there."""
    here = tuple(Seat(name, number) for number, name in enumerate("ABCDEF"[: match.seating.seats], start=1))
    return replace(table_of(match, match.seating.seats), seats=here)


def rows_of(layout: Layout) -> list[list[dict[str, Any]]]:
    """The rows of a panel from the top, each with its buttons."""
    [box] = layout.to_components()
    return [part["components"] for part in box["components"] if part["type"] == 1]


def parts_of(layout: Layout) -> list[str]:
    """The parts of a panel from the top: its texts, and for each row the verbs of its buttons."""
    [box] = layout.to_components()
    return [
        part.get("content") or " ".join(each["custom_id"].split(":")[1] for each in part["components"])
        for part in box["components"]
    ]


def with_other_secrets(match: Match, seat: int, chance: Random) -> Match:
    """The match with other cards in the hands of the others and in the stock."""
    now = the_round(match)
    hidden = [card for card in DECK if card in seat_view(match, seat).unseen]
    exchanged = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    hands = tuple(
        type(hand).of(card if place == seat else exchanged[card] for card in hand)
        for place, hand in enumerate(now.hands)
    )
    deck = tuple(exchanged.get(card, card) for card in now.deck)
    return replace(match, round=replace(now, hands=hands, deck=deck))


def test_the_button_for_a_claim_says_nothing_of_hidden_cards():
    chance, offered, differed = Random(7), 0, 0
    for _, match in islice(random_events("quince", Seating.THREE, Random(8)), 80):
        if match.stage is not Stage.TO_PLAY:
            continue
        for seat in range(3):
            other = with_other_secrets(match, seat, chance)
            differed += the_round(other).hands != the_round(match).hands
            panel = shown(match, seat)
            assert panel == shown(other, seat)
            offered += CLAIM in str(panel.to_components())
    assert offered > 10
    assert differed > 100


def test_the_button_for_a_claim_does_not_say_whether_there_is_one():
    """It says only that a card was laid beside others, which everybody saw."""
    seen = {True: 0, False: 0}
    for _, match in random_events("quince", Seating.THREE, Random(3)):
        if match.stage is not Stage.TO_PLAY:
            continue
        public, now = public_view(match), the_round(match)
        plays = [fact for fact in match.recent if not isinstance(fact, DealMade)]
        last = plays[-1]
        laid = isinstance(last, CardPlayed) and not last.captured and len(now.table) > 1
        assert (claim_of(public) is not None) == laid
        assert (CLAIM in str(shown(match, now.turn).to_components())) == laid
        if laid:
            seen[now.claimable is not None] += 1
    assert min(seen.values()) > 5, "both kinds occurred: a card that missed something, and one that didn't"


@pytest.mark.parametrize("preset", [name for name, each in PRESETS.items() if each.rules.duty is not Duty.CLAIMABLE])
def test_without_claims_there_is_no_button_for_one(preset: str):
    seating = PRESETS[preset].seatings[0]
    for _, match in random_events(preset, seating, Random(1)):
        if match.stage is Stage.TO_PLAY:
            assert claim_of(public_view(match)) is None


@pytest.mark.parametrize(
    ("cards", "rows"),
    [(1, [2]), (3, [4]), (4, [5]), (5, [5, 1]), (6, [5, 2]), (8, [5, 4]), (9, [5, 5]), (10, [5, 5, 1])],
)
def test_a_hand_of_more_than_five_cards_has_five_in_a_row(cards: int, rows: list[int]):
    hand = " ".join(map(str, DECK[-cards:]))
    match = position([hand, "", "", ""], "1o 1c", preset="escoba", seating=Seating.PAIRS, hand=10)
    assert [len(row) for row in rows_of(shown(match, 0))] == rows


def test_the_button_that_looks_again_says_so_in_a_word_beside_its_emoji():
    match = position(["7o"], "1o 1c")
    [[_, again]] = rows_of(shown(match, 0))
    assert again["label"] == "Refresh"
    assert again["emoji"]["name"] == "🔄"


def test_the_next_match_is_offered_while_a_person_thinks_and_not_while_a_robot_does():
    match = position(["5o 1c", "2o 3o"], "7o")
    assert "panel nextgame" in parts_of(shown(match, 1, another_waits=True))
    assert "nextgame" not in str(parts_of(shown(match, 1)))
    assert "nextgame" not in str(parts_of(shown(match, 0, another_waits=True))), "it is their turn here"
    thinking, waiting = seated(match).seats
    table = replace(seated(match), seats=(replace(thinking, person_id=None), waiting))
    layout = panel_layout(table, seat_view(match, 1), EN, another_waits=True)
    assert "nextgame" not in str(parts_of(layout)), "it would be gone in a moment"


def test_a_note_stands_right_above_the_buttons_it_is_about():
    quince = position(["7o 2c", "5c"], "4e 4b", preset="quince")
    picking = Picking(Card.parse("7o"), quince.round.table)  # type: ignore[union-attr]
    above = parts_of(shown(quince, 0, note="!", picking=picking))
    assert above[above.index("!") + 1] == "take lay panel"
    above = parts_of(shown(quince, 0, note="!", picking=Picking(chosen=picking.chosen)))
    assert above[above.index("!") + 1].startswith("**Your hand**")
    assert above[above.index("!") + 2] == "take take panel"
    waiting = parts_of(shown(quince, 1, note="!"))
    assert waiting[-2:] == ["!", "panel"]
    escoba = position(["4o", "5c"], "11e 2b 7b 4c")
    laid = parts_of(shown(after(escoba, "0 4o ?"), 0, note="!"))
    assert laid[-2:] == ["!", "take take"]


def controls(layout: Layout) -> list[str]:
    """The verbs of a panel's buttons and menus."""
    [box] = layout.to_components()
    rows = [part["components"] for part in box["components"] if part["type"] == 1]
    return [each["custom_id"].split(":")[1] for row in rows for each in row]


@pytest.mark.parametrize("hints", [False, True])
def test_a_panel_has_the_hand_and_one_control_that_is_always_there(hints: bool):
    most = 0
    for _, match in islice(random_events("escoba", Seating.TWO, Random(3)), 60):
        if (
            match.turn is None
            or match.stage is not Stage.TO_PLAY
            or match.round is None
            or match.round.laid is not None
        ):
            continue
        own = seat_view(match, match.turn)
        found = controls(panel_layout(replace(seated(match), hints=hints), own, EN))
        assert found.count("card") == len(own.hand)
        assert ("hint" in found) != ("panel" in found), "a hint shows the newest state, too"
        most = max(most, len(found) - len(own.hand))
    assert most == 1


def test_a_pictured_hand_needs_no_title_and_worths_are_told_to_whoever_holds_a_figure():
    told = {True: 0, False: 0}
    for _, match in islice(random_events("escoba", Seating.TWO, Random(3)), 60):
        if match.turn is None or match.stage is not Stage.TO_PLAY:
            continue
        own = seat_view(match, match.turn)
        layout = panel_layout(seated(match), own, replace(EN, pictures=True))
        assert layout.drawing is not None
        drawn = str(layout.drawing.components)
        assert "**Your hand**" not in drawn or not own.hand
        holds = any(card.rank.value > 7 for card in own.hand)
        assert (" = 8" in drawn or " = 9" in drawn or " = 10" in drawn) == holds
        told[holds] += 1
    assert min(told.values()) > 5
