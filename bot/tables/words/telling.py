"""Events of a match in words, while it goes on and afterwards."""

from collections.abc import Sequence
from typing import Final

from bot.cards.words.cards import named, named_all, shown, shown_all
from bot.cards.words.items import sung_text
from bot.engine.cards import EMPTY, CardSet, canto_points
from bot.engine.facts import (
    CantosSung,
    CaptureClaimed,
    CardLaid,
    CardPlayed,
    DealMade,
    Fact,
    MatchWon,
    OpeningTaken,
    RoundBegan,
    RoundScored,
)
from bot.engine.highlights import Feat
from bot.engine.story import Course, Story
from bot.platform.language.texts import Words, cached_by_language
from bot.tables.live.view import ROBOT, TableView, holder_name
from bot.tables.log.history import Happened
from bot.tables.log.seats import Seat
from bot.tables.log.topics import TableMove
from bot.tables.words.sweeps import news_of, sweep_text

LONGEST_RECAP: Final = 8
"""The most sentences that tell somebody what has happened since their last look."""


def seat_before(seat: int, seats: Sequence[object]) -> int:
    """Return the seat that laid the card that this seat claims: only the next player may claim it."""
    return (seat - 1) % len(seats)


def tell(fact: Fact, names: Sequence[str], t: Words, stand_ins: CardSet = EMPTY) -> str | None:
    """Tell a fact in a sentence; None for facts that layouts show in their own way.

    `names` are those of all seats' holders, `stand_ins` the cards that a computer played in a person's place; their
    sentences are marked.
    """

    def who(seat: int) -> str:
        return f"**{names[seat]}**"

    match fact:
        case RoundBegan(number, dealer):
            return t("Round {number}: {name} deals.", number=number, name=who(dealer))
        case DealMade(number, last):
            if last and number > 1:
                return t("**Últimas:** the last deal.")
            return t("New cards are dealt.") if number > 1 else None
        case OpeningTaken(seat, cards, escobas):
            text = t(
                "The opening cards make {sum}, so {name} takes {cards}.",
                sum=cards.worth,
                name=who(seat),
                cards=named_all(cards, t),
            )
            return text + " " + _escobas(escobas, t)
        case CantosSung(seat, cards, cantos):
            parts = {"name": who(seat), "cantos": sung_text(cantos), "cards": named_all(cards, t)}
            return t.plural(
                "🎵 {name} sings **{cantos}** with {cards}: {n} point.",
                "🎵 {name} sings **{cantos}** with {cards}: {n} points.",
                canto_points(cantos),
                **parts,
            )
        case CardLaid(seat, card):
            return t("{name} plays {card} and is choosing what to take…", name=who(seat), card=named(card, t))
        case CardPlayed(seat, card, captured, escoba, forced):
            name = f"{who(seat)} {ROBOT}" if card in stand_ins else who(seat)
            parts = {"name": name, "card": named(card, t)}
            if captured:
                text = t("{name} plays {card} and takes {cards}.", **parts, cards=named_all(captured, t))
            else:
                text = t("{name} plays {card} to the table.", **parts)
            ends = [t.context("move", "*Forced.*")] if forced else []
            return " ".join((text, *ends, *([_escobas(1, t)] if escoba else [])))
        case CaptureClaimed(seat, card, captured, escoba):
            text = t(
                "{name} claims what {other} missed: {card} takes {cards}.",
                name=who(seat),
                other=who(seat_before(seat, names)),
                card=named(card, t),
                cards=named_all(captured, t),
            )
            return text + " " + _escobas(1, t) if escoba else text
        case RoundScored() | MatchWon():
            return None


def _escobas(n: int, t: Words) -> str:
    return t.plural("🧹 **Escoba!**", "🧹🧹 **{n} escobas!**", n)


def recent_lines(view: TableView, t: Words, most: int) -> list[str]:
    """List the latest sentences about a match, oldest first, at most `most`, which is at least 1."""
    facts = () if view.match is None else view.match.recent
    told = [tell(fact, view.names, t, view.stand_ins) for fact in facts]
    return [text for text in told if text is not None][-most:]


def recap_lines(happened: Sequence[Happened], names: Sequence[str], t: Words) -> list[str]:
    """List what has happened since somebody's last look, oldest first; if it is long, only the latest of it."""
    told = [(each.fact, tell(each.fact, names, t, each.stand_ins)) for each in happened]
    lines = [(fact, text) for fact, text in told if text is not None]
    moves = sum(isinstance(fact, TableMove) for fact, _ in lines[:-LONGEST_RECAP])
    earlier = [t.plural("… after {n} earlier move", "… after {n} earlier moves", moves)] if moves else []
    return earlier + [text for _, text in lines[-LONGEST_RECAP:]]


