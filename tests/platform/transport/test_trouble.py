"""Whose fault a refusal of Discord's is: each documented code, and what holds for one that nobody lists."""

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
import pytest

from bot.platform.transport import trouble
from bot.platform.transport.trouble import Trouble, is_shut_out, trouble_of

ROOT: Final = Path(__file__).parents[3]
DOCUMENTED: Final = [
    line.split(maxsplit=3) for line in (Path(__file__).parent / "error_codes.txt").read_text().splitlines()
]
"""Discord's page of JSON error codes of 2026-08: code, the HTTP status that it usually comes with, whose fault it is,
and Discord's words."""
QUARANTINE: Final = 20026
"""The code of a bot in quarantine, which isn't documented."""
KINDS: Final = {403: discord.Forbidden, 404: discord.NotFound}


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="refused")
    kind = discord.DiscordServerError if status >= 500 else KINDS.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "refused"})


@pytest.mark.parametrize(("code", "status", "fault", "meaning"), DOCUMENTED, ids=[each[0] for each in DOCUMENTED])
def test_each_documented_code_is_somebodys_fault(code: str, status: str, fault: str, meaning: str):
    expected = Trouble[fault.upper()]
    assert trouble_of(refusal(int(status), int(code))) is expected, meaning
    if int(code) in trouble._TROUBLES:
        for other in (400, 403, 404):
            assert trouble_of(refusal(other, int(code))) is expected, "whatever the status"
    for unwell in (429, 500, 503):
        assert trouble_of(refusal(unwell, int(code))) is Trouble.PASSING


def test_the_table_lists_only_what_is_documented_and_each_code_once():
    listed = [code for codes in trouble._CODES.values() for code in codes]
    assert len(listed) == len(set(listed))
    assert set(listed) - {int(each[0]) for each in DOCUMENTED} == {QUARANTINE}
    assert len(DOCUMENTED) == 240


@pytest.mark.parametrize("status", [400, 403])
def test_only_two_codes_mean_the_person(status: int):
    codes = [*(int(each[0]) for each in DOCUMENTED), QUARANTINE, 99_999, 0]
    assert [code for code in codes if trouble_of(refusal(status, code)) is Trouble.PERSON] == [50007, 50278]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (refusal(400, 99_999), Trouble.REFUSED),
        (refusal(403, 99_999), Trouble.SILENCED),
        (refusal(404, 99_999), Trouble.REFUSED),
        (refusal(401), Trouble.BOT),
        (refusal(400), Trouble.REFUSED),
        (refusal(403), Trouble.PASSING),
        (refusal(404), Trouble.PASSING),
        (refusal(408), Trouble.PASSING),
        (refusal(429), Trouble.PASSING),
        (refusal(500), Trouble.PASSING),
        (refusal(403, QUARANTINE), Trouble.BOT),
        (discord.RateLimited(60), Trouble.PASSING),
        (aiohttp.ClientConnectionError(), Trouble.PASSING),
        (TimeoutError(), Trouble.PASSING),
        (ValueError(), Trouble.REFUSED),
    ],
)
def test_what_nobody_lists_is_decided_by_its_status(error: Exception, expected: Trouble):
    assert trouble_of(error) is expected


def test_a_channel_is_shut_only_by_a_clear_answer():
    assert [is_shut_out(refusal(404, 10003)), is_shut_out(refusal(403, 50001))] == [True, True]
    unclear = (refusal(404), refusal(403), refusal(503), refusal(403, 40003), refusal(404, 10008), TimeoutError())
    assert not any(is_shut_out(each) for each in unclear)


def test_nobody_but_the_table_says_what_forbidden_or_not_found_means():
    """A bare `except discord.Forbidden`, or a test for one, would be a second opinion."""
    opinions = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in [*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")]
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute | ast.Name | ast.alias) and name_of(node) in ("Forbidden", "NotFound")
    ]
    assert opinions == []


def name_of(node: ast.Attribute | ast.Name | ast.alias) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else node.name
