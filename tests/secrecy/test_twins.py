"""Two worlds that differ only in cards a viewer can't see look the same to the viewer, to strangers and in the log.

So a card can't leak in any disguise: a text, a colour, a custom_id, a file's name, a number or the order of things.
TWINS=2000 plays that many games. A failure names its seed, and TWINS_SEED repeats it.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cards.pictures.canvas import Still
from bot.engine.events import RoundDealt
from bot.engine.match import Match
from bot.engine.views import PublicView, SeatView, public_view, seat_view
from bot.platform.drawing import scenes
from bot.platform.drawing.png import Piece
from bot.platform.drawing.scenes import Part, Picture, Scene, Shared, paint
from bot.platform.language.texts import Words
from bot.tables.live import table as tables
from bot.tables.live import view as views
from bot.tables.live.view import TableView
from bot.tables.log.change import Change
from bot.tables.log.codec import fold
from bot.tables.pictures.table import PanelScene, TableScene
from bot.tables.screens import board
from bot.tables.words.characters import remark
from tests.secrecy.batches import KINDS, Dose, Figures, Kind, batches, cases, dose, play
from tests.secrecy.revealed import Revealed, Sent, difference, listening
from tests.secrecy.twins import twin_of
from tests.secrecy.world import on_still_loop
from tests.support.dose import thorough_but
from tests.support.tables.bare import bare_table

thorough = pytest.mark.thorough
HOW_MUCH = dose()
LOOKED = {"escoba hand", "escoba table", "escoba me", "escoba leave", "hand", "panel", "forged"}
PLAYED = LOOKED | {"card", "take", "lay", "choose", "keep", "data"}
HAPPENS: dict[Kind, set[str]] = {
    "people": PLAYED | {"start", "agree"},
    "computers": PLAYED | {"claim"},
    "idle": LOOKED | {"card", "data"},
}
"""What must have happened at least once in a test with the default dose."""

log = logging.getLogger("bot.tables.live.table")


def compared(folder: Path, kind: Kind, numbers: range) -> Figures:
    """Play these batches of twin games and compare their worlds."""
    figures = Figures()
    for number in numbers:
        on_still_loop(lambda number=number: play(folder, kind, HOW_MUCH.seed, number, figures))
    return figures


@pytest.mark.parametrize("kind", thorough_but(KINDS, "people"))
def test_nobody_can_tell_worlds_apart_by_cards_they_may_not_see(tmp_path: Path, kind: Kind) -> None:
    figures = compared(tmp_path, kind, batches(kind, HOW_MUCH.games))
    assert figures.different == figures.games
    assert figures.compared > 10 * figures.games
    if HOW_MUCH.games >= Dose().games:
        assert figures.done >= HAPPENS[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_twins_have_different_hands_but_look_the_same_to_their_viewer(kind: Kind) -> None:
    playing = other_hands = spoken = 0
    for case in cases(kind, HOW_MUCH.seed, 0):
        one, other = fold(case.game.events), fold(case.twin.events)
        if one.match is None or other.match is None:
            assert case.game.decks(1) != case.twin.decks(1)
            continue
        assert public_view(one.match) == public_view(other.match)
        if case.viewer is not None:
            assert seat_view(one.match, case.viewer) == seat_view(other.match, case.viewer)
        assert one.match.round is not None
        assert other.match.round is not None
        playing += not one.match.round.over
        spoken += case.game.speaks
        other_hands += one.match.round.hands != other.match.round.hands
    assert other_hands > playing / 4
    assert spoken > 1 or kind != "computers"


@pytest.mark.thorough
def test_what_everybody_sees_when_a_character_speaks_depends_on_no_hidden_card() -> None:
    games = [case.game for batch in (0, 1) for case in cases("computers", HOW_MUCH.seed, batch) if case.game.speaks]
    assert len(games) > 2
    for game in games:
        seen = bare_table(game.state).view()
        twins = [twin_of(game, None, Random(number)) for number in range(12)]
        assert [bare_table(twin.state).view() for twin in twins] == [seen] * len(twins)


# ------------------------------------------------------------------------------------------------ planted leaks


def logs_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs the hands of each state as numbers, as if for debugging."""
    become = tables.Table._become

    def telling(self: tables.Table, state: Any, *when: Any) -> None:
        if state.match is not None and state.match.round is not None:
            log.debug("Table %s: %s", self.id, [hand.mask for hand in state.match.round.hands])
        become(self, state, *when)

    monkeypatch.setattr(tables.Table, "_become", telling)


BATCHES = 4
"""The batches in which a leak is looked for; what leaks seldom isn't in each of them."""


def logs_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs the entry that the store refused, as if to preserve it."""
    commit = tables.Table._commit

    async def telling(self: tables.Table, change: Change, *rest: Any, **how: Any) -> None:
        try:
            await commit(self, change, *rest, **how)
        except tables.Refusal:
            if any(isinstance(event, RoundDealt) for event in change.events):
                log.warning("Table %s has lost %s", self.id, change.events)
            raise

    monkeypatch.setattr(tables.Table, "_commit", telling)


def counts_by_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the dealer shown on the table depend on the next card of the stock."""

    def view(match: Match) -> PublicView:
        now = match.round
        rest = () if now is None else now.deck[now.dealt :]
        shown = public_view(match)
        return replace(shown, dealer=rest[0].index % len(shown.hand_counts)) if rest else shown

    monkeypatch.setattr(views, "public_view", view)


