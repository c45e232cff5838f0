"""How the bot starts: its shards, its budget of sessions, and the clear reasons it gives when Discord refuses it."""

import re
import time
from pathlib import Path

import pytest

from bot.cards.pictures.emojis import card_emojis
from bot.platform.database.ownership.port import lock_of
from tests.support.fake_discord import entry_point
from tests.wire.starts import DAY
from tests.wire.world import Wire, wire

_CONNECTED = r"INFO +bot\.process\.gateway: Connected to (\d+) servers in (\d+) shards"


def warnings_and_errors(w: Wire) -> list[str]:
    """The lines of the log above the level INFO."""
    return [line for line in w.log.splitlines() if not re.match(r"\S+ INFO ", line)]


# ------------------------------------------------------------------------------------------------ the shards
@pytest.mark.thorough
async def test_the_recommended_shards_serve_all_servers_and_note_those_left_before_a_new_session_as_missing(
    tmp_path: Path,
) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.shards = w.gateway.shards_needed = 2
        homes = {w.realm.add_guild(name, shard=(number, 2)): number for number, name in ((0, "G"), (1, "S"), (1, "L"))}
        other, stays, leaves = homes
        await w.start_bot()
        await w.bot.until(lambda: w.gateway.shards_online == {0, 1} and w.log_has(_CONNECTED))
        assert re.findall(_CONNECTED, w.log) == [("4", "2")]
        for guild, shard in homes.items():
            channel, person = w.realm.add_channel("mesa", guild), w.realm.add_person("Zoe", guild)
            await w.settle()
            await w.slash(person, channel, "escoba play")
            assert w.table(channel, "join"), f"shard {shard} doesn't serve its server"
        await w.settle()
        w.gateway.hold()
        await w.gateway.close(4009, forget=True, shard=1)
        w.realm.remove_guild(leaves)
        w.gateway.release()
        await w.bot.until(lambda: w.log_has("Shard 1 has reconnected in a new session"))
        await w.bot.until(lambda: w.rows("SELECT guild_id FROM departures") == [(leaves,)])
        open_games = w.rows("SELECT guild_id FROM games WHERE closed_at IS NULL ORDER BY id")
        assert open_games == [(other,), (stays,), (leaves,)]
        assert w.gateway.identifies == 3


