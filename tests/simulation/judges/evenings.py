"""An evening's score is what was played, and one message is left of it: its card."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.books import Book, Books
from tests.simulation.judges.catalogues import translations
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import OF_GAME, nodes_of, seconds_of, shown_by
from tests.simulation.judges.sight import sight_of
from tests.simulation.offers import controls_of
from tests.support.wiretap import CHANNEL

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town

Side = frozenset[int]
QUIET: Final = 1_800.0
QUIET_IN_SERIES: Final = 7_200.0
MOST_MATCHES: Final = 25
LONGEST: Final = 8 * 3_600.0
MOST_SCORES: Final = 5
"""So many scores are on a card, at most."""
DUE_SECONDS: Final = 600.0
"""How long after an evening its card may come, and after that the results may go, on a good day."""
LIVE: Final = ("usual", "quick")
CARD: Final = "e:opengame:"
FIGURES: Final = re.compile(r"\*\*(\d+)(?: – (\d+))?\*\*")
SCORES: Final = ("Tonight: {score}", "Best of three: {score}", "Best of three, final score: {score}")
HERE: Final = """
SELECT results.game_id, results.id, results.ended_at, (SELECT min(at) FROM events
    WHERE events.game_id = results.game_id AND kind = 'match')
FROM results JOIN games ON games.id = results.game_id
WHERE results.channel_id = ? AND games.tournament_id IS NULL ORDER BY results.ended_at, results.game_id
"""
SEATS: Final = "SELECT side, user_id, won, name FROM result_players WHERE result_id = ? ORDER BY seat"
ERASED: Final = "—"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played to its end. `sure`: whether it is certain that people sat through it together, and that
    it is known who they were."""

    game: int
    begun: float
    ended: float
    sides: tuple[Side, ...]
    winner: int | None
    series: bool
    sure: bool


def figures(sides: Sequence[Side], played: Sequence[Played], *, series: bool = False) -> list[int]:
    """The wins of each side in the matches between these people, the most first; with `series` in their latest best of
    three."""
    wins, drawn = dict.fromkeys(sides, 0), 0
    for each in played:
        if not all(sides) or set(each.sides) != set(sides) or (series and not each.series):
            continue
        if series and (max(wins.values()) > 1 or sum(wins.values()) + drawn > 2):
            wins, drawn = dict.fromkeys(sides, 0), 0
        if each.winner is None:
            drawn += 1
        else:
            wins[each.sides[each.winner]] += 1
    return sorted(wins.values(), reverse=True)


def ends(evening: Sequence[Played]) -> float:
    """When an evening is over, if no other match begins."""
    last = evening[-1]
    of_series = [each for each in evening if each.series and set(each.sides) == set(last.sides)]
    wins = figures(last.sides, evening, series=True) if all(last.sides) else [9]
    undecided = last.series and bool(of_series) and wins[0] < 2 and len(of_series) % 3 != 0
    return last.ended + (QUIET_IN_SERIES if undecided else QUIET)


def split(played: Sequence[Played]) -> list[list[Played]]:
    """Split a channel's matches into evenings."""
    found: list[list[Played]] = []
    for each in played:
        if found and goes_on(found[-1], each.begun):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def goes_on(evening: Sequence[Played], at: float) -> bool:
    """Whether a match that begins at a time belongs to an evening."""
    return len(evening) < MOST_MATCHES and at < ends(evening) and at - evening[0].begun <= LONGEST


