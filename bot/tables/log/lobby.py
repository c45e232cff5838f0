"""Decides what an action changes in a lobby, or why it is refused."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from zlib import crc32

from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.players import PERSONAS, Character, Level
from bot.tables.log.actions import (
    Action,
    AddComputer,
    Answer,
    ChangeComputer,
    ChooseGuests,
    ChoosePartner,
    Configure,
    Decline,
    Join,
    Leave,
    SetHints,
    SetRated,
    Start,
    TakeOff,
    Touch,
)
from bot.tables.log.change import Change
from bot.tables.log.events import (
    ChangeAccepted,
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    GuestsChosen,
    Joined,
    LeftLobby,
    LogEvent,
    Phase,
    Swapped,
    TakenOff,
)
from bot.tables.log.questions import Times, match_due, rematch_due
from bot.tables.log.state import TableState
from bot.tables.log.target import at_pace
from bot.tables.refusals import Conflicting, TableRefusal

MOST_TAKEN_OFF: Final = 2
"""Whoever was taken off a lobby as often as that can't come back to it."""


def join(state: TableState, action: Join) -> Change:
    person = action.person
    if state.seat_of(person.id) is not None:
        raise Refusal(TableRefusal.ALREADY_SEATED)
    if state.challenge and state.missing and person.id not in _ids(state.missing):
        raise Refusal(TableRefusal.NOT_CHALLENGED)
    if state.taken_off.count(person.id) >= MOST_TAKEN_OFF:
        raise Refusal(TableRefusal.TAKEN_OFF)
    if not state.admits(person.id, action.roles):
        raise Refusal(TableRefusal.NOT_A_GUEST)
    if action.friendly and state.config.rated:
        raise Refusal(CommonRefusal.STALE)  # the match may begin at once, and wouldn't be what they agreed to
    if action.seen not in (None, state.changed):
        raise Refusal(CommonRefusal.STALE)
    if len(state.seats) >= state.config.capacity:
        raise Refusal(TableRefusal.LOBBY_FULL)
    joined = Change(state).then([Joined(person)])
    return replace(joined, deal=rematch_due(joined.state))


def start_asked(state: TableState, action: Start, times: Times) -> Change:
    """The start of the match. Whoever starts agrees to what has changed; anybody else who hasn't is waited for, and
    then left out."""
    if state.seat_of(action.person.id) is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    check_version(action.version, state.version)
    left = tuple(LeftLobby(person_id) for person_id in state.unagreed if person_id != action.person.id)
    if left and not times.ok_over:
        raise Refusal(TableRefusal.OK_MISSING)
    return Change(state, deal=replace(match_due(state.apply_all(left)), before=left))


def accept_change(state: TableState, action: Answer) -> Change:
    """Somebody's OK on the latest change; a rematch or a challenge that waited for it begins."""
    seat = state.seat_of(action.person.id)
    if seat is None:
        raise Refusal(TableRefusal.NOT_SEATED)
    if not action.agrees or action.question != state.changed:
        raise Refusal(CommonRefusal.STALE)
    if state.seats[seat].agreed is None:
        return Change(state)
    accepted = Change(state).then([ChangeAccepted(seat)])
    return replace(accepted, deal=rematch_due(accepted.state))


def in_lobby(state: TableState, action: Action, game_id: int, times: Times) -> list[LogEvent]:
    own = state.seat_of(action.person.id)
    seated = own is not None
    match action:
        case Touch():
            return []
        case Decline(person):
            if not state.challenge or person.id not in _ids(state.missing):
                raise Refusal(TableRefusal.NOT_CHALLENGED)
            return [Closed(Phase.DECLINED, person)]
        case _ if not seated:
            raise Refusal(TableRefusal.NOT_SEATED)
        case Leave(person):
            left = LeftLobby(person.id)
            alone = not any(seat.person_id not in (None, person.id) for seat in state.seats)
            return [left, Closed(Phase.CANCELLED)] if alone else [left]
        case AddComputer(_, version, level):
            check_version(version, state.version)
            if len(state.seats) >= state.config.capacity:
                raise Refusal(TableRefusal.LOBBY_FULL)
            return [add_computer(state, level, lot=game_id)]
        case ChangeComputer(_, version, seat, level):
            check_version(version, state.version)
            return _change_computer(state, seat, level, lot=game_id)
        case ChoosePartner(_, version, seat):
            check_version(version, state.version)
            return _choose_partner(state, own, seat)
        case Configure(_, version, config):
            check_version(version, state.version)
            if len(state.seats) > config.capacity:
                raise Refusal(TableRefusal.TOO_MANY)
            if conflicts := config.conflicts():
                raise Conflicting(conflicts)
            # Both have their own actions, but a single round may be drawn.
            config = replace(config, rated=state.config.rated and not config.rules.rounds, hints=state.config.hints)
            if config.tempo is not state.config.tempo:
                config = at_pace(config, config.tempo, slow=times.slow, was_slow=times.was_slow)
            return _configured(state, config, own, times)
        case _:
            raise Refusal(TableRefusal.NOT_STARTED)


