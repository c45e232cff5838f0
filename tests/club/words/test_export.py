"""A server's results as CSV: what a line says, and that a spreadsheet runs none of it."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

from bot.club.rules.rating import Rating
from bot.club.store.career import ResultRow
from bot.club.words.export import COLUMNS, ResultsFile
from bot.platform.people import NOBODY

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
MOST = 100_000


def seat(user_id: int | None, name: str, **changes: Any) -> ResultRow:
    values: dict[str, Any] = {
        "result_id": 77,
        "ended_at": NOON,
        "preset": "escoba",
        "rule_set": None,
        "target": 21,
        "ranked": True,
        "friendly": False,
        "user_id": user_id,
        "name": name,
        "side": 0,
        "won": True,
        "points": 21,
        "escobas": 3,
        **dict.fromkeys(("mu", "sigma", "new_mu", "new_sigma")),
    }
    return ResultRow(**(values | changes))


def lines(file: ResultsFile) -> list[dict[str, str]]:
    text = file.content().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_a_line_says_who_played_what_and_what_it_brought() -> None:
    file, before, after = ResultsFile(MOST), Rating(25, 4), Rating(26, 3)
    rated = {"mu": before.mu, "sigma": before.sigma, "new_mu": after.mu, "new_sigma": after.sigma}
    assert file.add(1, [seat(7, "Ana", **rated), seat(8, "Bea", side=1, won=False, points=9, escobas=0)])
    ana, bea = lines(file)
    assert list(ana) == list(COLUMNS)
    assert ana == {
        "match": "1",
        "ended_utc": "2026-03-14 12:00:00",
        "rules": "escoba",
        "rule_set": "",
        "target": "21",
        "kind": "rated",
        "side": "1",
        "player": "1",
        "name": "Ana",
        "won": "yes",
        "points": "21",
        "escobas": "3",
        "rating": str(after.shown),
        "rating_change": str(after.shown - before.shown),
    }
    file.add(2, [seat(7, "Ana", rule_set="=Peña"), seat(8, "Bea", rule_set="")])
    assert [each["rule_set"] for each in lines(file)] == ["", "", "'=Peña", "deleted"]
    assert (bea["player"], bea["side"], bea["won"], bea["rating"], bea["rating_change"]) == ("2", "2", "no", "", "")


def test_friendly_matches_and_practice_are_told_apart() -> None:
    file = ResultsFile(MOST)
    file.add(1, [seat(7, "Ana", ranked=False, friendly=True)])
    file.add(2, [seat(7, "Ana", ranked=False)])
    assert [line["kind"] for line in lines(file)] == ["friendly", "practice"]


def test_namesakes_have_different_numbers_and_computers_and_erased_people_have_none() -> None:
    file = ResultsFile(MOST)
    file.add(1, [seat(7, "Ana"), seat(8, "Ana"), seat(None, "Lola"), seat(None, NOBODY)])
    file.add(2, [seat(8, "Ana the second")])
    assert [line["player"] for line in lines(file)] == ["1", "2", "", "", "2"]
    assert [line["name"] for line in lines(file)][2:4] == ["Lola", NOBODY]


def test_a_name_with_commas_quotes_and_lines_stays_one_cell() -> None:
    file = ResultsFile(MOST)
    file.add(1, [seat(7, 'Ana, "la \nmejor"')])
    assert [line["name"] for line in lines(file)] == ['Ana, "la mejor"']


def test_a_match_that_does_not_fit_is_left_out_whole() -> None:
    full = ResultsFile(MOST)
    full.add(1, [seat(7, "Ana"), seat(8, "Bea")])
    most = len(full.content())
    file = ResultsFile(most)
    assert file.add(2, [seat(7, "Ana"), seat(8, "Bea")])
    assert not file.add(1, [seat(7, "Ana")])
    assert file.matches == 1
    assert len(file.content()) == most


def test_names_are_disarmed() -> None:
    file = ResultsFile(MOST)
    file.add(1, [seat(7, "Ana;\u200b=1+1", rule_set="@Peña")])
    assert [(line["name"], line["rule_set"]) for line in lines(file)] == [("Ana;'=1+1", "'@Peña")]
