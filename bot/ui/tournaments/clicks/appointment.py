"""The title and the time of a tournament, as somebody typed them."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.club.appointments import read_appointment
from bot.club.rule_set import is_visible
from bot.club.tournaments.setup import LONGEST_TITLE, Start
from bot.tables.server.zones import zone_named
from bot.ui.kit.press import Press
from bot.ui.words.names import plain


async def zone_of(press: Press) -> str:
    """The server's time zone, by its IANA name."""
    return (await press.host.guild_settings.get(press.guild_id)).zone


async def typed_appointment(press: Press, written: Sequence[str]) -> tuple[str, Start | None]:
    """Read a title and a time from the form; no time if that was left empty.

    Raises:
        UnclearAppointment: if the time isn't clear, is past or too far ahead.
    """
    title, when = [*written, "", ""][:2]
    title = plain(title, longest=LONGEST_TITLE) if is_visible(title) else ""
    if not when.strip():
        return title, None
    zone, now = await zone_of(press), press.host.tools.clock.now()
    month_first = press.interaction.locale is discord.Locale.american_english
    moment = read_appointment(when, now, zone_named(zone), month_first=month_first)
    return title, Start(round(moment.timestamp()), zone)
