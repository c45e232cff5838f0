"""The reasons why a table refuses an action."""

from typing import Final

from bot.engine.rules import Conflict
from bot.platform.language.texts import N_, Words
from bot.platform.refusals import Refusal, RefusalCode

CONFLICTS: Final = {
    Conflict.CARDS_DO_NOT_DIVIDE: N_("The forty cards can't be dealt evenly to that many players."),
    Conflict.SCOPONE_IS_FOR_FOUR: N_("Scopone is for four, in pairs or alone."),
    Conflict.OPENING_WITHOUT_TABLE: N_("Without cards on the table at the first deal there is no opening escoba."),
    Conflict.SEVENS_NOT_SCORED: N_("Four sevens count more only where sevens or a prime are scored."),
    Conflict.CANTOS_NEED_THREE: N_("Cantos are sung with three cards in hand, so they go with deals of three only."),
    Conflict.LEAD_OUT_OF_RANGE: N_("A match is won by one point, or by two."),
    Conflict.TARGET_OUT_OF_RANGE: N_("The target must be between 5 and 101 points."),
    Conflict.ROUNDS_OUT_OF_RANGE: N_("A match can have at most 40 rounds."),
}
"""The reasons why rules exclude each other."""


class TableRefusal(RefusalCode):
    """The reason why a table or the manager refuses an action, beside the rules of the game."""

    CHANNEL_BUSY = N_("There's already a table in this channel.")
    NO_GAME = N_("There's no table in this channel. `/escoba play` opens one; `/escoba solo` is for you alone.")
    NOT_SEATED = N_("You aren't at this table.")
    ALREADY_SEATED = N_("You're already at this table.")
    LOBBY_FULL = N_("All seats are taken.")
    LOBBY_OVER = N_("The match has started, so nobody can join or change it.")
    NOT_STARTED = N_("The match hasn't started yet.")
    UNPOSTED = N_(
        "The number of the table's message cuts the deck, and I don't have it yet. Try again in a few seconds; if that "
        "doesn't help, `/escoba table` shows the table afresh."
    )
    """The id of the table's message isn't stored, and nothing can be dealt without it."""
    GAME_OVER = N_("This match is over.")
    LEFT_SERVER = N_("You're no longer on the server of that table.")
    TOO_FEW = N_("You need at least two players. Wait for someone, or add a robot.")
    OK_MISSING = N_(
        "Someone still has to press **OK** on what has changed. After a minute, or a day at a slow table, **Start** "
        "leaves them out."
    )
    TOO_MANY = N_("Too many people are seated for that.")
    NO_SEATING = N_("Two to six can play.")
    NOT_ALLOWED = N_("Only the host, or someone with the Manage Messages permission, can close the table.")
    NEEDS_EVERYBODY = N_(
        "A rated match that has started ends early only if everyone who plays it agrees. Players can leave, which "
        "counts as a loss; someone with the Manage Messages permission can take it out of the channel."
    )
    OF_TOURNAMENT = N_(
        "A tournament match can only be ended by someone with the Manage Messages permission who doesn't play in it."
    )
    ASKED_BEFORE = N_("The players were asked that already. You can ask again in the next round.")
    NOT_MOVER = N_("Only the host, or someone with the Manage Messages permission, can move it to a thread.")
    """Only the opener and moderators may move the lobby to a thread."""
    NOT_RATER = N_("Only the host, or someone with the Manage Messages permission, can make it rated again.")
    NOT_HOST = N_("Only the host can decide who sits at this table.")
    NOT_CHOOSER = N_("Only the host can choose that here.")
    """Anybody else at the table chooses it in the options."""
    NOT_A_GUEST = N_("This table is for the people its host has chosen.")
    TAKEN_OFF = N_("The host has taken you off this table twice, so you can't sit down again.")
    NOT_CHALLENGED = N_("Only the person who was challenged can answer.")
    NO_THREADS = N_(
        "I can't open a thread here, so the table stays. For that I need to be allowed to create public threads, send "
        "messages in threads and read the message history."
    )
    TOO_MANY_THREADS = N_(
        "This server has as many active threads as Discord allows, so the table stays here. Once one of them is "
        "closed, try again."
    )
    NO_THREAD = N_("Discord wouldn't open a thread right now, so the table stays here. Please try again soon.")
    """Discord opened no thread, but another attempt may succeed."""
    OWN_PARTNER = N_("You can't be your own partner: choose one of the others.")
    NOT_PLAYED = N_(
        "Only those who played this match to the end can ask for a rematch. `/escoba play` opens another table."
    )
    CONFLICT = N_("These rules don't go together:")
    NOT_FORGOTTEN = N_("Someone just moved there, so that match goes on.")
    """Somebody moved in the game not long ago."""
    TOO_MANY_LOBBIES = N_("Too many tables are waiting for players here. Start or cancel one of them first.")
    TOO_MANY_OPENED = N_("You opened several tables in a row. Please wait a few minutes.")
    """The person has opened tables again and again."""
    NO_ROLE = N_("This server has chosen no role to find players with: see `/escoba settings`.")
    SOUGHT_JUST_NOW = N_("Someone looked for players on this server less than ten minutes ago. Please wait a little.")
    CHALLENGES_SELF = N_("You can't challenge yourself. `/escoba play` opens a table for everyone.")
    CHALLENGES_BOT = N_("Bots can't be challenged. `/escoba play` opens a table, where you can add robots.")
    NOT_THERE = N_("That person can't see this channel, so there is nobody to accept your challenge.")
    CHALLENGED_JUST_NOW = N_("That person was challenged a moment ago. Please wait a few minutes.")
    NOT_ACCEPTED = N_(
        "That person declined your challenge, or didn't answer it. You can challenge them again a day after that."
    )
    NO_SUCH_RULES = N_("There are no rules of that name here. Choose from the list that opens when you type.")
    RULES_DELETED = N_("Someone deleted those rules.")
    RULES_NAMELESS = N_("The rules need a name that can be seen.")
    RULES_NAMED_SO = N_("This server has rules with that name already.")
    RULES_OF_ALL = N_("There's already a variant of that name. Choose another.")
    TOO_MANY_RULES = N_(
        "This server has ten sets of house rules, and that is the most. Delete or replace one in `/escoba settings`."
    )
    BOARD_CLOSED = N_("Other tables still play that board. It can be shown when the last one has finished.")
    NOT_TONIGHT = N_("Only people who played tonight can end the evening.")
    TABLE_LEFT = N_("There's still a table here.")
    """An evening isn't over while its channel has a table, or a lobby."""
    EVENING_OVER = N_("This evening is already over.")
    ELSEWHERE = N_("I'm still fetching your solo match. Please try again in a moment.")
    """Another process has the table of somebody who plays alone, and doesn't let go of it in time."""


