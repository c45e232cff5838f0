"""What the picture of a match that was won shows: the course of the points, and the highlights, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards import Card
from bot.engine.replays.story import Course, story_of
from bot.players.training.luck import Luck
from bot.tables.view import TableView
from bot.ui.words.faces import Deck
from bot.ui.words.names import plain
from bot.ui.words.tables.scores import signed_tenths
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlight of a match: what it is called, the names of those it belongs to, and their number or cards."""

    label: str
    names: tuple[str, ...]
    number: int = 0
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """By how much a side was ahead, in tenths of a point: what of it came from the cards and what from play, with their
    labels."""

    side: int
    cards: int
    play: int
    labels: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ResultScene:
    """The end of a match.

    Attributes:
        deck: the deck it is drawn with.
        sides: each side's players.
        winner: the side that won.
        target: the points that the match was played to; 0 if it had a number of rounds instead.
        course: each side's total after each round, from 0 on.
        turning_round: the round after which the winner was ahead for good; 0 if the match had no such turn.
        best: the best capture, the card played first.
        escobas: the most escobas.
        viewer: the side of the player it is for; None if it is for everybody.
        lead: what cards and play brought that player's side, or the winner's, once it is known.
    """

    deck: Deck
    sides: tuple[tuple[str, ...], ...]
    winner: int
    target: int
    course: tuple[tuple[int, ...], ...]
    turning_round: int = 0
    best: Highlight | None = None
    escobas: Highlight | None = None
    viewer: int | None = None
    lead: Lead | None = None

    @property
    def ranking(self) -> list[int]:
        """The sides, highest total first; on a tie the winner first."""
        return sorted(range(len(self.sides)), key=lambda side: (side != self.winner, -self.course[side][-1]))

    @property
    def lost(self) -> bool:
        """Whether it is for a player who has lost."""
        return self.viewer not in (None, self.winner)

    def name_of(self, side: int) -> str:
        """The names of a side's players."""
        return " & ".join(self.sides[side])


def result_scene(view: TableView, t: Words, viewer: int | None = None) -> ResultScene:
    """The picture of a match that was won, for everybody or for a player of the side `viewer`."""
    match = view.match
    assert match is not None, "there is no result without a match"
    story, seats = story_of(match), view.seats
    assert story.winner is not None, "the match was won"
    best = None
    if story.best is not None:
        cards = (story.best.card, *story.best.taken)
        best = Highlight(t("Best capture"), (plain(seats[story.best.seat].name),), cards=cards)
    escobas = None
    if story.sweepers:
        names = tuple(plain(seats[seat].name) for seat in story.sweepers)
        escobas = Highlight(t("Most escobas"), names, story.escobas)
    return ResultScene(
        deck=t.faces.deck,
        sides=tuple(
            tuple(plain(seats[seat].name) for seat in match.seating.seats_of(side))
            for side in range(match.seating.sides)
        ),
        winner=story.winner,
        target=0 if match.rules.rounds else match.rules.target,
        course=story.totals,
        turning_round=story.turning_round if story.course in (Course.TOOK_LEAD, Course.AT_THE_LAST) else 0,
        best=best,
        escobas=escobas,
        viewer=viewer,
        lead=None if view.luck is None else _lead(view.luck, story.winner if viewer is None else viewer, t),
    )


def _lead(luck: Sequence[Luck], side: int, t: Words) -> Lead:
    own = luck[side]
    labels = (
        t("Cards {points}", points=signed_tenths(own.cards, t)),
        t("Play {points}", points=signed_tenths(own.play, t)),
    )
    return Lead(side, own.cards, own.play, labels)
