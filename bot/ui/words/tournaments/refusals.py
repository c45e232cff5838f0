"""The reasons why a tournament refuses something, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.club.tournaments.refusal import TournamentRefusal
from bot.platform.language.texts import N_

TOURNAMENT_REFUSALS: Final[dict[TournamentRefusal, str]] = {
    TournamentRefusal.OVER: N_("This tournament is over."),
    TournamentRefusal.NOT_ORGANISER: N_(
        "Only the organiser, or someone with the Manage Events or Manage Messages permission, can do that."
    ),
    TournamentRefusal.ALREADY_ENTERED: N_("You joined already."),
    TournamentRefusal.NOT_ENTERED: N_("You aren't in this tournament."),
    TournamentRefusal.FULL: N_("The tournament is full."),
    TournamentRefusal.NO_PLACE_BESIDE: N_("That person found a partner meanwhile, or plays no longer."),
    TournamentRefusal.NOT_PAIRS: N_("This tournament isn't played in pairs."),
    TournamentRefusal.REMOVED: N_("The organiser removed you from this tournament."),
    TournamentRefusal.ALREADY_ASKED: N_("They were asked already, and haven't answered."),
    TournamentRefusal.OWN_OPPONENT: N_("You are playing against them, so only another manager can take them out."),
    TournamentRefusal.ANSWERED: N_("That is settled, or something else is proposed by now. Have another look."),
    TournamentRefusal.NOT_OPPONENT: N_("Only someone who played against them can answer that."),
    TournamentRefusal.TOO_LATE: N_("It's too late to join this tournament."),
    TournamentRefusal.STARTED: N_("The tournament has started: **My tournament** lets you withdraw."),
    TournamentRefusal.NOT_STARTED: N_("The tournament hasn't started yet."),
    TournamentRefusal.NOT_CHECK_IN: N_("There's nothing to check in for right now."),
    TournamentRefusal.CHECK_IN_BEGAN: N_("Check-in is open already."),
    TournamentRefusal.SETTLED: N_("The first round is drawn, so what is played can't be changed any more."),
    TournamentRefusal.ENTERED_ALREADY: N_("Someone joined already, so it can't change between single and pairs."),
    TournamentRefusal.BAD_SETUP: N_("A tournament can't be played like that. Choose something else."),
    TournamentRefusal.NO_TIME: N_("It has no time: give it one first, with **Title and time**."),
    TournamentRefusal.TOO_FEW: N_("There are too few entries for a tournament."),
    TournamentRefusal.TOO_MANY: N_("There are too many entries for this kind of tournament."),
    TournamentRefusal.ROUND_RUNNING: N_("Some tables of this round have no result yet."),
    TournamentRefusal.OUT: N_("That entry is out already."),
    TournamentRefusal.NO_TABLE: N_("The tournament moved on. Have another look."),
    TournamentRefusal.BAD_OUTCOME: N_("A match can't end like that: the winner needs more points."),
    TournamentRefusal.BOARDS_SEEN: N_("That table can't play again: it saw its boards already."),
    TournamentRefusal.PAIRED_SINCE: N_("The next round was drawn from that result, so it can't change any more."),
    TournamentRefusal.MAY_NOT_ORGANISE: N_(
        "Only someone with the Manage Events or Manage Messages permission can organise a tournament here. Someone "
        "with the Manage Server permission can open that to everyone: `/escoba tournament` offers it to them."
    ),
    TournamentRefusal.ASKS_BOT: N_("Bots can't play in a tournament."),
    TournamentRefusal.ASKS_ABSENT: N_("That person can't see this channel, so they couldn't answer."),
    TournamentRefusal.TOO_MANY_ASKED: N_("You asked many people lately. Wait ten minutes before you ask more."),
    TournamentRefusal.NO_BOARDS: N_(
        "There are no boards to look at: no round has started, or they are no longer kept."
    ),
}
