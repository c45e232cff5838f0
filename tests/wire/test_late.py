"""Every private answer that is late: the bot defers it in time, then sends it, and only to the person who asked.

Several people in several channels send all possible commands and clicks at the same instant, and every answer takes so
long that the bot must defer it.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.platform.people import Person as Player
from bot.process.stores import Stores
from tests.support.fake_discord.person import Person
from tests.support.recorded import log_events, store_log
from tests.support.wiretap import Request
from tests.wire.ledger import Ledger
from tests.wire.seen import THINKING, WORKING, Seen, Shot, presses, words_of
from tests.wire.table import Table, tables
from tests.wire.world import Wire

LATE = 2.3
"""Seconds: longer than the bot waits before it defers an answer."""
DOTS = "…"
ADMIN = "escoba-admin"
PLAYERS = 12
"""How many are in the leaderboard: enough for two pages."""


class Scene:
    """A server with a match in one channel, a lobby in another, and nothing in a third.

    Ana has opened both games and plays with Bea; Zoe has no seat; Eva owns the server and the application.
    """

    def __init__(self, wire: Wire, table: Table) -> None:
        self.wire = wire
        self.table = table
        self.ana, self.bea = table.party.people
        self.zoe, self.eva = (wire.realm.add_person(name) for name in ("Zoe", "Eva"))
        self.match = table.channel_id
        self.lobby = wire.realm.add_channel("otra")
        self.empty = wire.realm.add_channel("vacia")
        self.looked_at = 0
        """How many messages have been searched for secrets."""
        self._checked = 0

    def public(self) -> dict[int, str]:
        """The messages that everybody sees now, by id, with their texts."""
        channels = (self.match, self.lobby, self.empty)
        return {seen.id: repr(seen.payload["components"]) for each in channels for seen in self.wire.history(each)}

    def slash(self, person: Person, channel_id: int, *names: str) -> list[Shot]:
        """Send several commands at once."""
        return [self.wire.send_slash(person, channel_id, _full(name)) for name in names]

    def press(self, person: Person, message: Seen, verb: str) -> Shot:
        """Click a message's button with this verb."""
        return self.wire.send_click(person, message, message.one(verb))

    def check(self) -> None:
        """Check that nothing sent since the last check reveals a secret, given what the database now holds."""
        ledger = Ledger(self.wire.database).read()
        ledger.check(self.wire.requests[self._checked :])
        self._checked = len(self.wire.requests)
        self.looked_at += ledger.bodies
        assert ledger.findings == []

    async def all_answered(self, shots: Sequence[Shot]) -> None:
        """Wait until all have their answers, and check that each was deferred first."""
        await self.wire.bot.until(lambda: all(bodies(shot) for shot in shots), 30)
        await self.wire.settle()
        for shot in shots:
            assert shot.got is not None
            assert shot.got.kind in (THINKING, WORKING), f"{shot} should have been deferred"

    def sees(self, person: Person, channel_id: int, custom_id: str) -> Seen:
        """The newest private message of a person that has such a button or menu."""
        for seen in reversed(self.wire.history(channel_id, person)):
            if seen.private and any(press.custom_id.startswith(custom_id) for press in seen.presses):
                return seen
        raise AssertionError(f"{person.name} doesn't see {custom_id}")


def _full(name: str) -> str:
    """A command's full name, as people type it."""
    return name if name == ADMIN else f"escoba {name}"


def bodies(shot: Shot) -> list[Request]:
    """What was sent after deferring, except for the dots that end an answer that had to be deferred in public."""
    said = [request for request in shot.later if request.message.get("components") and request.status == 200]
    return [request for request in said if words_of(request.message["components"]) != DOTS]


def check_is_private(scene: Scene, shot: Shot) -> None:
    """Check that the answer has come, isn't empty, and is visible only to the person who asked."""
    for request in bodies(shot):
        assert request.viewer == shot.person.id, f"{shot} was answered in public"
        text = words_of(request.message["components"])
        assert text.strip() or list(presses(request.message["components"])), f"{shot} got an empty answer"
        for person in (scene.ana, scene.bea, scene.zoe, scene.eva, None):
            ids = [seen.id for seen in scene.wire.history(shot.channel_id, person)]
            assert (request.message_id in ids) is (person == shot.person), f"{shot}: does {person} see the answer?"


