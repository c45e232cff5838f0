"""Scenes: made from views, equal for equal views, and with nothing in them that their viewers may not see."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards.words.cards import spoken
from bot.engine.cards import DECK, Card, CardSet
from bot.engine.events import Laid
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.engine.scoring import Item
from bot.engine.views import seat_view
from bot.platform.drawing.scenes import LONGEST, Scene, paint
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.tables.pictures.result import result_scene
from bot.tables.pictures.score import round_scene
from bot.tables.pictures.table import PanelScene, hand_columns, panel_scene, table_scene
from bot.tables.words.telling import tell
from tests.support.engine import QUICK, after, cards, position, random_events
from tests.support.layouts import LANGUAGES, view_of

EN = words("en")
every_deck = pytest.mark.parametrize("deck", Deck)


def played(seed: int, *, preset: str = "escoba", seating: Seating = Seating.TWO, target: int = 11) -> list[Match]:
    """Every state of a random match."""
    return [match for _, match in random_events(preset, seating, Random(seed), target=target)]


def scenes_of(match: Match) -> list[Scene]:
    """All public pictures of a state."""
    view = view_of(match)
    scenes: list[Scene] = []
    if match.stage is Stage.TO_PLAY:
        scenes.append(table_scene(view, EN))
    if match.scores and match.stage is not Stage.TO_PLAY:
        scenes.append(round_scene(view, EN))
    if match.winner is not None:
        scenes.append(result_scene(view, EN))
    return scenes


@QUICK
@given(
    preset=st.sampled_from(["escoba", "chorizo"]),
    seed=st.integers(0, 10_000),
    at=st.integers(1, 30),
    order=st.randoms(use_true_random=False),
)
def test_public_pictures_are_the_same_whatever_the_hidden_cards_are(
    preset: str, seed: int, at: int, order: Random
) -> None:
    states = [state for state in played(seed, preset=preset) if state.stage is Stage.TO_PLAY]
    state = states[at % len(states)]
    now = state.round
    assert now is not None
    hidden = [card for hand, shown in zip(now.hands, now.shown, strict=True) for card in hand - shown]
    hidden += now.deck[now.dealt :]
    order.shuffle(hidden)
    hands: list[CardSet] = []
    for hand, shown in zip(now.hands, now.shown, strict=True):
        unseen = len(hand - shown)
        hands.append(CardSet.of(hidden[:unseen]) | shown)
        del hidden[:unseen]
    other = replace(state, round=replace(now, hands=tuple(hands), deck=(*now.deck[: now.dealt], *hidden)))
    assert scenes_of(other) == scenes_of(state)
    assert [hash(scene) for scene in scenes_of(other)] == [hash(scene) for scene in scenes_of(state)]


@QUICK
@given(seed=st.integers(0, 10_000))
def test_alt_texts_name_every_card_on_the_table_and_no_hidden_one(seed: int) -> None:
    for state in played(seed)[:40]:
        if state.stage is not Stage.TO_PLAY:
            continue
        view = view_of(state)
        scene = table_scene(view, EN)
        text = replace(scene, choices=()).alt(EN)
        shown = set(scene.cards)
        shown |= set(scene.latest.taken) if scene.latest is not None else set()
        shown |= {card for card in (scene.laid, scene.latest and scene.latest.card) if card is not None}
        assert {card for card in DECK if spoken(card, EN) in text} == shown
        seat = state.turn
        assert seat is not None
        mine = PanelScene(table_scene(view, EN), tuple(seat_view(state, seat).hand)).alt(EN)
        for card in state.round.hands[seat] if state.round is not None else ():
            assert spoken(card, EN) in mine


@pytest.mark.parametrize(
    ("preset", "seating"),
    [
        pytest.param("juegon", Seating.TWO, marks=pytest.mark.thorough),
        ("juegon", Seating.FOUR),
        ("chorizo", Seating.PAIRS),
        pytest.param("chorizo", Seating.FIVE, marks=pytest.mark.thorough),
        pytest.param("quince", Seating.TRIPLES, marks=pytest.mark.thorough),
    ],
)
def test_every_state_of_a_match_can_be_painted_and_has_an_alt_text(preset: str, seating: Seating) -> None:
    for number, state in enumerate(played(7, preset=preset, seating=seating)):
        for scene in scenes_of(state):
            for t in LANGUAGES:
                assert 0 < len(scene.alt(t)) <= LONGEST
            if number % 9 == 0 or state.winner is not None:
                picture = paint(scene)
                assert picture.data.startswith(b"\x89PNG")
                assert len(picture.data) < 80_000


def test_a_laid_cards_captures_are_numbered_in_the_order_of_their_buttons() -> None:
    match = position(["7o 1c", ""], "5e 3c 7c 1b")
    match = match.apply(Laid(0, Card.parse("7o")))
    scene = table_scene(view_of(match), EN)
    assert match.round is not None
    assert scene.choices == tuple(tuple(group) for group in match.round.captures_of(Card.parse("7o")))
    text = scene.alt(EN)
    for number, group in enumerate(scene.choices, start=1):
        assert f"Capture {number}: {', '.join(spoken(card, EN) for card in group)}." in text


def test_an_alt_text_says_the_hands_piles_escobas_points_and_the_turn() -> None:
    text = table_scene(view_of(position(["7o 1c", "2c"], "5e 3c")), EN).alt(EN)
    assert "It's P0's turn." in text
    assert "P0: 2 in hand, " in text
    assert "P1: 1 in hand, " in text


def test_after_a_claim_the_alt_text_says_who_laid_the_card_and_who_took_it() -> None:
    match = position(["7o 1c", "2c", "1o", "1e"], "5e 3c", preset="quince", seating=Seating.PAIRS)
    view = view_of(after(match, "0 7o", "1 claim 7o 5e 3c"))
    text = table_scene(view, EN).alt(EN)
    assert "P0 played 7 of oros, P1 claimed it and took 3 of copas, 5 of espadas." in text
    assert "It's P1's turn." in text
    said = [tell(fact, view.names, EN) for fact in view.match.facts] if view.match else []
    assert said == ["**P1** claims what **P0** missed: 7\u2060🪙 takes 3\u2060🏆 and 5\u2060🗡️. 🧹 **Escoba!**"]


def test_the_alt_text_names_the_partner_who_played() -> None:
    match = position(["7o 1c", "2c", "1o", "1e"], "5e 3c", seating=Seating.PAIRS)
    text = table_scene(view_of(after(match, "0 7o x 5e 3c")), EN).alt(EN)
    assert "P0 played 7 of oros and took 3 of copas, 5 of espadas. Escoba!" in text
    assert "It's P1's turn." in text


def test_an_alt_text_is_cut_after_a_whole_sentence() -> None:
    scene = table_scene(view_of(position(["7o 1c", ""], "5e 3c")), EN)
    many = replace(scene, choices=tuple(tuple(cards("1o 2o 3o 4o 5o")) for _ in range(20)), laid=Card.parse("7o"))
    text = many.alt(EN)
    assert len(text) <= LONGEST
    assert text.endswith(". …")
    assert "On the table: 3 of copas, 5 of espadas." in text


def test_the_cards_lie_in_their_places_on_the_table() -> None:
    places = (Card.parse("5e"), None, Card.parse("2b"), Card.parse("3c"))
    match = replace(position(["7o 1c", ""], "5e 3c 2b"), places=places)
    assert [card.notation for card in table_scene(view_of(match), EN).cards] == ["5e", "2b", "3c"]


@pytest.mark.spanish
def test_the_word_for_an_escoba_is_there_only_after_one() -> None:
    for state in played(3):
        if state.stage is Stage.TO_PLAY:
            scene = table_scene(view_of(state), words("es"))
            swept = any(getattr(f, "escoba", 0) or getattr(f, "escobas", 0) for f in state.facts)
            assert scene.escoba == ("¡Escoba!" if swept else "")


def test_the_alt_text_of_a_round_gives_every_item_and_the_cards_of_the_prime() -> None:
    state = next(state for state in played(5) if state.scores)
    text = round_scene(view_of(state), EN).alt(EN)
    for line in state.scores[-1].items:
        if line.item is Item.PRIME:
            for side in line.cards:
                assert all(spoken(card, EN) in text for card in side)
    for side, gained in enumerate(state.scores[-1].points):
        assert f"P{side}: {gained} point{'s' * (gained != 1)} in this round, {state.totals[side]} in all." in text


def test_the_course_of_a_match_begins_at_zero_and_ends_at_the_totals() -> None:
    last = played(5)[-1]
    scene = result_scene(view_of(last), EN)
    assert all(course[0] == 0 for course in scene.course)
    assert tuple(course[-1] for course in scene.course) == last.totals
    assert f"P{last.winner} won with {max(last.totals)} points." in scene.alt(EN)


def test_the_sides_of_a_result_are_ranked_by_total_and_on_a_tie_the_winner_comes_first() -> None:
    scene = replace(result_scene(view_of(played(5)[-1]), EN), sides=(("A",), ("B",), ("C",), ("D",)), winner=2)
    assert replace(scene, course=((0, 20), (0, 4), (0, 21), (0, 21))).ranking == [2, 3, 0, 1]
    text = replace(scene, course=((0, 20), (0, 4), (0, 21), (0, 21))).alt(EN)
    assert [text.index(f"{name} after each round") for name in "CDAB"] == sorted(
        text.index(f"{name} after each round") for name in "ABCD"
    )


@every_deck
def test_each_decks_cards_are_named_in_its_own_words(deck: Deck) -> None:
    t = words("en", faces=CardFaces(deck))
    text = table_scene(view_of(position(["7o", ""], "10e 1b")), t).alt(t)
    wanted = "ace of bastos, sota of espadas (8)" if deck is Deck.SPANISH else "ace of clubs, jack of spades (8)"
    assert f"On the table: {wanted}." in text


def test_a_hand_has_a_column_for_each_card_up_to_five() -> None:
    assert [hand_columns(cards) for cards in range(1, 11)] == [1, 2, 3, 4, 5, 5, 5, 5, 5, 5]


def test_a_scene_knows_which_partner_is_at_turn_and_which_one_moved_last() -> None:
    for state in played(11, preset="quince", seating=Seating.PAIRS):
        if state.stage is not Stage.TO_PLAY:
            continue
        scene = table_scene(view_of(state), EN)
        at_turn = [side.names[side.turn] for side in scene.sides if side.turn is not None]
        assert at_turn == [f"P{state.turn}"]
        movers = [fact.seat for fact in state.facts if isinstance(fact, CardPlayed | CaptureClaimed | OpeningTaken)]
        assert (scene.latest and scene.name_of(scene.latest)) == (f"P{movers[-1]}" if movers else None)


def test_a_panel_knows_an_escoba_of_its_side_and_how_many_cards_a_whole_hand_has() -> None:
    seen: set[tuple[bool, bool]] = set()
    for state in played(3, preset="escoba", seating=Seating.PAIRS):
        if state.stage is not Stage.TO_PLAY:
            continue
        view = view_of(state)
        latest = table_scene(view, EN).latest
        for seat in range(4):
            panel = panel_scene(view, seat_view(state, seat), EN)
            ours = latest is not None and latest.escobas > 0 and latest.side == seat % 2
            assert panel.swept == ours
            assert panel.most == 3
            seen.add((ours, bool(panel.table.escoba)))
    assert seen == {(True, True), (False, True), (False, False)}
