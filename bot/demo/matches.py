"""A match's file as the page shows it: step by step, with all hands open."""

from __future__ import annotations

from bot.cards.pictures.deck.decks import Cut, face_drawing
from bot.cards.words.cards import spoken
from bot.demo.simulated import Json
from bot.engine.cards import DECK
from bot.engine.facts import CaptureClaimed, CardPlayed, Fact, OpeningTaken
from bot.engine.files.match_file import MatchFile, MatchFileError, read
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.replays.words.match_text import MatchStep, heading_lines, players_of, steps_of
from bot.tables.live.view import holder_name

CARDS = {card.notation: face_drawing(Deck.SPANISH, card, Cut.SMALL) for card in DECK}
"""The drawings of the cards, by notation."""


def match_json(content: bytes, t: Words) -> Json:
    """The match in a file for the page, or why it can't be shown."""
    try:
        file = read(content)
    except MatchFileError as error:
        return {"ok": False, "error": "match", "line": error.line, "problem": error.problem}
    return {"ok": True, "match": _shown(file, t)}


def _shown(file: MatchFile, t: Words) -> Json:
    seating = file.start.seating
    return {
        "heading": heading_lines(file, t),
        "names": [holder_name(seat) for seat in players_of(file)],
        "sides": [seating.side_of(seat) for seat in range(seating.seats)],
        "cards": {card.notation: spoken(card, t) for card in DECK},
        "steps": [_step(step) for step in steps_of(file, t)],
    }


def _step(step: MatchStep) -> Json:
    match, now = step.match, step.match.round
    assert now is not None, "the first step is a deal"
    return {
        "round": match.round_number,
        "told": step.told,
        "score": step.score,
        "hands": [[card.notation for card in hand] for hand in now.hands],
        "table": [None if card is None else card.notation for card in match.places],
        "laid": now.laid and now.laid.notation,
        "taken": [card for fact in match.facts for card in _taken(fact)],
        "turn": match.turn,
        "piles": [len(pile) for pile in now.piles],
        "escobas": now.escobas,
        "totals": match.totals,
    }


def _taken(fact: Fact) -> list[str]:
    """The cards that went to somebody's pile, the one that was played first."""
    match fact:
        case CardPlayed(_, card, captured) | CaptureClaimed(_, card, captured) if captured:
            return [card.notation, *(each.notation for each in captured)]
        case OpeningTaken(_, cards):
            return [each.notation for each in cards]
        case _:
            return []
