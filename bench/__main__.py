"""Prints what the bot costs: `make bench`, or `make bench ARGS="rounds clicks"` for parts of it.

Only the ratios say something about the bot: the figures before them depend on the machine and what else it does. They
are kept in a file as well, in which those of parts that weren't measured this time stay as they were.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench import appends, clicks, latest, memory, moves, pictures, players, rounds

AIM_CLICK: Final = 3.0
AIM_THREE: Final = 1.7
AIM_APPEND: Final = 3.0
AIM_TABLE: Final = 50 * 1024
AIM_PICTURE_MS: Final = 15
AIM_PICTURE: Final = 60 * 1000

Figures = dict[str, float]
_FULL: Final = {"rounds": 800, "clicks": 300, "tables": 50, "store": 300, "pictures": 3, "players": 12}
"""How many rounds, clicks, tables, appends, matches shown and decks."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to measure: {', '.join(_FULL)} (default: all)")
    parser.add_argument("--dose", type=float, default=1.0, help="how much of it, 1 being the usual")
    parser.add_argument("--results", type=Path, default=latest.FOLDER, metavar="folder", help="where the figures go")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - _FULL.keys()
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    logging.disable(logging.WARNING)  # what bots say when they log in
    for name in [name for name in os.environ if name.startswith("ESCOBA_")]:
        del os.environ[name]  # the bot is measured with its default settings
    began = time.perf_counter()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs")
    figures: Figures = {}
    for name in arguments.parts or _FULL:
        print()
        figures |= _PARTS[name](max(1, round(_FULL[name] * arguments.dose)))
        gc.collect()
    print(f"\nkept in {os.path.relpath(latest.keep(figures, arguments.results))}")
    print(f"{time.perf_counter() - began:.0f} s in all")


def _rounds(dose: int) -> Figures:
    found = rounds.measure(dose)
    _title(
        f"Engine: {found.rounds} complete random rounds, preset escoba, 2 players, all legal moves made at each turn"
    )
    _line("rounds a CPU second", f"{found.engine:,.0f}")
    _line("a bare round: lists changed in place, nothing checked, subsets tried", f"{found.plain:,.0f}")
    _line("engine / bare round", f"{found.ratio:.2f} ×")
    _line("captures of a card: trying subsets / the engine's look-up", f"{found.search:.1f} ×")
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
            "real HTTP over loopback, without TLS"
            if wire
            else "answers from within the process, their making taken off"
        )
        _title(f"Click: median CPU of {found.clicks} plays from a panel of two; {how}")
        _line(f"the bot: stored, {found.requests:.0f} requests (answer, table, other panel)", f"{found.bot:.2f} ms")
        _line("without its store, that is with an append that does nothing", f"{found.storeless:.2f} ms")
        _line(f"a bare bot: 1 request, the same {found.components:.0f} components", f"{found.bare:.2f} ms")
        _line("a bare bot that edits the other two messages too", f"{found.three:.2f} ms")
        one, three = found.bot / found.bare, found.bot / found.three
        storeless = found.storeless / found.three
        _line("bot / bare bot", f"{one:.1f} ×" + (f"   aim: at most {AIM_CLICK:g}" if wire else ""))
        _line(
            "bot / bare bot with three requests", f"{three:.2f} ×" + (f"   aim: at most {AIM_THREE:g}" if wire else "")
        )
        _line("bot without its store / bare bot with three requests", f"{storeless:.2f} ×")
        part = "click" if wire else "click.inside"
        figures |= {f"{part}.ratio_one": one, f"{part}.ratio_three": three, f"{part}.storeless_ratio_three": storeless}
    return figures


def _tables(dose: int) -> Figures:
    found = asyncio.run(memory.measure(max(memory.FEWEST, dose)))
    _title(
        f"Table: bytes that Python holds for each of {found.tables} live tables, both panels open, after a collection"
    )
    _line("just dealt", f"{found.fresh / 1024:.1f} KiB")
    _line(f"after {found.plays} plays", f"{found.played / 1024:.1f} KiB   aim: at most {AIM_TABLE / 1024:g}")
    _line("of the aim", f"{found.played / AIM_TABLE:.2f} ×")
    return {"tables.bytes": found.played, "tables.fresh_bytes": found.fresh}


