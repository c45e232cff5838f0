"""The custom_ids of a game's buttons: the game, the version of the state it was made for, and its move.

The version is 0 for verbs that need none. Discord refuses a click whose custom_id is no longer on the message ("This
interaction failed"), so a button doesn't change while others play unless it is for one state only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.engine.cards import FULL, CardSet
from bot.platform.kit.codec import Reference, Several, Text, base36, number_in, written


class Verb(StrEnum):
    """An action of a game's buttons and menus."""

    JOIN = "join"
    LEAVE = "leave"
    ADD_COMPUTER = "addc"
    COMPUTER = "comp"
    """Changes the level of a computer player, or removes it; the argument is its seat."""
    OPTIONS = "options"
    """Opens the private options of a lobby."""
    TARGET = "target"
    """Chooses the points to play to, or submits the form for any other number."""
    TEMPO = "tempo"
    """Chooses how long a turn may take."""
    TEAMS = "teams"
    RULES = "rules"
    """Opens the editor of the lobby's rules."""
    PARTNER = "partner"
    THREAD = "thread"
    """Moves the lobby to a thread."""
    START = "start"
    RATED = "rated"
    """Makes the match rated, or friendly; the argument says which."""
    HINTS = "hints"
    """Allows hints in a friendly match, or forbids them; the argument says which."""
    DECLINE = "decline"
    """Turns a challenge down."""
    GUESTS = "guests"
    """Chooses the people and roles that may sit down; all if none is chosen."""
    TAKE_OFF = "takeoff"
    """Takes the holder of the chosen seat off the lobby."""
    SEEK = "seek"
    """Mentions the server's role for people who want to play."""

    HAND = "hand"
    GUIDE = "guide"
    """Explains the rules of this game."""
    NEXT_GAME = "nextgame"
    """Opens the panel of another match that waits for the person."""
    PANEL = "panel"
    """Shows the panel again: Refresh, or Back from a choice that isn't public."""
    CARD = "card"
    TAKE = "take"
    LAY = "lay"
    CLAIM = "claim"
    SING = "sing"
    """Sings the cantos of the player's three cards, which shows the cards to everybody."""
    PICK = "pick"
    CHOOSE = "choose"
    """Adds a table card to the choice or removes it; the custom_id holds the resulting choice."""
    LET_COMPUTER_PLAY = "standin"
    """Has a computer play for somebody who keeps the others waiting."""
    REACT = "react"
    """Gives a sign for somebody else's latest move."""
    NEXT_ROUND = "next"
    REMATCH = "rematch"
    SOLO = "solo"
    """Opens the person's own match against robots, whatever the game."""
    AGAIN = "again"
    """Begins another match like the one that they have played alone."""
    HINT = "hint"
    """Says which move is best, and why."""
    REVIEW = "review"
    """Reviews the finished match."""
    LEARN = "learn"
    """Opens the first lesson, which a panel offers."""
    NO_LESSON = "nolesson"
    """Dismisses that offer."""

    CANCEL = "cancel"
    CONFIRM_CANCEL = "cancelyes"
    CONFIRM_LEAVE = "leaveyes"
    AWAIT_NEXT = "awaitnext"
    """Asks to be told when the channel's next table opens."""
    ASIDE = "aside"
    """Opens a table in a thread of a channel that has one; the arguments are its rules and target."""
    CONFIRM_CLEAR = "clearyes"
    """Ends a forgotten game and opens another in its channel."""
    KEEP = "keep"
    PROPOSE_END = "endask"
    """Asks the others whether to end a rated match without a result."""
    AGREE = "agree"
    """Agrees to what the players are asked; the argument is the question's number."""
    DISAGREE = "disagree"
    """Doesn't agree, or takes one's own question back; the argument is the question's number."""
    PAUSE = "pause"
    """Asks the others for a pause of as many days as were chosen."""
    RESUME = "resume"
    """Ends the pause early."""
    TAKE_SEAT = "takeseat"
    """Asks those who play for a vacant seat, which is the argument."""
    TAKE_WIN = "takewin"
    """Ends a rated match that is won because everybody else has left."""
    CLAIM_MATCH = "claimall"
    """Has the current player lose by time."""

    PRESET = "preset"
    CAPTURE = "capture"
    DUTY = "duty"
    OPENING = "opening"
    PRIME = "prime"
    DEAL = "deal"
    """Chooses how many cards are dealt first."""
    SWITCH = "switch"
    SEATS = "seats"
    """Chooses how many may sit."""
    RULE = "rule"
    """Shows the menu of the chosen rule."""
    SAVE_RULES = "saverules"
    """Opens the form for the name under which the server saves these rules, and submits it."""
    REPLACE_RULES = "newrules"
    """Saves these rules in place of the server's rule set whose number is the argument."""


RULE_MENUS: Final = (
    Verb.PRESET,
    Verb.CAPTURE,
    Verb.DUTY,
    Verb.OPENING,
    Verb.PRIME,
    Verb.SWITCH,
    Verb.DEAL,
    Verb.SEATS,
)
"""The menus of the editor of rules, in order."""
VERSIONED: Final = frozenset(
    {
        *(Verb.ADD_COMPUTER, Verb.COMPUTER),
        *(Verb.TARGET, Verb.TEMPO, Verb.TEAMS, Verb.PARTNER, Verb.TAKE_OFF, Verb.START),
        *(Verb.CARD, Verb.TAKE, Verb.LAY, Verb.SING, Verb.PICK, Verb.CHOOSE, Verb.LET_COMPUTER_PLAY, Verb.NEXT_ROUND),
        Verb.CLAIM_MATCH,
        *RULE_MENUS,
    }
)
"""The verbs that mean something only in the state that they were offered in. All others act on the game as it is."""


@dataclass(frozen=True, slots=True)
class Ref(Reference[Verb]):
    """A game at a version, and the arguments of an action in it. The version may be left out where none is needed."""

    kind: ClassVar = "e"
    verbs: ClassVar = Verb

    game: int
    version: int = 0
    args: Annotated[tuple[str, ...], Several(Text("[0-9a-z]{1,13}", 13), most=3)] = ()

    def custom_id(self, verb: Verb) -> str:
        return written(self if verb in VERSIONED else replace(self, version=0), verb)

    def with_args(self, *args: str) -> Ref:
        """The same game and version with other arguments."""
        return Ref(self.game, self.version, args)


def pack(cards: CardSet) -> str:
    """Encode a set of cards as an argument."""
    return base36(cards.mask)


def unpack(argument: str) -> CardSet | None:
    """Decode a set of cards; None if the argument is invalid."""
    mask = number_in(argument, FULL.mask, base=36)
    return None if mask is None else CardSet(mask)
