"""The English texts that tests by clicks look for, taken from the bot's own texts where possible."""

from collections.abc import Iterable
from typing import Final

from bot.cards.words.cards import shown_all
from bot.engine.cards import Card
from bot.platform.language.catalogues import words
from bot.platform.language.mentions import NO_IDS, CommandIds
from bot.platform.refusals import CommonRefusal, RefusalCode
from bot.tables.live.view import TableView
from bot.tables.refusals import MoveRefusal, TableRefusal
from bot.tables.screens.board import turn_text
from bot.tables.words.sweeps import news_of, sweep_text
from bot.tables.words.telling import tell

EN: Final = words("en")


def refusal_text(code: RefusalCode, commands: CommandIds = NO_IDS) -> str:
    """The text of a refusal from a bot that knows the ids of these commands."""
    return code.reason(words("en", commands))


STALE: Final = refusal_text(CommonRefusal.STALE)
NO_SEAT: Final = refusal_text(TableRefusal.NOT_SEATED)
NOT_TURN: Final = refusal_text(MoveRefusal.NOT_YOUR_TURN)
WRONG_SUM: Final = refusal_text(MoveRefusal.NOT_A_CAPTURE)
OVER: Final = refusal_text(TableRefusal.GAME_OVER)
NOT_ALLOWED: Final = refusal_text(TableRefusal.NOT_ALLOWED)

YOUR_TURN: Final = "Your turn"
PLAYED_FOR: Final = "A robot is playing for you"
YOUR_HAND: Final = "**Your hand**"
CHOSEN: Final = "Chosen: "
CANCELLED: Final = "**{}** closed the table, so nothing counts."
NEEDS_EVERYBODY: Final = refusal_text(TableRefusal.NEEDS_EVERYBODY)
UNSEEN: Final = "I could no longer show this table"
ABANDONED: Final = "Everyone left, so the match was abandoned."
EXPIRED: Final = "Nobody started the match, so I closed the table."
OPENS: Final = "**{}** opened a table."
REMATCH: Final = "**{}** wants a rematch."
BACK_SOON: Final = "I'll be back in a moment"
LAST_DEAL: Final = "**Últimas:**"
STOPPED_FOLLOWING: Final = "This panel has stopped updating."
IT_IS_YOUR_TURN: Final = ", it's your turn"
IT_WAS_YOUR_TURN: Final = ", you missed your turn"
FURTHER_DOWN: Final = "The table is [further down]"
WARNING: Final = "⏰"
SCORE_OF: Final = "Round {}: the score"
ROUND: Final = "### 🧹 Round {} · deal 1"


def turn_line(view: TableView) -> str:
    """The table's line about whose turn it is."""
    assert view.match is not None
    return turn_text(view, view.match, EN)


def in_text(cards: Iterable[Card], glue: str = " ") -> str:
    """Cards as a text shows them if the bot has no emojis of its own, and as `text_of` reads them."""
    return shown_all(cards, EN, glue).replace("\u2060", "")


def event_lines(view: TableView) -> list[str]:
    """The table's lines about the latest event."""
    assert view.match is not None
    news = news_of(view)
    swept = None if news is None else view.match.recent[news.place]
    lines = (
        sweep_text(news, view, EN) if news and fact == swept else tell(fact, view.names, EN, view.stand_ins)
        for fact in view.match.facts
    )
    return [text.replace("\u2060", "") for text in lines if text is not None]  # as `text_of` reads it
