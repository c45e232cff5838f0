"""Every text is complete, and in the language of those who read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.catalogues import ENGLISH, SPOKEN, languages, lines_in, lines_of, texts_of
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sight import sight_of, strings_of
from tests.support.wiretap import CALLBACK, CHANNEL, WEBHOOK

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

READ: Final = frozenset({"content", "label", "placeholder", "description", "title", "text", "name"})
"""The fields of a body that people read."""
INCOMPLETE: Final = re.compile(
    r"""
    \{[a-z_]\w*(?::[^}]*)?\}                       # a placeholder
    | <[\w.]+\sobject\sat\s0x | <\w+\.\w+:\s       # an object, a member of an enumeration
    | \b(?:datetime|frozenset|Decimal|CardSet|Person|Card)\(
    | \b(?:NoneType|dict_keys|Traceback)\b
    | \[(?:'[^']*'|\d+)(?:,\s(?:'[^']*'|\d+))+\]   # a list
    | ^(?:\#{1,3}|-\#|>)\s*$ | (?<!\S)\*{4}(?!\S)   # an empty heading, or nothing in bold
    """,
    re.VERBOSE | re.MULTILINE,
)
NONE: Final = re.compile(r"\bNone\b")
RECENT: Final = 1_200.0
"""What somebody reads may be in the language that they chose before, for so many seconds."""


class Texts(Judge):
    """No text has a hole in it, and no whole line is in another language than its reader's, or its channel's."""

    kind = "text"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._chosen: dict[int, float] = {}
        """When somebody chose a language for themselves, or for a server: nobody else has one stored."""
        self._spoken: dict[int, set[str]] = {}
        """The languages that a server has had: an open table keeps its own."""
        self._had: dict[int, set[str]] = {}
        """The languages that somebody has chosen so far."""

    def pressed(self, shot: Shot) -> None:
        if shot.what.startswith("m:language"):
            self._chosen[shot.who.person.id] = self.now
        elif shot.what.startswith("s:language"):
            self._chosen[self.town.guild_of(shot.channel_id)] = self.now

    def arrived(self, request: Request) -> None:
        if not isinstance(request.body, dict) or "/commands" in request.path:
            return
        texts = [
            text for place, text in strings_of(request) if place.rpartition("/")[2] in READ and "/emoji/" not in place
        ]
        texts += [each.description for each in request.files if each.description]
        suspect = [text for text in texts if _may_be_wrong(text)]
        if not suspect:
            return
        allowed = self._languages(request)
        for text in suspect:
            if (found := _hole_in(text, allowed)) is not None:
                self.object_to(f"{found!r} in {text!r}, by {request.method} {request.path}")
            if allowed and (line := next(_foreign_lines(text, allowed), None)) is not None:
                self.object_to(f"{line!r} isn't {' or '.join(allowed)}, by {request.method} {request.path}")

    # --------------------------------------------------------------------------------------------------- languages
    def _languages(self, request: Request) -> list[str]:
        """The languages in which a body may be; none if that can't be said for sure."""
        seen = sight_of(self.town, request)
        realm = self.town.world.realm
        if seen.viewer is not None:
            spoken_by = SPOKEN.get(realm.locales.get(seen.viewer, ""))
            if spoken_by is None:
                return []  # the bot doesn't speak it: theirs is the server's
            if (at := self._chosen.get(seen.viewer)) is None:
                return [spoken_by]
            chosen = self._stored("SELECT choices FROM people WHERE user_id = ?", seen.viewer).get("language")
            had = self._had.setdefault(seen.viewer, set())
            had |= {chosen} if chosen else set()
            return sorted({spoken_by, *had}) if self.now - at > RECENT else []  # a choice may just have been erased
        guild = self._guild_of(request)
        if guild not in realm.communities:
            return []  # it is the language of somebody who opened something there
        spoken = self._spoken.setdefault(guild, {_spoken_in(realm, guild)})
        if guild in self._chosen:
            stored = self._stored("SELECT value FROM key_values WHERE key = ?", f"guild_settings:{guild}")
            spoken.add(stored.get("language") or _spoken_in(realm, guild))
        return sorted(spoken)

    def _guild_of(self, request: Request) -> int | None:
        backend = self.town.world.realm.backend
        channel: Any = None
        if found := CALLBACK.fullmatch(request.path):
            channel = backend.interactions[int(found[1])].channel_id
        elif found := WEBHOOK.fullmatch(request.path):
            record = backend.interactions.get(backend.interaction_tokens.get(found[1], 0))
            channel = None if record is None else record.channel_id
        elif found := CHANNEL.fullmatch(request.path):
            channel = int(found[1])
        known = backend.channels.get(channel)
        return None if known is None else known.guild_id

    def _stored(self, query: str, value: object) -> dict[str, Any]:
        rows = self.town.world.disk.look(query, value)
        return json.loads(rows[0][0]) if rows else {}


@lru_cache(maxsize=1)
def all_lines() -> dict[str, frozenset[str]]:
    """By line, the languages that it is in."""
    found: dict[str, set[str]] = {}
    for language in languages():
        for line in lines_of(language):
            found.setdefault(line, set()).add(language)
    return {line: frozenset(several) for line, several in found.items()}


@lru_cache(maxsize=20_000)
def _may_be_wrong(text: str) -> bool:
    """Whether a text has a hole, or a line that isn't the same in all languages."""
    lines = all_lines()
    return (
        INCOMPLETE.search(text) is not None
        or NONE.search(text) is not None
        or any(line in lines and len(lines[line]) < len(languages()) for line in lines_in(text))
    )


@lru_cache(maxsize=1)
def _with_none() -> frozenset[str]:
    """What English texts say with "None" in it, between their placeholders."""
    pieces = (piece for _, english in texts_of(ENGLISH) for piece in re.split(r"\{\w+\}", english))
    return frozenset(piece for piece in pieces if NONE.search(piece))


def _hole_in(text: str, allowed: list[str]) -> str | None:
    if (found := INCOMPLETE.search(text)) is not None:
        return found[0]
    if not allowed or ENGLISH in allowed:
        for piece in (*sorted(_with_none(), key=len, reverse=True)[:-1], "· None"):
            text = text.replace(piece, "")
        if text == "None":
            return None
    return "None" if NONE.search(text) else None


def _foreign_lines(text: str, allowed: list[str]) -> Iterator[str]:
    lines = all_lines()
    return (line for line in lines_in(text) if line in lines and lines[line].isdisjoint(allowed))


def _spoken_in(realm: Any, guild: int) -> str:
    """The language of a server that has chosen none with the bot."""
    return SPOKEN.get(str(realm.backend.guilds[guild].preferred_locale), ENGLISH)