def _store(dose: int) -> Figures:
    found = asyncio.run(appends.measure(dose))
    _title(f"Store: median of {found.appends} appends of one entry; WAL, synchronous=FULL")
    _line("append, elapsed / CPU", f"{found.elapsed:.2f} / {found.cpu:.2f} ms")
    _line("sqlite3's insert and commit, elapsed / CPU", f"{found.bare_elapsed:.2f} / {found.bare_cpu:.2f} ms")
    elapsed, cpu = found.elapsed / found.bare_elapsed, found.cpu / found.bare_cpu
    group_elapsed, group_cpu = found.group_elapsed / found.bare_elapsed, found.group_cpu / found.bare_cpu
    _line("append / bare, CPU", f"{cpu:.1f} ×   aim: at most {AIM_APPEND:g}")
    _line("append / bare, elapsed", f"{elapsed:.1f} ×")
    _line(
        f"an append of {appends.AT_ONCE} at once / bare, CPU and elapsed",
        f"{group_cpu:.2f} × and {group_elapsed:.2f} ×",
    )
    rates = asyncio.run(moves.measure(dose))
    for tables in moves.TABLES:
        _line(f"moves a second, {tables} writing, in a file", f"{rates[f'store.moves_per_s.{tables}']:.0f}")
        of_server = rates.get(f"store.moves_per_s.{tables}.pg")
        _line("on a PostgreSQL of this machine", "not installed" if of_server is None else f"{of_server:.0f}")
    return rates | {
        "store.append_cpu_ratio": cpu,
        "store.append_elapsed_ratio": elapsed,
        "store.group_cpu_ratio": group_cpu,
        "store.group_elapsed_ratio": group_elapsed,
    }


def _pictures(dose: int) -> Figures:
    found = asyncio.run(pictures.measure(dose))
    _title(
        f"Pictures: medians; tables of {pictures.CARDS} cards, and the {found.pictures} pictures made in {dose} matches"
    )
    _line(f"CPU of a table of {pictures.CARDS}", f"{found.cpu:.1f} ms   aim: at most {AIM_PICTURE_MS}")
    _line("its file", f"{found.size / 1000:.1f} KB   aim: at most {AIM_PICTURE / 1000:g}")
    _line("CPU and file of all, panels too", f"{found.all_cpu:.1f} ms, {found.all_size / 1000:.1f} KB")
    _line("made already when asked for", f"{found.hit_rate:.0%}")
    return {"picture.cpu_ms": found.cpu, "picture.bytes": found.size, "picture.hit_rate": found.hit_rate}


def _players(dose: int) -> Figures:
    found = players.measure(dose)
    _title(f"Computer players: CPU of {found.moves} moves, preset escoba, 2 players, forced moves left out")
    _line("hard, median / 99th percentile", f"{found.median:.1f} / {found.slow:.1f} ms   aim: at most 30 / 150")
    _line("normal, median", f"{found.normal:.2f} ms")
    _line("roll-outs a CPU second, from the middle of a round", f"{found.roll_outs:,.0f}")
    return {
        "players.hard_ms": found.median,
        "players.hard_slow_ms": found.slow,
        "players.ratio": found.median / found.normal,
        "players.roll_outs": found.roll_outs,
    }


_PARTS: Final[dict[str, Callable[[int], Figures]]] = {
    "rounds": _rounds,
    "clicks": _clicks,
    "tables": _tables,
    "store": _store,
    "pictures": _pictures,
    "players": _players,
}


def _title(text: str) -> None:
    print(text)


def _line(what: str, figure: str) -> None:
    print(f"  {what:<72} {figure}")


if __name__ == "__main__":
    main()
