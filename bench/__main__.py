"""Prints what the bot costs: `make bench`, or `make bench ARGS="rounds clicks"` for some parts.

Only the ratios say something about the bot: the other figures depend on the machine and on what else it is doing. All
are also written to a file, where the figures of parts that weren't measured this time stay as they were.
"""

import argparse
import asyncio
import gc
import logging
import os
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Final

from bench import (
    appends,
    arrivals,
    clicks,
    farming,
    guilds,
    holds,
    latest,
    leaderboard,
    many,
    memory,
    moves,
    pictures,
    players,
    postgres,
    resident,
    rounds,
    slow,
    soak,
    turns,
)

AIMS: Final = {
    "click.ratio_one": 3.0,
    "click.ratio_three": 2.2,
    "click.ratio_picture": 1.3,
    "click.pictured_all_ratio": 2.0,
    "tables.bytes": 20e3,
    "guild.bytes": 6e3,
    "guild.parse_ms": 0.3,
    "process.idle_bytes": 95e6,
    "process.busy_bytes": 175e6,
    "tables.cpu_ratio_10000_vs_20": 1.2,
    "tables.restore_ms": 1.0,
    "soak.memory_ratio": 1.05,
    "store.append_cpu_ratio": 3.0,
    "picture.cpu_ms": 1.0,
    "picture.bytes": 60e3,
    "players.hard_ms": 30.0,
    "players.hard_slow_ms": 150.0,
    "leaderboard.ratio_5m_vs_1k": 1.5,
    "stats.ratio_5m_vs_1k": 1.5,
    "arrivals.busiest_1": 50.0,
    "arrivals.busiest_0.5": 50.0,
    "holds.longest_ms": 20.0,
    "turns.two_to_7": 20.0,
}
"""The most that a figure is to be; README.md says of each whether it is."""

