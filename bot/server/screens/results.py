"""A server's results as a file, and its rated matches that ended early, for those who may manage the server."""

from collections.abc import Sequence
from typing import Final

from discord.utils import format_dt

from bot.platform.language.spelling import capital
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import Layout, button
from bot.platform.people import safe
from bot.platform.settings.choices import Choice
from bot.platform.settings.ids import SETTINGS
from bot.platform.settings.listing import SETTINGS_LIST
from bot.tables.live.result import BrokenOff
from bot.tables.live.view import holder_name
from bot.tables.log.events import Phase
from bot.tables.words.scores import side_name

EXPORT: Final = "export"
"""The verb of the button that sends the results as a file."""
RESULTS: Final = Choice(
    "results", NC_("heading", "**Results**"), {}, about=N_("All matches of this server as a table, for a spreadsheet.")
)


def results_layout(matches: Sequence[BrokenOff], t: Words, *, said: str | None = None) -> Layout:
    """The screen. `matches`: those that ended early, the latest first. `said`: what came of a click."""
    early = t("### Ended early") + "\n-# " + t("Rated matches without a winner, as long as I keep their logs.")
    lines = "\n".join(_line(match, t) for match in matches) or t("There are none.")
    download = button(SETTINGS.custom_id(EXPORT), t("Download CSV"), emoji="📄")
    return SETTINGS_LIST.page(RESULTS, t, said, f"{early}\n{lines}", buttons=[download])


def export_text(shown: int, total: int, t: Words) -> str:
    """The text beside the file. `shown`: how many matches are in the file."""
    if not total:
        return t("No match finished here yet. `/escoba play` starts one.")
    if shown < total:
        return t("The latest {shown} matches of {total}: a file takes no more.", shown=shown, total=total)
    return t.plural("The one match of this server.", "All {n} matches of this server.", total)


def _line(match: BrokenOff, t: Words) -> str:
    totals = match.match.totals
    sides = range(match.match.seating.sides)
    names = [holder_name(seat) for seat in match.seats]
    score = " – ".join(f"{side_name(match.match, side, names)} **{totals[side]}**" for side in sides)
    when = format_dt(match.at, "f")
    where = "" if match.channel_id < 0 else f", <#{match.channel_id}>"
    return f"- {when}{where}{t.colon}{score}\n  -# {capital(_how(match, t))}"


def _how(match: BrokenOff, t: Words) -> str:
    match match.phase, match.ended_by:
        case _, str(name):
            how = t("ended by {name}", name=f"**{safe(name)}**")
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
