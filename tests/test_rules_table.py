"""docs/RULES.md: its table names at least one existing test for each rule, and it has every decision that is cited."""

import re
from pathlib import Path

from bot.engine.rules import PRESETS

ROOT = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\|(?P<source>[^|]*)\|(?P<topic>[^|]*)\|(?P<rule>[^|]*)\|(?P<served>[^|]*)\|(?P<tests>[^|]*)\|$")
WRITTEN = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)


def rows() -> list[re.Match[str]]:
    """The rows of the table, without its heading."""
    text = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
    return [row for line in text.splitlines() if (row := ROW.match(line)) and "---" not in line][1:]


def written_tests() -> set[str]:
    """The names of every test function."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in WRITTEN.findall(text)}


def test_each_rule_names_tests_that_exist() -> None:
    there = written_tests()
    missing = {
        name: row["rule"].strip()
        for row in rows()
        for name in re.findall(r"`(\w+)`", row["tests"])
        if name not in there
    }
    assert not missing
    assert all(re.search(r"`test_\w+`", row["tests"]) for row in rows())


def test_all_five_sources_have_their_rules() -> None:
    sources = [match for row in rows() if (match := re.search(r"\d{3}", row["source"]))]
    assert [source.group() for source in sources] == ["000", "001", "002", "003", "004"]
    assert len(rows()) > 50


def test_every_preset_is_in_the_list() -> None:
    text = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(PRESETS)


def test_every_decision_that_the_code_cites_exists() -> None:
    text = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")
    decided = [int(number) for number in re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)]
    assert decided == list(range(1, len(decided) + 1))
    files = [path for room in ("bot", "cogs", "tests", "bench") for path in (ROOT / room).rglob("*.py")]
    cited = {
        int(number)
        for path in files
        for numbers in re.findall(r"\bdecisions? (\d+(?:(?:, | and )\d+)*)", path.read_text(encoding="utf-8"))
        for number in re.findall(r"\d+", numbers)
    }
    assert cited
    assert cited <= set(decided)
