"""The dose of a long test is its usual one multiplied by DOSE, or the one that its own variable sets."""

import pytest

from tests.support.dose import THIRDS, chosen, dose, thorough_but


@pytest.mark.parametrize(
    ("wanted", "repetitions"),
    [
        ({}, 30),
        ({"DOSE": "2"}, 60),
        ({"EXAMPLE": "2000"}, 2000),
        ({"EXAMPLE": "7", "DOSE": "2"}, 7),
    ],
    ids=str,
)
def test_a_dose_is_multiplied_or_set(monkeypatch: pytest.MonkeyPatch, wanted: dict[str, str], repetitions: int) -> None:
    monkeypatch.delenv("DOSE", raising=False)
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)
    assert dose("EXAMPLE", 30) == repetitions


def test_all_parameters_but_the_usual_ones_are_thorough() -> None:
    usual, other = thorough_but(["two", "three"], "two")
    assert usual == "two"
    assert other == pytest.param("three", marks=pytest.mark.thorough)


def test_the_usual_tests_and_three_shares_of_the_thorough_ones_are_all_tests_each_once() -> None:
    tests = {f"tests/test_it.py::test_it[{value}]": value > 3 for value in range(30)}
    parts = [chosen(tests, asked) for asked in ("", *THIRDS)]
    assert sorted(node for part in parts for node in part) == sorted(tests)
    assert all(parts)
    assert parts[0] == {f"tests/test_it.py::test_it[{value}]" for value in range(4)}
    assert chosen(tests, "1") == set(tests)
