"""What a table's pings need next, case by case."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.engine.cards import DECK
from bot.engine.facts import CardLaid
from bot.tables.boards.next_ping import (
    NEARBY,
    PING_AGAIN,
    Due,
    DueStep,
    Ping,
    PingStep,
    due_step,
    next_ping_step,
    noted,
    read_noted,
    updated_ping,
)
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.pace import Tempo
from bot.tables.log.seats import Seat

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
SOON, LATER = NOON + timedelta(seconds=30), NOON + timedelta(seconds=120)
ANA, BEA = 700_700_700, 800_800_800


def at_turn(seat: int | None) -> Any:
    """A stand-in for a match, with only what the decision reads."""
    return SimpleNamespace(turn=seat, recent=())


PLAYING = TableView(
    id=1,
    guild_id=1,
    channel_id=1,
    opener_id=ANA,
    locale="en",
    phase=Phase.PLAYING,
    config=Config(),
    seats=(Seat("Ana", ANA), Seat("Bea", BEA)),
    version=5,
    match=at_turn(0),
    deadline=SOON,
    waiting=False,
    restored=False,
)


def with_ana(presence: Presence, view: TableView = PLAYING) -> TableView:
    return replace(view, seats=(replace(view.seats[0], presence=presence), view.seats[1]))


AWAY = with_ana(Presence.AWAY)
MOVED_ON = replace(PLAYING, version=6, match=at_turn(1))
NEXT_TURN = replace(PLAYING, version=7)
"""It is Ana's turn again."""
PLAYED_FOR = with_ana(Presence.AWAY, MOVED_ON)
LEFT = with_ana(Presence.LEFT, MOVED_ON)
STARTED_OVER = replace(PLAYING, deadline=LATER)
UNTIMED = replace(PLAYING, deadline=None)
CANCELLED = replace(PLAYING, phase=Phase.CANCELLED, deadline=None)
FINISHED = replace(MOVED_ON, phase=Phase.FINISHED, match=at_turn(None))
NOT_SEEN = replace(PLAYED_FOR, phase=Phase.FINISHED)
FORGOTTEN = replace(PLAYING, seats=(Seat("?"), PLAYING.seats[1]))

NUDGE = Ping(100, 0, 5, NOON)
OLD = replace(NUDGE, sent_at=NOON - PING_AGAIN)
WARNING = replace(NUDGE, warns_of=SOON, tells=SOON)
TO_WARN = replace(NUDGE, warns_of=SOON)
SILENT = replace(WARNING, rings=False)
PAST = replace(NUDGE, past=True)
DONE = replace(NUDGE, done=True)
DELETED = replace(DONE, deleted=True)
WARNED = replace(DELETED, warns_of=SOON, sent_at=OLD.sent_at)
OLD_WARNING = replace(WARNING, sent_at=OLD.sent_at)
SLOW = replace(PLAYING, slow=True)
"""A slow match."""
LATE = replace(SLOW, deadline=LATER)
OPEN = replace(SLOW, slow=False, config=Config(tempo=Tempo.OPEN))
LAID = replace(SLOW, version=6, match=SimpleNamespace(turn=0, recent=(CardLaid(1, DECK[1]), CardLaid(0, DECK[0]))))
"""Ana has laid a card, and is choosing what it takes."""


