"""What is said about escobas, compared with what the referee makes of the log, who shares no code with the engine."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from bot.cards.words.cards import named
from bot.engine.cards import DECK
from bot.engine.events import MatchStarted
from bot.engine.highlights import no_highlights
from bot.engine.match import Match
from bot.engine.moves import Move, Play
from bot.engine.notation import format_event
from bot.engine.rules import PRESETS, Seating
from bot.platform.language.catalogues import words
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence
from bot.tables.words.sweeps import decider_line, news_of, sweep_text
from bot.tables.words.telling import emphasised_lines, panel_lines
from tests.engine.referee import Referee, worth
from tests.support.engine import Chooser, after, position, random_events
from tests.support.layouts import view_of

EN = words("en")
NAMED = {named(each, EN): str(each) for each in DECK}


def cards_in(text: str) -> list[str]:
    """The cards of a sum, in notation."""
    return [NAMED[each.strip("*")] for each in text.split(" + ")]


def sweeping(rng: Random, match: Match, moves: Sequence[Move]) -> Move:
    """Take the most cards, and otherwise make any move: so tables are swept often."""
    plays = [move for move in moves if isinstance(move, Play) and move.captured]
    return max(plays, key=lambda move: len(move.captured)) if plays else rng.choice(moves)


@dataclass
class Books:
    """An account of a match, line by line."""

    referee: Referee
    row: Counter[int] = field(default_factory=Counter[int])
    swept: list[tuple[int, set[str]]] = field(default_factory=list[tuple[int, set[str]]])
    seven: int | None = None

    def read(self, line: str) -> tuple[int, set[str], int] | None:
        """Follow a line: who has made how many escobas with it, and with which cards; None without one."""
        kinds, dealer = line.split(), self.referee.dealer
        before, opening = list(self.referee.escobas) if self.referee.running else [], kinds[0] == "deal"
        if opening:
            self.row, self.swept, self.seven, before = Counter(), [], None, [0] * self.referee.sides
        self.referee.do(line)
        if opening:
            seat, cards = dealer, set().union(*self.referee.piles)
        elif "x" in kinds or "claim" in kinds:
            seat, cards = int(kinds[0]), {each for each in kinds[1:] if each not in ("x", "claim")}
        else:
            if "?" not in kinds and "sing" not in kinds:
                self.row[int(kinds[0])] = 0
            return None
        new = sum(self.referee.escobas) - sum(before)
        self.row[seat] = self.row[seat] + new if new else 0
        self.seven = seat if "7o" in cards else self.seven
        if new:
            self.swept.append((seat, cards))
        return (seat, cards, new) if new else None

    def decisive(self) -> tuple[int, set[str]] | int | None:
        """Take a point from the winner: if that leaves the match unwon, their last escoba, or their seven of oros."""
        referee = self.referee
        if referee.winner is None:
            return None
        totals = list(referee.totals)
        totals[referee.winner] -= 1
        *_, second, first = sorted(totals)
        rounds = int(referee.rules.get("rounds", 0))
        lead = 1 if rounds else int(referee.rules.get("lead", 1))
        unreached = not rounds and first < int(referee.rules["target"])
        if totals.index(first) == referee.winner and first - second >= lead and not unreached:
            return None
        own = [each for each in self.swept if each[0] % referee.sides == referee.winner]
        if own:
            return own[-1]
        theirs = self.seven is not None and self.seven % referee.sides == referee.winner
        return self.seven if theirs else None


def call_of(books: Books, seat: int, cards: set[str], new: int, line: str) -> str:
    """The words for an escoba, by its rarest kind."""
    if line.startswith("deal"):
        return "Escoba at the deal!" if new == 1 else f"{new} escobas at the deal!"
    if not books.referee.running:
        return "Escoba with the last card!"
    if books.row[seat] > 1:
        return f"{books.row[seat]} escobas in a row!"
    return "Escoba with the seven of oros!" if "7o" in cards else "Escoba!"


def told_of(preset: str, seating: Seating, seed: int, choose: Chooser, **changes: int) -> Counter[str]:
    """Compare everything that is said about the escobas of a match; returns how often which words came."""
    seen: Counter[str] = Counter()
    books, highlights, view = None, no_highlights(seating), None
    for event, match in random_events(preset, seating, Random(seed), choose, **changes):
        line = format_event(event)
        if isinstance(event, MatchStarted):
            books = Books(Referee(line))
            continue
        assert books is not None
        found = books.read(line)
        highlights = highlights.after_event(match)
        view = replace(view_of(match), highlights=highlights)
        news = news_of(view)
        if found is None:
            assert news is None or not news.latest or line.endswith("?") or "sing" in line
            continue
        seat, cards, new = found
        assert news is not None
        assert news.latest
        head, total = sweep_text(news, view, EN).split("\n")
        call = call_of(books, seat, cards, new, line)
        assert head == f"# {'🧹' * min(2, new)} {call} P{seat}"
        made, result = total.split(" = ")
        if match.rules.capture == "fifteen":
            assert set(cards_in(made)) == cards
            assert result == f"**{sum(map(worth, cards))}**"
        else:
            [card] = cards_in(result)
            assert {card, *cards_in(made)} == cards
            assert sum(map(worth, cards_in(made))) == worth(card)
        seen[call.lstrip("0123456789 ")] += 1
    assert books is not None
    assert view is not None
    decisive, line = books.decisive(), decider_line(view, EN)
    match decisive:
        case None:
            assert line is None
        case (seat, cards):
            assert line is not None
            said, made = line.removesuffix(".").split(": ")
            assert said == f"🧹 **P{seat}**'s last escoba decided the match"
            assert set(cards_in(made)) == cards
        case seat:
            assert line == f"✨ **P{seat}** took the seven of oros, and that point decided the match."
    seen["escoba decides" if isinstance(decisive, tuple) else "no" if decisive is None else "seven decides"] += 1
    return seen


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 50), marks=pytest.mark.thorough)], ids=len)
def test_what_is_said_about_escobas_is_what_the_log_adds_up_to(seeds: range) -> None:
    seen: Counter[str] = Counter()
    for preset, each in PRESETS.items():
        for seed in seeds:
            seating = each.seatings[seed % len(each.seatings)]
            changes = {"rounds": 3} if seed % 8 == 7 else {"lead": 2} if seed % 8 == 3 else {"target": 11}
            seen += told_of(preset, seating, seed, sweeping, **changes)
    assert min(
        seen[kind]
        for kind in (
            *("Escoba!", "Escoba with the seven of oros!", "Escoba with the last card!", "escobas in a row!"),
            *("Escoba at the deal!", "escobas at the deal!", "escoba decides", "seven decides", "no"),
        )
    ), seen


def with_robots(view: TableView, *robots: int) -> TableView:
    seats = tuple(
        replace(seat, presence=Presence.AWAY if index in robots else Presence.HERE)
        for index, seat in enumerate(view.seats)
    )
    return replace(view, seats=seats)


def test_an_escoba_stays_over_the_moves_of_robots_until_a_person_moves() -> None:
    match = position(["7o 1c", "2c 6b", "1o 12b"], "5e 3c", seating=Seating.THREE)
    swept = after(match, "0 7o x 5e 3c")
    large = "# 🧹 Escoba with the seven of oros! P0\n7\u2060🪙 + 5\u2060🗡️ + 3\u2060🏆 = **15**"
    line = "🧹 **Escoba with the seven of oros!** P0 · 7\u2060🪙 + 5\u2060🗡️ + 3\u2060🏆 = **15**"
    small = "-# **P0** plays 7\u2060🪙 and takes 3\u2060🏆 and 5\u2060🗡️. 🧹 **Escoba!**"
    view = with_robots(view_of(swept))
    for lines in (emphasised_lines(view, EN, 4), panel_lines(view, (), EN, 3)):
        assert lines == [large]
    robot = after(swept, "1 2c")
    assert emphasised_lines(with_robots(view_of(robot), 1), EN, 4)[0] == line
    assert panel_lines(with_robots(view_of(robot), 1), (), EN, 3)[0] == line
    assert emphasised_lines(with_robots(view_of(robot)), EN, 4)[0] == small, "a person has moved"
    again = after(robot, "2 1o", "0 1c")
    assert not any(line in text for text in emphasised_lines(with_robots(view_of(again), 0, 1, 2), EN, 8))
