"""CSV: a spreadsheet runs none of it, whichever character separates its cells."""

import csv
import io
import re
from pathlib import Path

import pytest

import bot
from bot.platform.language.spreadsheet import cell, lines

SEPARATORS = ",;|\t"
FORMULA = re.compile(r'[\s"]*[=+\-@＝＋－＠﹣⁺⩵]')
DANGEROUS = (
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\rx", " =1", "＝1", "－1", "⩵1", '"=1"', '=HYPERLINK("x","y")'),
    *("Ana;=1+1", "Ana; =1", "Ana,@SUM(A1)", "Ana|-1", "Ana\t+1", "Ana\n=1", "Ana\r\n=1", "Ana\u2028=1", "Ana\x0b=1"),
    *('Ana;"=1"', 'Ana";"=1', "Ana;＝1", ";;=1", "a;=1;b;=2", "=cmd|' /C calc'!A0"),
)


def cells(content: bytes, separator: str) -> list[str]:
    """All cells of a file, as a spreadsheet reads it."""
    text = io.StringIO(content.decode(), newline=None)
    return [each for row in csv.reader(text, delimiter=separator) for each in row]


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_part_of_a_text_is_a_formula(text: str) -> None:
    content = lines([["match", text, text], [1, text, "Bea"]])
    for separator in SEPARATORS:
        for whole in cells(content, separator):
            assert not any(FORMULA.match(part) for part in whole.splitlines()), (separator, whole)
    assert not any(FORMULA.match(part) for part in re.split(r"[,;|\t\n\r\v\f\x85\u2028\u2029]", cell(text)))


@pytest.mark.parametrize("text", ["Ana", "Ñandú", "a=b", "7o", "—", "", "Ana; Bea", "Ana -1", "a@b.c", '"Ana"'])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert cell(text) == text


def test_every_cell_is_quoted_and_numbers_stay_numbers() -> None:
    assert lines([["a", 1, None, -12], ['"b"', "c;d"]]) == b'"a","1","","-12"\r\n"""b""","c;d"\r\n'


def test_nothing_else_in_the_bot_writes_csv() -> None:
    root = Path(bot.__file__).parent
    found = [
        str(each.relative_to(root))
        for each in root.rglob("*.py")
        if re.search(r"^(import|from) csv\b", each.read_text("utf-8"), re.M)
    ]
    assert found == ["platform/language/spreadsheet.py"]
