"""The benchmarks, run with a tiny dose; their figures don't matter here."""

import asyncio
import json
import re
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from bench import __main__ as bench
from bench import (
    clicks,
    farming,
    guilds,
    latest,
    leaderboard,
    many,
    memory,
    pictures,
    resident,
    rounds,
    slow,
    soak,
    standin,
    turns,
)
from bench.match import ClickCost, ClickedMatch
from bot.platform.people import Person
from bot.process.dispatch import SCREENS
from bot.training.ids.lesson import DayRef
from tests.process import holds


def test_the_readme_has_every_aim_met_or_not() -> None:
    told = Path(bench.__file__).with_name("README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    units = {"KB": 1e3, "MB": 1e6}
    for figure, aim in bench.AIMS.items():
        [row] = [line for line in told.splitlines() if line.startswith(f"| `{figure}`")]
        number, unit = re.fullmatch(r"\| `[^`]+` \| ≤ ([\d.]+) ?(KB|MB|ms)? \|.+\d.+\|", row).groups()  # type: ignore[union-attr]
        assert float(number) * units.get(unit, 1) == aim, figure


class RoundEndsAtOnce(ClickedMatch):
    """A match whose round is over as soon as the first hand has been opened."""

    def __init__(self) -> None:
        self.people = [Person(1, "Ana"), Person(2, "Bea")]
        self.public = [{"type": 2, "custom_id": "e:hand:1:0"}]
        self.opened: list[int] = []

    @property
    def public_message(self) -> dict[str, Any]:
        return {}

    async def click(self, person_id: int, shown: dict[str, Any], custom_id: str) -> ClickCost:
        self.opened.append(person_id)
        self.public = [{"type": 2, "custom_id": "e:next:1:1"}]
        return ClickCost(0, 0, 0)


async def test_a_round_that_ends_while_hands_are_opened_does_not_end_the_benchmark() -> None:
    match = RoundEndsAtOnce()
    await match.open_panels()
    assert match.opened == [1]


def test_rounds_are_the_same_on_the_engine_and_by_trying_subsets() -> None:
    found = rounds.measure(8)
    assert found.engine > 0
    assert found.search > 0


def test_a_deferral_is_accepted() -> None:
    token = standin.token_of(1, 2, 3)
    status, text = standin.answer("POST", f"/interactions/9/{token}/callback", '{"type": 6}')
    assert (status, json.loads(text)["interaction"]["id"]) == (200, "9")


async def test_a_server_is_kept_in_little_memory() -> None:
    found = await guilds.measure(guilds.FEWEST)
    for cost, usual in zip(found.values(), (16_000, 72_000, 470_000), strict=True):
        assert cost.plain_kept == pytest.approx(usual, rel=0.2), "the payloads are no longer as large as real ones"
        assert cost.kept <= bench.AIMS["guild.bytes"]
        assert min(cost.parse, cost.plain_parse, cost.decode) > 0


@pytest.mark.parametrize(
    ("way", "most"),
    [
        ("one willing loser", 1110),
        ("a new account a day", 1110),
        ("ten of them", 1110),
        ("ten accounts, which do so", 1110),
    ],
)
def test_farming_for_a_month_brings_little(way: str, most: int) -> None:
    free, limited = (farming.farmed(farming.FARMS[way], 30, limited=limited) for limited in (False, True))
    assert free > 1650
    assert 1000 < limited <= most


def test_own_accounts_bring_the_season_points_of_one_person() -> None:
    assert [farming.season_points(limited=limited) for limited in (False, True)] == [135, 9]


def test_the_limit_leaves_an_honest_club_its_order() -> None:
    free, limited = (mean(farming.club_order(seed, limited=each) for seed in range(4)) for each in (False, True))
    assert limited > free - 0.02


@pytest.mark.thorough
def test_a_slow_table_costs_nothing_between_moves(tmp_path: Path) -> None:
    found = slow.measured_apart(str(tmp_path / "slow.sqlite3"), 10)
    assert found.requests == 0
    assert found.timers is not None
    assert found.timers <= 1 + slow.OF_THE_BOT / 10, "each table waits for its warning or deadline, and nothing else"
    assert min(found.click_ms, found.cpu_ms or 0) > 0


@pytest.mark.thorough
def test_a_click_is_measured_among_few_and_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_WARM_UP", 1)
    monkeypatch.setattr(many, "_CLICKS", 4)
    found = many.measure(many.FEWEST, blocks=1)
    assert list(found.clicks) == [many.FEW, many.FEWEST]
    assert min(found.ratio, found.restore_ms, found.click_ms, found.resident, *found.clicks.values()) > 0


@pytest.mark.thorough
def test_an_idle_bot_takes_little_more_memory_than_a_bare_one(tmp_path: Path) -> None:
    database = str(tmp_path / "escoba.sqlite3")
    asyncio.run(resident.prepare(database, 3))
    bare, _, idle, busy = (resident.measure(way, database, 3) for way in ("bare", "idle", "idle", "busy"))
    assert 20e6 < bare.own < idle.own < 2.4 * bare.own, "is something imported, or read, that isn't needed yet?"
    assert busy.own > idle.own
    assert bare.others == idle.others == 0
    assert busy.others > 10e6, "a process thinks"
    assert min(bare.cpu, idle.cpu, busy.cpu) > 0


@pytest.mark.thorough
def test_an_evening_of_play_measures_the_memory_of_a_process() -> None:
    found = soak.measure(1, warm_up=1, tables=5)
    assert found.plays > 10
    assert found.matches == 0
    assert found.end > found.warm / 2 > 1_000_000


@pytest.mark.thorough
async def test_pictures_are_drawn_and_reused() -> None:
    found = await pictures.measure(1)
    assert found.pictures > 100
    assert 0.1 < found.hit_rate < 0.9
    assert min(found.cpu, found.size, found.crowded_cpu, found.crowded_size, found.podium_cpu, found.podium_size) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("server", [False, True])
async def test_a_crowds_leaderboard_is_measured(server: bool, request: pytest.FixtureRequest) -> None:
    sizes = leaderboard.sizes_up_to(2_000)
    crowded = (
        leaderboard.crowded_server(request.getfixturevalue("postgres"), sizes)
        if server
        else leaderboard.crowded_files(sizes)
    )
    async with crowded as stores:
        for store, _ in stores:
            [guild] = await store.standings.servers()
            # The ratings are made up, and don't follow from each other.
            assert [each for each in await store.standings.differences(guild) if not each.startswith("ratings:")] == []
        found = await leaderboard.measure(stores, rounds=2)
    assert [crowd.results for crowd in found.crowds] == [40, 200, 2_000]
    for cost in (found.leaderboard, found.stats, *found.parts.values()):
        assert min(cost.elapsed.values()) > 0
    assert "ix_standings_by_wins" in "".join(found.plans["first page by wins"])


@pytest.mark.thorough
async def test_every_command_and_every_verb_of_a_screen_is_measured_by_its_longest_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    daily = next(each for each in SCREENS if each.refers_to is DayRef)
    monkeypatch.setattr(holds, "SCREENS", [daily])
    monkeypatch.setattr(holds, "PAIRS", 4)
    found = await holds.measure(25, 100)
    assert {f"d:{verb}" for verb in daily.handlers} < found.keys()
    assert {"/escoba stats", "/escoba play", "/escoba play variant", "Challenge to Escoba"} < found.keys()
    assert min(found.values()) > 0
    assert [*found.values()] == sorted(found.values(), reverse=True)


async def test_the_longest_step_of_a_request_is_measured_without_what_discord_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = [0.0]
    discord: Any = holds.router

    def dispatch(seconds: float) -> None:
        spent[0] += seconds

    async def request() -> None:
        for seconds in (1.0, 3.0, 2.0):
            spent[0] += seconds
            discord.dispatch(100.0)
            await asyncio.sleep(0)

    monkeypatch.setattr(discord, "dispatch", dispatch)
    loop = holds.Loop(lambda: spent[0])
    with loop.watched():
        await asyncio.create_task(request())
        spent[0] += 50.0
    assert loop.longest == 3.0


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *parts: str) -> dict[str, float]:
    """Measure with at most a hundredth of the usual dose; returns the figures that are kept."""
    monkeypatch.setattr(clicks, "WARM_UP", 1)
    monkeypatch.setattr(memory, "WARM_UP", 1)
    monkeypatch.setattr(memory, "measure", partial(memory.measure, plays=1))
    monkeypatch.setattr("sys.argv", ["bench", *parts, "--dose", "0.01", "--results", str(folder)])
    monkeypatch.setattr("logging.disable", lambda level: None)
    bench.main()
    return json.loads((folder / "latest.json").read_text())


