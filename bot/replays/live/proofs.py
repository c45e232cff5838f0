"""Proofs of how decks were dealt, and the check of stored ones.

Only links of rounds that are over ever leave this module.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot.engine import deals
from bot.engine.cards import Card
from bot.engine.errors import IllegalMove, NotationError
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.proofs import Flaw, Proof, prove
from bot.platform.database.tools.audit import Audit
from bot.platform.eventlog import CodecError, LogEntry, WrittenByNewer
from bot.platform.people import names_apart
from bot.platform.refusals import CommonRefusal, Refusal
from bot.replays.store.own_matches import OwnMatches
from bot.tables.log.codec import LOG, MATCH, decode, fold
from bot.tables.log.events import LogEvent
from bot.tables.log.state import TableState
from bot.tables.store.audit import raw_deals
from bot.tables.store.deals import Deal, Deals
from bot.tables.store.logs import GAMES, Games
from bot.tables.store.rows import GameRow

log = logging.getLogger(__name__)

_LATEST = 5
"""Latest matches of a person that are tried: they may have left some before the first card."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The rounds of a match that are over, and the way they were dealt.

    Attributes:
        row: its game.
        names: its players' names, by seat.
        boards: whether it was dealt by a tournament's boards, the same at all tables.
        decks: the decks of the rounds that are over and covered by the proof, from the first.
        dealer: the seat that dealt first.
        rounds: how many rounds are over, also those that the proof doesn't cover.
        running: whether the match goes on.
        broken_off: whether it ended before it was won or lost.
        proof: that of a seal; None if it was dealt by boards, or nothing has been dealt yet.
        flaws: the errors that the proof finds.
    """

    row: GameRow
    names: tuple[str, ...]
    boards: bool
    decks: tuple[tuple[Card, ...], ...]
    dealer: int
    rounds: int
    running: bool
    broken_off: bool
    proof: Proof | None
    flaws: tuple[Flaw, ...]


async def unfinished(
    games: Games, deals: Deals, matches: OwnMatches, guild_id: int | None, person_id: int
) -> Checked | None:
    """Find the latest match on a server in which a person has a seat, if it goes on or was broken off, so that it has
    no result.

    Raises StoreError if it can't be read.
    """
    for game_id in await deals.latest(guild_id, person_id, MATCH, limit=_LATEST):
        if await matches.of(guild_id, person_id, game_id) is not None:
            return None
        with suppress(Refusal):
            if (found := await checked(games, deals, guild_id, person_id, game_id)) is not None:
                return found
    return None


async def checked(games: Games, deals: Deals, guild_id: int | None, person_id: int, game_id: int) -> Checked | None:
    """Check how a match was dealt; None if this person played it neither on this server nor alone, or it isn't kept.

    Raises StoreError if it can't be read, Refusal (FROM_NEWER) if a newer version has written it.
    """
    row = await games.get(game_id)
    if row is None or not (guild_id is None or row.guild_id in (guild_id, None)):
        return None
    entries, deal = await games.log(game_id), await deals.of(game_id)
    if not entries:
        return None
    try:
        return await asyncio.to_thread(_checked, row, person_id, entries, deal)
    except WrittenByNewer as error:
        raise Refusal(CommonRefusal.FROM_NEWER) from error
    except (CodecError, IllegalMove) as error:
        log.warning("Game %s can't be replayed (%s)", game_id, type(error).__name__)
        return None


def _checked(row: GameRow, person_id: int, entries: Sequence[LogEntry], deal: Deal | None) -> Checked | None:
    events = LOG.events(entries)
    state = LOG.fold(events)
    match = state.match
    if match is None or person_id not in {seat.person_id for seat in state.seats}:
        return None
    rounds, proof = len(match.scores), proof_of(state, deal)
    decks = decks_of(events)[: 0 if proof is None else len(proof.links)]
    boards = state.fixture is not None and bool(state.fixture.boards)
    flaws = () if proof is None else tuple(proof.flaws(decks, match.dealer))
    names = tuple(names_apart([seat.name for seat in state.seats]))
    broken_off = not state.open and not match.over
    return Checked(row, names, boards, decks, match.dealer, rounds, state.open, broken_off, proof, flaws)


def proof_of(state: TableState, deal: Deal | None) -> Proof | None:
    """Prove the rounds of a match that are over; None if it wasn't dealt by a seed.

    Args:
        state: its table.
        deal: its seed and message, as stored.
    """
    match = state.match
    if match is None or deal is None or deal.message_id is None or not deal.dealt:
        return None
    return prove(
        deals.from_text(deal.seed),
        deal.message_id,
        match.seating,
        min(len(match.scores), deal.dealt),
        commitment=deal.commitment,
        posted=deal.posted,
        draws_dealer=state.fixture is None and state.dealer is None,
    )


async def proof_of_log(deals: Deals, game_id: int, entries: Sequence[LogEntry]) -> Proof | None:
    """Prove the rounds of a stored log, as `proof_of` does.

    Raises StoreError if its seed and message can't be read, CodecError if the log can't be read.
    """
    deal = await deals.of(game_id)
    return await asyncio.to_thread(lambda: proof_of(LOG.replayed(entries), deal))


def decks_of(events: Iterable[LogEvent]) -> tuple[tuple[Card, ...], ...]:
    """List the decks of a match's rounds."""
    return tuple(event.deck for event in events if isinstance(event, RoundDealt))


def wrong_deals(audit: Audit) -> Iterator[str]:
    """Report wrong deals, each line beginning with its game. Log entries that can't be read are found elsewhere."""
    for game_id, deal in raw_deals(audit):
        events: list[LogEvent] = []
        for entry in audit.entries(GAMES, game_id):
            with suppress(CodecError):
                events.append(decode(str(entry.kind), str(entry.body)))
        try:
            yield from (f"game {game_id}: {line}" for line in _flaws(events, deal))
        except (NotationError, ValueError, TypeError, AttributeError):  # a damaged row may raise any of them
            yield f"game {game_id}: what its decks are drawn with can't be read"


def _flaws(events: list[LogEvent], deal: Deal) -> Iterator[str]:
    seed, decks = deals.from_text(deal.seed), decks_of(events)
    if deal.commitment != deals.to_text(deals.commitment_of(seed)):
        yield "its commitment doesn't match its seed"
    if not deal.dealt:
        return
    begun = next((event for event in events if isinstance(event, MatchStarted)), None)
    if begun is None or deal.message_id is None or len(decks) < deal.dealt:
        yield f"it should have {deal.dealt} decks drawn with its seed, but its log has {len(decks)} decks"
        return
    lobby = fold(events[: events.index(begun) + 1])
    drawn = lobby.fixture is None and lobby.dealer is None
    proof = prove(seed, deal.message_id, begun.seating, deal.dealt, draws_dealer=drawn)
    yield from map(str, proof.flaws(decks[: deal.dealt], begun.dealer))
