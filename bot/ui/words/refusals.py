"""The reasons for refusals, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.club.tournaments.refusal import TournamentRefusal
from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import Config
from bot.ui.words.texts import N_, Words

_REFUSALS: Final[dict[RefusalCode | RuleCode, str]] = {
    RefusalCode.STALE: N_("The table has changed. Here's how it looks now."),
    RefusalCode.CHANNEL_BUSY: N_("There's already a table in this channel."),
    RefusalCode.NEEDS_SERVER: N_(
        "That needs a server that I'm on, where people sit down at a table in a channel. Here you can play against "
        "robots: `/escoba solo`."
    ),
    RefusalCode.NO_GAME: N_(
        "There's no table in this channel. `/escoba play` opens one; `/escoba solo` is for you alone."
    ),
    RefusalCode.NOT_SEATED: N_("You aren't at this table."),
    RefusalCode.ALREADY_SEATED: N_("You're already at this table."),
    RefusalCode.LOBBY_FULL: N_("All seats are taken."),
    RefusalCode.LOBBY_OVER: N_("The match has started, so nobody can join or change it."),
    RefusalCode.NOT_STARTED: N_("The match hasn't started yet."),
    RefusalCode.UNPOSTED: N_(
        "The number of the table's message cuts the deck, and I don't have it yet. Try again in a few seconds; if that "
        "doesn't help, `/escoba table` shows the table afresh."
    ),
    RefusalCode.GAME_OVER: N_("This match is over."),
    RefusalCode.LEFT_SERVER: N_("You're no longer on the server of that table."),
    RefusalCode.TOO_FEW: N_("You need at least two players. Wait for someone, or add a robot."),
    RefusalCode.TOO_MANY: N_("Too many people are seated for that."),
    RefusalCode.NO_SEATING: N_("Two to six can play."),
    RefusalCode.NOT_ALLOWED: N_("Only the host, or someone with the Manage Messages permission, can close the table."),
    RefusalCode.NEEDS_EVERYBODY: N_(
        "A rated match that has started ends early only if everyone who plays it agrees, or if someone with the "
        "Manage Messages permission who doesn't play in it ends it. Players can leave, which counts as a loss."
    ),
    RefusalCode.OF_TOURNAMENT: N_(
        "A tournament match can only be ended by someone with the Manage Messages permission who doesn't play in it."
    ),
    RefusalCode.ASKED_BEFORE: N_("The players were asked that already. You can ask again in the next round."),
    RefusalCode.NOT_MOVER: N_(
        "Only the host, or someone with the Manage Messages permission, can move it to a thread."
    ),
    RefusalCode.NOT_RATER: N_(
        "Only the host, or someone with the Manage Messages permission, can make it rated again."
    ),
    RefusalCode.NOT_HOST: N_("Only the host can decide who sits at this table."),
    RefusalCode.NOT_A_GUEST: N_("This table is for the people its host has chosen."),
    RefusalCode.TAKEN_OFF: N_("The host has taken you off this table twice, so you can't sit down again."),
    RefusalCode.NOT_CHALLENGED: N_("Only the person who was challenged can answer."),
    RefusalCode.NO_THREADS: N_(
        "I can't open a thread here, so the table stays. For that I need to be allowed to create public threads, send "
        "messages in threads and read the message history."
    ),
    RefusalCode.TOO_MANY_THREADS: N_(
        "This server has as many active threads as Discord allows, so the table stays here. Once one of them is "
        "closed, try again."
    ),
    RefusalCode.NO_THREAD: N_(
        "Discord wouldn't open a thread right now, so the table stays here. Please try again soon."
    ),
    RefusalCode.OWN_PARTNER: N_("You can't be your own partner: choose one of the others."),
    RefusalCode.NOT_PLAYED: N_(
        "Only those who played this match to the end can ask for a rematch. `/escoba play` opens another table."
    ),
    RefusalCode.NOT_MANAGER: N_("Only someone with the Manage Server permission can change settings."),
    RefusalCode.MAY_NOT_ORGANISE: N_(
        "Only someone with the Manage Events or Manage Messages permission can organise a tournament here. Someone "
        "with the Manage Server permission can open that to everyone: `/escoba tournament` offers it to them."
    ),
    RefusalCode.NOT_OWNER: N_("Sorry, that is only for the person who runs me."),
    RefusalCode.CONFLICT: N_("These rules don't go together:"),
    RefusalCode.MUTED: N_(
        "I can't post in this channel. Please allow me to view it and send messages, then try again."
    ),
    RefusalCode.MUTED_IN_VOICE: N_(
        "I can't post in this voice channel's chat. Please allow me to view the channel, connect to it and send "
        "messages, then try again."
    ),
    RefusalCode.TIMED_OUT: N_(
        "I am in time-out on this server, so I can't write here. A moderator can end that (right-click my name, Remove "
        "Timeout); then try again."
    ),
    RefusalCode.LOCKED: N_("This thread is locked, so I can't write here. Once a moderator unlocks it, try again."),
    RefusalCode.OUTSIDE_THREAD: N_(
        "I am not in this private thread, so I can't keep a table here. Mention me in a message, which brings me in, "
        "and try again."
    ),
    RefusalCode.NOT_FORGOTTEN: N_("Someone just moved there, so that match goes on."),
    RefusalCode.TOO_MANY_LOBBIES: N_(
        "Too many tables are waiting for players here. Start or cancel one of them first."
    ),
    RefusalCode.TOO_MANY_CHANGES: N_("You changed a lot in the last few minutes. Please wait a little."),
    RefusalCode.TOO_MANY_OPENED: N_("You opened several tables in a row. Please wait a few minutes."),
    RefusalCode.SHOWN_JUST_NOW: N_(
        "Something was shown to everyone here less than a minute ago. Please wait a little before you show more."
    ),
    RefusalCode.MAY_NOT_WRITE: N_("You can't write in this channel, so I won't show that to everyone here either."),
    RefusalCode.EXPORTED_JUST_NOW: N_(
        "Someone downloaded the results less than ten minutes ago. Please try again later."
    ),
    RefusalCode.NO_ROLE: N_("This server has chosen no role to find players with: see `/escoba settings`."),
    RefusalCode.ROLE_GONE: N_("That role no longer exists. Choose another in `/escoba settings`."),
    RefusalCode.ROLE_CLOSED: N_(
        "I may not mention that role. In the server's settings, allow anyone to mention it, or give me the permission "
        "*Mention All Roles*."
    ),
    RefusalCode.ROLE_OF_ALL: N_("Everyone has that role. Choose one that people take if they want to play."),
    RefusalCode.SOUGHT_JUST_NOW: N_(
        "Someone looked for players on this server less than ten minutes ago. Please wait a little."
    ),
    RefusalCode.CHALLENGES_SELF: N_("You can't challenge yourself. `/escoba play` opens a table for everyone."),
    RefusalCode.CHALLENGES_BOT: N_("Bots can't be challenged. `/escoba play` opens a table, where you can add robots."),
    RefusalCode.NOT_THERE: N_("That person can't see this channel, so there is nobody to accept your challenge."),
    RefusalCode.ASKS_BOT: N_("Bots can't play in a tournament."),
    RefusalCode.ASKS_ABSENT: N_("That person can't see this channel, so they couldn't answer."),
    RefusalCode.TOO_MANY_ASKED: N_("You asked many people lately. Wait ten minutes before you ask more."),
    RefusalCode.CHALLENGED_JUST_NOW: N_("That person was challenged a moment ago. Please wait a few minutes."),
    RefusalCode.NO_HINTS: N_("There are no hints in this match."),
    RefusalCode.NO_ADVICE: N_("I can't think that through right now. Please try again soon."),
    RefusalCode.NO_REVIEWS: N_("This bot isn't set up to review matches."),
    RefusalCode.NO_REVIEW: N_(
        "You have no match to review here: it must have been played to the end, and not too long ago."
    ),
    RefusalCode.NO_REPLAY: N_(
        "I can only replay a match that you have played on this server and that is over. `/escoba games` lists yours."
    ),
    RefusalCode.NO_LOG: N_("Only the result of that match is left: how it was played is no longer kept."),
    RefusalCode.NO_CLIP: N_("Nobody took anything in that match, so there is no moment to make a clip of."),
    RefusalCode.REVIEWING: N_("I'm still working on another review for you. Wait for it, or cancel it."),
    RefusalCode.TOO_MANY_REVIEWS: N_(
        "You asked for several reviews in a row, and they take me a while. Please wait a few minutes."
    ),
    RefusalCode.NO_POSITION: N_("I have no puzzle for that day. Please try again in a few minutes."),
    RefusalCode.DAY_CLOSED: N_("That puzzle is too old. `/escoba today` has a new one every day."),
    RefusalCode.NO_SUCH_RULES: N_(
        "There are no rules of that name here. Choose from the list that opens when you type."
    ),
    RefusalCode.RULES_DELETED: N_("Someone deleted those rules."),
    RefusalCode.RULES_NAMELESS: N_("The rules need a name that can be seen."),
    RefusalCode.RULES_NAMED_SO: N_("This server has rules with that name already."),
    RefusalCode.RULES_OF_ALL: N_("There's already a variant of that name. Choose another."),
    RefusalCode.TOO_MANY_RULES: N_(
        "This server has ten sets of house rules, and that is the most. Delete or replace one in `/escoba settings`."
    ),
    RefusalCode.NO_BOARDS: N_("There are no boards to look at: no round has started, or they are no longer kept."),
    RefusalCode.BOARD_CLOSED: N_("Other tables still play that board. It can be shown when the last one has finished."),
    RefusalCode.TOO_FAST: N_("Not so fast, please: wait a few seconds."),
    RefusalCode.UNAVAILABLE: N_("I can't save anything right now, so nothing changed. Please try again soon."),
    RefusalCode.UNREADABLE: N_("I can't read my records right now. Please try again soon."),
    RefusalCode.NEWER: N_("This was started by a newer version of me. It goes on when I'm up to date again."),
    RefusalCode.FROM_NEWER: N_("I can't read this yet: it was saved by a newer version of me."),
    RefusalCode.NOT_ERASED: N_(
        "I can't save anything right now, so your data isn't erased yet. You may have left your tables already. "
        "Please try again soon."
    ),
    RefusalCode.DATA_BUSY: N_("I'm still working on what you asked about your data. Please wait until that is done."),
    RefusalCode.DATA_JUST_NOW: N_("You have just had your data. Try again in ten minutes."),
    RefusalCode.OUTDATED: N_("I was updated, and that command changed: reload Discord, and try again."),
    RefusalCode.ELSEWHERE: N_("I'm still fetching your solo match. Please try again in a moment."),
    RefusalCode.CLOSING: N_("I'm shutting down and can't take moves right now. Your match goes on when I'm back."),
    RuleCode.NOT_YOUR_TURN: N_("It isn't your turn."),
    RuleCode.CARD_NOT_HELD: N_("You don't hold that card."),
    RuleCode.NOT_A_CAPTURE: N_("Those cards don't add up. Try again."),
    RuleCode.MUST_CAPTURE: N_("That card can take something, so it must."),
    RuleCode.NOTHING_TO_CLAIM: N_("Those cards don't add up. Try again."),
    RuleCode.NOTHING_TO_SING: N_(
        "You can't sing now. It takes three cards that go together, at your turn and before your first card of a deal."
    ),
    RuleCode.NOTHING_TO_CHOOSE: N_("The table has changed. Here's how it looks now."),
    RuleCode.CHOOSE_FIRST: N_("First choose what your card takes."),
    RuleCode.NO_ROUND: N_("The table has changed. Here's how it looks now."),
    RuleCode.ROUND_RUNNING: N_("The table has changed. Here's how it looks now."),
    RuleCode.MATCH_OVER: N_("This match is over."),
}

_IN_TOURNAMENTS: Final[dict[TournamentRefusal, str]] = {
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
}

_CONFLICTS: Final = {
    Conflict.CARDS_DO_NOT_DIVIDE: N_("The forty cards can't be dealt evenly to that many players."),
    Conflict.SCOPONE_IS_FOR_FOUR: N_("Scopone is for four, in pairs or alone."),
    Conflict.OPENING_WITHOUT_TABLE: N_("Without cards on the table at the first deal there is no opening escoba."),
    Conflict.SEVENS_NOT_SCORED: N_("Four sevens count more only where sevens or a prime are scored."),
    Conflict.CANTOS_NEED_THREE: N_("Cantos are sung with three cards in hand, so they go with deals of three only."),
    Conflict.LEAD_OUT_OF_RANGE: N_("A match is won by one point, or by two."),
    Conflict.TARGET_OUT_OF_RANGE: N_("The target must be between 5 and 101 points."),
    Conflict.ROUNDS_OUT_OF_RANGE: N_("A match can have at most 40 rounds."),
}


def refusal(error: Refusal, t: Words) -> str:
    """Explain why something was refused, for the person who asked."""
    if error.conflicts == (Conflict.TARGET_OUT_OF_RANGE,):
        return t(_CONFLICTS[Conflict.TARGET_OUT_OF_RANGE])
    if isinstance(error.code, TournamentRefusal):  # before the others: some of its codes are spelled like theirs
        return t(_IN_TOURNAMENTS[error.code])
    text = t(_REFUSALS.get(error.code, _REFUSALS[RefusalCode.STALE]))
    return "\n".join((text, *(f"- {t(_CONFLICTS[conflict])}" for conflict in error.conflicts)))


def refusal_of_seats(config: Config, players: int, t: Words) -> str | None:
    """Explain why this number of players can't start with the agreed rules; None if they can."""
    seating = config.seating(players)
    if players < 2:
        return t(_REFUSALS[RefusalCode.TOO_FEW])
    if seating is None:
        return t(_REFUSALS[RefusalCode.NO_SEATING])
    return " ".join(t(_CONFLICTS[conflict]) for conflict in config.conflicts_with(seating)) or None


def failed(t: Words, interaction_id: int) -> str:
    """Write what a person reads when something broke; the report number is logged too."""
    return t(
        "Something went wrong (report {number}). Nothing is lost. Please try again.",
        number=str(interaction_id),  # as it is in the log, without groups of digits
    )
