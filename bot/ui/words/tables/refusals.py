"""The reasons why a table refuses something, and why rules exclude each other, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict
from bot.platform.language.refusals import Said, refusal
from bot.platform.language.texts import N_, Words
from bot.platform.refusal import Refusal
from bot.tables.errors import Conflicting, TableRefusal
from bot.tables.log.events import Config

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


def _conflicting(error: Refusal, t: Words) -> str:
    """Explain which rules exclude each other."""
    assert isinstance(error, Conflicting), "only such a refusal has this code"
    if error.conflicts == (Conflict.TARGET_OUT_OF_RANGE,):
        return t(_CONFLICTS[Conflict.TARGET_OUT_OF_RANGE])
    return "\n".join(
        (t("These rules don't go together:"), *(f"- {t(_CONFLICTS[conflict])}" for conflict in error.conflicts))
    )


TABLE_REFUSALS: Final[dict[TableRefusal, Said]] = {
    TableRefusal.CHANNEL_BUSY: N_("There's already a table in this channel."),
    TableRefusal.NO_GAME: N_(
        "There's no table in this channel. `/escoba play` opens one; `/escoba solo` is for you alone."
    ),
    TableRefusal.NOT_SEATED: N_("You aren't at this table."),
    TableRefusal.ALREADY_SEATED: N_("You're already at this table."),
    TableRefusal.LOBBY_FULL: N_("All seats are taken."),
    TableRefusal.LOBBY_OVER: N_("The match has started, so nobody can join or change it."),
    TableRefusal.NOT_STARTED: N_("The match hasn't started yet."),
    TableRefusal.UNPOSTED: N_(
        "The number of the table's message cuts the deck, and I don't have it yet. Try again in a few seconds; if that "
        "doesn't help, `/escoba table` shows the table afresh."
    ),
    TableRefusal.GAME_OVER: N_("This match is over."),
    TableRefusal.LEFT_SERVER: N_("You're no longer on the server of that table."),
    TableRefusal.TOO_FEW: N_("You need at least two players. Wait for someone, or add a robot."),
    TableRefusal.TOO_MANY: N_("Too many people are seated for that."),
    TableRefusal.NO_SEATING: N_("Two to six can play."),
    TableRefusal.NOT_ALLOWED: N_("Only the host, or someone with the Manage Messages permission, can close the table."),
    TableRefusal.NEEDS_EVERYBODY: N_(
        "A rated match that has started ends early only if everyone who plays it agrees, or if someone with the "
        "Manage Messages permission who doesn't play in it ends it. Players can leave, which counts as a loss."
    ),
    TableRefusal.OF_TOURNAMENT: N_(
        "A tournament match can only be ended by someone with the Manage Messages permission who doesn't play in it."
    ),
    TableRefusal.ASKED_BEFORE: N_("The players were asked that already. You can ask again in the next round."),
    TableRefusal.NOT_MOVER: N_(
        "Only the host, or someone with the Manage Messages permission, can move it to a thread."
    ),
    TableRefusal.NOT_RATER: N_(
        "Only the host, or someone with the Manage Messages permission, can make it rated again."
    ),
    TableRefusal.NOT_HOST: N_("Only the host can decide who sits at this table."),
    TableRefusal.NOT_A_GUEST: N_("This table is for the people its host has chosen."),
    TableRefusal.TAKEN_OFF: N_("The host has taken you off this table twice, so you can't sit down again."),
    TableRefusal.NOT_CHALLENGED: N_("Only the person who was challenged can answer."),
    TableRefusal.NO_THREADS: N_(
        "I can't open a thread here, so the table stays. For that I need to be allowed to create public threads, send "
        "messages in threads and read the message history."
    ),
    TableRefusal.TOO_MANY_THREADS: N_(
        "This server has as many active threads as Discord allows, so the table stays here. Once one of them is "
        "closed, try again."
    ),
    TableRefusal.NO_THREAD: N_(
        "Discord wouldn't open a thread right now, so the table stays here. Please try again soon."
    ),
    TableRefusal.OWN_PARTNER: N_("You can't be your own partner: choose one of the others."),
    TableRefusal.NOT_PLAYED: N_(
        "Only those who played this match to the end can ask for a rematch. `/escoba play` opens another table."
    ),
    TableRefusal.CONFLICT: _conflicting,
    TableRefusal.NOT_FORGOTTEN: N_("Someone just moved there, so that match goes on."),
    TableRefusal.TOO_MANY_LOBBIES: N_(
        "Too many tables are waiting for players here. Start or cancel one of them first."
    ),
    TableRefusal.TOO_MANY_OPENED: N_("You opened several tables in a row. Please wait a few minutes."),
    TableRefusal.NO_ROLE: N_("This server has chosen no role to find players with: see `/escoba settings`."),
    TableRefusal.SOUGHT_JUST_NOW: N_(
        "Someone looked for players on this server less than ten minutes ago. Please wait a little."
    ),
    TableRefusal.CHALLENGES_SELF: N_("You can't challenge yourself. `/escoba play` opens a table for everyone."),
    TableRefusal.CHALLENGES_BOT: N_(
        "Bots can't be challenged. `/escoba play` opens a table, where you can add robots."
    ),
    TableRefusal.NOT_THERE: N_("That person can't see this channel, so there is nobody to accept your challenge."),
    TableRefusal.CHALLENGED_JUST_NOW: N_("That person was challenged a moment ago. Please wait a few minutes."),
    TableRefusal.NO_SUCH_RULES: N_(
        "There are no rules of that name here. Choose from the list that opens when you type."
    ),
    TableRefusal.RULES_DELETED: N_("Someone deleted those rules."),
    TableRefusal.RULES_NAMELESS: N_("The rules need a name that can be seen."),
    TableRefusal.RULES_NAMED_SO: N_("This server has rules with that name already."),
    TableRefusal.RULES_OF_ALL: N_("There's already a variant of that name. Choose another."),
    TableRefusal.TOO_MANY_RULES: N_(
        "This server has ten sets of house rules, and that is the most. Delete or replace one in `/escoba settings`."
    ),
    TableRefusal.BOARD_CLOSED: N_(
        "Other tables still play that board. It can be shown when the last one has finished."
    ),
    TableRefusal.ELSEWHERE: N_("I'm still fetching your solo match. Please try again in a moment."),
}
RULE_REFUSALS: Final[dict[RuleCode, str]] = {
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
    RuleCode.BAD_DECK: N_("The table has changed. Here's how it looks now."),
    RuleCode.BAD_RULES: N_("The table has changed. Here's how it looks now."),
}


def refusal_of_seats(config: Config, players: int, t: Words) -> str | None:
    """Explain why this number of players can't start with the agreed rules; None if they can."""
    seating = config.seating(players)
    if players < 2:
        return refusal(Refusal(TableRefusal.TOO_FEW), t)
    if seating is None:
        return refusal(Refusal(TableRefusal.NO_SEATING), t)
    return " ".join(t(_CONFLICTS[conflict]) for conflict in config.conflicts_with(seating)) or None
