"""Decides what an action changes at a table, or why it is refused. Pure, so that it can be tested without a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from zlib import crc32

from bot.engine.errors import IllegalMove, RuleCode
from bot.engine.events import Laid
from bot.engine.match import Match
from bot.players import PERSONAS, Character, Level
from bot.tables.errors import Refusal, RefusalCode, Returned
from bot.tables.log.actions import (
    Action,
    AddComputer,
    AnswerEnd,
    Cancel,
    ChangeComputer,
    ChoosePartner,
    ClaimMatch,
    Configure,
    Decline,
    EndFixture,
    Join,
    LayCard,
    Leave,
    LetComputerPlay,
    MoveToThread,
    NextRound,
    PlayMove,
    ProposeEnd,
    React,
    SetHints,
    SetRated,
    Start,
    TakeWin,
    Touch,
)
from bot.tables.log.change import Change
from bot.tables.log.due import deal_due, match_due, rematch_due
from bot.tables.log.ending import answered, check_may_cancel, claimed, ended, forfeit
from bot.tables.log.events import (
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Configured,
    EndProposed,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Person,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
    Swapped,
)
from bot.tables.log.reactions import reactable
from bot.tables.log.state import TableState


@dataclass(frozen=True, slots=True)
class Times:
    """The clock's part in an action, and the people who haven't pressed.

    Attributes:
        overdue: whether the current player has kept the others waiting for so long that a computer may play for them.
        claimable: whether they have done so for so long that the others may claim the match.
        answer_by: when a question asked now must be answered, in seconds since 1970.
        unready: the seats of the people for whom the next round waits.
    """

    overdue: bool = False
    claimable: bool = False
    answer_by: int = 0
    unready: frozenset[int] = frozenset()


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
        raise Refusal(RefusalCode.GAME_OVER)
    now = Change(state)
    match action:
        case Cancel(person, moderator):
            check_may_cancel(state, person.id, moderator=moderator)
            return now.then([ended(state, Phase.CANCELLED, person)])
        case EndFixture(person):
            if state.fixture is None:
                raise Refusal(RefusalCode.NOT_ALLOWED)
            return now.then([Closed(Phase.CANCELLED, person)])
        case MoveToThread(person, thread_id, moderator):
            check_may_move(state, person.id, moderator=moderator)
            return now.then([Moved(thread_id)])
        case SetRated() | SetHints():
            return now.then(_set_rated_or_hints(state, action))
        case Join() if state.phase is Phase.LOBBY:
            return _join(state, action)
        case Start() if state.phase is Phase.LOBBY:
            return _start_asked(state, action)
        case _ if state.phase is Phase.LOBBY:
            return now.then(_in_lobby(state, action, game_id))
        case _:
            return _in_match(state, action, times)


def _join(state: TableState, action: Join) -> Change:
    person = action.person
    if state.seat_of(person.id) is not None:
        raise Refusal(RefusalCode.ALREADY_SEATED)
    if state.challenge and state.missing and person.id not in _ids(state.missing):
        raise Refusal(RefusalCode.NOT_CHALLENGED)
    if action.friendly and state.config.rated:
        raise Refusal(RefusalCode.STALE)  # the match may begin at once, and wouldn't be what they agreed to
    if len(state.seats) >= state.config.capacity:
        raise Refusal(RefusalCode.LOBBY_FULL)
    joined = Change(state).then([Joined(person)])
    return replace(joined, deal=rematch_due(joined.state))


def _start_asked(state: TableState, action: Start) -> Change:
    if state.seat_of(action.person.id) is None:
        raise Refusal(RefusalCode.NOT_SEATED)
    _check_version(action.version, state.version)
    return Change(state, deal=match_due(state))


def _in_lobby(state: TableState, action: Action, game_id: int) -> list[LogEvent]:
    own = state.seat_of(action.person.id)
    seated = own is not None
    match action:
        case Touch():
            return []
        case Decline(person):
            if not state.challenge or person.id not in _ids(state.missing):
                raise Refusal(RefusalCode.NOT_CHALLENGED)
            return [Closed(Phase.DECLINED, person)]
        case _ if not seated:
            raise Refusal(RefusalCode.NOT_SEATED)
        case Leave(person):
            left = LeftLobby(person.id)
            alone = not any(seat.person_id not in (None, person.id) for seat in state.seats)
            return [left, Closed(Phase.CANCELLED)] if alone else [left]
        case AddComputer(_, version):
            _check_version(version, state.version)
            if len(state.seats) >= state.config.capacity:
                raise Refusal(RefusalCode.LOBBY_FULL)
            return [add_computer(state, Level.NORMAL, lot=game_id)]
        case ChangeComputer(_, version, seat, level):
            _check_version(version, state.version)
            return _change_computer(state, seat, level, lot=game_id)
        case ChoosePartner(_, version, seat):
            _check_version(version, state.version)
            return _choose_partner(state, own, seat)
        case Configure(_, version, config):
            _check_version(version, state.version)
            if len(state.seats) > config.capacity:
                raise Refusal(RefusalCode.TOO_MANY)
            if conflicts := config.conflicts():
                raise Refusal(RefusalCode.CONFLICT, conflicts=conflicts)
            config = replace(config, rated=state.config.rated, hints=state.config.hints)  # they have their own actions
            return [Configured(config)] if config != state.config else []
        case _:
            raise Refusal(RefusalCode.NOT_STARTED)


def check_may_move(state: TableState, person_id: int, *, moderator: bool) -> None:
    """Check that a person may move the lobby to a thread, and that this is still possible.

    Raises:
        Refusal: otherwise.
    """
    if state.phase is not Phase.LOBBY:
        raise Refusal(RefusalCode.LOBBY_OVER)
    if not state.may_run(person_id, moderator=moderator):
        raise Refusal(RefusalCode.NOT_MOVER)
    if not state.movable:
        raise Refusal(RefusalCode.STALE)


def _set_rated_or_hints(state: TableState, action: SetRated | SetHints) -> list[LogEvent]:
    """Rated or friendly, and hints: decided by anybody who sits there or is invited, until the first card.

    Only those who decide about the lobby may make it rated again, so that nobody is drawn into a rated match against
    their will.
    """
    if state.phase is not Phase.LOBBY:
        raise Refusal(RefusalCode.LOBBY_OVER)
    person_id, config = action.person.id, state.config
    belongs = state.seat_of(person_id) is not None or person_id in _ids(state.missing)
    match action:
        case SetRated(_, rated, moderator):
            if rated and not state.may_run(person_id, moderator=moderator):
                raise Refusal(RefusalCode.NOT_RATER)
            if not belongs and not moderator:
                raise Refusal(RefusalCode.NOT_SEATED)
            agreed = replace(config, rated=rated)
        case SetHints(_, hints):
            if not belongs:
                raise Refusal(RefusalCode.NOT_SEATED)
            if config.rated:
                raise Refusal(RefusalCode.STALE)
            agreed = replace(config, hints=hints)
    return [Configured(agreed)] if agreed != config else []


def _ids(people: Iterable[Person]) -> set[int]:
    return {person.id for person in people}


def _choose_partner(state: TableState, own: int, wanted: int) -> list[LogEvent]:
    """The holder of another seat becomes one's partner, in place of the present one, who takes that seat instead.

    Of two partners, the one chosen last stays.
    """
    seating = state.config.seating(len(state.seats))
    if seating is None or not seating.in_teams or not 0 <= wanted < len(state.seats):
        raise Refusal(RefusalCode.STALE)
    if wanted == own:
        raise Refusal(RefusalCode.OWN_PARTNER)
    partners = [seat for seat in seating.seats_of(seating.side_of(own)) if seat != own]
    if wanted in partners:
        return []
    return [*(Swapped(partners[0], other) for other in partners[1:]), Swapped(partners[0], wanted)]


def _in_match(state: TableState, action: Action, times: Times) -> Change:
    match, now = state.match, Change(state)
    assert match is not None, "a table that plays has a match"
    seat = state.seat_of(action.person.id)
    if seat is None:
        raise Refusal(RefusalCode.LOBBY_OVER if isinstance(action, Join | Decline) else RefusalCode.NOT_SEATED)
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
            _check_version(action.version, match.version)
            due = deal_due(state)
            return now.then(back, None if times.unready - {seat} else due)
        return now.then([*back, *_by_player(state, match, seat, action, times)])
    except (IllegalMove, Refusal) as error:
        raise (Returned(error.code, seat) if back else Refusal(error.code)) from error


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
            _check_version(version, match.version)
            if match.turn == seat:
                return []  # they have clicked, so they are here
            if match.turn is None or not (times.overdue and state.seats[match.turn].human_here):
                raise Refusal(RefusalCode.STALE)
            return [PresenceChanged(match.turn, Presence.AWAY, by=seat)]
        case ClaimMatch(_, version):
            _check_version(version, match.version)
            return claimed(state, match, seat, claimable=times.claimable)
        case ProposeEnd():
            if not state.may_propose_end(seat):
                raise Refusal(RefusalCode.ASKED_BEFORE if state.contested else RefusalCode.STALE)
            return [EndProposed(seat, times.answer_by)]
        case AnswerEnd(_, question, agrees):
            return answered(state, seat, question, agrees=agrees)
        case TakeWin():
            if state.default_winner != match.seating.side_of(seat):
                raise Refusal(RefusalCode.STALE)
            return [ended(state, Phase.FORFEITED)]
        case React(_, sign):
            if match.turn is None or reactable(match.recent, state.reactions, seat) is None:
                return []  # too late, or pressed twice: the answer shows how things stand
            return [Reacted(seat, sign)]
        case Join():
            raise Refusal(RefusalCode.ALREADY_SEATED)
        case _:
            raise Refusal(RefusalCode.LOBBY_OVER)


def _check_turn(state: TableState, match: Match, seat: int, version: int) -> None:
    _check_version(version, match.version)
    if match.turn != seat:
        raise Refusal(RuleCode.NOT_YOUR_TURN)
    if state.stood_in:
        raise Refusal(RefusalCode.STALE)  # too late: a computer is about to make this move


def _check_version(version: int, now: int) -> None:
    if version != now:
        raise Refusal(RefusalCode.STALE)


def _change_computer(state: TableState, seat: int, level: Level | None, *, lot: int) -> list[LogEvent]:
    if not 0 <= seat < len(state.seats) or not state.seats[seat].is_computer:
        raise Refusal(RefusalCode.STALE)
    if level is None:
        return [ComputerRemoved(seat)]
    if level is state.seats[seat].level:
        return []
    return [replace(add_computer(state, level, lot=lot), instead_of=seat)]


def add_computer(state: TableState, level: Level, *, lot: int, wanted: Character | None = None) -> ComputerAdded:
    """One more computer player of this level: the wanted character if it is free and plays at it, else a random one.

    A character is free if nobody at the table has its name. A level has as many characters as may sit, so that one
    always is.
    """
    names = {seat.name for seat in state.seats}
    free = [who for who, persona in PERSONAS.items() if persona.level is level and persona.name not in names]
    by_lot = free[crc32(f"{lot}/{len(state.seats)}".encode()) % len(free)]
    chosen = wanted if wanted is not None and wanted in free else by_lot
    return ComputerAdded(PERSONAS[chosen].name, level, chosen)