def test_a_forced_card_is_no_turn_of_ones_own() -> None:
    for seating, target in product(turns.SEATINGS, turns.TARGETS):
        found = turns.measure(seating, target, 2)
        assert 0.6 < found.forced / found.by_hand < 0.8
        assert found.by_hand == 36 / seating.seats * found.rounds


@pytest.mark.thorough
def test_it_prints_the_parts_asked_for_and_keeps_the_latest_figures_of_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "results"
    first = run(monkeypatch, folder, "clicks", "tables")
    assert capsys.readouterr().out.count("the bot: stored, 3 requests (reply, table, other panel)") == 2
    for how in ("click", "click.inside"):
        assert {f"{how}.ratio_one", f"{how}.ratio_three", f"{how}.storeless_ratio_three"} <= first.keys()
    assert {"click.pictured_all_ratio", "tables.fresh_bytes"} <= first.keys()
    assert all(isinstance(figure, float) and figure > 0 for figure in first.values())
    assert first["tables.bytes"] < 1_000_000
    second = run(monkeypatch, folder, "store", "rounds")
    printed = capsys.readouterr().out
    assert "rounds per CPU second" in printed
    assert "Click" not in printed
    appending = {"append_cpu_ratio", "append_elapsed_ratio", "group_cpu_ratio", "group_elapsed_ratio"}
    assert {"rounds.ratio", *(f"store.{name}" for name in appending)} <= second.keys()
    assert all(figure > 0 for figure in second.values())
    assert {name: second[name] for name in first} == first


def test_figures_replace_those_of_the_same_name_and_invalid_files(tmp_path: Path) -> None:
    (tmp_path / "latest.json").write_text("{ broken")
    file = latest.keep({"a": 1.23456, "b": 2.0}, tmp_path)
    latest.keep({"b": 3.0}, tmp_path)
    assert json.loads(file.read_text()) == {"a": 1.2346, "b": 3.0}
