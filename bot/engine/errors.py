"""The engine's errors, all derived from `EngineError`. An illegal move has a code that tables put into words."""

from enum import StrEnum


class RuleCode(StrEnum):
    """The reason why a move or an event isn't allowed."""

    NOT_YOUR_TURN = "not_your_turn"
    CARD_NOT_HELD = "card_not_held"
    NOT_A_CAPTURE = "not_a_capture"
    MUST_CAPTURE = "must_capture"
    NOTHING_TO_CLAIM = "nothing_to_claim"
    NOTHING_TO_SING = "nothing_to_sing"
    NOTHING_TO_CHOOSE = "nothing_to_choose"
    CHOOSE_FIRST = "choose_first"
    NO_ROUND = "no_round"
    ROUND_RUNNING = "round_running"
    MATCH_OVER = "match_over"
    BAD_DECK = "bad_deck"
    BAD_RULES = "bad_rules"


class EngineError(Exception):
    """The base class of every error that the engine raises on purpose."""


class IllegalMove(EngineError):
    """A move or an event that the rules don't allow in the current state.

    The message contains only the code: it may end up in a log, where no hidden card belongs.
    """

    def __init__(self, code: RuleCode) -> None:
        super().__init__(code.value)
        self.code = code


class NotationError(EngineError):
    """Text that isn't valid notation for a card, an event or a match."""


class UnknownNotation(NotationError):
    """Text in the form of a notation, with a name or a value that this version doesn't know: a newer one wrote it."""