@asynccontextmanager
async def late_scene(folder: Path) -> AsyncIterator[Scene]:
    """The server, with all answers late from now on. At the end everything must be answered, and nothing leaked."""
    async with tables(folder) as (w, [table]):
        made = Scene(w, table)
        w.realm.give_server(made.eva)
        w.realm.owner = made.eva
        await w.slash(made.ana, made.lobby, "escoba play")
        await fill_leaderboard(w)
        w.delay_answers(LATE)
        yield made
        await w.settle()
        assert w.realm.still_thinking() == []
        assert w.unanswered == []
        made.check()
        assert made.looked_at > 0


async def fill_leaderboard(w: Wire) -> None:
    """Store enough results to fill more than one page of the leaderboard."""
    store = await Stores.open(w.database)
    try:
        for number in range(0, PLAYERS, 2):
            two = [Player(900 + each, f"Old {each}") for each in (number, number + 1)]
            await store_log(store, w.realm.guild_id, number, log_events("escoba", two, target=5), datetime.now(UTC))
    finally:
        await store.database.close()


@pytest.mark.thorough
async def test_late_private_answers_and_refusals_of_public_commands_reach_only_the_person_who_asked(
    tmp_path: Path,
) -> None:
    async with late_scene(tmp_path) as here:
        before = here.public()
        private = [
            *here.slash(here.ana, here.match, "hand", "rules", "leaderboard", "stats", "games", "me", "leave"),
            *here.slash(here.eva, here.empty, "settings", ADMIN, "rules"),
            *here.slash(here.bea, here.match, "settings", ADMIN, "leave"),
            *here.slash(here.zoe, here.match, "hand", "leave"),
            *here.slash(here.zoe, here.empty, "hand", "leave"),
        ]
        private += [*here.slash(here.zoe, here.empty, "table"), *here.slash(here.zoe, here.match, "table")]
        refused = [*here.slash(here.ana, here.match, "play"), *here.slash(here.zoe, here.lobby, "play")]
        await here.all_answered([*private, *refused])
        for shot in private:
            assert shot.got is not None
            assert shot.got.private, f"{shot} was deferred in public"
            check_is_private(here, shot)
        for shot in refused:
            assert shot.got is not None
            assert not shot.got.private, f"{shot} should have been deferred in public"
            check_is_private(here, shot)
        assert here.public() == before
        [shot] = shown = here.slash(here.ana, here.match, "table")
        await here.all_answered(shown)
        assert [request.viewer for request in bodies(shot)] == [None]
        assert len(here.public()) == len(before) + 1


@pytest.mark.thorough
async def test_late_answers_to_clicks_reach_only_the_person_who_clicked(tmp_path: Path) -> None:
    async with late_scene(tmp_path) as here:
        before = here.public()
        table, lobby = here.table.shown, here.wire.table(here.lobby)
        panel = here.table.panel(here.table.other)
        clicks = [
            here.press(here.ana, table, "hand"),
            here.press(here.zoe, table, "hand"),
            here.press(here.table.other, panel, "panel"),
            here.wire.send_click(here.zoe, table, panel.presses[0].custom_id, checked=False),  # forged
            here.wire.send_click(here.zoe, table, "e:unknown:1:1", checked=False),
            here.press(here.ana, lobby, "options"),
            here.press(here.zoe, lobby, "options"),
            here.press(here.ana, lobby, "join"),
            here.press(here.zoe, lobby, "addc"),
        ]
        await here.all_answered(clicks)
        for shot in clicks:
            check_is_private(here, shot)
        assert here.public() == before


