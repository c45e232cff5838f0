"""The reasons why a table refuses an action, as codes that `bot.ui` puts into words."""

from __future__ import annotations

from bot.engine.rules import Conflict
from bot.platform.refusal import Code, Refusal, RefusalCode


class TableRefusal(RefusalCode):
    """The reason why a table or the manager refuses an action, beside the rules of the game."""

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
    LEFT_SERVER = "left_server"
    """Somebody no longer belongs to the server of a table that they play from elsewhere."""
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NO_SEATING = "no_seating"
    NOT_ALLOWED = "not_allowed"
    NEEDS_EVERYBODY = "needs_everybody"
    """A rated match that has begun ends early only if everybody who plays it agrees."""
    OF_TOURNAMENT = "of_tournament"
    """A tournament's match is ended only by moderators who don't play in it."""
    ASKED_BEFORE = "asked_before"
    """They have been asked already whether to end the match."""
    NOT_MOVER = "not_mover"
    """Only the opener and moderators may move the lobby to a thread."""
    NOT_RATER = "not_rater"
    """Only the opener and moderators may make a friendly match rated again."""
    NOT_HOST = "not_host"
    """Only the opener and moderators decide who may sit down in the lobby."""
    NOT_A_GUEST = "not_a_guest"
    """The lobby is for some people only."""
    TAKEN_OFF = "taken_off"
    """The opener has taken them off the lobby twice."""
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
    CONFLICT = "conflict"
    NOT_FORGOTTEN = "not_forgotten"
    """Somebody moved in the game not long ago."""
    TOO_MANY_LOBBIES = "too_many_lobbies"
    TOO_MANY_OPENED = "too_many_opened"
    """The person has opened tables again and again."""
    NO_ROLE = "no_role"
    """The server has chosen no role to mention when looking for players."""
    SOUGHT_JUST_NOW = "sought_just_now"
    """Somebody on the server looked for players not long ago."""
    CHALLENGES_SELF = "challenges_self"
    CHALLENGES_BOT = "challenges_bot"
    NOT_THERE = "not_there"
    """The person who is challenged isn't on the server, or can't see the channel."""
    CHALLENGED_JUST_NOW = "challenged_just_now"
    """The person was challenged not long ago."""
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
    BOARD_CLOSED = "board_closed"
    """Other tables are still playing the board."""
    ELSEWHERE = "elsewhere"
    """Another process has the table of somebody who plays alone, and doesn't let go of it in time."""


class Conflicting(Refusal):
    """Rules that were refused because of `conflicts`: they exclude each other."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        super().__init__(TableRefusal.CONFLICT)
        self.conflicts = conflicts


class Returned(Refusal):
    """A refused action of somebody who was away: the click did nothing else, but they are back at `seat`."""

    def __init__(self, code: Code, seat: int) -> None:
        super().__init__(code)
        self.seat = seat
