"""What is counted follows from what was played."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tests.simulation.judges.books import EVENTS, Book
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.ratings import rated_wrongly

ERASED: Final = "—"
SUMS: Final = (
    *("matches", "wins", "points", "escobas", "rounds", "streak", "best_streak", "practice_matches", "practice_wins"),
    "season_points",
)
Key = tuple[int, str, int, str]


class Results(Judge):
    """A match's result is what its log says by the tests' own referee; what is counted on a server is what its results
    come to, by another count; and ratings follow one from another."""

    kind = "count"

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.row_factory = sqlite3.Row
            results = connection.execute("SELECT * FROM results ORDER BY ended_at, id").fetchall()
            players: dict[int, list[sqlite3.Row]] = defaultdict(list)
            for row in connection.execute("SELECT * FROM result_players ORDER BY result_id, seat"):
                players[row["result_id"]].append(row)
            self.town.world.counts["results"] = len(results)
            self._judge_matches(connection, results, players)
            self._judge_standings(connection, results, players)
            self._judge_numbers(results, players)
            self._judge_rivals(connection, players)
            for line in rated_wrongly(results, players):
                self.object_to(line)

    # ---------------------------------------------------------------------------------------------------- matches
    def _judge_matches(
        self, connection: sqlite3.Connection, results: Sequence[Any], players: dict[int, list[sqlite3.Row]]
    ) -> None:
        of_game = {row["game_id"]: row for row in results}
        achieved = {tuple(row) for row in connection.execute("SELECT guild_id, user_id, achievement FROM achievements")}
        for game, guild in connection.execute("SELECT id, guild_id FROM games WHERE closed_at IS NOT NULL").fetchall():
            book = Book(game)
            book.add(connection.execute(EVENTS, (game, 0)).fetchall())
            if book.referee is None:
                continue
            result = of_game.get(game)
            if result is not None:
                self._judge_match(book, result, players[result["id"]])
                if result["ranked"]:
                    self._judge_deeds(book, guild, players[result["id"]], achieved)
            elif guild is not None and book.referee.over and not book.boards:
                self.object_to(f"game {game} was played to its end, and has no result")

    def _judge_match(self, book: Book, result: sqlite3.Row, players: Sequence[sqlite3.Row]) -> None:
        referee, game = book.referee, book.game
        assert referee is not None
        self._expect(game, "rounds", result["rounds"], len(referee.scores))
        self._expect(game, "seating", result["seating"], referee.rules["seating"])
        rounds = int(referee.rules.get("rounds", 0))
        self._expect(game, "target", result["target"], 0 if rounds else int(referee.rules["target"]))
        self._expect(game, "preset", result["preset"], book.config.get("preset"))
        people = {number % referee.sides for number, person in enumerate(book.seats) if person is not None}
        rated = book.config.get("rated", True)
        self._expect(game, "ranked", bool(result["ranked"]), bool(rated and len(people) > 1))
        self._expect(game, "seats", [row["seat"] for row in players], list(range(referee.seats)))
        escobas = [sum(score["escobas"][0][side] for score in referee.scores) for side in range(referee.sides)]
        for row in players:
            seat, side = row["seat"], row["side"]
            self._expect(game, f"side of seat {seat}", side, seat % referee.sides)
            stayed = seat not in book.left
            self._expect(game, f"stayed of seat {seat}", bool(row["stayed"]), stayed)
            if row["ranked"]:
                self._expect(game, f"played of seat {seat}", row["played"], int(seat in book.played))
                self._expect(game, f"gains of seat {seat}", row["gains"], int(book.gains(seat)))
            if stayed:
                self._expect(game, f"points of seat {seat}", row["points"], referee.totals[side])
                self._expect(game, f"escobas of seat {seat}", row["escobas"], escobas[side])
            elif row["won"]:
                self.object_to(f"game {game}: seat {seat} has left and won")
            if not book.left and referee.over:
                self._expect(game, f"won of seat {seat}", bool(row["won"]), side == referee.winner)
                place = 1 + sum(total > referee.totals[side] for total in referee.totals)
                self._expect(game, f"place of seat {seat}", row["place"], place)

    def _judge_deeds(self, book: Book, guild: int, players: Sequence[sqlite3.Row], achieved: set[Any]) -> None:
        referee = book.referee
        assert referee is not None
        for row in players:
            if row["user_id"] is None or not row["stayed"] or not row["gains"] or not referee.over:
                continue
            sets = [piles[row["side"]] for piles in book.piles]
            deeds = ["first_win"] if row["won"] else []
            deeds += ["sevens"] if any(sum(card[:-1] == "7" for card in pile) == 4 for pile in sets) else []
            deeds += ["oros"] if any(sum(card[-1] == "o" for card in pile) == 10 for pile in sets) else []
            for deed in deeds:
                if (guild, row["user_id"], deed) not in achieved:
                    self.object_to(f"game {book.game}: {row['name']} hasn't achieved {deed}")

    def _expect(self, game: int, what: str, stored: Any, played: Any) -> None:
        if stored != played:
            self.object_to(f"game {game}: {what} is {stored} in its result, {played} by its log")

    # --------------------------------------------------------------------------------------------------- standings
    def _judge_standings(
        self, connection: sqlite3.Connection, results: Sequence[Any], players: dict[int, list[sqlite3.Row]]
    ) -> None:
        counted: dict[Key, Counter[str]] = defaultdict(Counter)
        met: Counter[Any] = Counter()
        for result in results:
            own = players[result["id"]]
            day, people = result["ended_at"][:10], tuple(sorted(row["user_id"] or 0 for row in own if _human(row)))
            group = (result["guild_id"], day, people)
            if result["ranked"]:
                met[group] += 1
                most = met[group] + sum(number for other, number in met.items() if _may_be(other, group))
                if 0 not in people and not met[group] <= result["nth"] <= most:
                    self.object_to(f"result {result['id']} is number {result['nth']} of its day, not {met[group]}")
            for row in own:
                if row["user_id"] is not None and result["guild_id"] is not None:
                    for key in _keys(result, row["user_id"]):
                        _count(counted[key], result, row)
        names = ", ".join(SUMS)
        stored = {
            tuple(row[:4]): dict(zip(SUMS, row[4:], strict=True))
            for row in connection.execute(f"SELECT guild_id, period, user_id, preset, {names} FROM standings")  # noqa: S608
        }
        for key in sorted(stored.keys() | counted.keys()):
            is_stored, is_counted = stored.get(key, {}), {name: counted[key][name] for name in SUMS}
            if is_stored != is_counted:
                wrong = [f"{name} {is_stored.get(name)} not {is_counted[name]}" for name in SUMS
                         if is_stored.get(name) != is_counted[name]]  # fmt: skip
                self.object_to(f"standing {key}: {', '.join(wrong)}")

    def _judge_numbers(self, results: Sequence[Any], players: dict[int, list[sqlite3.Row]]) -> None:
        """Judge each seat's number for season points: whoever doesn't count as a person of their own is like any other
        who doesn't. Of a match with somebody who has since been erased, numbers may stem from before a correction."""
        met: Counter[Any] = Counter()
        ranked = [result for result in results if result["ranked"]]
        for result in sorted(ranked, key=lambda result: result["id"]):
            people = [row for row in players[result["id"]] if _human(row)]
            for row in people:
                if row["user_id"] is None:
                    continue
                others = [each for each in people if each is not row]
                company = frozenset((each["user_id"] or -1) if each["known"] else 0 for each in others)
                seat = (result["guild_id"], result["ended_at"][:10], row["user_id"], company)
                met[seat] += 1
                number = max(result["nth"], met[seat])
                if row["nth"] != number and all(each["user_id"] for each in others):
                    self.object_to(f"result {result['id']} is number {row['nth']} for {row['name']}, not {number}")

    def _judge_rivals(self, connection: sqlite3.Connection, players: dict[int, list[sqlite3.Row]]) -> None:
        counted: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
        for rows in players.values():
            for one in rows:
                for other in rows:
                    if one["ranked"] and one["side"] != other["side"] and one["user_id"] and other["user_id"]:
                        if not one["played"] or not other["played"]:
                            continue
                        sums = counted[one["guild_id"], one["user_id"], other["user_id"]]
                        wins = [each["won"] and each["gains"] for each in (one, other)]
                        sums[:] = sums[0] + 1, sums[1] + wins[0], sums[2] + wins[1]
        stored = {tuple(row[:3]): list(row[3:]) for row in connection.execute(RIVALS)}
        for key in sorted(stored.keys() | counted.keys()):
            if stored.get(key) != counted.get(key):
                self.object_to(f"rivals {key}: {stored.get(key)}, not {counted.get(key)}")


