"""With French cards, texts use the French suits' names; the guide says once which Spanish suits they stand for."""

import re
from dataclasses import replace

import pytest

from bot.cards.words.cards import legend, suit_name
from bot.cards.words.rules import item_name, summary
from bot.engine.cards import Suit
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.scoring import Item
from bot.engine.views import seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import languages, words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, button
from bot.tables.ids.game import Verb
from bot.tables.log.events import Config, Phase
from bot.tables.screens.guide import guide_layout
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.rules_editor import editor_layout, rule_layout
from bot.tables.screens.table import public_layout
from tests.support.aloud import lines_of
from tests.support.dose import thorough_but
from tests.support.layouts import table_of, view_of
from tests.tables.screens.test_scenes import played

LARGE = {"most_sevens": True, "many_cards": True, "all_oros": True, "four_sevens": True}


@pytest.fixture(params=thorough_but(languages(), "es"))
def french(request: pytest.FixtureRequest) -> Words:
    return words(request.param, faces=CardFaces(Deck.FRENCH))


def said_in(layout: Layout) -> str:
    """All its lines, without the names that Unicode has for the French suits' signs."""
    return re.sub(r"\(black \w+ suit\)", "", "\n".join(lines_of(layout)))


def spanish_suits(t: Words) -> re.Pattern[str]:
    """The names of the Spanish suits in a language, except those that it gives to the French ones as well."""
    there, here = (words(t.language, faces=CardFaces(deck)) for deck in Deck)
    names = {suit_name(suit, there) for suit in Suit} - {suit_name(suit, here) for suit in Suit}
    return re.compile(rf"\b({'|'.join(names) or '(?!)'})\b", re.IGNORECASE)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_guide_names_the_spanish_suits_once(french: Words, preset: str) -> None:
    rules = replace(PRESETS[preset].rules, **LARGE)
    said = said_in(guide_layout(preset, rules, french))
    names = [suit_name(suit, words(french.language)) for suit in Suit]
    suits = spanish_suits(french)
    assert suits.findall(said) == [each for each in names if suits.fullmatch(each)]
    assert legend(french).count("(") == len(suits.findall(said)), "a suit of one name is not said twice"


def test_rules_and_scores_speak_of_diamonds(french: Words) -> None:
    for preset in PRESETS:
        config = Config(preset, replace(PRESETS[preset].rules, **LARGE))
        lobby = table_of(None, 2, phase=Phase.LOBBY, config=config)
        extras = rule_layout(Verb.SWITCH, config, "e:switch:1", button("e:rules:1", "Back"), french)
        for said in (summary(config.rules, french), *lines_of(editor_layout(lobby, french)), *lines_of(extras)):
            assert not spanish_suits(french).search(said), said


@pytest.mark.parametrize("pictures", [False, True])
def test_a_match_speaks_of_diamonds(french: Words, pictures: bool) -> None:
    display = Display(french, pictures)
    states = [state for state in played(5, preset="juegon", seating=Seating.PAIRS) if state.round is not None]
    for state in [*states[::7], *(state for state in states if state.stage is not Stage.TO_PLAY)]:
        over = Phase.FINISHED if state.stage is Stage.OVER else Phase.PLAYING
        view = replace(view_of(state), phase=over)
        layouts = [public_layout(view, display)]
        layouts += [panel_layout(view, seat_view(state, 0), display)] if state.stage is Stage.TO_PLAY else []
        for said in map(said_in, layouts):
            assert not spanish_suits(french).search(said), said


@pytest.mark.spanish
def test_the_names_of_a_scores_items_follow_the_deck() -> None:
    rules = PRESETS["escoba"].rules
    for language, deck, names in [
        ("en", Deck.SPANISH, ("Oros", "Seven of oros")),
        ("en", Deck.FRENCH, ("Diamonds", "Seven of diamonds")),
        ("es", Deck.FRENCH, ("Diamantes", "Siete de diamantes")),
    ]:
        t = words(language, faces=CardFaces(deck))
        assert (item_name(Item.OROS, rules, t), item_name(Item.SEVEN_OF_OROS, rules, t)) == names
