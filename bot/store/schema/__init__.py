"""The tables as they are now. `migrations/` holds the steps that led to them; a test keeps the two equal."""

from bot.store.schema.base import UtcDateTime, as_utc, metadata
from bot.store.schema.club import achievements, rating_gains, rivals, standings
from bot.store.schema.server import departures, key_values, missing_guilds, people, rule_sets
from bot.store.schema.tables import deals, events, games, participants, result_players, results
from bot.store.schema.tournaments import tournament_events, tournament_people, tournaments
from bot.store.schema.training import (
    day_answers,
    day_channels,
    day_positions,
    lessons,
    practice_positions,
    reviews,
)

__all__ = [
    "UtcDateTime",
    "achievements",
    "as_utc",
    "day_answers",
    "day_channels",
    "day_positions",
    "deals",
    "departures",
    "events",
    "games",
    "key_values",
    "lessons",
    "metadata",
    "missing_guilds",
    "participants",
    "people",
    "practice_positions",
    "rating_gains",
    "result_players",
    "results",
    "reviews",
    "rivals",
    "rule_sets",
    "standings",
    "tournament_events",
    "tournament_people",
    "tournaments",
]
