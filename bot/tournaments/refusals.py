"""The reasons why a tournament refuses an action."""

from bot.platform.language.texts import N_
from bot.platform.refusals import RefusalCode


class TournamentRefusal(RefusalCode):
    """The reason why a tournament refuses an action."""

    OVER = N_("This tournament is over.")
    NOT_ORGANISER = N_(
        "Only the organiser, or someone with the Manage Events or Manage Messages permission, can do that."
    )
    """Only the organiser, and those who may manage events, can do this."""
    ALREADY_ENTERED = N_("You joined already.")
    NOT_ENTERED = N_("You aren't in this tournament.")
    FULL = N_("The tournament is full.")
    NO_PLACE_BESIDE = N_("That person found a partner meanwhile, or plays no longer.")
    """The entry has both its people, or is gone."""
    NOT_PAIRS = N_("This tournament isn't played in pairs.")
    REMOVED = N_("The organiser removed you from this tournament.")
    ALREADY_ASKED = N_("They were asked already, and haven't answered.")
    TOO_LATE = N_("It's too late to join this tournament.")
    STARTED = N_("The tournament has started: **My tournament** lets you withdraw.")
    NOT_STARTED = N_("The tournament hasn't started yet.")
    NOT_CHECK_IN = N_("There's nothing to check in for right now.")
    CHECK_IN_BEGAN = N_("Check-in is open already.")
    SETTLED = N_("The first round is drawn, so what is played can't be changed any more.")
    ENTERED_ALREADY = N_("Someone joined already, so it can't change between single and pairs.")
    BAD_SETUP = N_("A tournament can't be played like that. Choose something else.")
    NO_TIME = N_("It has no time: give it one first, with **Title and time**.")
    TOO_FEW = N_("There are too few entries for a tournament.")
    TOO_MANY = N_("There are too many entries for this kind of tournament.")
    ROUND_RUNNING = N_("Some tables of this round have no result yet.")
    OUT = N_("That entry is out already.")
    NO_TABLE = N_("The tournament moved on. Have another look.")
    """The tournament has no such entry, round or table."""
    BAD_OUTCOME = N_("A match can't end like that: the winner needs more points.")
    BOARDS_SEEN = N_("That table can't play again: it saw its boards already.")
    """With DUPLICATE a table can't play again, because its boards would be the same."""
    OWN_OPPONENT = N_("You are playing against them, so only another manager can take them out.")
    ANSWERED = N_("That is settled, or something else is proposed by now. Have another look.")
    NOT_ASKED = N_("Only someone who still has to agree to it can answer that.")
    LONG_OVER = N_("This tournament ended more than seven days ago, so its results stay as they are.")
    PAIRED_SINCE = N_("The next round was drawn from that result, so it can't change any more.")
    MAY_NOT_ORGANISE = N_(
        "Only someone with the Manage Events or Manage Messages permission can organise a tournament here. Someone "
        "with the Manage Server permission can open that to everyone: `/escoba tournament` offers it to them."
    )
    ASKS_BOT = N_("Bots can't play in a tournament.")
    ASKS_ABSENT = N_("That person can't see this channel, so they couldn't answer.")
    TOO_MANY_ASKED = N_("You asked many people lately. Wait ten minutes before you ask more.")
    NO_BOARDS = N_("There are no boards to look at: no round has started, or they are no longer kept.")
