"""The store: rows of games, results and small values, kept in one SQLite file. Knows nothing of Discord."""

from bot.store.copying import copy_database
from bot.store.errors import (
    BackupExists,
    ChannelBusy,
    Fault,
    GameClosed,
    RowRejected,
    StoreError,
    StoreUnavailable,
    UnknownGame,
    VersionConflict,
)
from bot.store.keeping import LOGS_KEPT_SINCE
from bot.store.privacy import NOBODY, Rewrite, without_stand_ins
from bot.store.rows import (
    GameRow,
    LogEntry,
    MatchResult,
    Metric,
    OpenGame,
    Page,
    PersonalRows,
    PlayerResult,
    PlayerStats,
    RankedRow,
    ReviewRow,
)
from bot.store.store import Store

__all__ = [
    "LOGS_KEPT_SINCE",
    "NOBODY",
    "BackupExists",
    "ChannelBusy",
    "Fault",
    "GameClosed",
    "GameRow",
    "LogEntry",
    "MatchResult",
    "Metric",
    "OpenGame",
    "Page",
    "PersonalRows",
    "PlayerResult",
    "PlayerStats",
    "RankedRow",
    "ReviewRow",
    "Rewrite",
    "RowRejected",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "UnknownGame",
    "VersionConflict",
    "copy_database",
    "without_stand_ins",
]
