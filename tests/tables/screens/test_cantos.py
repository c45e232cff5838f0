"""What players whose cards are a canto are offered, and how everybody sees what was sung."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from bot.cards.words.cards import shown_all
from bot.engine.cards import DECK, CardSet, cantos_of
from bot.engine.match import Match
from bot.engine.rules import Prime, Seating
from bot.engine.scoring import Item, ItemScore, RoundScore
from bot.engine.views import seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.tables.live.view import TableView
from bot.tables.log.seats import Seat
from bot.tables.pictures.score import round_scene
from bot.tables.pictures.table import SungHand, table_scene
from bot.tables.screens.board import LONGEST_LABEL, board_layout
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.picking import claim_of
from bot.tables.words.scores import plays_on_text, score_lines
from bot.tables.words.telling import recent_lines
from tests.support.engine import after, cards, position
from tests.support.layouts import every_language, table_of, troubles, words_of
from tests.support.limits_components import walk

EN = words("en")
THREE = "2c 3c 4c"  # escalera, flor and tres de nueve


def singer(hand: str = THREE, other: str = "1o 7b 12e", **rules: Any) -> Match:
    """A match in which it is the turn of seat 0, with a hand that may be sung."""
    return position([hand, other], "5e 6o", cantos=True, **rules)


def view_of(match: Match) -> TableView:
    """The match at a table of people called A, B and so on."""
    seats = tuple(Seat(name, number) for number, name in enumerate("ABCDEF"[: match.seating.seats], start=1))
    return replace(table_of(match, match.seating.seats), seats=seats)


def panel(match: Match, seat: int = 0, t: Words = EN) -> Layout:
    """A seat's panel without pictures."""
    return panel_layout(view_of(match), seat_view(match, seat), Display(t))


def singing(layout: Layout) -> list[str]:
    """The labels of the buttons that sing."""
    return [
        node["label"]
        for _, node in walk(layout.to_components())
        if str(node.get("custom_id", "")).startswith("e:sing:")
    ]


def test_a_panel_offers_to_sing_and_says_what_it_is_worth_and_that_everybody_will_see_the_cards():
    match = singer()
    assert singing(panel(match)) == ["Sing all of it (+9)"]
    text = words_of(panel(match))
    assert "**escalera + flor + tres de nueve**: 9 points" in text
    assert "shows your three cards to everyone" in text
    assert singing(panel(singer("7o 7c 7e"))) == ["Sing chorizo (+20)"]


@pytest.mark.parametrize(
    "match",
    [
        position([THREE, "1o 7b 12e"], "5e 6o"),
        singer("2c 3c 7o"),
        after(singer(), "0 2c"),
        after(singer(), "0 sing"),
    ],
    ids=["rules without cantos", "no canto", "a card was played", "sung already"],
)
def test_nothing_is_offered_where_nothing_can_be_sung(match: Match):
    assert singing(panel(match)) == singing(panel(match, 1)) == []


def test_others_see_no_sign_of_a_canto_before_it_is_sung():
    held, other = singer(), singer("2c 3c 7o")
    assert panel(held, 1).to_components() == panel(other, 1).to_components()
    display = Display(EN)
    assert board_layout(view_of(held), display).to_components() == board_layout(view_of(other), display).to_components()


@every_language
def test_the_label_of_every_canto_fits_on_a_phone(t: Words):
    by_cantos = {cantos_of(CardSet.of(three)): three for three in combinations(DECK, 3)}
    del by_cantos[()]
    assert len(by_cantos) > 8
    for three in by_cantos.values():
        rest = next(f"{a} {b} {c}" for a, b, c in combinations(DECK[30:], 3) if not {a, b, c} & set(three))
        match = position([" ".join(map(str, three)), rest], cantos=True)
        [label] = singing(panel(match, 0, t))
        assert len(label) <= LONGEST_LABEL - 3
        assert troubles(panel(match, 0, t)) == []


def test_what_was_sung_is_announced_and_lies_open_until_it_is_played():
    match = after(singer(), "0 sing")
    for text in (words_of(board_layout(view_of(match), Display(EN))), words_of(panel(match, 1))):
        assert f"A sang and still holds {shown_all(cards(THREE), EN)}" in text
        assert "sings **escalera + flor + tres de nueve**" in text
    board = words_of(board_layout(view_of(match), Display(EN)))
    assert board.startswith("# 🎵 Escalera + flor + tres de nueve! A")
    played = after(match, "0 2c")
    board = words_of(board_layout(view_of(played), Display(EN)))
    assert f"still holds {shown_all(cards('3c 4c'), EN)}" in board
    assert board.startswith("### ")
    assert "sings **escalera" in board, "it is among the latest moves"


