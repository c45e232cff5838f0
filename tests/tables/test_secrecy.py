"""The views and texts of a table contain no card that their reader couldn't see at the table."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from tests.support.dose import thorough_but
from tests.support.tables.bare import bare_table
from tests.support.tables.driver import Driver
from tests.support.tables.hall import Build
from tests.support.tables.kit import ANA, BEA, Stacked, config_of, playing

every_preset = pytest.mark.parametrize("preset", thorough_but(sorted(PRESETS), "clasica", "chorizo"))


def cards_in(value: object) -> Iterator[Card]:
    """Every card anywhere in a value."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, CardSet):
        yield from value
    elif isinstance(value, dict):
        for pair in value.items():
            yield from cards_in(pair)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from cards_in(each)
    elif is_dataclass(value):
        for each in fields(value):
            yield from cards_in(getattr(value, each.name))


def all_in(value: object) -> CardSet:
    """Every card anywhere in a value, as a set."""
    return CardSet.of(cards_in(value))


def hidden(match: Match, seat: int | None = None) -> CardSet:
    """The cards hidden from the player of a seat; without one, from the public. Sung cards lie open."""
    now = match.round
    if now is None or match.stage is not Stage.TO_PLAY:
        return EMPTY
    found = CardSet.of(now.deck[now.dealt :])
    for index, (hand, sung) in enumerate(zip(now.hands, now.shown, strict=True)):
        if index != seat:
            found |= hand - sung
    return found


def sessions(preset: str, number: int) -> Iterator[tuple[Table, Match]]:
    """The tables of random sessions, after every event of their matches."""
    for seed in range(number):
        driver = Driver(Random(f"{preset}/{seed}"), config_of(preset, target=5), wildness=0.1)
        for step in driver.run(160):
            if step.events and step.state.match is not None:
                yield bare_table(step.state), step.state.match


def of_this_round(view: TableView) -> TableView:
    """What a view shows of the round being played; cards of earlier ones may be in new hands by now."""
    match, highlights = view.match, view.highlights
    assert match is not None
    assert highlights is not None
    if highlights.best is not None and highlights.best.round < match.round_number:
        highlights = replace(highlights, best=None)
    if highlights.song is not None and highlights.song.round < match.round_number:
        highlights = replace(highlights, song=None)
    return replace(view, match=replace(match, scores=()), highlights=highlights)


@every_preset
def test_the_public_view_of_a_table_contains_no_hidden_card(preset: str):
    views = 0
    for table, match in sessions(preset, 3):
        view = table.view()
        shown = all_in(of_this_round(view))
        assert not shown & hidden(match)
        views += 1
    assert views > 100


@every_preset
def test_a_seats_view_contains_its_own_hand_and_no_other(preset: str):
    for table, match in sessions(preset, 2):
        for seat in range(match.seating.seats):
            view = table.seat_view(seat)
            assert view is not None
            assert view.public == table.view().match
            unseen = view.unseen
            shown = all_in(replace(view, unseen=EMPTY, public=replace(view.public, scores=())))
            assert not shown & hidden(match, seat)
            if match.stage is Stage.TO_PLAY:
                assert unseen == hidden(match, seat), "unseen cards are given only as one set"


@every_preset
def test_no_text_in_a_tables_view_names_a_card(preset: str):
    names = {str(card) for card in CardSet((1 << 40) - 1)}

    def texts(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, (tuple, list)):
            for each in value:
                yield from texts(each)
        elif is_dataclass(value):
            for each in fields(value):
                yield from texts(getattr(value, each.name))

    for table, _ in sessions(preset, 1):
        for text in texts(table.view()):
            assert not names & set(text.split())


async def test_no_log_line_names_a_card(build: Build, caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG")
    hall = await build(chance=Stacked("secret"))
    table = await hall.match(ANA, BEA)
    hall.store.broken = True
    await hall.clock.advance(1000)
    hall.store.broken = False
    await hall.clock.advance(1000)
    assert table.version > 4
    names = {str(card) for card in CardSet((1 << 40) - 1)}
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("bot.")]
    assert lines
    for line in lines:
        assert not names & set(line.replace(",", " ").split())


def test_a_tables_repr_names_no_card():
    table = bare_table(playing())
    assert repr(table).startswith("<bot.tables.live.table.Table object")
