"""Tables in the middle of a match, for tests of what a single click leads to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.fake_discord.person import Person
from tests.support.wiretap import Request
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.seen import Seen, Shot
from tests.wire.world import Wire, wire


class Table:
    """A channel's match, with everybody's panel open."""

    def __init__(self, wire: Wire, party: Party) -> None:
        self.wire = wire
        self.party = party
        self.channel_id = party.channel_id
        self._ledger = Ledger(wire.database)

    @property
    def shown(self) -> Seen:
        """The table message."""
        return self.wire.table(self.channel_id)

    @property
    def turn(self) -> Person:
        """The player whose turn it is: whose panel has a card to play."""
        found = [member for member in self.party.people if self.panel(member).find("card", "take")]
        assert found, f"nobody sees a card to play: {[self.panel(member).text for member in self.party.people]}"
        return found[0]

    @property
    def other(self) -> Person:
        """A player whose turn it isn't."""
        turn = self.turn
        return next(member for member in self.party.people if member != turn)

    def panel(self, member: Person) -> Seen:
        """A person's panel."""
        return self.wire.panel(self.channel_id, member)

    def move(self) -> Shot:
        """Play a card for the player whose turn it is, without waiting for the answer."""
        panel = self.panel(self.turn)
        return self.wire.send_click(self.turn, panel, panel.find("card", "take")[0].custom_id)

    async def moves(self, count: int) -> None:
        """Play `count` moves, each answered and shown on the next player's panel before the next."""
        for _ in range(count):
            await self.move().end()
            await self.wire.bot.until(lambda: any(self.panel(m).find("card", "take") for m in self.party.people))

    @property
    def version(self) -> int:
        """The length of the log of the channel's newest game."""
        query = "SELECT max(version) FROM events JOIN games ON id = game_id WHERE channel_id = ?"
        return self.wire.rows(query, self.channel_id)[0][0]

    @property
    def phase(self) -> str:
        """The phase of the channel's newest game."""
        games = [game for game in self._ledger.read().games.values() if game.channel_id == self.channel_id]
        return games[-1].state.phase.value

    @property
    def unseen(self) -> bool:
        """Whether the bot has noted that the channel takes no message."""
        query = "SELECT value FROM key_values WHERE key = 'unseen:' || (SELECT max(id) FROM games WHERE channel_id = ?)"
        return any(value.endswith("null]]") for (value,) in self.wire.rows(query, self.channel_id))

    @property
    def up_to_date(self) -> bool:
        """Whether the table message shows the same cards as the log."""
        ledger = self._ledger.read()
        game = next(game for game in ledger.games.values() if game.channel_id == self.channel_id and not game.closed)
        if (shown := self.wire.latest(self.channel_id, "hand", "next")) is None:
            return False
        words = shown.text
        assert game.state.match is not None
        cards = game.state.match.round.table if game.state.match.round is not None else ()
        line = next((line for line in words.splitlines() if line.startswith("# ")), "")
        faces = [f"{card.printed}" for card in cards]
        return sum(char.isdigit() for char in line) == sum(map(len, faces)) and all(face in line for face in faces)

    async def catches_up(self, version: int = 0) -> None:
        """Wait until the log has reached `version` and the table message shows the newest state.

        Raises:
            AssertionError: if that takes too long.
        """
        await self.wire.bot.until(lambda: self.version >= version and self.up_to_date)

    def requests(self, since: int = 0) -> list[Request]:
        """The requests that the bot has sent to the channel after number `since`."""
        mine = f"/channels/{self.channel_id}/"
        return [request for request in self.wire.requests if request.number > since and request.path.startswith(mine)]


def manager_of(w: Wire) -> Person:
    """Somebody who sits at no table and may end any, as the server is theirs."""
    manager = w.realm.add_person("Mod")
    w.realm.give_server(manager)
    return manager


async def end_question(w: Wire, manager: Person, channel_id: int) -> Seen:
    """Have somebody who may end a channel's game ask for that; returns the question."""
    await w.slash(manager, channel_id, "escoba play")
    busy = w.latest(channel_id, "cancel", viewer=manager)
    assert busy is not None
    await w.click(manager, busy, busy.one("cancel"))
    question = w.latest(channel_id, "cancelyes", viewer=manager)
    assert question is not None
    return question


@asynccontextmanager
async def tables(
    folder: Path, count: int = 1, *, people: int = 2, friendly: bool = False, **how: Any
) -> AsyncIterator[tuple[Wire, list[Table]]]:
    """`count` tables in the middle of their first round, with no request under way."""
    async with wire(folder, [f"P{n}" for n in range(people * count)], channels=count, **how) as w:
        made = [Table(w, party) for party in parties(w, people, friendly=friendly)]
        for table in made:
            await table.party.play(until=lambda t=table: _begun(t))
        await w.settle()
        yield w, made


def _begun(table: Table) -> bool:
    w = table.wire
    panels = [w.latest(table.channel_id, "panel", viewer=member) for member in table.party.people]
    return None not in panels and any(panel.find("card") for panel in panels if panel is not None)
