"""A clock that people are shown runs out when it says so, and not before."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import never_mentioned, seconds_of, shown_by, stored, told_otherwise
from tests.support.wiretap import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

ENDS: Final = re.compile(r"<t:(\d+):R>")
TURN: Final = re.compile(r"<@(\d+)>[^\n]*<t:(\d+):R>")
LATE_SECONDS: Final = 60.0
"""How long something may take that a clock has announced."""
MEND_SECONDS: Final = 240.0
"""How long the bot may take to show where clocks stand after something went wrong."""
WARNED_SECONDS: Final = 60.0
"""Turns that are shown for less than this may pass without a mention."""
APART_SECONDS: Final = 1.5
"""The bot's time, which is Discord's to the second, may be ahead by so much."""
ALONE_SECONDS: Final = 330.0
"""Somebody for whom only robots wait isn't mentioned within five minutes of their last click."""
BACK_SECONDS: Final = 30.0
"""The bot's time may be corrected by so much; the machine's clock may be set by a day."""
HOURS: Final = 3_600.0
FORBIDDEN: Final = 403
SILENT_SECONDS: Final = 1.1 * HOURS
_TURN_BEGAN: Final = "SELECT max(at) FROM events WHERE game_id = ? AND kind != 'day_spent'"
"""When the present turn of a game began: a spent day of holidays prolongs a turn of which people have been told."""
LOBBIES: Final = {"day": 24 * HOURS, "three_days": 72 * HOURS, "week": 168 * HOURS}
"""How long lobbies wait whose turns are slow; the others wait an hour."""
_BODIES: Final = "SELECT body FROM events WHERE game_id = ? ORDER BY version"
_TEMPO: Final = re.compile(r'"tempo":"(\w+)"')


def _tempo_of(bodies: Iterable[tuple[str]]) -> str:
    """The pace that a log has chosen last; empty for none."""
    return "".join([found[1] for (body,) in bodies if (found := _TEMPO.search(body))][-1:])


@dataclass(frozen=True, slots=True)
class Told:
    """What people were told last about a game's clocks. All times are in seconds since the beginning."""

    ends: tuple[float, ...]
    at: float
    channel: int | None
    """The channel in which it was told. A private message stays as it is if its token expires before clocks change."""


