"""The table in docs/RULES.md: it names at least one test for each rule, and each of those tests exists."""

import re
from pathlib import Path

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
