"""Cards that people name ahead in slow matches: which may be named, and what becomes of them."""

import logging

from bot.engine.events import Played
from bot.engine.facts import CardPlayed
from bot.engine.match import Match
from bot.engine.moves import Play
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.platform.database.errors import StoreError
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.view import TableView
from bot.tables.log.ahead import Ahead, turn_of
from bot.tables.log.change import Change
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games

log = logging.getLogger(__name__)


def may_name(view: TableView, seat: SeatView) -> bool:
    """Whether a player may name a card ahead: in a slow match of compulsory capture, while others play.

    Never a deal's first card where there are cantos: whoever may still sing decides that themselves.
    """
    if not view.slow:
        return False
    match, hand = seat.public, len(seat.hand)
    if seat.has_turn or not hand or match.turn is None or match.rules.duty is not Duty.COMPULSORY:
        return False
    dealt = match.rules.hands(match.seating)[match.deal - 1]
    return view.seats[seat.seat].human_here and not (match.rules.cantos and hand == dealt)


def next_turn(seat: SeatView) -> str:
    return turn_of(seat.public.round_number, seat.public.deal, len(seat.hand))


def move_of(ahead: Ahead, match: Match, seat: int) -> Play | None:
    """The move that a card named ahead makes now, in its player's turn; None if it makes none."""
    now = match.round
    if now is None or match.turn != seat or ahead.turn != turn_of(match.round_number, now.deal, len(now.hands[seat])):
        return None
    latest = next((fact for fact in reversed(match.recent) if isinstance(fact, CardPlayed)), None)
    if ahead.untaken and (latest is None or latest.seat == seat or latest.captured):
        return None
    moves = [move for move in match.legal_moves() if isinstance(move, Play) and move.card is ahead.card]
    if len(moves) == 1 and not moves[0].captured:
        return moves[0]
    return next((move for move in moves if move.captured == ahead.captured), None)


async def with_ahead(change: Change, games: Games, game_id: int) -> tuple[Change, list[int]]:
    """Add to a change whatever follows by itself in a slow match: forced cards, and those that people have named.

    Returns the people whose turn comes, too: what they have named is to be forgotten with it, whether it is played or
    not.
    """
    change, spent = change.with_forced(), list[int]()
    while any(isinstance(event, Played) for event in change.events) and (person_id := _at_turn(change.state)):
        try:
            ahead = await games.ahead_of(game_id, person_id)
        except StoreError as error:
            log.warning("Table %s: could not read what was named ahead: %s", game_id, error)
            break
        match = change.state.match
        if ahead is None or match is None or match.turn is None:
            break
        spent.append(person_id)
        if (move := move_of(ahead, match, match.turn)) is None:
            break
        change = change.then([match.event_of(move)]).with_forced()
    return change, spent


def _at_turn(state: TableState) -> int | None:
    """The person who plays the current turn themselves."""
    plays = state.open and state.current_here
    return state.current_person_id if plays else None


async def name_ahead(games: Games, seat: SeatView | None, view: TableView, person: Person, ahead: Ahead | None) -> None:
    """Keep the card that somebody names, or none any more, while the table stands still.

    Raises:
        Refusal: if it is their turn by now, or they don't hold the card.
        StoreError: if it can't be stored.
    """
    if seat is None or not may_name(view, seat):
        raise Refusal(CommonRefusal.STALE)
    if ahead is not None and (ahead.card not in seat.hand or ahead.turn != next_turn(seat)):
        raise Refusal(CommonRefusal.STALE)
    await games.name_ahead(view.id, person.id, ahead)
