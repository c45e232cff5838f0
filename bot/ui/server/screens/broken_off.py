"""The list of rated matches that ended early, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Sequence

from discord.utils import format_dt

from bot.tables.broken_off import BrokenOff
from bot.tables.log.events import Phase
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, SeasonSetting
from bot.ui.layout import Component, Layout, box_of, button, row
from bot.ui.words.names import holder_name, seat_name
from bot.ui.words.tables.scores import side_name
from bot.ui.words.texts import Words


def broken_off_layout(matches: Sequence[BrokenOff], t: Words) -> Layout:
    """The list, the latest first."""
    intro = t("Rated matches that ended early, without a winner. They are listed for as long as I keep their logs.")
    return box_of(
        FELT,
        t("## ✂️ Ended early") + "\n" + intro,
        "\n".join(_line(each, t) for each in matches) or t("There are none."),
        row(button(SETTINGS.custom_id(SeasonSetting.OPEN), t("Back"), emoji="⚙️")),
    )


def broken_off_button(t: Words) -> Component:
    """The button that opens the list."""
    return button(SETTINGS.custom_id(SeasonSetting.ENDED_EARLY), t("Ended early"), emoji="✂️")


def _line(match: BrokenOff, t: Words) -> str:
    totals = match.match.totals
    sides = range(match.match.seating.sides)
    score = " – ".join(f"{side_name(match.match, side, match.seats)} **{totals[side]}**" for side in sides)
    when = format_dt(match.at, "f")
    return f"- {when}, <#{match.channel_id}>: {score}\n  -# {_how(match, t)}"


def _how(match: BrokenOff, t: Words) -> str:
    match match.phase, match.ended_by:
        case _, str(name):
            how = t("ended by {name}", name=f"**{seat_name(name, computer=False)}**")
        case Phase.AGREED, _:
            how = t("everyone agreed")
        case Phase.ABANDONED, _:
            how = t("everyone left")
        case Phase.IDLE, _:
            how = t("nobody was moving")
        case Phase.GONE, _:
            how = t("its channel was gone, or closed to me")
        case _:
            how = t("it was ended")
    if not match.left:
        return how
    names = ", ".join(holder_name(match.seats[seat]) for seat in sorted(match.left))
    return how + " · " + t("lost by leaving: {names}", names=names)
