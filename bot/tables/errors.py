"""The reasons why a table refuses an action, as codes that `bot.ui` puts into words."""

from __future__ import annotations

from enum import StrEnum

from bot.club.tournaments.refusal import TournamentRefusal
from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict


class RefusalCode(StrEnum):
    """The reason why a table or the manager refuses an action."""

    STALE = "stale"
    """The action was made for an older state: the person gets a fresh view."""
    CHANNEL_BUSY = "channel_busy"
    NO_GAME = "no_game"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    LOBBY_FULL = "lobby_full"
    LOBBY_OVER = "lobby_over"
    NOT_STARTED = "not_started"
    UNPOSTED = "unposted"
    """The id of the table's message isn't stored, and nothing can be dealt without it."""
    GAME_OVER = "game_over"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NO_SEATING = "no_seating"
    NO_COMPUTER = "no_computer"
    NOT_ALLOWED = "not_allowed"
    NOT_MOVER = "not_mover"
    """Only the opener and moderators may move the lobby to a thread."""
    NOT_RATER = "not_rater"
    """Only the opener and moderators may make a friendly match rated again."""
    NOT_CHALLENGED = "not_challenged"
    """Only the person who was challenged may answer."""
    NO_THREADS = "no_threads"
    """The bot may not open threads in the channel."""
    TOO_MANY_THREADS = "too_many_threads"
    """The server has as many active threads as Discord allows."""
    NO_THREAD = "no_thread"
    """Discord opened no thread, but another attempt may succeed."""
    OWN_PARTNER = "own_partner"
    NOT_PLAYED = "not_played"
    """Only those who played a match to its end may ask for its rematch."""
    NOT_MANAGER = "not_manager"
    MAY_NOT_ORGANISE = "may_not_organise"
    """Only those who may manage events or messages may organise a tournament there."""
    NOT_OWNER = "not_owner"
    CONFLICT = "conflict"
    MUTED = "muted"
    """The bot may not speak in the channel."""
    MUTED_IN_VOICE = "muted_in_voice"
    """The bot may not speak in the chat of a voice or stage channel."""
    TIMED_OUT = "timed_out"
    """A moderator has put the bot in time-out: it may write nowhere on the server."""
    LOCKED = "locked"
    """The thread is locked: only moderators can write there."""
    OUTSIDE_THREAD = "outside_thread"
    """The bot isn't a member of the private thread."""
    NOT_FORGOTTEN = "not_forgotten"
    """Somebody moved in the game not long ago."""
    TOO_MANY_LOBBIES = "too_many_lobbies"
    TOO_MANY_OPENED = "too_many_opened"
    """The person has opened tables again and again."""
    SHOWN_JUST_NOW = "shown_just_now"
    """Somebody showed something to everybody in the channel not long ago."""
    MAY_NOT_WRITE = "may_not_write"
    """The person may not send messages in the channel, so the bot doesn't send any for them."""
    EXPORTED_JUST_NOW = "exported_just_now"
    """Somebody fetched the server's results not long ago."""
    NO_ROLE = "no_role"
    """The server has chosen no role to mention when looking for players."""
    ROLE_GONE = "role_gone"
    """The role has been deleted."""
    ROLE_CLOSED = "role_closed"
    """The bot may not mention that role."""
    ROLE_OF_ALL = "role_of_all"
    """Everybody on the server has that role."""
    SOUGHT_JUST_NOW = "sought_just_now"
    """Somebody on the server looked for players not long ago."""
    CHALLENGES_SELF = "challenges_self"
    CHALLENGES_BOT = "challenges_bot"
    NOT_THERE = "not_there"
    """The person who is challenged isn't on the server, or can't see the channel."""
    CHALLENGED_JUST_NOW = "challenged_just_now"
    """The person was challenged not long ago."""
    NO_HINTS = "no_hints"
    """The match is ranked, or its server has hints turned off."""
    NO_ADVICE = "no_advice"
    """The moves can't be analysed now."""
    NO_REVIEWS = "no_reviews"
    """This bot can't review matches."""
    NO_REVIEW = "no_review"
    """This person has no match to review, or its log is no longer kept."""
    NO_REPLAY = "no_replay"
    """This person has no such match on the server, or it isn't over."""
    NO_LOG = "no_log"
    """The log of a match is no longer kept."""
    NO_CLIP = "no_clip"
    """Nothing happened in a match that a clip could be made of."""
    REVIEWING = "reviewing"
    """A review for this person is already being made."""
    TOO_MANY_REVIEWS = "too_many_reviews"
    """The person has asked for reviews again and again."""
    NO_POSITION = "no_position"
    """The day hasn't come yet, or its position isn't the one that was answered."""
    DAY_CLOSED = "day_closed"
    """The position of a day can't be solved any more."""
    NO_SUCH_RULES = "no_such_rules"
    """There are no rules with that name."""
    RULES_DELETED = "rules_deleted"
    """Somebody has deleted that rule set."""
    RULES_NAMELESS = "rules_nameless"
    """The name for a rule set is empty."""
    RULES_NAMED_SO = "rules_named_so"
    """The server has a rule set with that name, or nearly the same one."""
    RULES_OF_ALL = "rules_of_all"
    """A rule system has that name."""
    TOO_MANY_RULES = "too_many_rules"
    """The server has as many rule sets as it can have."""
    NO_BOARDS = "no_boards"
    """There is no such tournament here, its tables play different cards, or its log is no longer kept."""
    BOARD_CLOSED = "board_closed"
    """Other tables are still playing the board."""
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"
    """The store can't write now."""
    UNREADABLE = "unreadable"
    """The store can't be read now."""
    NEWER = "newer"
    """A newer version has begun or continued the game or tournament: this one can't go on with it."""
    FROM_NEWER = "from_newer"
    """A newer version has stored what is asked for: this one can't read it, or change it."""
    NOT_ERASED = "not_erased"
    """A person's data couldn't be erased; they may have left their games already."""
    DATA_BUSY = "data_busy"
    """A request of this person about their data is already being handled."""
    OUTDATED = "outdated"
    """The command is from before an update."""
    CLOSING = "closing"
    """The bot is stopping and takes no new moves."""


Code = RefusalCode | RuleCode | TournamentRefusal


class Refusal(Exception):
    """An action that was refused; the game is as it was.

    `code` says why; with `CONFLICT`, `conflicts` are the rules that exclude each other.
    """

    def __init__(self, code: Code, *, conflicts: tuple[Conflict, ...] = ()) -> None:
        super().__init__(code.value)
        self.code = code
        self.conflicts = conflicts


class Returned(Refusal):
    """A refused action of somebody who was away: the click did nothing else, but they are back at `seat`."""

    def __init__(self, code: Code, seat: int) -> None:
        super().__init__(code)
        self.seat = seat
