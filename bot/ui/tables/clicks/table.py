"""The messages of a game, as one kind of screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.platform.kit.press import RefHandler
from bot.platform.kit.screen import Screen
from bot.ui.ids.game import Ref, Verb
from bot.ui.tables.clicks import alone, ending, finding, lobby, match, opening, options, questions, rules
from bot.ui.tables.clicks.press import GameHandler, GamePress, at_table

HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    **lobby.HANDLERS,
    **options.HANDLERS,
    **finding.HANDLERS,
    **match.HANDLERS,
    **ending.HANDLERS,
    **questions.HANDLERS,
    **opening.HANDLERS,
    **rules.HANDLERS,
    **alone.HANDLERS,
}
PUBLIC: Final = (
    *(Verb.JOIN, Verb.DECLINE, Verb.LEAVE, Verb.ADD_COMPUTER, Verb.START, Verb.OPTIONS, Verb.RATED, Verb.HINTS),
    *(Verb.CANCEL, Verb.HAND, Verb.GUIDE, Verb.TAKE, Verb.LET_COMPUTER_PLAY, Verb.NEXT_ROUND),
    *(Verb.REMATCH, Verb.REVIEW, Verb.AGREE, Verb.DISAGREE, Verb.TAKE_WIN, Verb.CLAIM_MATCH),
    Verb.TAKE_SEAT,
)
"""The verbs on the table's public messages."""


def table_screen(*learning: Mapping[Verb, GameHandler]) -> Screen[Ref]:
    """The screen, with the handlers of what people learn from at a table."""
    handlers: dict[str, RefHandler[Ref]] = at_table(HANDLERS)
    for each in learning:
        handlers |= at_table(each)
    return Screen(
        "games",
        Ref,
        handlers,
        forms={
            Verb.TARGET: lambda press, ref, written: options.set_target(GamePress(press, ref), written),
            Verb.SAVE_RULES: lambda press, ref, written: rules.save(GamePress(press, ref), written),
        },
        public=PUBLIC,
    )