@pytest.mark.thorough
async def test_a_start_without_a_network_waits_for_one(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        fault = w.faults.add("GET", "/users/@me", drop=True, times=2)
        await w.start_bot()
        assert fault.over
        assert w.log_has("can.t be reached .*: trying again in 1 s")
        await w.slash(w.people[0], w.channels[0], "escoba play")
        assert await w.term() == 0
        assert "Unclosed" not in w.log


# ---------------------------------------------------------------------------------------------- the commands
@pytest.mark.thorough
async def test_commands_are_registered_once(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:

        async def registrations() -> int:
            await w.bot.until(lambda: w.log_has(_CONNECTED))
            await w.settle()
            return len(w.sent("PUT", "/applications/*/commands"))

        assert await registrations() == 1
        await w.restart()
        assert await registrations() == 1


@pytest.mark.thorough
async def test_a_bot_of_another_application_stops_before_it_changes_anything(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:
        await w.slash(w.people[0], w.channels[0], "escoba play")
        await w.bot.until(lambda: bool(w.rows("SELECT 1 FROM key_values WHERE key = 'application'")))
        await w.term()
        before = w.rows("SELECT * FROM games"), w.rows("SELECT * FROM key_values ORDER BY key")
        home = w.realm.backend.guilds.pop(w.realm.guild_id)
        w.realm.backend.application_id += 1
        identified, sent = w.gateway.identifies, w.requests[-1].number
        for command in ("run", "sync"):
            w.bot.environment["WIRE_COMMAND"] = command
            await w.start_bot(connect=False)
            assert await w.bot.ended() == 2
        assert re.findall(r"ERROR +bot\.process\.serve: .* belongs to the application .* `sync --adopt`", w.log)
        assert w.gateway.identifies == identified
        assert {request.method for request in w.requests if request.number > sent} == {"GET"}
        assert (w.rows("SELECT * FROM games"), w.rows("SELECT * FROM key_values ORDER BY key")) == before
        w.realm.backend.guilds[home.id] = home
        w.realm.backend.application_id -= 1
        w.bot.environment["WIRE_COMMAND"] = "run"
        await w.start_bot()
        await w.click(w.people[0], w.table(w.channels[0]), w.table(w.channels[0]).one("join"))
        w.allowed.append("belongs to the application")


@pytest.mark.thorough
async def test_the_sync_command_sends_commands_and_emojis_beside_a_running_bot(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False, launch={"WIRE_COMMAND": "sync"}) as w:
        with lock_of(w.database):
            for runs in (1, 2):
                await w.start_bot(connect=False)
                assert await w.bot.ended() == 0, w.log
                assert len(w.sent("PUT", "/applications/*/commands")) == runs, "even if they were sent before"
        assert len(w.sent("POST", "/applications/*/emojis")) == len(card_emojis()), "only the missing ones"
        assert w.gateway.identifies == 0
        assert warnings_and_errors(w) == []


async def test_the_sync_command_keeps_the_command_that_opens_an_activity(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False, launch={"WIRE_COMMAND": "sync"}) as w:
        made = entry_point.switch_activities_on(w.realm.backend, name_localizations={"es-ES": "lanzar"})
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 0, w.log
        assert entry_point.stored(w.realm.backend) == made
        assert w.realm.has_sub_commands()
        assert warnings_and_errors(w) == []


@pytest.mark.parametrize(("status", "exit_code"), [(400, 2), pytest.param(403, 2, marks=pytest.mark.thorough)])
async def test_the_sync_command_uploads_the_emojis_even_if_the_commands_are_refused(
    tmp_path: Path, status: int, exit_code: int
) -> None:
    async with wire(tmp_path, 1, started=False, check=False, launch={"WIRE_COMMAND": "sync"}) as w:
        w.faults.add("PUT", "/applications/*/commands", status, code=30034)
        await w.start_bot(connect=False)
        assert await w.bot.ended() == exit_code
        assert w.log_has(r"ERROR +bot\.process\.serve: The commands could not be synced: .*30034")
        assert len(w.sent("POST", "/applications/*/emojis")) == len(card_emojis())


async def test_a_sync_that_exceeds_the_limit_of_emojis_keeps_what_is_done_and_goes_on_at_the_next_call(
    tmp_path: Path,
) -> None:
    async with wire(tmp_path, 1, started=False, launch={"WIRE_COMMAND": "sync"}) as w:
        w.server.rates.emojis = (50, 1800.0)
        for _ in range(2):
            await w.start_bot(connect=False)
            assert await w.bot.ended() == 1, "another start may help"
        said = re.findall(r"WARNING +bot\.process\.wording: .* 38 of 88 .* again in 30 minutes", w.log)
        assert len(said) == 2, w.log
        w.server.rates.clock = lambda: time.monotonic() + 1800.0
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 0, w.log
        made = [request.body["name"] for request in w.sent("POST", "/applications/*/emojis") if request.status < 400]
        assert len(made) == len(set(made)) == len(card_emojis())
        assert w.log_has("The emojis were synced: 38 new")


# ------------------------------------------------------------------------------------------------ the budget
async def test_the_last_sessions_of_a_budget_are_not_used(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.starts.used = 985
        w.gateway.starts._since = time.monotonic() - DAY / 2
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.log_has("only 15 more of its 1000 sessions a day.* waiting for 12.0 hours"))
        assert await w.term() == 0, "it stops at once even so"
        assert w.gateway.identifies == 0
        assert len(warnings_and_errors(w)) == 1


@pytest.mark.thorough
async def test_it_connects_once_the_budget_is_renewed(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        left = 4.0  # of the day, which stands still until the bot has begun to wait
        w.gateway.starts.used, w.gateway.starts._since, w.gateway.starts.clock = 999, 0.0, lambda: DAY - left
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.log_has("sessions a day"))
        assert w.gateway.identifies == 0
        began = time.monotonic()
        w.gateway.starts.clock = lambda: DAY - left + time.monotonic() - began
        await w.bot.until(lambda: w.log_has(_CONNECTED))
        assert w.gateway.starts.used == 1
        assert len(warnings_and_errors(w)) == 1, "it is logged once"


async def test_a_bot_with_more_shards_keeps_more_of_the_budget(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.shards = 8
        w.gateway.starts.used = 975
        w.gateway.starts._since = time.monotonic()
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.log_has("only 25 more .* each of 8 shards needs one"))
        assert w.gateway.identifies == 0


# ------------------------------------------------------------------------------------------- refused for good
@pytest.mark.parametrize(
    ("code", "words", "exit_code"),
    [
        (4004, "refused the token", 2),
        pytest.param(4011, "more shards than this bot has: start it again", 1, marks=pytest.mark.thorough),
    ],
)
async def test_a_bot_that_is_refused_exits_with_one_clear_line(
    tmp_path: Path, code: int, words: str, exit_code: int
) -> None:
    async with wire(tmp_path, 1, started=False, check=False) as w:
        w.gateway.refuses = code
        await w.start_bot(connect=False)
        assert await w.bot.ended() == exit_code
        assert len(warnings_and_errors(w)) == 1, w.log
        assert re.search(rf"ERROR +bot\.process\.serve: .*{words}", w.log)


async def test_a_refusal_of_the_first_shard_spends_no_session_on_the_others(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False, check=False) as w:
        w.gateway.shards, w.gateway.refuses = 6, 4014
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 2
        assert w.gateway.turned_away < w.gateway.shards, "it doesn't wait for the other shards"
        assert len(warnings_and_errors(w)) == 1, w.log


@pytest.mark.thorough
async def test_a_bot_disconnected_for_good_exits_with_one_clear_line(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, check=False) as w:
        await w.bot.until(lambda: w.log_has(_CONNECTED))
        await w.gateway.close(4014)
        assert await w.bot.ended() == 2
        assert len(warnings_and_errors(w)) == 1, w.log
        assert w.gateway.identifies == 1


@pytest.mark.thorough
async def test_a_container_that_restarts_forever_keeps_its_token(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False, check=False) as w:
        w.gateway.refuses = 4014
        w.gateway.starts.resets_token, w.gateway.starts.used = True, 979
        w.gateway.starts._since = time.monotonic()
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 2, "refused, as if an intent were missing"
        w.gateway.starts.used = 980
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.log_has("only 20 more"))
        assert await w.term() == 0


# ------------------------------------------------------------------------------------------------- reconnects
@pytest.mark.thorough
async def test_a_reconnect_is_logged_as_information(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:
        await w.bot.until(lambda: w.log_has(_CONNECTED))
        w.gateway.away = True
        await w.gateway.close(4000)
        await w.bot.until(lambda: w.log_has(r"INFO +discord\.shard: Attempting a reconnect for shard ID 0 in .*503"))
        w.gateway.away = False
        await w.bot.until(lambda: w.log_has(r"INFO +bot\.process\.gateway: Shard 0 has re(connected|sumed)"))
        assert warnings_and_errors(w) == []


@pytest.mark.thorough
async def test_a_gateway_that_is_unavailable_at_the_start_is_retried(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.away = True
        await w.start_bot(connect=False)
        await w.bot.until(lambda: w.log_has(r"WARNING +discord\.shard: Failed to connect for shard_id: 0. Retry.*503"))
        w.gateway.away = False
        await w.bot.until(lambda: w.log_has(_CONNECTED))
        assert len(warnings_and_errors(w)) == 1, w.log
