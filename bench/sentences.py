"""Reads what the coach says: `python -m bench.sentences` prints hints and verdicts on random decisions.

It counts clauses that are *false* by an independent check, sentences that are *empty* because they only say how much
better a move has turned out, or nothing, and comparisons that don't name the other move. `--seeds 5` measures instead
how often a decision gets the same grade with five seeds, and how large the error of its loss is.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from statistics import mean
from time import process_time
from typing import Final

from bench.reasons import check, check_danger
from bot.coach.analysis import Analysis, analyse
from bot.coach.explaining import why_best
from bot.coach.grading import grade
from bot.coach.reasons import AllSafe, EndsBetter, Gains, NothingBetter, Why
from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Move
from bot.engine.rules import PRESETS, Duty, Opening, Prime, Rules, Seating
from bot.engine.views import SeatView, seat_view
from bot.platform.language.catalogues import words
from bot.players import Level, choose
from bot.training.live.review import DRAWS, Decision, Judged
from bot.training.words.coaching import explained_lines, hint_text, move_text

GAMES: Final = (
    *((preset.rules, seating) for preset in PRESETS.values() for seating in preset.seatings),
    (Rules(), Seating.FIVE),
    (Rules(duty=Duty.CLAIMABLE), Seating.TWO),
    (Rules(duty=Duty.OPTIONAL), Seating.THREE),
    (PRESETS["clasica"].rules, Seating.TRIPLES),
    (replace(Rules(), opening=Opening.NONE, prime=Prime.SUITS, hand=10, table=0), Seating.FOUR),
    (replace(Rules(), opening=Opening.NONE, hand=9, table=4), Seating.PAIRS),
)
"""The games played: every preset in its seatings, and other rules and seatings that people choose."""
EASY: Final = 0.3
"""The fraction of moves that are the easy level's; the others are the normal level's."""
_EMPTY: Final = (AllSafe, EndsBetter, Gains, NothingBetter)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision of a random round, with the whole match for the checks."""

    match: Match
    view: SeatView
    move: Move


def decisions(seed: str) -> Iterator[Chosen]:
    """Yield two decisions from a round of each game in turn, without end; every other one is the easy level's."""
    rng = Random(seed)
    while True:
        for rules, seating in GAMES:
            found = list(_played(rules, seating, rng))
            for place, each in enumerate(rng.sample(found, min(2, len(found)))):
                yield replace(each, move=choose(each.view, Level.EASY, rng)) if place % 2 else each


def _played(rules: Rules, seating: Seating, rng: Random) -> Iterator[Chosen]:
    deck = tuple(rng.sample(DECK, len(DECK)))
    match = start(MatchStarted(rules, seating, rng.randrange(seating.seats))).apply(RoundDealt(deck))
    while match.turn is not None:
        view = seat_view(match, match.turn)
        move = choose(view, Level.EASY if rng.random() < EASY else Level.NORMAL, rng)
        if len(view.moves) > 1:
            yield Chosen(match, view, move)
        match = match.apply(match.event_of(move))


def false_clauses(chosen: Chosen, analysis: Analysis, why: Why) -> list[str]:
    """Collect the reasons that the check refutes."""
    found: list[str] = []
    for reason in why.reasons:
        try:
            check(reason, chosen.match, chosen.view, analysis, why.other)
        except AssertionError as error:
            found.append(f"{reason}: {error}")
    if why.danger is not None and why.other is not None:
        try:
            check_danger(why.danger, chosen.match, chosen.view, why.other)
        except AssertionError as error:
            found.append(f"{why.danger}: {error}")
    return found


def is_empty(why: Why) -> bool:
    """Whether a sentence states no fact that sets the move apart."""
    return all(isinstance(reason, _EMPTY) for reason in why.reasons)


def read(number: int, seed: str, draws: int, languages: list[str]) -> str:
    """Print this many sentences, hints and verdicts by turns, and sum them up."""
    count = Counter[str]()
    for place, chosen in zip(range(number), decisions(seed), strict=False):
        view, hinted = chosen.view, place % 2 == 0
        analysis = analyse(view, Random(f"{seed}/{place}"), draws=draws, played=chosen.move, settle=True)
        judged = Judged(Decision(view.public.version, view, chosen.move), analysis)
        why = why_best(view, analysis) if hinted else judged.why
        rules, public = view.public.rules, view.public
        print(f"{place + 1}. {rules.capture.value} {rules.duty.value} {public.seating.value}, deal {public.deal}:",
              f"{public.table or '-'} | {view.hand}")  # fmt: skip
        for language in languages:
            t = words(language)
            said = hint_text(view, analysis, t) if hinted else "\n".join(explained_lines(judged, t))
            print("   " + said.replace("\n", "\n   "))
        wrong = false_clauses(chosen, analysis, why)
        told = hinted or bool(judged.lost) or chosen.move == analysis.best.move
        count["sentences"] += told
        count["clauses"] += told * len(why.reasons)
        count["false"] += len(wrong)
        count["empty"] += told and is_empty(why)
        count["losses"] += not hinted and bool(judged.lost)
        count["empty losses"] += not hinted and bool(judged.lost) and is_empty(why)
        if told and why.other is not None:
            count["comparisons"] += 1
            count["other not named"] += move_text(why.other, t) not in said
        for each in wrong:
            print(f"   FALSE {each}")
    return ", ".join(f"{name}: {count[name]}" for name in (
        "sentences", "clauses", "false", "empty", "losses", "empty losses", "comparisons", "other not named"
    ))  # fmt: skip


def graded(number: int, seed: str, draws: int, seeds: int) -> str:
    """Grade each decision with several seeds, and sum up how far they agree."""
    same, errors, seconds = 0, list[float](), list[float]()
    for place, chosen in zip(range(number), decisions(seed), strict=False):
        grades = set[str]()
        for each in range(seeds):
            began = process_time()
            rng = Random(f"{seed}/{place}/{each}")
            rating = analyse(chosen.view, rng, draws=draws, played=chosen.move, settle=True).rating_of(chosen.move)
            seconds.append(process_time() - began)
            errors.append(rating.error)
            grades.add(grade(rating).value)
        same += len(grades) == 1
    errors.sort()
    seconds.sort()
    return (
        f"{same} of {number} decisions got one grade with {seeds} seeds; error of the loss: mean {mean(errors):.3f}, "
        f"95 % {errors[len(errors) * 95 // 100]:.3f}, most {errors[-1]:.3f}; processor: mean {mean(seconds):.2f} s, "
        f"95 % {seconds[len(seconds) * 95 // 100]:.2f}, most {seconds[-1]:.2f}"
    )


def main() -> None:
    """Print sentences, or measure grades."""
    parser = argparse.ArgumentParser(prog="python -m bench.sentences", description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="how many decisions")
    parser.add_argument("--seed", default="bench", help="what the decisions are drawn with")
    parser.add_argument("--draws", type=int, default=DRAWS, help="the most draws for each")
    parser.add_argument("--languages", nargs="+", default=["en", "es"], metavar="language")
    parser.add_argument("--seeds", type=int, default=0, help="grade each decision with this many seeds")
    args = parser.parse_args()
    if args.seeds:
        print(graded(args.number, args.seed, args.draws, args.seeds))
    else:
        print(read(args.number, args.seed, args.draws, args.languages))


if __name__ == "__main__":
    main()