def shows_a_neighbours_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows a card of the next seat in each panel."""

    def view(match: Match, seat: int, public: PublicView | None = None) -> SeatView:
        shown = seat_view(match, seat, public)
        theirs = () if match.round is None else match.round.hands[(seat + 1) % match.seating.seats]
        return replace(shown, hand=shown.hand.with_card(next(iter(theirs)))) if theirs else shown

    monkeypatch.setattr(views, "seat_view", view)


def paints_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the public pictures, but no text, depend on the next card of the stock."""
    nearest: list[int] = [0]

    def view(match: Match) -> PublicView:
        now = match.round
        nearest[0] = 0 if now is None or now.dealt >= len(now.deck) else now.deck[now.dealt].index
        return public_view(match)

    def painted(scene: Scene, shared: Shared) -> Picture:
        picture = paint(scene, shared)
        return replace(picture, data=picture.data + bytes(nearest))

    monkeypatch.setattr(views, "public_view", view)
    monkeypatch.setattr(scenes, "paint", painted)


def speaks_by_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes what a character says depend on the cards in the hands."""
    hands: dict[int, int] = {}

    def view(match: Match) -> PublicView:
        shown = public_view(match)
        hands[id(shown.facts)] = 0 if match.round is None else sum(hand.mask for hand in match.round.hands)
        return shown

    def said(shown: TableView, t: Words) -> str | None:
        assert shown.match is not None
        return remark(replace(shown, id=shown.id + 12 * hands[id(shown.match.facts)]), t)

    monkeypatch.setattr(views, "public_view", view)
    monkeypatch.setattr(board, "remark", said)


def shares_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the rows that a public picture shares with panels depend on the hand that was painted first."""

    class Sharing(Shared):
        def __init__(self) -> None:
            super().__init__()
            self.first: dict[Part, int] = {}

        def get_or_paint(self, part: Part) -> Piece:
            return self._of(part, super().get_or_paint(part))

        def cached(self, part: Part) -> Piece | None:
            piece = super().cached(part)
            return None if piece is None else self._of(part, piece)

        def _of(self, part: Part, piece: Piece) -> Piece:
            return replace(piece, checksum=self.first.get(part, 0)) if isinstance(part, TableScene) else piece

    def painted(scene: PanelScene, shared: Any) -> Picture:
        shared.first.setdefault(scene.table, sum(1 << each.index for each in scene.hand) & 0xFFFF)
        return Still.paint(scene, shared)

    monkeypatch.setattr(scenes, "Shared", Sharing)
    monkeypatch.setattr(PanelScene, "paint", painted)


@pytest.mark.parametrize(
    ("leak", "found", "kind"),
    [
        (logs_hands, "it is logged: .DEBUG bot.tables.live.table", "people"),
        pytest.param(logs_what_is_refused, "it is logged: .WARNING bot.tables.live.table", "people", marks=thorough),
        pytest.param(counts_by_the_stock, "everybody is sent", "people", marks=thorough),
        pytest.param(shows_a_neighbours_card, r"person \d+ is sent", "people", marks=thorough),
        pytest.param(paints_the_stock, "everybody is sent", "people", marks=thorough),
        pytest.param(shares_a_hand, r"(everybody|person \d+) is sent", "people", marks=thorough),
        (speaks_by_a_hand, "everybody is sent", "computers"),
    ],
)
def test_a_disguised_leak_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None], found: str, kind: Kind
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=found):
        compared(tmp_path, kind, range(BATCHES))


def revealed(**what: Any) -> Revealed:
    """What was revealed in a step."""
    return Revealed(**{"sent": [Sent(7, "POST", "/x", "{}")], "logged": ["a"], "metrics": {"m": 1.0}} | what)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (revealed(), None),
        (revealed(sent=[Sent(7, "POST", "/x", "{ }")]), "person 7 is sent"),
        (revealed(sent=[Sent(7, "POST", "/y", "{}")]), "person 7 is sent"),
        (revealed(sent=[Sent(7, "POST", "/x", "{}", (("a name", b"1"),))]), "person 7 is sent"),
        (revealed(sent=[Sent(8, "POST", "/x", "{}")]), "person 7 is sent"),
        (revealed(sent=[Sent(7, "POST", "/x", "{}"), Sent(None, "POST", "/x", "{}")]), "everybody is sent"),
        (revealed(sent=[Sent(7, "POST", "/x", "{}")] * 2), "person 7 is sent"),
        (revealed(sent=[]), "person 7 is sent"),
        (revealed(logged=["b"]), "it is logged"),
        (revealed(logged=[]), "it is logged"),
        (revealed(metrics={"m": 2.0}), "it is measured"),
        (revealed(metrics={"m": 1.0, "n": 1.0}), "it is measured"),
    ],
)
def test_every_difference_is_found(other: Revealed, found: str | None) -> None:
    said = difference(revealed(), other)
    assert said == found or (found is not None and said is not None and said.startswith(found))


def test_private_messages_of_others_may_differ() -> None:
    other = revealed(sent=[Sent(7, "POST", "/x", "another hand")])
    assert difference(revealed(), other, blind_to=[7]) is None
    assert difference(revealed(), other, blind_to=[8]) is not None


def test_log_records_are_recorded_in_full_and_logging_is_restored() -> None:
    root, library = logging.getLogger(), logging.getLogger("discord")
    before = (root.handlers, root.level, library.level)
    log = logging.getLogger("bot.heard")
    with listening() as ear:
        log.debug("%.1s", "5o", extra={"more": "6o"})
        try:
            raise ValueError("7o") from KeyError("10o")
        except ValueError:
            log.warning("failed", exc_info=True)
        library.debug("request bodies, which no operator can enable")
    assert [card in "\n".join(ear.into) for card in ("'5o'", "6o", "7o", "10o")] == [True] * 4
    assert "bodies" not in "\n".join(ear.into)
    assert (root.handlers, root.level, library.level) == before