RIVALS: Final = "SELECT guild_id, user_id, rival_id, matches, wins, losses FROM rivals"


def _may_be(other: tuple[int, str, tuple[int, ...]], group: tuple[int, str, tuple[int, ...]]) -> bool:
    """Whether matches with people who have since erased their data may have been those of a group."""
    people = set(other[2])
    return other[:2] == group[:2] and 0 in people and len(other[2]) == len(group[2]) and people - {0} < set(group[2])


def _human(row: sqlite3.Row) -> bool:
    """Whether a person sat there, who may have been erased."""
    return row["user_id"] is not None or row["name"] == ERASED


def _keys(result: sqlite3.Row, person: int) -> list[Key]:
    """What a result is counted under."""
    year, month = result["ended_at"][:4], result["ended_at"][5:7]
    presets = ["", result["preset"], *([f"set{result['rule_set']}"] if result["rule_set"] else [])]
    periods = ("all", f"{year}-{month}", f"{year}-Q{(int(month) + 2) // 3}")
    return [(result["guild_id"], period, person, preset) for period in periods for preset in presets]


def _count(sums: Counter[str], result: sqlite3.Row, row: sqlite3.Row) -> None:
    if not result["ranked"]:
        if not result["friendly"]:
            sums["practice_matches"] += 1
            sums["practice_wins"] += row["won"]
        return
    if row["won"] and not row["gains"]:
        return
    sums["matches"] += 1
    sums["rounds"] += result["rounds"]
    sums["wins"] += row["won"]
    sums["streak"] = sums["streak"] + 1 if row["won"] else 0
    sums["best_streak"] = max(sums["best_streak"], sums["streak"])
    if not row["gains"]:
        return
    sums["points"] += row["points"]
    sums["escobas"] += row["escobas"]
    if row["nth"] <= 3:
        sums["season_points"] += 3 if row["won"] else int(row["stayed"])
