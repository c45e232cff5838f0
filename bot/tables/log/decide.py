"""Decides what an action changes at a table, or why it is refused. Pure, so that it can be tested without a table."""

from typing import Final

from bot.engine.errors import IllegalMove
from bot.engine.events import Laid
from bot.engine.match import Match
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.actions import (
    Action,
    Answer,
    Ask,
    Cancel,
    ChooseGuests,
    ClaimMatch,
    Decline,
    EndFixture,
    Join,
    LayCard,
    Leave,
    LetComputerPlay,
    MoveToThread,
    NextRound,
    Nudge,
    PlayMove,
    Resume,
    SetHints,
    SetRated,
    Start,
    TakeOff,
    TakeOut,
    TakeSeat,
    TakeWin,
    Touch,
)
from bot.tables.log.change import Change
from bot.tables.log.events import Closed, LogEvent, Moved, Phase, Presence, PresenceChanged
from bot.tables.log.lobby import (
    accept_change,
    check_may_move,
    check_version,
    choose_people,
    in_lobby,
    join,
    set_rated_or_hints,
    start_asked,
)
from bot.tables.log.questions import (
    Times,
    answered,
    asked,
    check_may_cancel,
    claimed,
    deal_due,
    ended,
    forfeit,
    resumed,
    seat_wanted,
)
from bot.tables.log.state import TableState
from bot.tables.log.topics import Nudged, QuestionLapsed
from bot.tables.refusals import MoveRefusal, Returned, TableRefusal

_EARLY: Final = Times()


def decide(state: TableState, action: Action, game_id: int, times: Times = _EARLY) -> Change:
    """Decide what `action` changes; there are no events if it changes nothing.

    Args:
        state: the table.
        action: what somebody asks for.
        game_id: the table's number.
        times: what the clock says.

    Raises:
        Refusal: if it can't be done now.
    """
    if not state.open:
        raise Refusal(TableRefusal.GAME_OVER)
    now = Change(state)
    match action:
        case Cancel(person, moderator):
            check_may_cancel(state, person.id, moderator=moderator, untouched=times.untouched)
            return now.then([ended(state, Phase.CANCELLED, person)])
        case TakeOut(person):
            if not state.may_take_out(person.id):
                raise Refusal(CommonRefusal.STALE)
            return now.then([Moved(-game_id)])
        case EndFixture(person):
            if state.fixture is None:
                raise Refusal(TableRefusal.NOT_ALLOWED)
            return now.then([Closed(Phase.CANCELLED, person)])
        case MoveToThread(person, thread_id, moderator):
            check_may_move(state, person.id, moderator=moderator)
            return now.then([Moved(thread_id)])
        case SetRated() | SetHints():
            return now.then(set_rated_or_hints(state, action, times))
        case ChooseGuests() | TakeOff():
            return now.then(choose_people(state, action))
        case Join() if state.phase is Phase.LOBBY:
            return join(state, action)
        case Start() if state.phase is Phase.LOBBY:
            return start_asked(state, action, times)
        case Answer() if state.phase is Phase.LOBBY:
            return accept_change(state, action)
        case _ if state.phase is Phase.LOBBY:
            return now.then(in_lobby(state, action, game_id, times))
        case _:
            return _in_match(state, action, times)


def _in_match(state: TableState, action: Action, times: Times) -> Change:
    match, now = state.match, Change(state)
    assert match is not None, "a table that plays has a match"
    seat = state.seat_of(action.person.id)
    if seat is None:
        return now.then(_by_stranger(state, action, times))
    if isinstance(action, Leave) and not action.lobby_only:
        if state.fixture is not None:
            return now.then(forfeit(seat, by=action.person))
        left = now.then([PresenceChanged(seat, Presence.LEFT)])
        over = not any(each.may_return for each in left.state.seats)
        over = over or (action.for_good and left.state.default_winner is not None)
        return left.then([ended(left.state, Phase.ABANDONED)] if over else [])
    back = [PresenceChanged(seat, Presence.HERE)] if state.seats[seat].presence is Presence.AWAY else []
    try:
        if isinstance(action, NextRound):
            check_version(action.version, match.version)
            due = deal_due(state)
            return now.then(back, None if times.unready - {seat} else due)
        return now.then([*back, *_by_player(state, match, seat, action, times)])
    except (IllegalMove, Refusal) as error:
        code = MoveRefusal[error.code.name] if isinstance(error, IllegalMove) else error.code
        raise (Returned(code, seat) if back else Refusal(code)) from error


def _by_stranger(state: TableState, action: Action, times: Times) -> list[LogEvent]:
    """The events that somebody without a seat in the match causes."""
    match action:
        case TakeSeat(person, seat):
            return seat_wanted(state, person, seat, times)
        case Leave(person) if state.would_sit(person.id):
            return [QuestionLapsed()]
        case _:
            raise Refusal(TableRefusal.LOBBY_OVER if isinstance(action, Join | Decline) else TableRefusal.NOT_SEATED)


def _by_player(state: TableState, match: Match, seat: int, action: Action, times: Times) -> list[LogEvent]:
    """The events that the player of a seat causes, besides being back."""
    match action:
        case Touch():
            return []
        case PlayMove(_, version, move):
            _check_turn(state, match, seat, version)
            return [match.event_of(move)]
        case LayCard(_, version, card):
            _check_turn(state, match, seat, version)
            return [Laid(seat, card)]
        case LetComputerPlay(_, version):
            check_version(version, match.version)
            if match.turn == seat:
                return []  # they have clicked, so they are here
            if match.turn is None or not (times.overdue and state.seats[match.turn].human_here):
                raise Refusal(CommonRefusal.STALE)
            return [PresenceChanged(match.turn, Presence.AWAY, by=seat)]
        case Nudge(_, version):
            check_version(version, match.version)
            if match.turn == seat:
                return []
            if not times.half_over or state.nudged_by is not None or not state.others_wait:
                raise Refusal(CommonRefusal.STALE)
            return [Nudged(seat)]
        case ClaimMatch(_, version):
            check_version(version, match.version)
            return claimed(state, match, seat, claimable=times.claimable)
        case Ask(_, topic, days):
            return asked(state, seat, topic, days, times)
        case Answer(_, question, agrees):
            return answered(state, seat, question, times, agrees=agrees)
        case Resume():
            return resumed(state, seat, times)
        case TakeWin():
            if state.default_winner != match.seating.side_of(seat):
                raise Refusal(CommonRefusal.STALE)
            return [ended(state, Phase.FORFEITED)]
        case Join() | TakeSeat():
            raise Refusal(TableRefusal.ALREADY_SEATED)
        case _:
            raise Refusal(TableRefusal.LOBBY_OVER)


def _check_turn(state: TableState, match: Match, seat: int, version: int) -> None:
    check_version(version, match.version)
    if match.turn != seat:
        raise Refusal(MoveRefusal.NOT_YOUR_TURN)
    if state.stood_in:
        raise Refusal(CommonRefusal.STALE)  # too late: a computer is about to make this move