class Evenings(Judge):
    """The score of an evening, at its tables and on its card, is that of its results by another count. No match is on
    two cards; soon after one nothing else of its matches is left; and each evening of several matches has one."""

    kind = "evening"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._books = Books(town.world.disk)
        self._cards: dict[int, tuple[int, float]] = {}
        """By match, the message of its evening's card, and when it was posted."""
        self._judged: set[tuple[int, str]] = set()
        self._played: dict[int, Played] = {}

    def died(self) -> None:
        self._books.forget()
        self._judged.clear()
        self._played.clear()

    def heard(self, request: Request) -> None:
        sheet = shown_by(request)
        if sheet is None:
            return
        card = [
            int(option["value"])
            for node in nodes_of(request)
            if (node.get("custom_id") or "").startswith(CARD)
            for option in node.get("options") or ()
        ]
        found = CHANNEL.fullmatch(request.path)
        if card and found and request.method == "POST" and not request.path.startswith("/users"):
            self._judge_card(int(found[1]), int(request.answer["id"]), card, sheet.text)
        for line in sheet.text.splitlines() if len(sheet.games) == 1 else ():
            if (match := _score_line().match(line)) and sight_of(self.town, request).viewer is None:
                [game] = sheet.games
                self._judge_score(game, line, match[0])

    # ------------------------------------------------------------------------------------------------------ the card
    def _judge_card(self, channel: int, message: int, games: list[int], text: str) -> None:
        if channel in self.town.world.realm.backend.dm_channels.values():
            return  # it lists somebody's matches
        self.town.world.counts["cards"] += 1
        for game in games:
            before, _ = self._cards.setdefault(game, (message, self.now))
            if before != message:
                self.object_to(f"match {game} is on the cards {before} and {message}")
        here = {each.game: each for each in self._matches(channel)}
        evening = [here[game] for game in games if game in here]
        if len(evening) < len(games) or len(games) < 2:
            self.object_to(f"the card {message} has the matches {games}, of which {list(here)} were played here")
        elif all(each.sure for each in evening):
            if len(split(evening)) > 1:
                self.object_to(f"the card {message} has the matches {games}, which were no evening")
            groups = {frozenset(each.sides): each.sides for each in evening if all(each.sides)}
            if len(groups) <= MOST_SCORES:
                wanted = sorted(figures(sides, evening) for sides in groups.values())
                lines = (line for line in text.splitlines() if not line.startswith(("#", "👑", "✨", "🧹", "🎢")))
                shown = sorted(read for line in lines if (read := _read(line)))
                if shown != wanted:
                    self.object_to(f"the card {message} of {games} has the scores {shown}, not {wanted}: {text!r}")
        self.town.world.machine.after(DUE_SECONDS, lambda: self._judge_rest(channel, message, games))

    def _judge_rest(self, channel: int, card: int, games: list[int]) -> None:
        """Judge what is left of matches some time after their evening's card."""
        if self.town.troubled(self.now - 2 * DUE_SECONDS, self.now):
            return
        self.town.world.counts["evenings left"] += 1
        for message in self.town.world.realm.backend.messages.get(channel, {}).values():
            if message.is_ephemeral or message.id == card:
                continue
            named = [OF_GAME.match(control.custom_id) for control in controls_of(message)]
            if left := sorted({int(each[2], 36) for each in named if each} & set(games)):
                self.object_to(f"the message {message.id} of the matches {left} is left beside the card {card}")

    def at_rest(self) -> None:
        for channel in self.town.all_channels:
            if self.town.world.disk.look("SELECT 1 FROM games WHERE channel_id = ? AND closed_at IS NULL", channel):
                continue
            matches = self._matches(channel)
            for evening in split(matches) if all(each.sure for each in matches) else ():
                self._judge_carded(channel, evening)

    def _judge_carded(self, channel: int, evening: Sequence[Played]) -> None:
        """Judge whether an evening that is over has its cards: more than one, if somebody has ended it before."""
        late = ends(evening) + DUE_SECONDS
        if late > self.now or self.town.troubled(evening[0].ended - 60.0, late):
            return
        self.town.world.counts["evenings over"] += 1
        for one, other in pairwise(evening):
            if one.game not in self._cards and other.game not in self._cards:
                self.object_to(f"the evening of {[each.game for each in evening]} in {channel} has no card")
                return

    # ----------------------------------------------------------------------------------------------------- the score
    def _judge_score(self, game: int, line: str, score: str) -> None:
        if (game, line) in self._judged:
            return
        [book] = self._books.up_to_date(game) or [None]
        if book is None or book.referee is None or book.left or None in book.seats:
            return  # who sits there may have changed since
        self._judged.add((game, line))
        [(channel, begun)] = self.town.world.disk.look(
            "SELECT channel_id, (SELECT min(at) FROM events WHERE game_id = games.id AND kind = 'match')"
            " FROM games WHERE id = ?",
            game,
        )
        began = seconds_of(begun) - self.begin
        earlier = [each for each in self._matches(channel) if each.game != game and each.ended <= began]
        open_then = [each for each in earlier if self._cards.get(each.game, (0, began))[1] >= began]
        evening = (split(open_then) or [[]])[-1]
        if not evening or not all(each.sure for each in earlier):
            if not evening:
                self.object_to(f"match {game} shows {line!r}, and nothing was played before")
            return
        if not goes_on(evening, began):
            self.object_to(f"match {game} shows {line!r}, and began after that evening")
            return
        referee = book.referee
        sides = tuple(
            frozenset(person for seat, person in enumerate(book.seats) if seat % referee.sides == side and person)
            for side in range(referee.sides)
        )
        own = Played(game, began, self.now, sides, referee.winner, bool(book.config.get("best_of_three")), True)
        self.town.world.counts["scores of evenings"] += 1
        played = [evening, *([[*evening, own]] if referee.over else [])]
        wanted = [figures(sides, each, series=series) for each in played for series in (False, True)]
        if (shown := _read(score)) not in wanted:
            self.object_to(f"match {game} shows {line!r}, which is {shown}, not one of {wanted}")

    # --------------------------------------------------------------------------------------------------- what is stored
    def _matches(self, channel: int) -> list[Played]:
        """The live matches that were played to their end in a channel, the earliest first."""
        rows = self.town.world.disk.look(HERE, channel)
        found = [self._match(*row) for row in rows]
        return [each for each in found if each is not None]

    def _match(self, game: int, result: int, ended: str, begun: str | None) -> Played | None:
        [book] = self._books.up_to_date(game) or [Book(game)]
        if book.referee is None or not book.referee.over or book.phase:
            return None
        sides: defaultdict[int, set[int]] = defaultdict(set)
        winner, sure = None, book.config.get("tempo", "usual") in LIVE and begun is not None
        for side, person, won, name in self.town.world.disk.look(SEATS, result):
            sides[side] |= {person} if person is not None else set()
            winner = side if won else winner
            sure = sure and name != ERASED
        people = tuple(frozenset(sides[side]) for side in sorted(sides))
        series = bool(book.config.get("best_of_three"))
        began = seconds_of(begun or ended) - self.begin
        return Played(game, began, seconds_of(ended) - self.begin, people, winner, series, sure)


@cache
def _score_line() -> re.Pattern[str]:
    """A line with the score of an evening, in any language."""
    texts: list[Any] = sorted(text for each in SCORES for text in translations(each))
    lines = "|".join(re.escape(text).replace(re.escape("{score}"), ".+") for text in texts)
    return re.compile(f"(?:-# |### |## )?(?:{lines})$")


def _read(line: str) -> list[int]:
    """The figures of a score, the highest first."""
    return sorted((int(figure) for pair in FIGURES.findall(line) for figure in pair if figure), reverse=True)
