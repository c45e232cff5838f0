"""The screens of the travelling sheet: what they show, to whom, and that Discord accepts them."""

from dataclasses import replace
from functools import cache

import pytest

from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.tournaments.ids.tournament import SheetRef, SheetVerb
from bot.tournaments.live.sheet import RoundSheet, played_of, sheet_of
from bot.tournaments.rules.tournament import Tournament
from bot.tournaments.screens.sheet import sheet_layout, shown_sheet
from tests.support.dose import thorough_but
from tests.support.duplicate import DuplicateRound, evening
from tests.support.layouts import NAME, every_language, troubles
from tests.support.limits_components import walk
from tests.support.secrecy import default_finder

EN = words("en")


def sheet(of: DuplicateRound, person_id: int | None = 100) -> RoundSheet:
    tables = {table: played_of(log) for table, log in of.logs.items()}
    return sheet_of(7, of.state, of.state.rounds[-1], tables, person_id, over=of.over)


@cache
def crowd(*, pairs: bool) -> RoundSheet:
    """The sheet of 64 entries with the worst names."""
    of = evening(64, pairs=pairs, boards=2, number=2)
    of.state = with_names(of.state, NAME)
    return sheet(of)


def said(layout: Layout) -> str:
    return "\n".join(node["content"] for _, node in walk(list(layout.components)) if "content" in node)


def ids(layout: Layout) -> list[str]:
    return [str(node["custom_id"]).split(":")[1] for _, node in walk(list(layout.components)) if "custom_id" in node]


def with_names(state: Tournament, name: str) -> Tournament:
    entries = tuple(
        replace(entry, people=tuple(replace(person, name=name) for person in entry.people)) for entry in state.entries
    )
    return replace(state, entries=entries)


@every_language
@pytest.mark.parametrize("pairs", thorough_but([False, True], True))
def test_discord_takes_every_page_with_the_worst_names_of_64_entries(t, pairs: bool) -> None:
    found = crowd(pairs=pairs)
    for board in (0, 3, 4):
        for page in range(8):
            for dealt in (False, True):
                ref = SheetRef(2**63 - 1, 2, board, page)
                assert troubles(sheet_layout(found, ref, t, dealt=dealt)) == []
                if board:
                    assert troubles(shown_sheet(found, ref, NAME, t, dealt=dealt)) == []


def test_the_boards_are_listed_with_ones_score_and_those_to_come_are_closed() -> None:
    text = said(sheet_layout(sheet(evening(boards=4, done=1)), SheetRef(7), EN))
    assert "**Board 1 of 4** · " in text
    assert "🔒 Board 2 of 4" in text
    assert "%" not in text
    over = said(sheet_layout(sheet(evening()), SheetRef(7), EN))
    assert over.count("%") == 3, "one for each board, and one that explains them"
    assert "🔒" not in over


def test_nothing_of_a_closed_board_is_shown_even_if_it_is_asked_for() -> None:
    for person_id in (100, 999, None):
        found = sheet(evening(boards=2, done=1), person_id)
        for dealt in (False, True):
            layout = sheet_layout(found, SheetRef(7, 1, 2), EN, dealt=dealt)
            assert not default_finder().cards(said(layout))
            assert not {SheetVerb.SHOW, SheetVerb.SHOW_DEAL, SheetVerb.DEAL} & set(ids(layout))


def test_a_board_can_be_shown_to_everybody_only_when_its_round_is_over() -> None:
    open_one = sheet_layout(sheet(evening(boards=2, done=1)), SheetRef(7, 1, 1), EN)
    assert SheetVerb.DEAL in ids(open_one)
    assert SheetVerb.SHOW not in ids(open_one)
    over = sheet_layout(sheet(evening()), SheetRef(7, 1, 1), EN)
    assert SheetVerb.SHOW in ids(over)


def test_a_board_shows_who_scored_what_and_how_and_the_best_capture() -> None:
    of = evening()
    text = said(sheet_layout(sheet(of), SheetRef(7, 1, 2), EN))
    score = of.matches[1].scores[1]
    own = f"**Bea** {score.points[1]} – {score.points[0]} __**Ana**__"
    assert own in text, "Ana, who deals the second board, comes second"
    assert text.count("💎") == 4
    assert "Escobas" in text
    shown = said(shown_sheet(sheet(of), SheetRef(7, 1, 2), "Ana", EN))
    assert "__" not in shown, "nobody's line is marked for everybody"
    assert "Shown by Ana" in shown


def test_the_deal_names_all_forty_cards() -> None:
    for pairs in (False, True):
        text = said(sheet_layout(sheet(evening(4, pairs=pairs)), SheetRef(7, 1, 1), EN, dealt=True))
        assert len(default_finder().cards(text)) == 40


def test_custom_ids_are_read_back() -> None:
    ref = SheetRef(2**40, 3, 12, 5)
    kind, verb, *parts = ref.custom_id(SheetVerb.BOARD).split(":")
    assert (kind, verb) == ("b", "board")
    assert SheetRef.read(parts) == ref
    for wrong in ([], ["1"], ["1", "2", "3", "-"], ["1", "2", "3", "4", "5"]):
        assert SheetRef.read(wrong) is None