@pytest.mark.parametrize(
    ("view", "due", "pings", "step"),
    [
        pytest.param(PLAYING, Due.at(PLAYING), [], DueStep.POST, id="a player who hasn't clicked is pinged"),
        pytest.param(PLAYING, Due.at(PLAYING, warns=True), [], DueStep.POST, id="so is one whose deadline is near"),
        pytest.param(MOVED_ON, Due.at(PLAYING), [], DueStep.DROP, id="but not once they have moved"),
        pytest.param(AWAY, Due.at(PLAYING), [], DueStep.DROP, id="nor once a robot plays for them"),
        pytest.param(AWAY, Due.at(AWAY), [], DueStep.DROP, id="a computer isn't pinged"),
        pytest.param(CANCELLED, Due.at(PLAYING), [], DueStep.DROP, id="nor is anybody in a game that is over"),
        pytest.param(UNTIMED, Due.at(PLAYING, warns=True), [], DueStep.DROP, id="nobody is warned of no deadline"),
        pytest.param(PLAYING, Due.at(PLAYING), [NUDGE], DueStep.DROP, id="one ping a turn is enough"),
        pytest.param(PLAYING, Due.at(PLAYING, warns=True), [NUDGE], DueStep.WARN, id="it tells of the deadline later"),
        pytest.param(PLAYING, Due.at(PLAYING, warns=True), [WARNING], DueStep.DROP, id="once"),
        pytest.param(PLAYING, Due.at(PLAYING, warns=True), [OLD], DueStep.POST, id="after hours another one rings"),
        pytest.param(PLAYING, Due.at(PLAYING), [OLD], DueStep.DROP, id="but only before the deadline"),
        pytest.param(
            PLAYING, Due.at(PLAYING, warns=True), [DONE], DueStep.POST, id="a click after a ping isn't a move"
        ),
        pytest.param(PLAYING, Due.at(PLAYING, warns=True), [PAST], DueStep.POST, id="nor does one that is about to go"),
        pytest.param(MOVED_ON, Due.at(MOVED_ON), [PAST], DueStep.POST, id="that of somebody else doesn't count"),
        pytest.param(NEXT_TURN, Due.at(NEXT_TURN), [NUDGE], DueStep.POST, id="nor does that of an earlier turn"),
        pytest.param(SLOW, Due.at(SLOW), [], DueStep.POST, id="slow: a player is pinged"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [], DueStep.POST, id="slow: or warned"),
        pytest.param(SLOW, Due.at(SLOW), [OLD], DueStep.DROP, id="slow: not twice because the turn has come"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [OLD], DueStep.POST, id="slow: and warned in a new message"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [DELETED], DueStep.POST, id="slow: also after a click"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [NUDGE], DueStep.WARN, id="slow: unless they were just pinged"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [OLD_WARNING], DueStep.WARN, id="slow: once a turn"),
        pytest.param(SLOW, Due.at(SLOW, warns=True), [WARNED], DueStep.DROP, id="slow: nor again after a click"),
        pytest.param(LATE, Due.at(LATE, warns=True), [WARNED], DueStep.DROP, id="slow: nor for another deadline"),
        pytest.param(OPEN, Due.at(OPEN), [DELETED], DueStep.DROP, id="open: once a turn"),
        pytest.param(LAID, Due.at(LAID, warns=True), [DELETED], DueStep.POST, id="slow: but after half a move"),
        pytest.param(LAID, Due.at(LAID, warns=True), [WARNED], DueStep.DROP, id="slow: if they weren't warned before"),
        pytest.param(LAID, Due.at(SLOW, warns=True), [], DueStep.POST, id="slow: which leaves the turn theirs"),
        pytest.param(SLOW, Due.at(SLOW), [PAST], DueStep.POST, id="slow: one that is about to go doesn't count"),
        pytest.param(NEXT_TURN, Due.at(PLAYING), [], DueStep.DROP, id="what was due in an earlier turn is due no more"),
    ],
)
def test_each_due_ping_has_its_step(view: TableView, due: Due, pings: list[Ping], step: DueStep):
    assert due_step(view, due, pings, NOON) is step


COMPUTER = Seat("Luna")
SOLO = replace(PLAYING, seats=(PLAYING.seats[0], COMPUTER))
LEFT_ALONE = replace(PLAYING, seats=(PLAYING.seats[0], replace(PLAYING.seats[1], presence=Presence.LEFT)))
BEA_AWAY = replace(PLAYING, seats=(PLAYING.seats[0], replace(PLAYING.seats[1], presence=Presence.AWAY)))
JUST_NOW = NOON - NEARBY + timedelta(seconds=1)