def test_the_picture_has_sung_cards_in_a_strip_of_their_own_and_in_its_alt_text():
    assert table_scene(view_of(singer()), EN).sung_hands == ()
    match = after(singer(), "0 sing")
    scene = table_scene(view_of(match), EN)
    assert scene.sung_hands == (SungHand(0, 0, tuple(cards(THREE))),)
    assert "A sang and shows: 2 of copas, 3 of copas, 4 of copas." in scene.alt(EN)
    played = after(match, "0 4c x 5e 6o")
    assert [each.cards for each in table_scene(view_of(played), EN).sung_hands] == [tuple(cards("2c 3c"))]


def test_after_a_song_a_capture_that_was_missed_may_still_be_claimed():
    match = position(["10o 1c 2e", THREE], "7c 3e", preset="quince", cantos=True)
    missed = after(match, "0 10o")
    assert claim_of(seat_view(missed, 1).public) is not None
    sung = after(missed, "1 sing")
    assert claim_of(seat_view(sung, 1).public) == claim_of(seat_view(missed, 1).public)


def scored(match: Match, *, totals: tuple[int, int] = (9, 3)) -> Match:
    """The match with a round that gave points for cantos and a prime."""
    sung = (cantos_of(cards(THREE)), cantos_of(cards("1o 3o 12o")))
    score = RoundScore(
        (
            ItemScore(Item.CANTOS, (9, 3), (9, 3)),
            ItemScore(Item.PRIME, (70, 0), (1, 0), (cards("7o 7c 6e 12b"), CardSet())),
        ),
        CardSet(),
        None,
        sung,
    )
    return replace(match, scores=(score,), totals=totals)


def test_a_rounds_score_says_what_each_side_sang_and_the_sum_of_a_prime_by_suits():
    match = scored(singer(prime=Prime.SUITS))
    view = view_of(match)
    assert view.match is not None
    lines = score_lines(view.match.scores[-1], view.match, view.seats, EN)
    assert lines[0] == "**Cantos**: A escalera + flor + tres de nueve **+9** · B flor **+3**"
    assert lines[1] == "**Prime**: A 70 **+1** · B ∅"
    scene = round_scene(view, EN)
    assert [row.texts for row in scene.rows] == [("escalera + flor + tres de nueve", "flor"), ("70", "")]
    text = scene.alt(EN)
    assert "Cantos: A escalera + flor + tres de nueve (+9); B flor (+3)." in text
    assert "= 70 (+1); B –." in text


@pytest.mark.parametrize(
    ("lead", "totals", "said"),
    [
        (1, (20, 3), None),
        (1, (22, 3), None),
        (1, (21, 21), "a tie at the top"),
        (2, (21, 20), "a win needs a lead of 2"),
        (2, (21, 21), "a win needs a lead of 2"),
        (2, (20, 19), None),
    ],
)
def test_it_is_explained_why_a_match_goes_on_at_its_target(lead: int, totals: tuple[int, int], said: str | None):
    match = scored(singer(lead=lead), totals=totals)
    won = totals[0] >= 21 and totals[0] - totals[1] >= lead
    view = view_of(replace(match, winner=0 if won else None))
    assert view.match is not None
    text = plays_on_text(view.match, EN)
    assert (text is None) == (said is None)
    assert said is None or said in str(text)


def test_cards_of_partners_and_of_five_players_are_named_by_seat():
    match = position(
        ["1o 7b 12e", THREE, "1c 5b 7e", "6b 10b 11o"],
        "5e 6o",
        seating=Seating.PAIRS,
        cantos=True,
        turn=1,
    )
    match = after(match, "1 sing")
    assert table_scene(view_of(match), EN).sung_hands == (SungHand(1, 0, tuple(cards(THREE))),)
    [line] = recent_lines(view_of(match), EN, 1)
    assert line.startswith("🎵 **B** sings **escalera + flor + tres de nueve** with ")
    assert line.endswith(": 9 points.")
