"""The recorded games in `games/`: each move is among the legal ones, and the scores are those of the file."""

from functools import cache
from pathlib import Path

import pytest

from bot.engine.cards import CardSet
from bot.engine.events import Claimed, Played, Sang
from bot.engine.match import Match, start
from bot.engine.match_file import MatchFile, read, write
from bot.engine.notation import format_event
from bot.engine.rules import Prime
from bot.engine.scoring import Item
from tests.engine.referee import Referee
from tests.support.engine import COMBOS

FOLDER = Path(__file__).with_name("games")
GAMES = sorted(path.stem for path in FOLDER.glob("*.escoba"))
every_game = pytest.mark.parametrize("name", GAMES)


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.escoba").read_text(encoding="utf-8")


@cache
def file_of(name: str) -> MatchFile:
    """A game; the reader has compared its scores with those that its moves make."""
    return read(text_of(name))


def lines_of(name: str) -> list[str]:
    """The events of a game in notation."""
    return [format_event(event) for event in file_of(name).events]


def test_there_is_a_game_for_every_preset_and_seating():
    assert {f"{preset}-{seating}" for preset, seating in COMBOS} <= set(GAMES)


@every_game
def test_each_move_is_among_the_legal_ones(name):
    match = start(file_of(name).start)
    for event, after in file_of(name).steps():
        if isinstance(event, Played | Claimed | Sang):
            assert event in map(match.event_of, match.legal_moves())
        match = after


@every_game
def test_the_referee_follows_it_to_the_same_scores(name):
    first, *lines = lines_of(name)
    referee = Referee(first)
    for line in lines:
        referee.do(line)
    match = file_of(name).match
    assert match.totals == tuple(referee.totals)
    assert match.winner == referee.winner
    for score, counted in zip(match.scores, referee.scores, strict=True):
        assert {item.item.value: item.points for item in score.items} == {
            key: points for key, (_, points) in counted.items()
        }
        for item in score.items:
            if item.item is not Item.PRIME or match.rules.prime not in (Prime.SETENTA, Prime.SEVENS):
                assert item.amounts == counted[item.item.value][0]


@every_game
def test_reading_and_writing_it_changes_nothing(name):
    assert write(file_of(name)) == text_of(name)


def played(name: str) -> Match:
    return file_of(name).match


class TestCheckedByHand:
    """The scores of these games can be worked out without playing them."""

    def test_nobody_captures_and_nobody_has_a_point(self):
        match = played("clasica-nobody-captures")
        assert " x " not in text_of("clasica-nobody-captures")
        assert match.totals == (0, 0)
        assert match.scores[-1].leftovers_to is None
        assert len(match.scores[-1].leftovers) == 40

    def test_one_claim_which_is_an_escoba_takes_all_the_cards_and_every_point(self):
        text = text_of("quince-one-claim-takes-all")
        match = played("quince-one-claim-takes-all")
        assert text.count(" claim ") == 1
        assert " x " not in text
        assert "2 claim 1o 1b 3c 3e 3b 4o" in lines_of("quince-one-claim-takes-all")
        assert match.totals == (0, 0, 1 + 5)

    def test_an_opening_of_thirty_counts_for_the_dealers_pair(self):
        match = played("escoba-opening-thirty")
        items = {item.item: item for item in match.scores[-1].items}
        assert items[Item.ESCOBAS].amounts == (4, 2 + 1)
        assert items[Item.CARDS].amounts == (2 + 4 + 2 + 3 + 5 + 2, 22)
        assert items[Item.OROS].amounts == (len("6o 11o 3o 10o".split()), 6)
        assert items[Item.PRIME].cards[1] >= CardSet.of("7o 7e 7b")
        assert match.scores[-1].leftovers == CardSet.of("2b 4e 7o 7e 12e 12b")
        assert match.scores[-1].leftovers_to == 1
        assert match.totals == (4, 3 + 4)

    def test_a_card_is_shown_before_its_capture_is_chosen(self):
        lines = lines_of("escoba-chosen-in-the-open")
        shown = [number for number, line in enumerate(lines) if line.endswith(" ?")]
        assert len(shown) == 3
        assert all(lines[number + 1].startswith(lines[number].replace("?", "x")) for number in shown)

    def test_sides_tied_at_the_top_play_on(self):
        match = played("escoba-tied-at-the-top")
        tops = []
        totals = [0, 0]
        for score in match.scores:
            totals = [total + points for total, points in zip(totals, score.points, strict=True)]
            tops.append((max(totals) >= match.rules.target, totals[0] == totals[1]))
        assert (True, True) in tops[:-1]
        assert tops[-1] == (True, False)