Figures = dict[str, float]
_FULL: Final = {
    "rounds": 800,
    "clicks": 300,
    "tables": 200,
    "guilds": 50,
    "process": 1_000,
    "many": 10_000,
    "slow": 10_000,
    "soak": 60,
    "store": 300,
    "pictures": 3,
    "players": 12,
    "ratings": 40,
    "leaderboard": 5_000_000,
    "arrivals": 1_000,
    "holds": 5_000,
    "turns": 200,
}
"""The full number of rounds, clicks, tables, servers of each size, tables of a process, live tables, minutes, appends,
matches shown, decks, clubs, results, tables to start over, matches of one person and matches to the end."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to measure: {', '.join(_FULL)} (default: all)")
    parser.add_argument("--dose", type=float, default=1.0, help="the fraction of the usual amount (default: 1)")
    parser.add_argument(
        "--results", type=Path, default=latest.FOLDER, metavar="folder", help="where to write the figures"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - _FULL.keys()
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    logging.disable(logging.WARNING)  # what bots log when they start
    for name in [name for name in os.environ if name.startswith("ESCOBA_")]:
        del os.environ[name]  # the bot is measured with its default settings
    began = time.perf_counter()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs")
    figures: Figures = {}
    for name in arguments.parts or _FULL:
        print()
        figures |= _PARTS[name](max(1, round(_FULL[name] * arguments.dose)))
        gc.collect()
    print(f"\nwritten to {os.path.relpath(latest.keep(figures, arguments.results))}")
    print(f"{time.perf_counter() - began:.0f} s in total")


def _rounds(dose: int) -> Figures:
    found = rounds.measure(dose)
    _title(f"Engine: {found.rounds} complete random rounds, preset escoba, 2 players, all legal moves listed each turn")
    _line("rounds per CPU second", f"{found.engine:,.0f}")
    _line("a bare round: mutable lists, no checks, all subsets tried", f"{found.plain:,.0f}")
    _line("engine / bare round", f"{found.ratio:.2f} ×")
    _line("captures of a card: trying all subsets / the engine's look-up", f"{found.search:.1f} ×")
    _line("the same on tables of 8 cards or more", f"{found.crowded:.1f} ×")
    return {
        "rounds.per_second": found.engine,
        "rounds.ratio": found.ratio,
        "rounds.search_ratio": found.search,
        "rounds.crowded_ratio": found.crowded,
    }


def _clicks(dose: int) -> Figures:
    figures: Figures = {}
    for wire in (True, False):
        found = asyncio.run(clicks.measure(dose, wire=wire))
        how = (
            "real HTTP over loopback, without TLS" if wire else "answered within the process, not counting the answers"
        )
        _title(f"Click: median CPU of {found.clicks} plays from a panel, 2 players; {how}")
        _line(f"the bot: stored, {found.requests:.0f} requests (reply, table, other panel)", f"{found.bot:.2f} ms")
        _line("without its store: append does nothing", f"{found.storeless:.2f} ms")
        _line(f"a bare bot: 1 request with the same {found.components:.0f} components", f"{found.bare:.2f} ms")
        _line("a bare bot that also edits the other two messages", f"{found.three:.2f} ms")
        one, three = found.bot / found.bare, found.bot / found.three
        storeless = found.storeless / found.three
        _line("bot / bare bot", f"{one:.1f} ×" + (_aim("click.ratio_one") if wire else ""))
        _line("bot / bare bot with three requests", f"{three:.2f} ×" + (_aim("click.ratio_three") if wire else ""))
        _line("bot without its store / bare bot with three requests", f"{storeless:.2f} ×")
        part = "click" if wire else "click.inside"
        figures |= {f"{part}.ratio_one": one, f"{part}.ratio_three": three, f"{part}.storeless_ratio_three": storeless}
    return figures | _pictured_clicks(max(1, dose // 3))


def _pictured_clicks(dose: int) -> Figures:
    found = asyncio.run(clicks.measure_pictures(dose, wire=True))
    _title(f"The same with pictures: median CPU of {found.clicks} plays, real HTTP over loopback")
    answer, everything = found.answer / found.answer_in_words, found.all / found.all_in_words
    _line("event loop until the reply is sent, with pictures", f"{found.answer:.2f} ms")
    _line("the same, text only", f"{found.answer_in_words:.2f} ms")
    _line("pictures / text, for the player who clicked", f"{answer:.2f} ×{_aim('click.ratio_picture')}")
    _line(
        "until everybody sees it, including painting outside the loop", f"{found.all:.2f} / {found.all_in_words:.2f} ms"
    )
    _line("pictures / text, in total", f"{everything:.2f} ×{_aim('click.pictured_all_ratio')}")
    _line("uploads per click", f"{found.uploads:.1f}")
    return {
        "click.ratio_picture": answer,
        "click.pictured_all_ratio": everything,
        "click.picture_uploads": found.uploads,
    }


def _tables(dose: int) -> Figures:
    found = asyncio.run(memory.measure(max(memory.FEWEST, dose)))
    _title(f"Table: bytes that Python holds per table, {found.tables} live tables, both panels open, garbage collected")
    _line("just dealt", f"{found.fresh / 1000:.1f} KB")
    _line(f"after {found.plays} plays", f"{found.played / 1000:.1f} KB{_aim('tables.bytes', 1000)}")
    _line("fraction of the aim", f"{found.played / AIMS['tables.bytes']:.2f}")
    return {"tables.bytes": found.played, "tables.fresh_bytes": found.fresh}


def _guilds(dose: int) -> Figures:
    found = asyncio.run(guilds.measure(max(guilds.FEWEST, dose)))
    _title("Server: what is kept of it, and the CPU of keeping it when a session starts; discord.py alone in brackets")
    for name, cost in found.items():
        _line(
            f"{name}: {cost.text / 1000:.0f} KB of JSON", f"{cost.kept / 1000:.2f} KB  ({cost.plain_kept / 1000:.1f})"
        )
        _line(f"{name}: parsed", f"{cost.parse:.3f} ms  ({cost.plain_parse:.3f}), after {cost.decode:.2f} for its JSON")
    most = found["large"]
    _line("a large one", f"{most.kept / 1000:.2f} KB{_aim('guild.bytes', 1000)}")
    _line("a large one, parsed", f"{most.parse:.3f} ms{_aim('guild.parse_ms')}")
    return {
        "guild.bytes": most.kept,
        "guild.bytes_ratio": most.kept / most.plain_kept,
        "guild.parse_ms": most.parse,
        "guild.parse_ratio": most.parse / most.plain_parse,
    }


def _process(dose: int) -> Figures:
    with many.in_memory() as idle, many.in_memory() as busy:
        asyncio.run(resident.prepare(idle, 0))
        asyncio.run(resident.prepare(busy, dose))
        resident.measure("idle", idle, dose)  # only the first start sends commands and creates what the database lacks
        plain = resident.measure("idle", idle, dose)
        resident.measure("idle", idle, dose, **resident.IMAGE)  # compiles what is imported
        bare, bot, full = (
            resident.measure(way, at, dose, **resident.IMAGE)
            for way, at in (("bare", idle), ("idle", idle), ("busy", busy))
        )
    _title("Process: resident memory in the image when logged in, and CPU of the start; no gateway's connection")
    _line("a bare bot", f"{bare.own / 1e6:.0f} MB, {bare.cpu:.2f} s")
    _line("the bot, idle, on a file", f"{bot.own / 1e6:.0f} MB, {bot.cpu:.2f} s{_aim('process.idle_bytes', 1e6)}")
    _line("the same from a checkout", f"{plain.own / 1e6:.0f} MB, {plain.cpu:.2f} s")
    _line("idle / bare: memory and CPU", f"{bot.own / bare.own:.2f} × and {bot.cpu / bare.cpu:.1f} ×")
    _line(f"with {dose:,} tables, all panels open", f"{full.own / 1e6:.0f} MB")
    _line("the process that thinks for robots", f"{full.others / 1e6:.0f} MB")
    together = full.own + full.others
    _line("both together", f"{together / 1e6:.0f} MB{_aim('process.busy_bytes', 1e6)}")
    _line("both / bare", f"{together / bare.own:.2f} ×")
    return {
        "process.idle_bytes": bot.own,
        "process.idle_ratio": bot.own / bare.own,
        "process.start_ratio": bot.cpu / bare.cpu,
        "process.busy_bytes": together,
        "process.busy_ratio": together / bare.own,
    }


def _many(dose: int) -> Figures:
    most = max(many.FEWEST, dose)
    figures = _of_many(many.measure(most), most, "SQLite")
    with _server() as cluster:
        if cluster is None:
            return figures
        on_server = _of_many(many.measure(most, database=lambda: _database_of(cluster)), most, "PostgreSQL")
    return figures | {f"{name}.pg": figure for name, figure in on_server.items()}


def _slow(dose: int) -> Figures:
    with many.in_memory() as database:
        mixed = slow.measured_apart(database, dose, dose // 10)
    with many.in_memory() as database:
        alone = slow.measured_apart(database, dose)
    assert alone.timers is not None, "there are slow tables alone"
    assert alone.requests is not None, "there are slow tables alone"
    assert alone.cpu_ms is not None, "there are slow tables alone"
    _title(f"{dose:,} slow tables, between moves: per table")
    _line("timers", f"{alone.timers:.2f}")
    _line("requests in an hour", f"{alone.requests:g}")
    _line("CPU in an hour", f"{alone.cpu_ms:.4f} ms")
    _title(f"{dose:,} slow and {dose // 10:,} quick tables in a process, all panels open")
    _line("memory of the process, per table", f"{mixed.resident / 1000:.1f} KB")
    _line("mean CPU of a click", f"{mixed.click_ms:.2f} ms")
    return {
        "slow.timers": alone.timers,
        "slow.cpu_ms_per_hour": alone.cpu_ms,
        "slow.resident_bytes": mixed.resident,
        "slow.click_ms": mixed.click_ms,
    }


def _turns(dose: int) -> Figures:
    _title(f"Turns of one's own in a slow match, preset escoba, robots of the normal level, mean of {dose} matches")
    figures: Figures = {}
    names = {turns.Seating.TWO: "two", turns.Seating.FOUR: "four"}
    for seating, target in product(turns.SEATINGS, turns.TARGETS):
        found, name = turns.measure(seating, target, dose), f"turns.{names[seating]}_to_{target}"
        aim = _aim(name) if name in AIMS else ""
        _line(f"{names[seating]} to {target}, forced cards on", f"{found.forced:.1f}{aim}")
        _line(f"{names[seating]} to {target}, forced cards off ({found.rounds:.2f} rounds)", f"{found.by_hand:.1f}")
        figures |= {name: found.forced, f"{name}_by_hand": found.by_hand}
    return figures


@contextmanager
def _server() -> Iterator[postgres.Cluster | None]:
    """A PostgreSQL server for the duration of a benchmark; None if its programs aren't installed."""
    found = postgres.programs()
    if found is None:
        print("  (no PostgreSQL server is installed here)")
        yield None
        return
    cluster = postgres.Cluster(found)
    try:
        yield cluster
    finally:
        cluster.remove()


