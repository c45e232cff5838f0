"""The custom_ids of a game's buttons: the game, the version of the state it was made for, and its move.

The version is 0 for verbs that need none. Discord refuses a click whose custom_id is no longer on the message ("This
interaction failed"), so a button doesn't change while others play unless it is for one state only.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, ClassVar, Final

from bot.engine.cards import FULL, CardSet
from bot.platform.kit.codec import PUBLIC, Reference, Several, Text, Verbs, base36, number_in, written


class GameMark(Enum):
    """Something that holds for a verb of a game."""

    VERSIONED = auto()
    """It means something only in the state that it was offered in. All others act on the game as it is."""
    COUNTED = auto()
    """It changes a lobby and can be pressed again and again: each person has so many of them. Nobody is kept from
    leaving."""
    IN_CHANNELS = auto()
    """It means nothing where somebody plays alone."""
    FROM_ANYWHERE = auto()
    """It is on a panel, or a question about leaving, which its player may see in another channel or on another server.
    None of them depends on what the person may do there."""
    RULE_MENU = auto()
    """It is a menu of the editor of rules."""


VERSIONED: Final = GameMark.VERSIONED
COUNTED: Final = GameMark.COUNTED
IN_CHANNELS: Final = GameMark.IN_CHANNELS
FROM_ANYWHERE: Final = GameMark.FROM_ANYWHERE
_RULE_MENU: Final = (VERSIONED, COUNTED, GameMark.RULE_MENU)


class Verb(Verbs):
    """An action of a game's buttons and menus."""

    JOIN = "join", PUBLIC, COUNTED
    LEAVE = "leave", PUBLIC
    ADD_COMPUTER = "addc", PUBLIC, VERSIONED, COUNTED
    COMPUTER = "comp", VERSIONED, COUNTED
    """Changes the level of a computer player, or removes it; the argument is its seat."""
    OPTIONS = "options", PUBLIC
    """Opens the private options of a lobby."""
    TARGET = "target", VERSIONED, COUNTED
    """Chooses the points to play to, or submits the form for any other number."""
    TEMPO = "tempo", VERSIONED, COUNTED
    """Chooses how long a turn may take."""
    FORCED = "forced", VERSIONED, COUNTED
    """Has cards without a choice play themselves in a slow match, or not."""
    SERIES = "series", VERSIONED, COUNTED
    """Makes the match one of a best of three, or not."""
    TEAMS = "teams", VERSIONED, COUNTED
    RULES = "rules"
    """Opens the editor of the lobby's rules."""
    PARTNER = "partner", VERSIONED, COUNTED
    THREAD = "thread", IN_CHANNELS
    """Moves the lobby to a thread."""
    START = "start", PUBLIC, VERSIONED
    EXPRESS = "express", PUBLIC, VERSIONED, COUNTED
    """Switches a lobby between a single round and its points."""
    RATED = "rated", PUBLIC, COUNTED
    """Makes the match rated, or friendly; the argument says which."""
    HINTS = "hints", PUBLIC, COUNTED
    """Allows hints in a friendly match, or forbids them; the argument says which."""
    DECLINE = "decline", PUBLIC
    """Turns a challenge down."""
    GUESTS = "guests", IN_CHANNELS, COUNTED
    """Chooses the people and roles that may sit down; all if none is chosen."""
    TAKE_OFF = "takeoff", VERSIONED, COUNTED
    """Takes the holder of the chosen seat off the lobby."""
    SEEK = "seek", PUBLIC, IN_CHANNELS
    """Mentions the server's role for people who want to play."""

    HAND = "hand", PUBLIC, FROM_ANYWHERE
    GUIDE = "guide", PUBLIC, FROM_ANYWHERE
    """Explains the rules of this game."""
    OPEN_GAME = "opengame", PUBLIC
    """Opens the panel of the match that was chosen in a menu, which is its value."""
    NEXT_GAME = "nextgame", FROM_ANYWHERE
    """Opens the panel of another match that waits for the person."""
    PANEL = "panel", FROM_ANYWHERE
    """Shows the panel again: Refresh, or Back from a choice that isn't public."""
    CARD = "card", VERSIONED, FROM_ANYWHERE
    TAKE = "take", PUBLIC, VERSIONED, FROM_ANYWHERE
    LAY = "lay", VERSIONED, FROM_ANYWHERE
    CLAIM = "claim", FROM_ANYWHERE
    SING = "sing", VERSIONED, FROM_ANYWHERE
    """Sings the cantos of the player's three cards, which shows the cards to everybody."""
    PICK = "pick", VERSIONED, FROM_ANYWHERE
    CHOOSE = "choose", VERSIONED, FROM_ANYWHERE
    """Adds a table card to the choice or removes it; the custom_id holds the resulting choice."""
    LET_COMPUTER_PLAY = "standin", PUBLIC, VERSIONED, FROM_ANYWHERE
    """Has a computer play for somebody who keeps the others waiting."""
    NUDGE = "nudge", PUBLIC, VERSIONED, FROM_ANYWHERE
    """Has the current player of a slow match told that others wait."""
    AHEAD = "ahead", FROM_ANYWHERE
    """Names the chosen card for one's next turn in a slow match, or none any more."""
    REACT = "react", PUBLIC, FROM_ANYWHERE
    """Shows the face that is the argument, or takes it back. On panels of 1.0 it is a menu."""
    WINS = "wins", PUBLIC
    """Votes as an onlooker for who wins a round; the arguments are the round and the side."""
    NEXT_ROUND = "next", PUBLIC, VERSIONED, FROM_ANYWHERE
    ROUNDS = "rounds", PUBLIC
    """Shows the score of a round of a match that is over: the last one, or the one that the argument names."""
    REMATCH = "rematch", PUBLIC
    WINNER = "winner", PUBLIC
    """Challenges the winner of a match that is over, as anybody."""
    THATS_ALL = "thatsall", PUBLIC
    """Ends the channel's evening: its card takes the place of the results."""
    SOLO = "solo"
    """Opens the person's own match against robots, whatever the game."""
    AGAIN = "again"
    """Begins another match like the one that they have played alone."""
    HINT = "hint", FROM_ANYWHERE
    """Says which move is best, and why."""
    REVIEW = "review", PUBLIC
    """Reviews the finished match."""
    LEARN = "learn"
    """Opens the first lesson, which is offered before somebody's first match."""
    NO_LESSON = "nolesson", FROM_ANYWHERE
    """Dismisses the offer that panels of 1.0 make."""

    CANCEL = "cancel", PUBLIC
    CONFIRM_CANCEL = "cancelyes"
    TAKE_OUT = "takeout", IN_CHANNELS
    """Takes a rated match out of its channel, as a moderator."""
    CONFIRM_LEAVE = "leaveyes", FROM_ANYWHERE
    AWAIT_NEXT = "awaitnext", IN_CHANNELS
    """Asks to be told when the channel's next table opens."""
    ASIDE = "aside", IN_CHANNELS
    """Opens a table in a thread of a channel that has one; the arguments are its rules and target."""
    CONFIRM_CLEAR = "clearyes", IN_CHANNELS
    """Ends a forgotten game and opens another in its channel."""
    KEEP = "keep", FROM_ANYWHERE
    PROPOSE_END = "endask", FROM_ANYWHERE
    """Asks the others whether to end a rated match without a result."""
    AGREE = "agree", PUBLIC, FROM_ANYWHERE
    """Agrees to what the players are asked; the argument is the question's number."""
    DISAGREE = "disagree", PUBLIC, FROM_ANYWHERE
    """Doesn't agree, or takes one's own question back; the argument is the question's number."""
    PAUSE = "pause", FROM_ANYWHERE
    """Asks the others for a pause of as many days as were chosen."""
    RESUME = "resume", FROM_ANYWHERE
    """Ends the pause early."""
    TAKE_SEAT = "takeseat", PUBLIC
    """Asks those who play for a vacant seat, which is the argument."""
    TAKE_WIN = "takewin", PUBLIC, FROM_ANYWHERE
    """Ends a rated match that is won because everybody else has left."""
    CLAIM_MATCH = "claimall", PUBLIC, VERSIONED, FROM_ANYWHERE
    """Has the current player lose by time."""

    PRESET = "preset", *_RULE_MENU
    CAPTURE = "capture", *_RULE_MENU
    DUTY = "duty", *_RULE_MENU
    OPENING = "opening", *_RULE_MENU
    PRIME = "prime", *_RULE_MENU
    SWITCH = "switch", *_RULE_MENU
    DEAL = "deal", *_RULE_MENU
    """Chooses how many cards are dealt first."""
    SEATS = "seats", *_RULE_MENU
    """Chooses how many may sit."""
    RULE = "rule"
    """Shows the menu of the chosen rule."""
    SAVE_RULES = "saverules", IN_CHANNELS, COUNTED
    """Opens the form for the name under which the server saves these rules, and submits it; both count."""
    REPLACE_RULES = "newrules", IN_CHANNELS, COUNTED
    """Saves these rules in place of the server's rule set whose number is the argument."""


RULE_MENUS: Final = Verb.marked(GameMark.RULE_MENU)
"""The menus of the editor of rules, in order."""


@dataclass(frozen=True, slots=True)
class Ref(Reference[Verb]):
    """A game at a version, and the arguments of an action in it. The version may be left out where none is needed."""

    kind: ClassVar = "e"
    verbs: ClassVar = Verb

    game: int
    version: int = 0
    args: Annotated[tuple[str, ...], Several(Text("[0-9a-z]{1,13}", 13), most=3)] = ()

    def custom_id(self, verb: Verb) -> str:
        return written(self if VERSIONED in verb.marks else Ref(self.game, args=self.args), verb)

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