def panel_lines(view: TableView, happened: Sequence[Happened], t: Words, most: int) -> list[str]:
    """List in small print what has `happened` since somebody's last look or, without that, the latest sentences; but an
    escoba that is news is told large."""
    if not happened:
        return [text if large else f"-# {text}" for text, _, large in _all_recent(view, t)[-most:]]
    lines, news = [f"-# {text}" for text in recap_lines(happened, view.names, t)], news_of(view)
    if news is not None and view.match is not None:
        small = f"-# {tell(view.match.recent[news.place], view.names, t, view.stand_ins)}"
        if small in lines:
            last = len(lines) - 1 - lines[::-1].index(small)
            lines[last] = sweep_text(news, view, t)
    return lines


def emphasised_lines(view: TableView, t: Words, most: int) -> list[str]:
    """List the latest sentences in small print, except the last move and an escoba that is news; a deal after it stays
    small."""
    recent = _all_recent(view, t)[-most:]
    lit = max((index for index, (_, dealt, _) in enumerate(recent) if not dealt), default=len(recent) - 1)
    return [text if index == lit or large else f"-# {text}" for index, (text, _, large) in enumerate(recent)]


@cached_by_language
def _all_recent(view: TableView, t: Words) -> list[tuple[str, bool, bool]]:
    """List the sentences, each with whether it is about a deal instead of a move, and whether it is told large."""
    told: list[tuple[str, bool, bool]] = []
    news = news_of(view)
    for place, fact in enumerate(() if view.match is None else view.match.recent):
        large = news is not None and news.place == place
        text = sweep_text(news, view, t) if news and large else tell(fact, view.names, t, view.stand_ins)
        if text is not None:
            told.append((text, isinstance(fact, DealMade), large))
    return told


def story_lines(story: Story, seats: tuple[Seat, ...], t: Words, *, pictured: bool = False) -> list[str]:
    """Tell the turn of the match; then, if there are any, its highlights. `pictured`: only those without a place in the
    picture."""
    lines = [_turn(story, seats, t)]
    highlights: list[str] = []
    if story.sweepers and not pictured:
        names = t.listed([holder_name(seats[seat]) for seat in story.sweepers])
        highlights.append(t("🧹 Most escobas: **{n}**, {names}", names=names, n=story.escobas))
    if story.best is not None and not pictured:
        highlights.append(_best(story.best, seats, t))
    if (song := story.song) is not None:
        name = holder_name(seats[song.seat])
        highlights.append(t("🎵 Best canto: {name}, {cantos}", name=name, cantos=sung_text(song.cantos)))
    return [*lines, " · ".join(highlights)] if highlights else lines


def _turn(story: Story, seats: tuple[Seat, ...], t: Words) -> str:
    """Say in a sentence how the match was won."""
    if story.winner is None:
        return "🤝 " + t("It was a tie in the end.")
    winners = seats[story.winner :: len(story.totals)]
    who = {"name": " & ".join(map(holder_name, winners))}
    count = len(winners)  # only the verb depends on it
    points = t.plural("{n} point", "{n} points", story.behind)
    match story.course:
        case Course.AT_ONCE:
            return "⚡ " + t.plural("{name} won in a single round.", "{name} won in a single round.", count, **who)
        case Course.AT_THE_LAST if story.behind:
            return "🎬 " + t.plural(
                "{name} took the lead in the very last round, after being {points} behind.",
                "{name} took the lead in the very last round, after being {points} behind.",
                count,
                points=points,
                **who,
            )
        case Course.AT_THE_LAST:
            return "🎬 " + t.plural(
                "{name} took the lead in the very last round, after a tie.",
                "{name} took the lead in the very last round, after a tie.",
                count,
                **who,
            )
        case Course.TOOK_LEAD if story.behind:
            return "📈 " + t.plural(
                "{name} came back from {points} behind and led from round {round} on.",
                "{name} came back from {points} behind and led from round {round} on.",
                count,
                points=points,
                round=story.turning_round,
                **who,
            )
        case Course.TOOK_LEAD:
            return "📈 " + t.plural(
                "{name} led from round {round} on, after a tie.",
                "{name} led from round {round} on, after a tie.",
                count,
                round=story.turning_round,
                **who,
            )
        case _:
            return "🏁 " + t.plural(
                "{name} was ahead from the first round to the last.",
                "{name} were ahead from the first round to the last.",
                count,
                **who,
            )


def _best(best: Feat, seats: tuple[Seat, ...], t: Words) -> str:
    capture = f"{shown(best.card, t)} + {shown_all(best.taken, t)}"
    name = holder_name(seats[best.seat])
    if best.escoba:
        return t("💎 Best capture: {cards}, escoba! {name}", name=name, cards=capture)
    return t("💎 Best capture: {cards}, {name}", name=name, cards=capture)