@contextmanager
def _database_of(cluster: postgres.Cluster) -> Iterator[str]:
    url = cluster.new()
    yield url
    cluster.drop(url)


def _of_many(found: many.Many, most: int, where: str) -> Figures:
    _title(f"Many tables on {where}: mean CPU of a click by number of live tables in the process, all panels open")
    for tables, cost in found.clicks.items():
        _line(f"{tables:,} tables", f"{cost:.2f} ms")
    _line(f"at {most:,} / at {many.FEW}", f"{found.ratio:.2f} ×{_aim('tables.cpu_ratio_10000_vs_20')}")
    _line(f"restoring {most:,}, CPU per table", f"{found.restore_ms:.2f} ms{_aim('tables.restore_ms')}")
    _line("a click during the restore, elapsed", f"{found.click_ms:.0f} ms")
    _line("memory of the process, per table", f"{found.resident / 1000:.1f} KB")
    return {
        f"tables.cpu_ratio_{most}_vs_{many.FEW}": found.ratio,
        "tables.restore_ms": found.restore_ms,
        "tables.resident_bytes": found.resident,
        **{f"tables.click_ms_{tables}": cost for tables, cost in found.clicks.items()},
    }


def _soak(dose: int) -> Figures:
    found = soak.measure(dose)
    _title(f"Soak: {found.minutes} minutes of play in compressed time, {found.plays:,} plays at {soak.TABLES} tables")
    _line(f"memory after {soak.WARM_UP_MINUTES} minutes", f"{found.warm / 1e6:.1f} MB")
    _line("memory at the end", f"{found.end / 1e6:.1f} MB")
    _line("end / after the warm-up", f"{found.ratio:.3f} ×{_aim('soak.memory_ratio')}")
    return {"soak.memory_ratio": found.ratio}


