"""Edits a message that another has replaced; nothing depends on whether that succeeds."""

from __future__ import annotations

import logging
from typing import Final

from bot.ui.kit.tools import Tools
from bot.ui.layout import Layout
from bot.ui.transport.channels import Place
from bot.ui.transport.files import Files, Sent
from bot.ui.transport.shown import Shown
from bot.ui.transport.trouble import NETWORK
from bot.ui.transport.turns import Priority

log = logging.getLogger(__name__)

PATIENT_SECONDS: Final = 30.0
"""How long to wait for a picture where nothing is urgent, as when a message is edited for the last time."""


async def leave_behind(tools: Tools, place: Place, message_id: int, layout: Layout, shown: Shown | None = None) -> None:
    """Take the buttons off a message: it shows `layout` from now on. `shown`: what is known of its picture."""
    shown = shown or Shown()
    layout = await tools.gallery.illustrated(layout, place.channel_id, PATIENT_SECONDS, editing=True)
    try:
        async with tools.channels.turn(place, Priority.LEFT_BEHIND) as ticket:

            async def send(each: Layout, files: Files) -> Sent:
                return await tools.channels.edit(ticket, place, message_id, each, files)

            await tools.gallery.edit(place.channel_id, layout, shown, send)
    except NETWORK as error:
        log.debug("An old message stays as it is (%s)", type(error).__name__)
