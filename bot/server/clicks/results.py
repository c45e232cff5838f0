"""A server's results as a file, and its rated matches that ended early, for those who may manage the server."""

from itertools import groupby
from operator import attrgetter
from typing import Final

from bot.club.refusals import ClubRefusal
from bot.club.store.career import ResultRows
from bot.club.words.export import ResultsFile
from bot.platform.kit.screen import Press
from bot.platform.layout import file_of, layout_of
from bot.platform.settings.pages import SettingPage
from bot.server.screens.results import EXPORT, RESULTS, export_text, results_layout
from bot.tables.live.result import broken_off
from bot.tables.store.logs import Games

FILE_NAME: Final = "escoba-results.csv"
MOST_BYTES: Final = 8 * 1024 * 1024
"""Discord takes files of 10 MiB."""
MOST_MATCHES: Final = 100_000
"""More than fit into a file."""
AT_ONCE: Final = 250
"""Matches that are read and written at a time, which takes some milliseconds."""


async def _show_results(press: Press, said: str | None = None) -> None:
    matches = await broken_off(press.host.of(Games), press.guild_id)
    await press.reply.update_private(results_layout(matches, press.t, said=said))


async def _export(press: Press) -> None:
    """Send the results as a file: all of them, or the latest that fit into one."""
    press.host.throttle.exports.take_or_refuse(press.guild_id, ClubRefusal.EXPORTED_JUST_NOW)
    # Answer at once: this may take long, and Discord may take no file after a deferral.
    await _show_results(press, "📄 " + press.t("I'm collecting the results. The file comes below."))
    rows = press.host.of(ResultRows)
    ids, total = await rows.latest(press.guild_id, MOST_MATCHES)
    file = ResultsFile(MOST_BYTES)
    for chunk in (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE)):
        matches = [list(seats) for _, seats in groupby(await rows.of(chunk), attrgetter("result_id"))]
        if not all(file.add(total - file.matches, seats) for seats in matches):
            break
    text = export_text(file.matches, total, press.t)
    layout = layout_of(text, file_of(FILE_NAME))
    await press.reply.follow_up_with_file(layout, text, FILE_NAME, file.content())


PAGE: Final = SettingPage(choice=RESULTS, show=_show_results, handlers={EXPORT: _export})
