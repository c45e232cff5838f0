"""Twins of games: they differ only in what one viewer can't see, now and after the planned steps."""

from collections.abc import Callable, Sequence
from random import Random

from bot.engine.cards import Card, CardSet
from bot.engine.events import RoundDealt
from bot.engine.match import Match
from bot.engine.rules import Rules, Seating
from bot.tables.log.events import LogEvent
from tests.secrecy.games import Game, laid_in_this_round, same_deck
from tests.support.truth import hidden_from

Deck = tuple[Card, ...]


def twin_of(game: Game, viewer: int | None, rng: Random) -> Game:
    """A game that looks the same to a viewer (None: somebody without a seat), but with its hidden cards exchanged."""
    decks: dict[int, Deck] = {}
    end = game.end
    assert end is not None, "the game must be planned first"
    if (match := end.match) is not None and match.round is not None:
        rules, seating = match.rules, match.seating
        latest = len(match.scores) + (not match.round.over)
        for number in range(1, latest + 1):
            decks[number] = _mixed(_deck_of(game, number), rules, seating, rng)
        decks[latest] = _exchanged(decks[latest], _secret(game, match, viewer), rng)
    later = same_deck(f"another future {rng.random()}")
    events = _dealt_otherwise(game.events, decks)
    return Game(
        game.number, events, game.people, lambda number: decks.get(number) or later(number), game.steps, game.end
    )


def differs(game: Game, twin: Game) -> bool:
    """Whether the twins really differ, in the cards dealt or still to be dealt."""
    return game.events != twin.events or game.decks(1) != twin.decks(1)


def _secret(game: Game, match: Match, viewer: int | None) -> CardSet:
    """The cards that may be exchanged."""
    hidden = hidden_from(match, viewer) - laid_in_this_round(game)
    now, last = match.round, game.steps[-1] if game.steps else None
    if now is not None and last is not None and last.what == "computer":
        # A computer's move depends on its hand. It may lead to the next deal, which gives cards to the viewer.
        hidden -= now.hands[last.seat]
        seats = [viewer] if viewer is not None else []
        for seat in seats:
            hidden -= CardSet.of(now.deck[place] for place in _next_hand(match, seat))
    return hidden


def _next_hand(match: Match, seat: int) -> range:
    """The positions in the deck of the cards that the next deal gives a seat; empty if there is no further deal."""
    now = match.round
    assert now is not None
    if now.dealt >= len(now.deck):
        return range(0)
    offset = (seat - now.dealer - 1) % match.seating.seats
    size = match.rules.hands(match.seating)[now.deal]
    first = now.dealt + offset * size
    return range(first, first + size)


def _deck_of(game: Game, number: int) -> Deck:
    dealt = [event.deck for event in game.events if isinstance(event, RoundDealt)]
    return dealt[number - 1] if number <= len(dealt) else game.decks(number)


def _dealt_otherwise(events: Sequence[LogEvent], decks: dict[int, Deck]) -> list[LogEvent]:
    changed: list[LogEvent] = []
    rounds = 0
    for event in events:
        if isinstance(event, RoundDealt):
            rounds += 1
            changed.append(RoundDealt(decks[rounds]))
        else:
            changed.append(event)
    return changed


def _mixed(deck: Deck, rules: Rules, seating: Seating, rng: Random) -> Deck:
    """The same hands and the same table, each dealt in a different order, which nobody sees."""
    seats, sizes = seating.seats, rules.hands(seating)
    groups: list[range] = []
    for size in [*[sizes[0]] * seats, rules.table_cards(seating), *(size for size in sizes[1:] for _ in range(seats))]:
        first = groups[-1].stop if groups else 0
        groups.append(range(first, first + size))
    return _permuted(deck, groups, rng.shuffle)


def _exchanged(deck: Deck, secret: CardSet, rng: Random) -> Deck:
    return _permuted(deck, [[place for place, card in enumerate(deck) if card in secret]], rng.shuffle)


def _permuted(deck: Deck, groups: Sequence[Sequence[int]], shuffle: Callable[[list[Card]], None]) -> Deck:
    cards = list(deck)
    for places in groups:
        moved = [deck[place] for place in places]
        shuffle(moved)
        for place, card in zip(places, moved, strict=True):
            cards[place] = card
    return tuple(cards)