def _store(dose: int) -> Figures:
    found = asyncio.run(appends.measure(dose))
    _title(f"Store: median of {found.appends} appends of one entry; WAL, synchronous=FULL")
    _line("append: elapsed / CPU", f"{found.elapsed:.2f} / {found.cpu:.2f} ms")
    _line("bare insert and commit in sqlite3: elapsed / CPU", f"{found.bare_elapsed:.2f} / {found.bare_cpu:.2f} ms")
    elapsed, cpu = found.elapsed / found.bare_elapsed, found.cpu / found.bare_cpu
    group_elapsed, group_cpu = found.group_elapsed / found.bare_elapsed, found.group_cpu / found.bare_cpu
    _line("append / bare: CPU", f"{cpu:.1f} ×{_aim('store.append_cpu_ratio')}")
    _line("append / bare: elapsed", f"{elapsed:.1f} ×")
    _line(
        f"one of {appends.AT_ONCE} concurrent appends / bare: CPU and elapsed",
        f"{group_cpu:.2f} × and {group_elapsed:.2f} ×",
    )
    rates = asyncio.run(moves.measure(dose))
    for tables in moves.TABLES:
        _line(f"moves per second, {tables} writing, in a file", f"{rates[f'store.moves_per_s.{tables}']:.0f}")
        of_server = rates.get(f"store.moves_per_s.{tables}.pg")
        _line("the same on a local PostgreSQL", "not installed" if of_server is None else f"{of_server:.0f}")
    return rates | {
        "store.append_cpu_ratio": cpu,
        "store.append_elapsed_ratio": elapsed,
        "store.group_cpu_ratio": group_cpu,
        "store.group_elapsed_ratio": group_elapsed,
    }


