"""The store: games, results and key-value pairs in a SQLite file or a PostgreSQL database. Knows nothing of Discord."""

from bot.eventlog.log import LogEntry
from bot.store.club.achievements import Earned
from bot.store.club.career import Aftermath, Career, Duel
from bot.store.club.ratings import Lineup, RatingChange, RatingPoint
from bot.store.club.result_rows import ResultRow
from bot.store.club.revised import Verdict, ruled
from bot.store.club.rivals import Rivalry
from bot.store.club.standing import EVERY_PRESET, Leaderboard, LeaderboardPage, Metric, Standing, read_record
from bot.store.database import DiskSpace
from bot.store.errors import (
    BackupExists,
    CannotCopy,
    Fault,
    RowDamaged,
    RowRejected,
    StoreError,
    StoreUnavailable,
    VersionConflict,
)
from bot.store.event_logs import Rewrite
from bot.store.locations import InvalidLocation, Location, dump_command, location_of, restore_command, without_password
from bot.store.migrations.before_release import is_file_from_before
from bot.store.news import News
from bot.store.replays.own_matches import OwnMatchRow, OwnSeat
from bot.store.rows import (
    PLAYER_COLUMNS,
    DayAnswer,
    GameRow,
    Judgement,
    LessonRow,
    MatchResult,
    OpenGame,
    PersonalRows,
    PlayerResult,
    PracticeRow,
    PracticeState,
    ReviewRow,
    RuleSetRow,
)
from bot.store.server.preferences import DIGESTS_OWED
from bot.store.server.privacy import NOBODY, without_stand_ins
from bot.store.server.retention import LOGS_KEPT_SINCE
from bot.store.server.rule_sets import RuleSetRefusal
from bot.store.store import Store
from bot.store.tables.deals import Deal, Draw, Seal
from bot.store.tables.errors import ChannelBusy, FixtureOpened, GameClosed, UnknownGame
from bot.store.tools.backup import copy_database
from bot.store.tools.backup_folder import BackupFolder
from bot.store.tournaments.logs import FixtureGame, TournamentRow
from bot.store.training.answers import DayRecord, MonthBoard, MonthRow
from bot.store.training.channels import DayChannel, Stopped

__all__ = [
    "DIGESTS_OWED",
    "EVERY_PRESET",
    "LOGS_KEPT_SINCE",
    "NOBODY",
    "PLAYER_COLUMNS",
    "Aftermath",
    "BackupExists",
    "BackupFolder",
    "CannotCopy",
    "Career",
    "ChannelBusy",
    "DayAnswer",
    "DayChannel",
    "DayRecord",
    "Deal",
    "DiskSpace",
    "Draw",
    "Duel",
    "Earned",
    "Fault",
    "FixtureGame",
    "FixtureOpened",
    "GameClosed",
    "GameRow",
    "InvalidLocation",
    "Judgement",
    "Leaderboard",
    "LeaderboardPage",
    "LessonRow",
    "Lineup",
    "Location",
    "LogEntry",
    "MatchResult",
    "Metric",
    "MonthBoard",
    "MonthRow",
    "News",
    "OpenGame",
    "OwnMatchRow",
    "OwnSeat",
    "PersonalRows",
    "PlayerResult",
    "PracticeRow",
    "PracticeState",
    "RatingChange",
    "RatingPoint",
    "ResultRow",
    "ReviewRow",
    "Rewrite",
    "Rivalry",
    "RowDamaged",
    "RowRejected",
    "RuleSetRefusal",
    "RuleSetRow",
    "Seal",
    "Standing",
    "Stopped",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "TournamentRow",
    "UnknownGame",
    "Verdict",
    "VersionConflict",
    "copy_database",
    "dump_command",
    "is_file_from_before",
    "location_of",
    "read_record",
    "restore_command",
    "ruled",
    "without_password",
    "without_stand_ins",
]