class MoveRefusal(RefusalCode):
    """The reason why the rules don't allow a move: the engine's, by their names."""

    NOT_YOUR_TURN = N_("It isn't your turn.")
    CARD_NOT_HELD = N_("You don't hold that card.")
    NOT_A_CAPTURE = N_("Those cards don't add up. Try again.")
    MUST_CAPTURE = N_("That card can take something, so it must.")
    NOTHING_TO_CLAIM = N_("Those cards don't add up. Try again.")
    NOTHING_TO_SING = N_(
        "You can't sing now. It takes three cards that go together, at your turn and before your first card of a deal."
    )
    NOTHING_TO_CHOOSE = N_("The table has changed. Here's how it looks now.")
    CHOOSE_FIRST = N_("First choose what your card takes.")
    NO_ROUND = N_("The table has changed. Here's how it looks now.")
    ROUND_RUNNING = N_("The table has changed. Here's how it looks now.")
    MATCH_OVER = N_("This match is over.")
    BAD_DECK = N_("The table has changed. Here's how it looks now.")
    BAD_RULES = N_("The table has changed. Here's how it looks now.")


class Conflicting(Refusal):
    """Rules that were refused because of `conflicts`: they exclude each other."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        super().__init__(TableRefusal.CONFLICT)
        self.conflicts = conflicts

    def reason(self, t: Words) -> str:
        if self.conflicts == (Conflict.TARGET_OUT_OF_RANGE,):
            return t(CONFLICTS[Conflict.TARGET_OUT_OF_RANGE])
        return "\n".join((super().reason(t), *(f"- {t(CONFLICTS[conflict])}" for conflict in self.conflicts)))


class Returned(Refusal):
    """A refused action of somebody who was away: the click did nothing else, but they are back at `seat`."""

    def __init__(self, code: RefusalCode, seat: int) -> None:
        super().__init__(code)
        self.seat = seat
