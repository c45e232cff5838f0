"""The store: rows of games, results and small values, in a SQLite file or a PostgreSQL. Knows nothing of Discord."""

from bot.store.backends.copying import copy_database
from bot.store.errors import (
    BackupExists,
    CannotCopy,
    ChannelBusy,
    Fault,
    GameClosed,
    NoFileToCopy,
    RowRejected,
    StoreError,
    StoreUnavailable,
    UnknownGame,
    VersionConflict,
)
from bot.store.keeping import LOGS_KEPT_SINCE
from bot.store.moving import transfer
from bot.store.places import NotAPlace, Place, dump_command, place_of, shown
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
    "CannotCopy",
    "ChannelBusy",
    "Fault",
    "GameClosed",
    "GameRow",
    "LogEntry",
    "MatchResult",
    "Metric",
    "NoFileToCopy",
    "NotAPlace",
    "OpenGame",
    "Page",
    "PersonalRows",
    "Place",
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
    "dump_command",
    "place_of",
    "shown",
    "transfer",
    "without_stand_ins",
]
