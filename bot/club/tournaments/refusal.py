"""The reasons why a tournament refuses an action, as codes that `bot.ui` puts into words."""

from __future__ import annotations

from enum import StrEnum


class TournamentRefusal(StrEnum):
    """The reason why a tournament refuses an action."""

    OVER = "over"
    """The tournament is finished or cancelled."""
    NOT_ORGANISER = "not_organiser"
    """Only the organiser, and those who may manage events, can do this."""
    ALREADY_ENTERED = "already_entered"
    NOT_ENTERED = "not_entered"
    FULL = "full"
    """There are as many entries as the format takes."""
    NO_PLACE_BESIDE = "no_place_beside"
    """The entry has both its people, or is gone."""
    NOT_PAIRS = "not_pairs"
    REMOVED = "removed"
    """The organiser has removed the person's entry."""
    ALREADY_ASKED = "already_asked"
    """The organiser has asked the person before."""
    TOO_LATE = "too_late"
    """Late entry has ended, or the format has none."""
    STARTED = "started"
    """The first round is drawn."""
    NOT_STARTED = "not_started"
    """The first round isn't drawn yet."""
    NOT_CHECK_IN = "not_check_in"
    """Check-in hasn't begun, or is over."""
    CHECK_IN_BEGAN = "check_in_began"
    """Check-in can begin only once."""
    SETTLED = "settled"
    """The first round is drawn, so what is played can't be changed any more."""
    ENTERED_ALREADY = "entered_already"
    """Singles or pairs can't be changed once somebody has entered."""
    BAD_SETUP = "bad_setup"
    """The set-up asks for something that the format or the rule system doesn't have."""
    NO_TIME = "no_time"
    """Only what begins at a time can be repeated every week."""
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    """More have entered than the format takes."""
    ROUND_RUNNING = "round_running"
    """A table of the round has no outcome yet."""
    OUT = "out"
    """The entry has lost, or has withdrawn already."""
    NO_TABLE = "no_table"
    """The tournament has no such entry, round or table."""
    BAD_OUTCOME = "bad_outcome"
    """A match can't end like this."""
    BOARDS_SEEN = "boards_seen"
    """With DUPLICATE a table can't play again, because its boards would be the same."""
    OWN_OPPONENT = "own_opponent"
    """Nobody removes the entry that they are playing against."""
    ANSWERED = "answered"
    """The proposal for the table is settled, or another has taken its place."""
    NOT_OPPONENT = "not_opponent"
    """Only an opponent of the person who has proposed a correction can agree to it."""
    PAIRED_SINCE = "paired_since"
    """The next round is based on this outcome."""


class NotAllowed(Exception):
    """An action that was refused; the tournament hasn't changed."""

    def __init__(self, code: TournamentRefusal) -> None:
        super().__init__(code.value)
        self.code = code
