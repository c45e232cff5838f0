"""A whole match as text, one event per line; blank lines, and anything after a ``#``, are ignored."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.errors import NotationError
from bot.engine.events import Claimed, Event, MatchStarted, Played, RoundDealt
from bot.engine.match import Match, start
from bot.engine.notation import format_event, parse_event


def format_match(events: Iterable[Event]) -> str:
    """A match as text: one event per line, with rounds, escobas and scores as comments.

    Raises:
        NotationError: if the first event isn't a `MatchStarted`.
        IllegalMove: if an event isn't legal at that point.
    """
    lines: list[str] = []
    match: Match | None = None
    for event in events:
        match = start(event) if match is None and isinstance(event, MatchStarted) else _applied(match, event)
        line = format_event(event)
        if isinstance(event, RoundDealt):
            lines.append(f"\n# round {match.round_number}")
        if isinstance(event, Played | Claimed) and any(getattr(fact, "escoba", False) for fact in match.facts):
            line += "  # escoba"
        lines.append(line)
        if match.round is not None and match.round.over:
            lines.append(
                f"# {' - '.join(map(str, match.scores[-1].points))}, total {' - '.join(map(str, match.totals))}"
            )
    return "\n".join(lines) + "\n"


def parse_match(text: str) -> tuple[Event, ...]:
    """The events of a match in text form.

    Raises:
        NotationError: for a line that isn't an event.
    """
    return tuple(parse_event(line) for line in text.splitlines() if line.partition("#")[0].strip())


def _applied(match: Match | None, event: Event) -> Match:
    if match is None:
        raise NotationError("a match begins with its rules")
    return match.apply(event)
