"""Writes the recorded games: `python -m tests.engine.files.games.recorder`. The tests only read them.

It adds those that are missing and leaves the others alone, whatever a random game would be today.

Games named after a preset and a seating are whole matches; the others are rounds in which something particular happens.
Two are constructed by hand, so that their scores can be worked out without playing them.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

from bot.engine.cards import DECK, Canto, Suit
from bot.engine.errors import IllegalMove
from bot.engine.events import Claimed, Event, Laid, MatchStarted, Played, RoundDealt
from bot.engine.facts import CaptureClaimed, CardPlayed, DealMade, OpeningTaken
from bot.engine.match import Match, replay
from bot.engine.match_file import MatchFile, write
from bot.engine.moves import Move, Play, Sing, Stage
from bot.engine.rules import Prime, Seating
from bot.engine.scoring import SEVEN_OF_OROS, Item, RoundScore
from tests.support.engine import COMBOS, random_events, rules_of, the_round

FOLDER = Path(__file__).parent
NAMES = ("Ana", "Bea", "Carla", "Dani", "Eva", "Fina")

Game = list[tuple[Event, Match]]


def greedy(rng: Random, match: Match, moves: tuple[Move, ...]) -> Move:
    """Sings; an escoba, else the seven of oros, else most oros and cards; one move in five is any other."""
    if rng.random() < 0.2:
        return rng.choice(moves)
    if Sing() in moves:
        return Sing()
    table = the_round(match).table

    def gain(move: Move) -> tuple[bool, bool, int, int, float]:
        taken = move.captured.with_card(move.card) if isinstance(move, Play) and move.captured else move.captured
        sweeps = bool(move.captured) and not table - move.captured
        return sweeps, SEVEN_OF_OROS in taken, len(taken.of_suit(Suit.OROS)), len(taken), rng.random()

    return max(moves, key=gain)


# ---------------------------------------------------------------------------------------------- games to look for


def rounds_until(
    preset: str, seating: Seating, happened: Callable[[Game], bool], tries: int = 4000, **changes: object
) -> list[Event]:
    """The first round of the first random match in which something happens."""
    for seed in range(tries):
        game: Game = []
        for event, match in random_events(preset, seating, Random(seed), greedy, **changes):
            game.append((event, match))
            if match.round is not None and match.round.over:
                break
        if happened(game):
            return [event for event, _ in game]
    raise LookupError("it never happened")


def opened_with(worth: int) -> Callable[[Game], bool]:
    return lambda game: any(isinstance(fact, OpeningTaken) and fact.cards.worth == worth for fact in game[1][1].facts)


def claimed_after_a_deal(game: Game) -> bool:
    return any(
        isinstance(event, Claimed) and any(isinstance(fact, DealMade) for fact in before.facts)
        for (_, before), (event, _) in pairwise(game)
    )


def claimed_an_escoba(game: Game) -> bool:
    return any(isinstance(fact, CaptureClaimed) and fact.escoba for _, match in game for fact in match.facts)


def swept_with_the_last_card(game: Game) -> bool:
    return any(isinstance(fact, CardPlayed) and fact.escoba for fact in game[-1][1].facts)


def chose_in_the_open(game: Game) -> bool:
    kinds = [type(event) for event, _ in game]
    return kinds.count(Laid) > 2


def last_score(game: Game) -> RoundScore:
    return game[-1][1].scores[-1]


def scored_twice(item: Item) -> Callable[[Game], bool]:
    return lambda game: any(2 in each.points for each in last_score(game).items if each.item is item)


def left_at_least(worth: int) -> Callable[[Game], bool]:
    return lambda game: last_score(game).leftovers.worth >= worth


def sang(canto: Canto) -> Callable[[Game], bool]:
    return lambda game: any(canto in sung for sung in last_score(game).cantos)


def tied_in_sevens(game: Game) -> bool:
    """Whether the prime was decided by the aces or the fives."""
    return any(
        item.item is Item.PRIME and any(item.points) and item.amounts[0] // 100 == item.amounts[1] // 100
        for item in last_score(game).items
    )


def ahead_by_one(preset: str, seating: Seating, **changes: object) -> list[Event]:
    """A whole match in which a side was at the target and ahead by one point, and a further round was played."""
    for seed in range(4000):
        game = list(random_events(preset, seating, Random(seed), greedy, **changes))
        for _, match in game:
            first, second = sorted(match.totals, reverse=True)
            if match.stage is Stage.TO_DEAL and first >= match.rules.target and first == second + 1:
                return [event for event, _ in game]
    raise LookupError("nobody was ahead by one")


def tied_at_the_top(preset: str, seating: Seating, **changes: object) -> list[Event]:
    """A whole match in which sides were tied at or over the target and played on."""
    for seed in range(4000):
        game = list(random_events(preset, seating, Random(seed), greedy, **changes))
        for _, match in game:
            if match.winner is None and max(match.totals) >= match.rules.target and match.round and match.round.over:
                return [event for event, _ in game]
    raise LookupError("no tie")


# ---------------------------------------------------------------------------------------------- games by hand


def nobody_captures() -> list[Event]:
    """Everybody lays every card: nobody has a card or a point."""
    begun = MatchStarted(rules_of("clasica"), Seating.TWO, 1)
    return [*_laid_down([begun, RoundDealt(DECK)])]


def one_claim_takes_all() -> list[Event]:
    """Everybody lays every card, but the first missed capture is claimed: that side gets the deck and five points."""
    begun = MatchStarted(rules_of("quince"), Seating.THREE, 2)
    events = [begun, RoundDealt(DECK)]
    while True:
        match = replay(events)
        claims = [move for move in match.legal_moves() if not isinstance(move, Play)]
        if claims:
            return [*_laid_down([*events, match.event_of(claims[0])])]
        events.append(Played(the_round(match).turn, next(iter(the_round(match).hands[the_round(match).turn]))))


def _laid_down(events: list[Event]) -> Iterator[Event]:
    yield from events
    match = replay(events)
    while not the_round(match).over:
        now = the_round(match)
        event = Played(now.turn, next(iter(now.hands[now.turn])))
        match = match.apply(event)
        yield event


# ---------------------------------------------------------------------------------------------- writing


def games() -> Iterator[tuple[str, list[Event]]]:
    """Every recorded game with its name."""
    for preset, seating in COMBOS:
        target = 21 if (preset, seating) == ("escoba", Seating.TWO) else 11
        rng = Random(f"recorded {preset} {seating}")
        yield f"{preset}-{seating}", [event for event, _ in random_events(preset, seating, rng, greedy, target=target)]
    yield "escoba-opening-fifteen", rounds_until("escoba", Seating.TWO, opened_with(15))
    yield "escoba-opening-thirty", rounds_until("escoba", Seating.PAIRS, opened_with(30))
    yield "juegon-opening-two-pairs", rounds_until("juegon", Seating.TWO, opened_with(30))
    yield "quince-claim-after-a-deal", rounds_until("quince", Seating.TWO, claimed_after_a_deal)
    yield "quince-claimed-escoba", rounds_until("quince", Seating.FOUR, claimed_an_escoba)
    yield "clasica-last-card-sweeps", rounds_until("clasica", Seating.TRIPLE_PAIRS, swept_with_the_last_card)
    yield "escoba-chosen-in-the-open", rounds_until("escoba", Seating.THREE, chose_in_the_open)
    yield "escoba-much-is-left", rounds_until("escoba", Seating.TWO, left_at_least(55))
    yield "juegon-more-than-thirty-cards", rounds_until("juegon", Seating.TWO, scored_twice(Item.CARDS))
    yield "juegon-four-sevens", rounds_until("juegon", Seating.TWO, scored_twice(Item.SEVENS))
    yield "juegon-all-oros", rounds_until("juegon", Seating.TWO, scored_twice(Item.OROS), tries=60000)
    yield "escoba-tied-at-the-top", tied_at_the_top("escoba", Seating.TWO, target=5)
    yield "escoba-five-open-with-forty-five", rounds_until("escoba", Seating.FIVE, opened_with(45))
    yield "juegon-five-open-with-two-groups", rounds_until("juegon", Seating.FIVE, opened_with(30))
    yield "chorizo-a-chorizo", rounds_until("chorizo", Seating.TWO, sang(Canto.CHORIZO))
    yield "clasica-sung-by-five", rounds_until("clasica", Seating.FIVE, sang(Canto.FLOR), cantos=True)
    yield "chorizo-sevens-tied", rounds_until("chorizo", Seating.TWO, tied_in_sevens)
    yield "escoba-prime-by-suits", rounds_until("escoba", Seating.TWO, lambda _: True, prime=Prime.SUITS)
    yield "quince-scopone-of-nine", rounds_until("quince", Seating.FOUR, lambda _: True, hand=9)
    yield "clasica-scopone-of-nine", rounds_until("clasica", Seating.PAIRS, lambda _: True, hand=9)
    yield "escoba-won-by-two", ahead_by_one("escoba", Seating.TWO, target=5, lead=2)
    yield "clasica-nobody-captures", nobody_captures()
    yield "quince-one-claim-takes-all", one_claim_takes_all()


def main() -> None:
    """Write the games that aren't there yet."""
    for name, events in games():
        path = FOLDER / f"{name}.escoba"
        if path.exists():
            continue
        seats = replay(events).seating.seats
        file = MatchFile(name.partition("-")[0], NAMES[:seats], tuple(events))
        try:
            text = write(file)
        except IllegalMove as refusal:
            raise SystemExit(f"{name}: {refusal}") from refusal
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