@pytest.mark.thorough
async def test_late_answers_to_clicks_on_private_messages_stay_private(tmp_path: Path) -> None:
    async with late_scene(tmp_path) as here:
        here.wire.delay_answers(0)
        for person, channel_id, names in (
            (here.ana, here.match, ("leave", "leaderboard", "games", "me")),
            (here.bea, here.match, ("leave", "leaderboard", "me")),
            (here.eva, here.empty, ("settings",)),
            (here.zoe, here.empty, ("me",)),
        ):
            for name in names:
                await here.wire.slash(person, channel_id, f"escoba {name}")
                if name == "me":
                    await here.wire.click(person, here.sees(person, channel_id, "p:see"), "p:see")
        lobby = here.wire.table(here.lobby)
        await here.wire.click(here.ana, lobby, lobby.one("options"))
        options = here.sees(here.ana, here.lobby, "e:rules")
        await here.wire.click(here.ana, options, options.one("rules"))
        rules, settings = here.sees(here.ana, here.lobby, "e:rule:"), here.sees(here.eva, here.empty, "s:change")
        await here.wire.select(here.ana, rules, rules.one("rule"), ["preset"])
        await here.wire.select(here.eva, settings, "s:change", ["target"])
        await here.wire.settle()
        here.wire.delay_answers(LATE)
        before = here.public()

        def on(person: Person, channel_id: int, custom_id: str, values: list[str] | None = None) -> Shot:
            message = here.sees(person, channel_id, custom_id)
            found = next(each.custom_id for each in message.presses if each.custom_id.startswith(custom_id))
            return here.wire.send_click(person, message, found, values)

        clicks = [
            on(here.ana, here.match, "e:keep"),
            on(here.bea, here.match, "e:keep"),
            on(here.ana, here.match, "r:next"),
            on(here.bea, here.match, "r:change", ["metric"]),
            on(here.ana, here.match, "p:erase"),
            on(here.bea, here.match, "p:data"),
            on(here.zoe, here.empty, "p:data"),
            on(here.eva, here.empty, "s:target", ["11"]),
        ]
        await here.all_answered(clicks)
        for shot in clicks:
            check_is_private(here, shot)
        assert here.public() == before
        kept = on(here.ana, here.match, "p:keep")
        ruled = on(here.ana, here.lobby, "e:preset", ["quince"])
        await here.all_answered([kept, ruled])
        for shot in (kept, ruled):
            check_is_private(here, shot)
        await here.wire.bot.until(lambda: "quince" in here.wire.table(here.lobby).text, 20)


@pytest.mark.thorough
async def test_a_table_asked_for_right_after_a_restart_is_posted_to_everybody_even_if_late(tmp_path: Path) -> None:
    async with tables(tmp_path, launch={"WIRE_ASLEEP": "1"}) as (w, [table]):
        ana, bea = table.party.people
        zoe = w.realm.add_person("Zoe")
        before = table.shown
        await w.restart()
        w.delay_answers(LATE)
        shot = w.send_slash(ana, table.channel_id, "escoba table")
        copied = w.send_slash(zoe, table.channel_id, "escoba table")
        await w.bot.until(lambda: bool(bodies(shot) and bodies(copied)), 30)
        await w.settle()
        w.delay_answers(0)
        assert [shot.got and shot.got.private, copied.got and copied.got.private] == [False, True]
        assert table.shown.id > before.id
        assert w.rows("SELECT message_id FROM games") == [(table.shown.id,)]
        assert w.realm.still_thinking() == []
        await w.click(bea, table.shown, table.shown.one("hand"))
        await table.moves(1)
        await table.catches_up()


@pytest.mark.thorough
async def test_late_confirmations_of_leaving_and_cancelling_are_private(tmp_path: Path) -> None:
    async with late_scene(tmp_path) as here:
        await here.wire.click(here.bea, here.wire.table(here.lobby), here.wire.table(here.lobby).one("join"))
        for person, channel_id, what in ((here.bea, here.match, "leave"), (here.ana, here.lobby, "cancel")):
            here.wire.delay_answers(0)
            await here.wire.slash(person, channel_id, "escoba leave")
            here.wire.delay_answers(LATE)
            message = here.sees(person, channel_id, f"e:{what}yes")
            here.check()  # before the person's hand stops being theirs
            shot = here.press(person, message, f"{what}yes")
            asked = here.slash(here.zoe, channel_id, "me")
            await here.all_answered([shot, *asked])
            check_is_private(here, shot)
            check_is_private(here, asked[0])
        games = Ledger(here.wire.database).read().games.values()
        phases = {game.channel_id: game.state.phase.value for game in games}
        assert [phases[here.match], phases[here.lobby]] == ["playing", "cancelled"]
