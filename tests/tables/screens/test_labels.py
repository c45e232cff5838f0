"""What a label says about a capture adds up as it is read, with each figure's worth in brackets."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK, EMPTY, Card, CardSet
from bot.engine.events import Laid
from bot.engine.match import Match
from bot.engine.moves import Play, Stage
from bot.engine.rules import PRESETS, Capture, Duty
from bot.engine.views import public_view, seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.tables.ids.game import Ref, unpack
from bot.tables.live.view import TableView
from bot.tables.log.seats import Seat
from bot.tables.screens.board import LONGEST_LABEL, captured_text, choice_rows
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.picking import Picking
from tests.support.dose import thorough_but
from tests.support.engine import position, random_events, the_round
from tests.support.layouts import table_of
from tests.support.limits_components import BUTTON, walk

SUITS = {letter: f"<:{letter}:{number}>" for number, letter in enumerate("oceb", start=1)}
DISPLAYS = [
    Display(words(language, faces=CardFaces(deck, SUITS if pictures else {})), pictures)
    for language, deck, pictures in product(("en", "es"), Deck, (True, False))
]
every_preset = pytest.mark.parametrize("preset", thorough_but(PRESETS, "escoba", "clasica"))


def numbers(text: str) -> list[int]:
    """The numbers that people read in a text; those in circles only refer to the picture."""
    return [int(each) for each in re.findall(r"\d+", text)]


def seated(match: Match) -> TableView:
    """The table of a match, with everybody there."""
    here = tuple(Seat(name, number) for number, name in enumerate("ABCDEF"[: match.seating.seats], start=1))
    return replace(table_of(match, match.seating.seats), seats=here)


def positions(preset: str, **changes: Any) -> Iterator[Match]:
    """The first positions of a random match at which somebody has to play."""
    chance = Random(preset)
    played = (match for _, match in random_events(preset, PRESETS[preset].seatings[0], chance, **changes))
    yield from islice((match for match in played if match.stage is Stage.TO_PLAY), 120)


def buttons(layout: Any, verb: str) -> Iterator[tuple[list[str], str]]:
    """The arguments and the label of each button with this verb."""
    for _, node in walk(layout.to_components()):
        custom_id = str(node.get("custom_id", ""))
        if node.get("type") == BUTTON and custom_id.startswith(f"e:{verb}:"):
            yield custom_id.split(":")[4:], node["label"]


def assert_adds_up(card: Card, text: str, capture: Capture) -> None:
    """Check that what `card` takes according to a text is a capture."""
    assert sum(numbers(text)) == (15 - card.worth if capture is Capture.FIFTEEN else card.worth), text


@every_preset
def test_a_card_that_takes_something_names_a_true_sum(preset: str):
    named = 0
    for number, match in enumerate(positions(preset, duty=Duty.COMPULSORY)):
        view, display = seat_view(match, match.turn or 0), DISPLAYS[number % len(DISPLAYS)]
        if view.public.laid is not None:
            continue
        layout = panel_layout(seated(match), view, display)
        for (name,), label in buttons(layout, "card"):
            card = Card.parse(name)
            own, effect = label.split(" · ")
            assert numbers(own) == [card.worth]
            groups = [m.captured for m in view.moves if isinstance(m, Play) and m.card is card and m.captured]
            several = re.split(r" (?:or|o) ", effect)
            if len(several) == len(groups) and "🧹" not in label and numbers(effect) != [len(groups[0])]:
                for each in several:
                    assert_adds_up(card, each, match.rules.capture)
                    named += 1
            else:
                assert len(several) == 1
                assert not groups or "🧹" in label or numbers(effect) in ([len(groups)], [len(groups[0])])
    assert named > 10


@every_preset
def test_a_choice_of_captures_names_true_sums(preset: str):
    seen = 0
    for number, match in enumerate(positions(preset, duty=Duty.COMPULSORY)):
        display, now = DISPLAYS[number % len(DISPLAYS)], the_round(match)
        for card in now.hands[now.turn]:
            if now.laid is None and 1 < len(now.captures_of(card)) <= 20:
                public = public_view(match.apply(Laid(now.turn, card)))
                for row in choice_rows(Ref(1), card, public, display):
                    for each in row["components"]:
                        assert_adds_up(card, each["label"], match.rules.capture)
                        seen += 1
    assert seen > 5


ADDED_UP = [name for name, each in PRESETS.items() if each.rules.duty is not Duty.COMPULSORY]


@pytest.mark.parametrize("preset", thorough_but(ADDED_UP, "quince"))
def test_where_players_add_up_each_card_says_what_it_is_worth(preset: str):
    seen = 0
    for number, match in enumerate(positions(preset)):
        view, display = seat_view(match, match.turn or 0), DISPLAYS[number % len(DISPLAYS)]
        chosen = CardSet.of(list(view.public.table)[:2])
        for picking in (None, Picking(chosen=chosen), Picking(next(iter(view.hand)), chosen)):
            layout = panel_layout(seated(match), view, display, picking=picking)
            for args, label in buttons(layout, "card"):
                assert numbers(label) == [Card.parse(args[0]).worth]
            for args, label in buttons(layout, "choose"):
                [card] = (unpack(args[1]) or EMPTY) ^ (picking.chosen if picking else EMPTY)
                assert numbers(label) == [card.worth]
                seen += 1
    assert seen > 100


def test_figures_carry_their_worth_in_both_decks():
    match = position(["1c 2b", "4o 4c"], "3o 5c 10b")
    view, table = seat_view(match, 0), seated(match)

    def labels(display: Display) -> list[str]:
        return [label for _, label in buttons(panel_layout(table, view, display), "card")]

    assert labels(DISPLAYS[0]) == ["1 · to the table", "2 · takes 5 + sota (8)"]
    french = Display(words("en", faces=CardFaces(Deck.FRENCH)), pictures=False)
    assert labels(french) == ["ace ♥️ (1) · to the table", "2♣️ · takes 5♥️ + jack ♣️ (8)"]


def test_a_match_capture_equals_the_card():
    match = position(["7o"], "7c 4b 3e 2e 5o", preset="clasica", duty=Duty.COMPULSORY)
    laid = public_view(match.apply(Laid(0, Card.parse("7o"))))
    rows = choice_rows(Ref(1), Card.parse("7o"), laid, Display(words("en"), pictures=True))
    assert [each["label"] for row in rows for each in row["components"]] == ["① = 7", "② 3 + 4", "③ 2 + 5"]


def test_a_sum_that_is_too_long_is_shortened():
    """On a phone a longer label would be cut off in the middle of its sum."""
    display = DISPLAYS[0]

    def label(table: str, hand: str = "4b 2b 6e") -> str:
        match = position([hand, "6o 6c 6b"], table)
        layout = panel_layout(seated(match), seat_view(match, 0), display)
        return next(text for (name,), text in buttons(layout, "card") if name == hand.split()[0])

    assert label("1o 10b 2c 5e") == "4 · takes 1 + 2 + sota (8)"
    assert label("1o 3c 4e 7c") == "4 · takes 4 + 7 or 1 + 3 + 7"
    assert label("10b 10c 3c 12e") == "4 · 2 ways"
    for match in positions("escoba"):
        layout = panel_layout(seated(match), seat_view(match, match.turn or 0), display)
        assert all(len(text) <= LONGEST_LABEL for _, text in buttons(layout, "card"))


@pytest.mark.parametrize("pictures", [True, False])
@pytest.mark.parametrize("deck", Deck)
def test_where_suits_are_drawn_no_label_has_common_emojis_of_them(deck: Deck, pictures: bool):
    display = Display(words("en", faces=CardFaces(deck, SUITS)), pictures)
    common = re.compile("[🪙🏆🗡🪵♦♥♠♣]")
    seen = 0
    for match in islice(positions("escoba"), 80):
        view, now = seat_view(match, match.turn or 0), the_round(match)
        for card in now.hands[now.turn] if now.laid is None else ():
            if len(now.captures_of(card)) > 1:
                laid = match.apply(Laid(now.turn, card))
                shown = public_view(laid)
                for each in choice_rows(Ref(1, 1), card, shown, display):
                    seen += len(each["components"])
                    assert not common.search(str([button["label"] for button in each["components"]]))
        for _, label in buttons(panel_layout(seated(match), view, display), "card"):
            assert not common.search(label)
    assert seen > 5


@pytest.mark.parametrize("display", DISPLAYS)
def test_the_longest_sum_is_a_label_that_discord_takes(display: Display):
    public = replace(public_view(position(["2b"], "1o")), table=CardSet.of(DECK))
    for names in ("1o 1c 1b 2o 2c 3o 4o", "1e 1b 1c 2e 2b 3e 4e", "1o 1c 1b 2o 3o 3c"):
        assert len(captured_text(CardSet.of(names), public, display, LONGEST_LABEL)) <= 80 - len("① ") - len(" 🧹")