def _configured(state: TableState, config: Config, by: int | None, times: Times) -> list[LogEvent]:
    """Another configuration, for which everybody else who sits there is asked if need be. `by`: who changes it."""
    if config == state.config:
        return []
    others = (seat for index, seat in enumerate(state.seats) if index != by and not seat.is_computer)
    asks = any(config.needs_ok(seat.agreed or state.config) for seat in others)
    return [Configured(config, by, times.ok_by) if asks else Configured(config)]


def check_may_move(state: TableState, person_id: int, *, moderator: bool) -> None:
    """Check that a person may move the lobby to a thread, and that this is still possible.

    Raises Refusal otherwise.
    """
    if state.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    if not state.may_run(person_id, moderator=moderator):
        raise Refusal(TableRefusal.NOT_MOVER)
    if not state.movable:
        raise Refusal(CommonRefusal.STALE)


def set_rated_or_hints(state: TableState, action: SetRated | SetHints, times: Times) -> list[LogEvent]:
    """Rated or friendly, and hints: decided by anybody who sits there or is invited, until the first card.

    Only those who decide about the lobby may make it rated again, so that nobody is drawn into a rated match against
    their will.
    """
    if state.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    person_id, config = action.person.id, state.config
    own = state.seat_of(person_id)
    belongs = own is not None or person_id in _ids(state.missing)
    match action:
        case SetRated(_, rated, moderator):
            if rated and config.rules.rounds:
                raise Refusal(CommonRefusal.STALE)
            if rated and not state.may_run(person_id, moderator=moderator):
                raise Refusal(TableRefusal.NOT_RATER)
            if not belongs and not moderator:
                raise Refusal(TableRefusal.NOT_SEATED)
            agreed = replace(config, rated=rated)
        case SetHints(_, hints):
            if not belongs:
                raise Refusal(TableRefusal.NOT_SEATED)
            if config.rated:
                raise Refusal(CommonRefusal.STALE)
            agreed = replace(config, hints=hints)
    return _configured(state, agreed, own, times)


def choose_people(state: TableState, action: ChooseGuests | TakeOff) -> list[LogEvent]:
    """Say who may sit down, or take somebody off: those who decide about the lobby may."""
    if state.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    if not state.may_run(action.person.id, moderator=action.moderator):
        raise Refusal(TableRefusal.NOT_HOST)
    match action:
        case ChooseGuests(_, guests):
            return [GuestsChosen(guests)] if guests != state.guests else []
        case TakeOff(_, version, seat):
            check_version(version, state.version)
            person_id = state.seats[seat].person_id if 0 <= seat < len(state.seats) else None
            if person_id in (None, action.person.id, state.opener_id):
                raise Refusal(CommonRefusal.STALE)
            return [TakenOff(person_id)]


def _ids(people: Iterable[Person]) -> set[int]:
    return {person.id for person in people}


def _choose_partner(state: TableState, own: int, wanted: int) -> list[LogEvent]:
    """The holder of another seat becomes one's partner, in place of the present one, who takes that seat instead.

    Of two partners, the one chosen last stays.
    """
    seating = state.config.seating(len(state.seats))
    if seating is None or not seating.in_teams or not 0 <= wanted < len(state.seats):
        raise Refusal(CommonRefusal.STALE)
    if wanted == own:
        raise Refusal(TableRefusal.OWN_PARTNER)
    partners = [seat for seat in seating.seats_of(seating.side_of(own)) if seat != own]
    if wanted in partners:
        return []
    return [*(Swapped(partners[0], other) for other in partners[1:]), Swapped(partners[0], wanted)]


def check_version(version: int, now: int) -> None:
    if version != now:
        raise Refusal(CommonRefusal.STALE)


def _change_computer(state: TableState, seat: int, level: Level | None, *, lot: int) -> list[LogEvent]:
    if not 0 <= seat < len(state.seats) or not state.seats[seat].is_computer:
        raise Refusal(CommonRefusal.STALE)
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
