"""A match from its file in words, with all hands open: for the terminal and for the demo's page."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bot.cards.words.cards import shown_all
from bot.cards.words.rules import preset_name, seating_name, summary
from bot.engine.cards import Card
from bot.engine.facts import DealMade, RoundBegan
from bot.engine.highlights import no_highlights
from bot.engine.match import Match
from bot.engine.match_file import MatchFile
from bot.engine.story import story_of
from bot.engine.views import public_view
from bot.platform.language.texts import Words
from bot.platform.people import names_apart
from bot.tables.live.view import holder_name
from bot.tables.log.seats import Seat
from bot.tables.words.scores import score_lines, total_lines
from bot.tables.words.telling import story_lines, tell

_MARKUP: Final = re.compile(r"\\([^A-Za-z0-9\s])|\*\*|^-# |[\u200b\u2060]")
"""Markup that Discord removes from a text before it shows it."""


@dataclass(frozen=True, slots=True)
class MatchStep:
    """An event of a match: the match after it, and the texts about it and about the score, with markup."""

    match: Match
    told: tuple[str, ...]
    score: tuple[str, ...] = ()


def players_of(file: MatchFile) -> tuple[Seat, ...]:
    """Return the players, as texts need them. Their names are complete: a computer's begins with its face."""
    return tuple(Seat(name, person_id=0) for name in names_apart(file.names))


def heading_lines(file: MatchFile, t: Words) -> list[str]:
    """Write what was played, by whom and when."""
    rules = file.start.rules
    title = t("## 🧹 {preset} · to {target} points", preset=preset_name(file.preset, t), target=rules.target)
    if rules.rounds:
        boards = t("One round") if rules.rounds == 1 else t.plural("{n} board", "{n} boards", rules.rounds)
        title = f"## 🧹 {preset_name(file.preset, t)} · {boards}"
    sides = file.start.seating
    names = [
        " & ".join(holder_name(players_of(file)[seat]) for seat in sides.seats_of(side)) for side in range(sides.sides)
    ]
    about = [seating_name(sides, t), *([file.when] if file.when else [])]
    return [title, "**" + "** – **".join(names) + "**", "-# " + " · ".join(about), "-# " + summary(rules, t)]


def steps_of(file: MatchFile, t: Words) -> Iterator[MatchStep]:
    """Yield the steps of a match in order, with their texts."""
    seats, highlights = players_of(file), no_highlights(file.start.seating)
    names = [holder_name(seat) for seat in seats]
    for _, match in file.steps():
        highlights = highlights.after_event(match)
        told = [text for fact in match.facts if (text := tell(fact, names, t)) is not None]
        score: list[str] = []
        if match.round is not None and match.round.over:
            view = public_view(match)
            score = [*score_lines(match.scores[-1], view, seats, t), *total_lines(view, seats, t, view.winner)]
            if match.over:
                score += story_lines(story_of(view, highlights), seats, t)
        yield MatchStep(match, tuple(told), tuple(score))


def plain_lines(file: MatchFile, t: Words) -> Iterator[str]:
    """Write the whole match as lines for a terminal."""
    title, *rest = heading_lines(file, t)
    yield unmarked(title.removeprefix("## "))
    yield from map(unmarked, rest)
    names = [unmarked(holder_name(seat)) for seat in players_of(file)]
    match = file.match
    for step in steps_of(file, t):
        match = step.match
        told = ["  " + unmarked(text) for text in step.told]
        if match.round is not None and any(isinstance(fact, DealMade) for fact in match.facts):
            if isinstance(match.facts[0], RoundBegan):
                yield from ("", *told)
            else:  # the last move of a deal, then the next deal
                yield from (*told[:-1], "", told[-1])
            table = match.round.table
            yield from (f"    {name}: {_cards(hand, t)}" for name, hand in zip(names, match.round.hands, strict=True))
            yield "    " + (t("On the table: {cards}.", cards=_cards(table, t)) if table else t("The table is empty."))
        else:
            yield from told
        if step.score:
            yield ""
            yield from ("  " + unmarked(text) for text in step.score)
    if not match.over:
        yield ""
        yield t("The match was broken off here.")


def _cards(cards: Iterable[Card], t: Words) -> str:
    return unmarked(shown_all(cards, t, "  "))


def unmarked(text: str) -> str:
    """Remove the markup from a text, as Discord does when it shows it."""
    return _MARKUP.sub(lambda found: found[1] or "", text)
