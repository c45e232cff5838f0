"""A control that somebody sees does what it says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import OF_GAME, seconds_of, shown_by, stored
from tests.support.limits_components import walk
from tests.support.wiretap import CALLBACK, WEBHOOK

if TYPE_CHECKING:
    from pathlib import Path

    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

OUT_OF_DATE: Final = "That button is out of date. `/escoba table` shows the table as it is now."
FAILED: Final = "Something went wrong (report {number}). Nothing is lost. Please try again."
BROKEN: Final = frozenset(
    "STALE NEEDS_SERVER UNAVAILABLE UNREADABLE NEWER FROM_NEWER OUTDATED CLOSING UNPOSTED CARD_NOT_HELD MUST_CAPTURE "
    "CHOOSE_FIRST NO_ROUND ROUND_RUNNING BAD_DECK BAD_RULES NO_TABLE OUT_OF_DATE FAILED".split()
)
"""The refusals that no control may meet which shows the newest state."""
NOT_THEIRS: Final = frozenset(
    "NOT_MANAGER NOT_OWNER NOT_SEATED ALREADY_SEATED LOBBY_OVER NOT_STARTED GAME_OVER NOT_ALLOWED NEEDS_EVERYBODY "
    "OF_TOURNAMENT ASKED_BEFORE NOT_MOVER NOT_RATER NOT_HOST NOT_CHALLENGED NO_GAME NOT_FORGOTTEN RULES_DELETED "
    "NO_ROLE NOT_YOUR_TURN NOTHING_TO_SING MATCH_OVER OVER NOT_ORGANISER ALREADY_ENTERED NOT_ENTERED NOT_PAIRS STARTED "
    "ANSWERED NOT_CHECK_IN CHECK_IN_BEGAN SETTLED OUT NOT_ASKED PAIRED_SINCE MAY_NOT_ORGANISE NO_BOARDS NO_HINTS "
    "NO_REVIEWS NO_REVIEW DAY_CLOSED NO_REPLAY NO_LOG LEFT_SERVER".split()
)
"""Those that no control of a private message may meet either: whoever sees it may press it."""
LEADING: Final = re.compile(r"^[^\w¡¿]+")
PRIVATE: Final = 64
SETTLED_SECONDS: Final = 3.0
"""How long after a change every message shows it."""
DAY_SECONDS: Final = 86_400.0
OFTEN: Final = 5
"""A command that was refused so often, and never did anything, is named in the summary."""


@cache
def refusals() -> dict[str, str]:
    """The names of all refusals by their texts, in every language."""
    from bot.platform.language.catalogues import languages, words
    from bot.platform.refusals import RefusalCode

    texts = {FAILED: "FAILED", OUT_OF_DATE: "OUT_OF_DATE"}
    kinds = [RefusalCode]
    for kind in kinds:
        kinds += kind.__subclasses__()
        texts = {str(code): code.name for code in kind if code.name != "NOT_A_CAPTURE"} | texts  # the first name counts
    found: dict[str, str] = {}
    for language in languages():
        for text, name in texts.items():
            found.setdefault(_plain(words(language)(text)), name)
    return found


def _plain(text: str) -> str:
    """A text without what differs from answer to answer."""
    return LEADING.sub("", re.sub(r"<(/[^:>]+):\d+>|`(/[^`]+)`", r"\1\2", re.sub(r"\{number\}|\d{9,}", "N", text)))


@dataclass(slots=True)
class Press:
    """A press that nothing should be in the way of. `shown`: since when its message looked like that."""

    control: str
    game: int | None
    private: bool
    shown: float
    said: list[str] = field(default_factory=list)


class Controls(Judge):
    """Whoever presses what a message offers isn't refused: not as too late, nor because it isn't theirs."""

    kind = "control"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._presses: dict[int, Press] = {}
        self._tokens: dict[str, int] = {}
        self._commands: dict[int, str] = {}
        self._outcomes: dict[str, Counter[str]] = {}
        self._erased: dict[int, float] = {}
        """When people erased what is kept about them: nothing that they were shown before need work."""

    def pressed(self, shot: Shot) -> None:
        data, message = shot.payload["data"], shot.payload.get("message")
        number = shot.record.id
        self._tokens[shot.payload["token"]] = number
        if shot.erases:
            self._erased[shot.who.person.id] = self.now
        if shot.what.startswith("/"):
            self._commands[number] = shot.what.partition(" {")[0]
            self._presses[number] = Press("", None, True, self.now)
        elif message is not None and not shot.what.startswith("form") and self._offered(data["custom_id"], message):
            game = OF_GAME.match(data["custom_id"])
            changed = (
                datetime.fromisoformat(message.get("edited_timestamp") or message["timestamp"]).timestamp() - self.begin
            )
            private = bool(message.get("flags", 0) & PRIVATE)
            self._presses[number] = Press(data["custom_id"], int(game[2], 36) if game else None, private, changed)

    def _offered(self, custom_id: str, message: dict[str, Any]) -> bool:
        there = self.town.world.realm.has(int(message["channel_id"]), message["id"])
        nodes = walk(message.get("components") or [])
        return there and any(node.get("custom_id") == custom_id and not node.get("disabled") for _, node in nodes)

    def heard(self, request: Request) -> None:
        found = CALLBACK.fullmatch(request.path) or WEBHOOK.fullmatch(request.path)
        if found is None:
            return
        number = int(found[1]) if "/callback" in request.path else self._tokens.get(found[1], 0)
        press = self._presses.get(number)
        if press is not None and not press.said and (sheet := shown_by(request)) is not None:
            press.said = sheet.text.splitlines()  # whatever comes later is news, and no answer

    def over(self, shot: Shot) -> None:
        number = shot.record.id
        self._tokens.pop(shot.payload["token"], None)
        press, command = self._presses.pop(number, None), self._commands.pop(number, None)
        if press is None:
            return
        refused = next((name for line in press.said if (name := refusals().get(_plain(line)))), "")
        if command is not None:
            self._outcomes.setdefault(command, Counter())[refused] += 1
        erased = self._erased.get(shot.who.person.id, -1.0) > press.shown
        if not refused or erased or self.town.troubled(shot.at - 60.0, self.now):
            return
        if refused == "LOBBY_OVER" and press.control.startswith("e:rematch:"):
            return  # the rematch, which is another game, has begun since
        wrong = refused in BROKEN or (press.private and refused in NOT_THEIRS and command is None)
        if wrong and not self._changed(press, shot.at - SETTLED_SECONDS, shot.answered or self.now):
            self.object_to(f"{shot.who}: {shot.what} was refused: {refused}")

    def _changed(self, press: Press, since: float, until: float) -> bool:
        """Whether a press may be too late: something happened since its message looked like that, or shortly before."""
        kind = press.control[:1]
        if kind == "d" and until - press.shown > DAY_SECONDS:
            return True  # a later day is open now
        table, column = {"t": ("tournament_events", "1")}.get(kind, ("events", "game_id"))
        with stored(self.town, "controls") as connection:
            rows = connection.execute(f"SELECT at FROM {table} WHERE {column} = ?", (press.game or 1,))  # noqa: S608
            times = [seconds_of(at) - self.begin for (at,) in rows]
            closed = connection.execute("SELECT closed_at FROM games WHERE id = ?", (press.game or 1,)).fetchone()
            if kind == "e" and closed is None:
                return True  # a lobby that was closed leaves nothing
            times += [seconds_of(closed[0]) - self.begin] if closed and closed[0] else []
        return any(press.shown < at <= until or since < at <= until for at in times)

    def at_the_end(self, database: Path) -> None:
        for command, outcomes in self._outcomes.items():
            if not outcomes[""] and outcomes.total() >= OFTEN:
                self.town.world.counts[f"/{command.removeprefix('/')} is always refused"] = outcomes.total()