class Clocks(Judge):
    """What is announced for a time has happened a minute later; nobody's turn ends early, or without a mention."""

    kind = "clock"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.told: dict[int, list[Told]] = defaultdict(list)
        self._turns: dict[tuple[int, int, float], float] = {}
        """When each turn was first shown, by game, person and end."""
        self._turn_of: dict[int, tuple[int, int, float]] = {}
        """The turn of each game that was shown last: two of them may end in the same second."""
        self._mentions: dict[int, float] = {}
        self._clicks: dict[int, float] = {}
        self._refused: dict[int, float] = {}
        """When each channel last refused something as forbidden: then the bot sends nothing there for an hour, and the
        clock of whoever may not know of their turn stands still."""

    def pressed(self, shot: Shot) -> None:
        self._clicks[shot.who.person.id] = self.now

    def heard(self, request: Request) -> None:
        channel = CHANNEL.fullmatch(request.path)
        if channel and request.status == FORBIDDEN:
            self._refused[int(channel[1])] = self.now
        sheet = shown_by(request)
        if sheet is None:
            return
        if request.method == "POST" and (users := (request.body.get("allowed_mentions") or {}).get("users")):
            self._mentions |= {int(each): self.now for each in users}
        if len(sheet.games) != 1:
            return
        (game,) = sheet.games
        ends = tuple(int(each) - self.begin for each in ENDS.findall(sheet.text))
        before = self.told[game][-1].ends if self.told[game] else ()
        self.told[game].append(Told(ends, self.now, int(channel[1]) if channel else None))
        for end in ends:
            if end not in before and end > self.now:
                self.town.world.machine.at(end + LATE_SECONDS, lambda end=end: self._late(game, end))
        for person, seconds in TURN.findall(sheet.text):
            turn = game, int(person), int(seconds) - self.begin
            self._turn_of[game] = turn
            if turn not in self._turns:
                self._begin_turn(turn)

    def _begin_turn(self, turn: tuple[int, int, float]) -> None:
        if self._turns.setdefault(turn, self.now) == self.now and turn[2] - self.now > WARNED_SECONDS:
            self.town.world.machine.at(turn[2] - 1.0, lambda: self._unmentioned(*turn))

    # ------------------------------------------------------------------------------------------------ in time
    def _late(self, game: int, end: float) -> None:
        """Something that was announced should have happened."""
        told = self.told[game][-1]
        if end not in told.ends:
            return
        if told.channel is None and self.town.troubled(told.at - 30.0, self.now):
            return
        if self._refused.get(told.channel or 0, -math.inf) > max(told.at, self.now - SILENT_SECONDS):
            return
        if (wait := self._excused(told.at)) > 0:
            self.town.world.machine.after(wait, lambda: self._late(game, end))
            return
        with stored(self.town, "clocks") as connection:
            row = connection.execute("SELECT closed_at FROM games WHERE id = ?", (game,)).fetchone()
            last = connection.execute("SELECT max(at) FROM events WHERE game_id = ?", (game,)).fetchone()[0]
            slow = _tempo_of(connection.execute(_BODIES, (game,)).fetchall()) in LOBBIES
        if row is None or row[0] is not None or seconds_of(last) - self.begin > told.at:
            return
        if slow and self.now < end + HOURS and self.town.troubled(told.at - 30.0, self.now):
            self.town.world.machine.after(HOURS, lambda: self._late(game, end))
            return  # a slow turn that trouble has prolonged by less than an hour isn't announced again
        self.object_to(f"game {game}: what was announced for {end:.0f} s hasn't happened at {self.now:.0f} s")

    def _excused(self, since: float) -> float:
        """For how many more seconds the bot needn't have done something; 0 if it should have done it."""
        world = self.town.world
        if world.life is None or not world.discord.gateway.online:
            return LATE_SECONDS
        over = max((each.end for each in self.town.troubles if each.end > since - 30.0), default=-MEND_SECONDS)
        return max(0.0, over + MEND_SECONDS - self.now)

    def _unmentioned(self, game: int, person: int, end: float) -> None:
        """Somebody's time is about to run out."""
        since = self._turns[game, person, end]
        told = self.told[game][-1]
        newest = self._turn_of[game] == (game, person, end)
        if end not in told.ends or not newest or self._mentions.get(person, -1.0) >= since or self._excused(since) > 0:
            return
        with stored(self.town, "clocks") as connection:
            people = connection.execute("SELECT count(*) FROM participants WHERE game_id = ?", (game,)).fetchone()[0]
            log = connection.execute("SELECT kind, body FROM events WHERE game_id = ?", (game,)).fetchall()
            left = any(kind == "presence" and json.loads(body)["presence"] == "left" for kind, body in log)
            alone = people < 2 or left or any(kind == "computer_added" for kind, _ in log)  # or may be
            last = connection.execute(_TURN_BEGAN, (game,)).fetchone()[0]
            row = connection.execute("SELECT closed_at FROM games WHERE id = ?", (game,)).fetchone()
            never = never_mentioned(connection, person) or told_otherwise(connection, person)
        if row is None or row[0] is not None:
            return  # what tells of an early end has no control of the game
        clicked = self._clicks.get(person, -ALONE_SECONDS) > self.now - ALONE_SECONDS
        began = seconds_of(last) - self.begin
        if never or (alone and clicked) or began > told.at + 1.0 or self._mentions.get(person, -1.0) >= began:
            return  # the end of a turn changes when clocks stood still
        self.object_to(f"game {game}: nobody has told {person} that their time runs out at {end:.0f} s")

    # ------------------------------------------------------------------------------------------- not too early
    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            rows = connection.execute("SELECT game_id, kind, body, at FROM events ORDER BY game_id, version").fetchall()
            closed = dict(connection.execute("SELECT id, closed_at FROM games WHERE channel_id IS NOT NULL"))
        logs: dict[int, list[tuple[str, str, float]]] = defaultdict(list)
        for game, kind, body, at in rows:
            logs[game].append((kind, body, seconds_of(at) - self.begin))
        for game, log in logs.items():
            for (*_, before), (*_, after) in pairwise(log):
                if after < before - BACK_SECONDS:
                    self.object_to(f"game {game}: {before - after:.0f} s are gone between two entries of its log")
            self._judge_turns(game, log)
            if game in closed:
                self._judge_lobby(game, log, over=closed[game] is not None)

    def _judge_turns(self, game: int, log: list[tuple[str, str, float]]) -> None:
        ended = False
        """Whether the present turn has ended once: whoever comes back may be too late for its second end."""
        for kind, body, at in log:
            passed = kind == "turn_missed" and not ended
            if kind == "presence":
                change = json.loads(body)
                passed = change["presence"] == "away" and change.get("by") is None
            ended = kind != "match" and (ended or passed)
            told = next((each for each in reversed(self.told[game]) if each.at < at - APART_SECONDS), None)
            if not passed or told is None or self.town.troubled(told.at - 60.0, at):
                continue
            if min(told.ends, default=at) > at + 1.0:
                self.object_to(f"game {game}: a turn ended at {at:.1f} s, which was shown to end at {told.ends}")

    def _judge_lobby(self, game: int, log: list[tuple[str, str, float]], *, over: bool) -> None:
        lobby = [each for each in log if each[0] != "closed"]
        if any(kind == "match" for kind, *_ in lobby) or not lobby:
            return
        wait, last = LOBBIES.get(_tempo_of((body,) for _, body, _ in lobby), HOURS), lobby[-1][2]
        end = log[-1]
        if over and end[0] == "closed" and json.loads(end[1]).get("phase") == "expired" and end[2] - last < wait - 1.0:
            self.object_to(f"game {game}: its lobby was closed {end[2] - last:.0f} s after the last change")
        still = sum(min(each.end, self.now) - max(each.begin, last) for each in self.town.troubles if each.end > last)
        if not over and self.now - last - still > wait * 1.25 + MEND_SECONDS:
            self.object_to(f"game {game}: its lobby is open {self.now - last:.0f} s after the last change")
