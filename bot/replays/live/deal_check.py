"""A check of the deals in a database: draws again every deck that is said to come from a seed. No card is named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from bot.engine import deals
from bot.engine.errors import NotationError
from bot.engine.events import MatchStarted
from bot.engine.proofs import prove
from bot.platform.database.tools.audit import Audit
from bot.platform.eventlog.errors import CodecError
from bot.replays.live.proofs import decks_of
from bot.tables.log.codec import decode
from bot.tables.log.events import LogEvent, Opened
from bot.tables.store.audit import raw_deals
from bot.tables.store.deals import Deal
from bot.tables.store.logs import GAMES


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
    drawn = not any(isinstance(event, Opened) and event.fixture is not None for event in events)
    proof = prove(seed, deal.message_id, begun.seating, deal.dealt, draws_dealer=drawn)
    yield from map(str, proof.flaws(decks[: deal.dealt], begun.dealer))