def _pictures(dose: int) -> Figures:
    found = asyncio.run(pictures.measure(dose))
    _title(f"Pictures: all {found.pictures} of {dose} matches, each made when it is first needed")
    _line("CPU of a picture, mean", f"{found.cpu:.2f} ms{_aim('picture.cpu_ms')}")
    _line("size of its file, median", f"{found.size / 1000:.1f} KB")
    _line("already made when needed", f"{found.hit_rate:.0%}")
    _line(f"CPU of a table of {pictures.CARDS} cards, median", f"{found.crowded_cpu:.2f} ms")
    _line("size of its file, median", f"{found.crowded_size / 1000:.1f} KB{_aim('picture.bytes', 1000)}")
    _line("CPU of a tournament's podium, median", f"{found.podium_cpu:.2f} ms")
    _line("size of its file, median", f"{found.podium_size / 1000:.1f} KB")
    return {"picture.cpu_ms": found.cpu, "picture.bytes": found.crowded_size, "picture.hit_rate": found.hit_rate}


def _players(dose: int) -> Figures:
    found = players.measure(dose)
    _title(f"Computer players: CPU of {found.moves} moves, preset escoba, 2 players, without forced moves")
    _line(
        "hard: median / 99th percentile",
        f"{found.median:.1f} / {found.slow:.1f} ms{_aim('players.hard_ms')} / {AIMS['players.hard_slow_ms']:g}",
    )
    _line("normal: median", f"{found.normal:.2f} ms")
    _line("roll-outs per CPU second, from the middle of a round", f"{found.roll_outs:,.0f}")
    return {
        "players.hard_ms": found.median,
        "players.hard_slow_ms": found.slow,
        "players.ratio": found.median / found.normal,
        "players.roll_outs": found.roll_outs,
    }


def _ratings(dose: int) -> Figures:
    farms, honest = farming.measure(dose)
    _title("Ratings: what a farmer reaches with three matches a day, without the limit and with it")
    for name, by_days in farms.items():
        for days, found in by_days.items():
            _line(f"{name}, {days} days", f"{found.free:,.0f} / {found.limited:,.0f}")
    free, limited = (farming.season_points(limited=each) for each in (False, True))
    _line("season points a day by four accounts of their own", f"{free} / {limited}")
    _title("Ratings: how well they order honest people after sixty matches each, without the limit and with it")
    for name, found in honest.items():
        _line(name, f"{found.free:.3f} / {found.limited:.3f}")
    club, _, _, two = honest.values()
    return {
        "ratings.farmed_month": max(farms["one willing loser"][30].limited, farms["a new account a day"][30].limited),
        "ratings.farmed_month_ten": farms["ten of them"][30].limited,
        "ratings.club_order": club.limited,
        "ratings.two_order": two.limited,
    }