@pytest.mark.parametrize("warns", [False, True], ids=["nudge", "warning"])
@pytest.mark.parametrize(
    ("view", "clicked_at", "step"),
    [
        pytest.param(SOLO, JUST_NOW, DueStep.DROP, id="alone with computers and just here"),
        pytest.param(LEFT_ALONE, JUST_NOW, DueStep.DROP, id="so is somebody whose opponent left for good"),
        pytest.param(SOLO, NOON - NEARBY, DueStep.POST, id="not here for some minutes"),
        pytest.param(SOLO, None, DueStep.POST, id="nobody knows, as after a restart"),
        pytest.param(PLAYING, JUST_NOW, DueStep.POST, id="somebody else waits"),
        pytest.param(BEA_AWAY, JUST_NOW, DueStep.POST, id="somebody else may be back"),
    ],
)
def test_a_lone_player_is_not_pinged_for_minutes_after_a_click(
    view: TableView, clicked_at: datetime | None, step: DueStep, warns: bool
):
    assert due_step(view, Due.at(view, warns=warns), [], NOON, clicked_at) is step


@pytest.mark.parametrize(
    ("view", "ping", "step"),
    [
        pytest.param(PLAYING, NUDGE, PingStep.KEEP, id="a ping stays while the turn lasts"),
        pytest.param(PLAYING, WARNING, PingStep.KEEP, id="so does a warning"),
        pytest.param(PLAYING, TO_WARN, PingStep.EDIT, id="one that is to tell of a deadline is edited"),
        pytest.param(STARTED_OVER, WARNING, PingStep.EDIT, id="so is one whose deadline started over"),
        pytest.param(PLAYING, DONE, PingStep.DELETE, id="once its person has clicked it goes"),
        pytest.param(MOVED_ON, NUDGE, PingStep.DELETE, id="a move is a click, too"),
        pytest.param(NEXT_TURN, NUDGE, PingStep.DELETE, id="and one that a killed bot left from an earlier turn goes"),
        pytest.param(LEFT, NUDGE, PingStep.DELETE, id="so is leaving"),
        pytest.param(FINISHED, NUDGE, PingStep.DELETE, id="and the last move of a match"),
        pytest.param(FORGOTTEN, NUDGE, PingStep.DELETE, id="nothing is left of somebody whose data was erased"),
        # a turn that passed without a click
        pytest.param(AWAY, NUDGE, PingStep.EDIT, id="one that nobody has clicked isn't deleted: it says what happened"),
        pytest.param(PLAYED_FOR, NUDGE, PingStep.EDIT, id="also in the turns after that"),
        pytest.param(PLAYED_FOR, PAST, PingStep.KEEP, id="and stays"),
        pytest.param(MOVED_ON, PAST, PingStep.DELETE, id="until that person is back"),
        pytest.param(PLAYING, PAST, PingStep.DELETE, id="even in the same turn"),
        pytest.param(AWAY, SILENT, PingStep.DELETE, id="one that has notified nobody goes with the turn"),
        # the end of a game
        pytest.param(CANCELLED, NUDGE, PingStep.EDIT, id="a ping in a game that was ended says so"),
        pytest.param(CANCELLED, PAST, PingStep.FORGET, id="and then the bot is done with it"),
        pytest.param(NOT_SEEN, PAST, PingStep.FORGET, id="as with one that was never clicked"),
        pytest.param(CANCELLED, SILENT, PingStep.DELETE, id="except one that has notified nobody"),
    ],
)
def test_each_ping_has_its_next_step(view: TableView, ping: Ping, step: PingStep):
    assert next_ping_step(view, ping) is step
    if step is PingStep.EDIT:
        after = PingStep.FORGET if view.over else PingStep.KEEP
        assert next_ping_step(view, updated_ping(view, ping)) is after, "one edit is enough"


def test_a_ping_no_longer_mentions_a_deadline_that_started_over():
    assert updated_ping(PLAYING, TO_WARN).tells == SOON
    assert updated_ping(STARTED_OVER, WARNING).tells is None
    assert updated_ping(AWAY, WARNING) == replace(WARNING, past=True, tells=None)


@pytest.mark.parametrize("pings", [[NUDGE], [WARNING, PAST], [SILENT, DONE]])
def test_pings_are_found_again(pings: list[Ping]):
    text = noted(pings)
    assert text is not None
    assert read_noted(text) == pings
    assert str(ANA) not in text, "no person is named"


def test_without_pings_nothing_is_stored():
    assert noted([]) is None
