"""No public text names a card of a hand or the stock, and no private text a card that its reader may not see.

Every test in this folder is watched like this. Here, whole matches of four people are watched together with
their log lines, and the watch itself is tested.
"""

import json
import logging
from typing import Any

import pytest

from bot.engine.cards import CardSet
from bot.tables.ids.game import pack
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.secrecy import default_finder
from tests.support.truth import hidden_from, match_of
from tests.support.wiretap import Request


class Logged(logging.Handler):
    """Finds secret cards in the bot's log records at every level."""

    def __init__(self, here: Room) -> None:
        super().__init__(logging.DEBUG)
        self.here = here
        self.found: list[str] = []
        self.lines = 0

    def emit(self, record: logging.LogRecord) -> None:
        table = self.here.bot.parts.manager.at(self.here.channel.id)
        match = None if table is None else match_of(table)
        if match is not None:
            self.lines += 1
            text = record.getMessage()
            self.found += sorted(default_finder().cards(text) & {str(card) for card in hidden_from(match, None)})


@pytest.mark.parametrize(
    ("preset", "pairs"),
    [
        pytest.param("escoba", False, id="each", marks=pytest.mark.thorough),
        pytest.param("escoba", True, id="pairs", marks=pytest.mark.thorough),
        pytest.param("quince", True, id="manual"),
    ],
)
async def test_nothing_secret_is_sent_or_logged_in_a_match_of_four(room_of: RoomOf, preset: str, pairs: bool):
    async with room_of(4, chance=Decks(6)) as here:
        logged, bot_logger = Logged(here), logging.getLogger("bot")
        level = bot_logger.level
        bot_logger.addHandler(logged)
        bot_logger.setLevel(logging.DEBUG)
        try:
            await here.begin(variant=preset, pairs=pairs, target=5)
            await here.play_out()
        finally:
            bot_logger.removeHandler(logged)
            bot_logger.setLevel(level)
        assert here.watch.seen > 200
        assert here.watch.cards > 2000
        assert logged.found == []
        here.tap.check()


def request(body: Any, viewer: int | None = None) -> Request:
    """A request as the watch receives it."""
    return Request(1, None, "POST", "/channels/1/messages", body, json.dumps(body), viewer=viewer)  # type: ignore[arg-type]


async def test_the_watch_finds_every_way_to_write_a_card(room_of: RoomOf):
    rigged = Decks(rigged={1: "1b 2b 3b 4b 5b 6b 1o 2c 7c 12o"}, dealer=1)
    async with room_of(3, chance=rigged) as here:
        await here.begin(2)
        ana, bea, stranger = here.people
        match = match_of(here.table)
        assert match is not None
        assert str(hidden_from(match, 0) & CardSet.of("1b 2b 3b 4b 5b 6b 1o")) == "4b 5b 6b"

        def found(text: str, viewer: int | None = None, key: str = "content") -> list[str]:
            return [note.split()[2] for note in here.watch(request({key: text}, viewer))]

        assert found("1b and 1o") == ["1b"]
        assert found("**1🪵**, 1🪙 and 10🗡️") == ["1b", "10e"]
        assert found("1b 4b 6e", ana.id) == ["4b", "6e"]
        assert found("1b 4b 6e", bea.id) == ["1b", "6e"]
        assert found("1b 4b 1o", stranger.id) == ["1b", "4b"]
        assert found("e:card:4b:1b:2b", key="custom_id") == ["2b"]  # game 4b and version 1b are numbers
        packed = pack(CardSet.of("2b 1o"))
        assert found(f"e:take:1:3:2c:{packed}", key="custom_id") == ["2b"]
        assert found(f"e:pick:1:3:claim:{packed}:0", ana.id, key="custom_id") == []
        assert found(f"e:pick:1:3:claim:{packed}:0", bea.id, key="custom_id") == ["2b"]
        assert found("-# Left on the table: 3🪵. They go to Bea, who took last.") == ["3b"]  # no round ended so
        assert found("**Example:** with 3🪵 on the table, a 4 takes") == ["3b"]  # that isn't the example in the rules


async def test_the_watch_finds_cards_hidden_in_ids_names_and_colours(room_of: RoomOf):
    rigged = Decks(rigged={1: "1b 2b 3b 4b 5b 6b 1o 2c 7c 12o"}, dealer=1)
    async with room_of(3, chance=rigged) as here:
        await here.begin(2)
        ana = here.people[0]

        def found(key: str, value: Any, viewer: int | None = None) -> str:
            return " | ".join(here.watch(request({"components": [{key: value}]}, viewer)))

        hand, table = pack(CardSet.of("1b 2b 3b")), pack(CardSet.of("1o 2c"))
        for custom_id in (f"e:hand:1:3:{hand}", f"e:next:1:3:{hand}", "b:open:1:2:3:0", "w:open:1:4"):
            assert "arguments that a public" in found("custom_id", custom_id), custom_id
        for custom_id in (
            "e:card:1:3:7c",
            f"e:pick:1:3:7c:{table}:0",
            "e:panel:1:3",
            "p:data",
            "t:begin:1",
            "w:go:1:0",
        ):
            assert "a public button that is for private messages only" in found("custom_id", custom_id), custom_id
        assert "secret card 2b" in found("custom_id", f"e:take:1:3:7c:{hand}")
        for custom_id in (f"e:take:1:3:7c:{table}:1", f"e:take:1:3:{table}", f"e:take:1:3:{table}:{table}"):
            assert "arguments that a public take" in found("custom_id", custom_id), custom_id
        assert "of no screen" in found("custom_id", f"x:{hand}")
        for custom_id in ("e:hand:1:3", "e:next:1:3", f"e:take:1:3:7c:{table}"):
            assert found("custom_id", custom_id) == ""
        for custom_id in ("e:card:1:3:1b", "e:lay:1:3:1b", f"e:pick:1:3:1b:{table}:0", "e:panel:1:3", "p:data"):
            assert found("custom_id", custom_id, ana.id) == ""
        assert "secret card 4b" in found("custom_id", f"e:choose:1:3:any:{pack(CardSet.of('4b'))}", ana.id)
        assert found("custom_id", f"e:choose:1:3:any:{table}", ana.id) == ""
        for custom_id in (f"e:panel:1:3:{hand}", f"e:card:1:3:1b:{hand}", f"e:card:1:3:{hand}"):
            assert "arguments that" in found("custom_id", custom_id, ana.id), custom_id
        assert "secret card 4b" in found("content", "el cuatro de bastos", ana.id)
        assert "secret card 1b" in found("description", "as_de_bastos.png")
        assert "U+200B U+200C" in found("content", "## Round 1\u200b\u200c")
        assert "colour" in found("accent_color", 0x2F8500 + (1 << 3))
        assert found("accent_color", 0x2F855A) == ""
        for line in ("**Oros**: Ana 1 · Bea 9 **+1**", "**Seven of oros**: Bea **+1**", "- the seven of oros: 1"):
            assert found("content", line) == ""  # an item of the score or of the rules
        assert "secret card 7o" in found("content", "**Seven of oros**")
