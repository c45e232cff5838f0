"""History: when things happened at a table, according to its stored log."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from bot.engine.cards import Card
from bot.engine.events import Sang
from bot.platform.eventlog import CodecError, LogEntry
from bot.tables.log.actions import Join, Start
from bot.tables.log.codec import encode
from bot.tables.log.events import (
    Closed,
    Config,
    Configured,
    LogEvent,
    Opened,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
)
from bot.tables.log.history import History, read_history
from bot.tables.log.state import TableState, opened
from bot.tables.log.topics import QuestionAnswered, QuestionAsked, QuestionLapsed, Sign
from tests.support.tables.kit import ANA, BEA, Stacked, config_of, events_of, first_move, stacked, the_match
from tests.support.tables.timing import START


class Log:
    """A log that grows, each event ten seconds after the one before."""

    def __init__(self) -> None:
        first = Opened(ANA, Config())
        self.state: TableState = opened(first)
        self.entries = [LogEntry(1, *encode(first), START)]

    def add(self, *events: LogEvent) -> datetime:
        """Apply events; returns the time of the last one."""
        for event in events:
            self.state = self.state.apply(event)
            at = self.entries[-1].at + timedelta(seconds=10)
            self.entries.append(LogEntry(self.state.version, *encode(event), at))
        return self.entries[-1].at

    def begin(self, config: Config | None = None, deck: Sequence[Card] | None = None) -> datetime:
        """Bea joins and the match begins, with Ana's turn; returns when the first round was dealt."""
        self.add(*events_of(self.state, Join(BEA)))
        if config is not None:
            self.add(Configured(config))
        return self.add(*events_of(self.state, Start(ANA, self.state.version), Stacked(first=1, deck=deck)))

    def play(self) -> datetime:
        """The current seat plays its first legal move."""
        return self.add(the_match(self.state).event_of(first_move(self.state)))

    def history(self) -> History:
        """The history of the log so far."""
        return read_history(self.entries)


@pytest.fixture
def log() -> Log:
    return Log()


def times(found: Sequence[datetime]) -> list[float]:
    return [(at - START).total_seconds() for at in found]


def test_a_lobbys_wait_began_with_its_latest_change(log: Log):
    assert times([log.history().person_acted_at, log.history().wait_began_at]) == [0, 0]
    joined = log.add(*events_of(log.state, Join(BEA)))
    history = log.history()
    assert (history.person_acted_at, history.wait_began_at) == (joined, joined)
    assert (history.state, history.player_clicked) == (log.state, False)


def test_a_turn_begins_with_the_move_before_it(log: Log):
    dealt = log.begin()
    assert log.history().wait_began_at == dealt
    moved = log.play()
    history = log.history()
    assert (history.person_acted_at, history.wait_began_at) == (moved, moved)


def test_a_player_who_sings_has_clicked_and_the_turn_goes_on(log: Log):
    dealt = log.begin(config_of("chorizo"), stacked("1c 1e 1b"))
    sung = log.add(Sang(0))
    history = log.history()
    assert (history.person_acted_at, history.wait_began_at, history.player_clicked) == (sung, dealt, True)
    moved = log.play()
    assert (log.history().wait_began_at, log.history().player_clicked) == (moved, False)


def test_seats_that_change_hands_in_anothers_turn_dont_restart_it(log: Log):
    dealt = log.begin()
    log.add(PresenceChanged(1, Presence.AWAY))
    back = log.add(PresenceChanged(1, Presence.HERE))
    assert log.history().wait_began_at == dealt
    assert log.history().person_acted_at == back


def test_a_question_whether_to_end_the_match_doesnt_restart_a_turn(log: Log):
    dealt = log.begin()
    asked = log.add(QuestionAsked(0, 2_000_000_000))
    assert (log.history().wait_began_at, log.history().person_acted_at) == (dealt, asked)
    log.add(QuestionLapsed())
    assert (log.history().wait_began_at, log.history().person_acted_at) == (dealt, asked), "nobody has done that"
    log.add(QuestionAsked(1, 2_000_000_000))
    refused = log.add(QuestionAnswered(0, agrees=False))
    assert (log.history().wait_began_at, log.history().person_acted_at) == (dealt, refused)


def test_a_reaction_in_anothers_turn_doesnt_restart_it(log: Log):
    log.begin()
    began = log.add(the_match(log.state).event_of(first_move(log.state)))
    reacted = log.add(Reacted(int(the_match(log.state).turn == 0), Sign.CLAP))
    history = read_history(log.entries)
    assert history.wait_began_at == began
    assert history.person_acted_at == reacted


def test_the_current_players_return_restarts_their_turn(log: Log):
    log.begin()
    log.add(PresenceChanged(0, Presence.AWAY))
    back = log.add(PresenceChanged(0, Presence.HERE))
    assert log.history().wait_began_at == back


def test_an_empty_tables_wait_began_when_the_last_person_went_away(log: Log):
    log.begin()
    log.add(PresenceChanged(1, Presence.AWAY))
    away = log.add(PresenceChanged(0, Presence.AWAY))
    assert log.history().wait_began_at == away


def test_what_computers_and_deadlines_do_doesnt_count_as_a_persons_action(log: Log):
    log.begin()
    moved = log.play()
    log.add(PresenceChanged(1, Presence.AWAY))
    log.play()
    log.add(PresenceChanged(0, Presence.AWAY), Closed(Phase.ABANDONED))
    assert log.history().person_acted_at == moved


def test_letting_a_computer_play_for_somebody_is_a_persons_action(log: Log):
    log.begin()
    asked = log.add(PresenceChanged(0, Presence.AWAY, by=1))
    assert log.history().person_acted_at == asked


def test_a_move_made_before_its_player_went_away_is_still_theirs(log: Log):
    log.begin()
    moved = log.play()
    log.add(PresenceChanged(0, Presence.AWAY))
    assert log.history().person_acted_at == moved


def test_a_log_with_a_missing_row_has_no_history(log: Log):
    log.begin()
    log.add(PresenceChanged(1, Presence.AWAY), PresenceChanged(1, Presence.HERE))
    with pytest.raises(CodecError):
        read_history([*log.entries[:-2], log.entries[-1]])
