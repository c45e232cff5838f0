"""Shards as a value: how they are written, and which servers belong to them."""

import pytest

from bot.platform.shards import ALL, Shards


@pytest.mark.parametrize(
    ("text", "numbers", "count", "written"),
    [
        ("0-3/16", (0, 1, 2, 3), 16, "0-3/16"),
        ("0,2/4", (0, 2), 4, "0,2/4"),
        (" 8-9, 0-1,4 / 10", (0, 1, 4, 8, 9), 10, "0-1,4,8-9/10"),
        ("2,1,0/3", (0, 1, 2), 3, "0-2/3"),
        ("0/1", (0,), 1, "0/1"),
    ],
)
def test_a_text_names_shards_and_how_many_there_are(
    text: str, numbers: tuple[int, ...], count: int, written: str
) -> None:
    shards = Shards.parse(text)
    assert (shards.numbers, shards.count, str(shards)) == (numbers, count, written)
    assert Shards.parse(str(shards)) == shards


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "/4",
        "0-3",
        "4/4",
        "0-4/4",
        "3-0/4",
        "0,0/4",
        "0-2,1/4",
        "-1/4",
        "0-/4",
        "a/4",
        "0/0",
        "0/16385",
        "0/4/4",
    ],
)
def test_an_invalid_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the setting has its own words
        Shards.parse(text)
    assert Shards.read(text) == ALL


def test_each_server_belongs_to_one_shard() -> None:
    some, rest = Shards.parse("0-1/4"), Shards.parse("2-3/4")
    for guild in range(8):
        guild_id = (guild << 22) + 4_194_303
        assert some.of(guild_id) == guild % 4
        assert some.has(guild_id) is not rest.has(guild_id)
        assert ALL.has(guild_id)


def test_shards_know_whether_they_are_all_and_which_share_they_are() -> None:
    some = Shards.parse("1-4/16")
    assert (some.complete, some.first, some.share) == (False, False, 0.25)
    assert (ALL.complete, ALL.first, ALL.share) == (True, True, 1.0)
    assert Shards.parse("0-3/4").complete


def test_shards_of_different_counts_may_overlap() -> None:
    assert not Shards.parse("0-1/4").meets(Shards.parse("2-3/4"))
    assert Shards.parse("0-2/4").meets(Shards.parse("2-3/4"))
    assert Shards.parse("0/4").meets(Shards.parse("1/8"))
    assert ALL.meets(Shards.parse("1/8"))
