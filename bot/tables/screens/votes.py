"""The votes of onlookers about who wins a round: a button for each side, their share, and who saw it coming."""

from collections.abc import Sequence
from typing import Final

from bot.engine.views import PublicView
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button, row
from bot.platform.people import plain
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.words.scores import side_name

_MOST_CAPTURES: Final = 5
"""Beside the buttons of more captures than these a message has no room for those of votes."""
_ROOM: Final = 26
"""The characters of the names on a button that a phone has room for, beside the number of votes."""
_MOST: Final = 5
"""The most items of a list that is cut."""


def vote_parts(view: TableView, match: PublicView, t: Words) -> Sequence[str | Component | None]:
    """The question to onlookers with a button for each side, as long as they may vote; then how many have, if any."""
    poll = view.poll
    if poll is None or len(match.choices) > _MOST_CAPTURES:
        return ()
    if poll.open:
        buttons = (_side_button(view, match, side, count) for side, count in enumerate(poll.counts))
        return "-# 🔮 " + t("Onlookers, who wins this round?"), row(*buttons)
    counts = (f"{side_name(match, side, view.names)} **{count}**" for side, count in enumerate(poll.counts))
    return ("-# 🔮 " + " · ".join(counts),) if any(poll.counts) else ()


def _side_button(view: TableView, match: PublicView, side: int, count: int) -> Component:
    seats = match.seating.seats_of(side)
    names = " & ".join(plain(view.seats[seat].name, _ROOM // len(seats)) for seat in seats)
    ref = Ref(view.id, args=(str(match.round_number), str(side)))
    return button(ref.custom_id(Verb.WINS), f"{names} · {count}" if count else names)


def seers_line(people: Sequence[int], t: Words) -> str | None:
    """Name the onlookers who were right, by mentions, which notify nobody; None if nobody was."""
    names = [f"<@{person_id}>" for person_id in people]
    return t("🔮 Saw it coming: {names}", names=first_names(names, t)) if names else None


def first_names(names: Sequence[str], t: Words) -> str:
    """List the first names, and how many there are besides."""
    return t.listed(names) if len(names) <= _MOST else ", ".join(first_of(names, t))


def first_of(items: Sequence[str], t: Words) -> list[str]:
    """The first items, and how many there are besides."""
    more = len(items) - _MOST
    return [*items[:_MOST], *([t.plural("… and {n} more", "… and {n} more", more)] if more > 0 else [])]