def _leaderboard(dose: int) -> Figures:
    sizes = leaderboard.sizes_up_to(max(1_000, dose))

    async def in_files() -> leaderboard.LeaderboardCosts:
        async with leaderboard.crowded_files(sizes) as stores:
            return await leaderboard.measure(stores)

    async def on_server(cluster: postgres.Cluster) -> leaderboard.LeaderboardCosts:
        async with leaderboard.crowded_server(cluster, sizes) as stores:
            return await leaderboard.measure(stores)

    figures = _leaderboard_figures(asyncio.run(in_files()), "SQLite", "")
    with _server() as cluster:
        if cluster is None:
            return figures
        return figures | _leaderboard_figures(asyncio.run(on_server(cluster)), "PostgreSQL", ".pg")


def _leaderboard_figures(found: leaderboard.LeaderboardCosts, database: str, suffix: str) -> Figures:
    numbers = " / ".join(f"{crowd.results:,}" for crowd in found.crowds)
    people = " / ".join(f"{crowd.people:,}" for crowd in found.crowds)
    _title(f"Leaderboard on {database}: median ms of a query on a server with {numbers} results of {people} people")
    aim = AIMS["leaderboard.ratio_5m_vs_1k"]
    whole = {"the leaderboard: a page and one's own place": found.leaderboard, "a person's stats": found.stats}
    for what, cost in (whole | found.parts).items():
        each = " / ".join(f"{cost.elapsed[crowd.results]:.2f}" for crowd in found.crowds)
        _line(what, f"{each}   {cost.ratio:.2f} ×" + (f"   aim: at most {aim:g}" if what in whole else ""))
    for what, plan in found.plans.items():
        print(f"  plan: {what}", *plan, sep="\n    ")
    return {
        f"leaderboard.ratio_5m_vs_1k{suffix}": found.leaderboard.ratio,
        f"stats.ratio_5m_vs_1k{suffix}": found.stats.ratio,
    }


def _arrivals(dose: int) -> Figures:
    figures: Figures = {}
    _title(f"Arrivals: the most requests within a second after a start over {dose:,} tables, real HTTP over loopback")
    for cores, found in arrivals.measure(dose).items():
        what = f"{found.refused} refused, all shown after {found.seconds:.0f} s"
        _line(f"with {cores:g} of a core: {what}", f"{found.busiest}{_aim(f'arrivals.busiest_{cores:g}')}")
        figures |= {f"arrivals.busiest_{cores:g}": found.busiest, f"arrivals.refused_{cores:g}": found.refused}
    return figures


def _holds(dose: int) -> Figures:
    found = holds.measure(dose)
    _title(
        f"Holds: CPU of the longest step of the event loop for each of {len(found)} requests, on a server with {dose:,}"
        " matches of one person, twenty times as many answers to days' puzzles, and a tournament of 64 pairs"
    )
    for name, took in [*found.items()][:12]:
        _line(name, f"{took:.1f} ms{_aim('holds.longest_ms')}")
    return {
        "holds.longest_ms": max(found.values()),
        "holds.above_aim": sum(each > AIMS["holds.longest_ms"] for each in found.values()),
    }


_PARTS: Final[dict[str, Callable[[int], Figures]]] = {
    "rounds": _rounds,
    "clicks": _clicks,
    "tables": _tables,
    "guilds": _guilds,
    "process": _process,
    "many": _many,
    "slow": _slow,
    "soak": _soak,
    "store": _store,
    "pictures": _pictures,
    "players": _players,
    "ratings": _ratings,
    "leaderboard": _leaderboard,
    "arrivals": _arrivals,
    "holds": _holds,
    "turns": _turns,
}


def _aim(figure: str, unit: float = 1.0) -> str:
    return f"   aim: at most {AIMS[figure] / unit:g}"


def _title(text: str) -> None:
    print(text)


def _line(what: str, figure: str) -> None:
    print(f"  {what:<72} {figure}")


if __name__ == "__main__":
    main()
