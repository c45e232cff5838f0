"""The ways on for people who have no seat: watching, and hearing of the channel's next table."""

from collections.abc import Callable
from typing import Any, Final

import discord

from bot.platform.kit.host import host_of
from bot.platform.layout import Component, button, layout_of, link, notice, row
from bot.platform.transport.permissions import roles_of, seen_by
from bot.platform.transport.reply import private_words, reply_to
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.questions import seat_button
from bot.tables.words.names import rules_name
from bot.tables.words.scores import against_text

_MOST_OFFERED: Final = 5
"""The most tables elsewhere that one is shown."""


async def turn_away(interaction: discord.Interaction[Any], table: Table) -> None:
    """Say that somebody has no seat at a table, and offer to watch it, or to be told of the next one."""
    t = private_words(interaction)
    buttons: list[Component] = []
    url = host_of(interaction).of(TableParts).presenter.link(table)
    if url is not None:
        buttons.append(link(url, t("Go to the table") if table.phase is Phase.LOBBY else t.context("button", "Watch")))
    if table.phase is Phase.PLAYING and table.view().fixture is None:
        buttons.append(button(Ref(table.id).custom_id(Verb.AWAIT_NEXT), t("Join next"), emoji="🙋"))
        if (vacant := table.view().vacant) is not None and table.view().question is None:
            buttons.append(seat_button(table.view(), vacant, t))
    text = TableRefusal.NOT_SEATED.reason(t)
    await reply_to(interaction).send_private(layout_of(text, row(*buttons)) if buttons else notice(text))


async def free_seats(interaction: discord.Interaction[Any]) -> list[str]:
    """List the server's tables where somebody could sit down, those with the fewest free seats first."""
    t, person_id, roles = private_words(interaction), interaction.user.id, roles_of(interaction)
    free: list[tuple[int, int, str]] = []
    for table, link_there in await _seen_elsewhere(interaction, lambda each: each.may_join(person_id, roles)):
        seats = table.view().config.capacity - len(table.view().seats)
        text = rules_name(table.view().config, t) + " · " + t.plural("{n} free seat", "{n} free seats", seats)
        free.append((seats, table.id, f"<#{table.channel_id}> {text} · {link_there}"))
    return [line for _, _, line in sorted(free)[:_MOST_OFFERED]]


async def matches_elsewhere(interaction: discord.Interaction[Any]) -> list[str]:
    """List the server's matches that somebody could watch, the liveliest first."""
    found = await _seen_elsewhere(interaction, lambda table: table.phase is Phase.PLAYING)
    return [
        f"<#{table.channel_id}> {against_text(table.view())} · {link_there}"
        for table, link_there in sorted(found, key=lambda each: (each[0].acted_at, each[0].id), reverse=True)[
            :_MOST_OFFERED
        ]
    ]


async def _seen_elsewhere(
    interaction: discord.Interaction[Any], wanted: Callable[[Table], bool]
) -> list[tuple[Table, str]]:
    """Find such tables in other channels and public threads of the server that somebody can see, with links there."""
    host, t = host_of(interaction), private_words(interaction)
    tables = [
        table
        for table in host.of(TableManager).within(guild_id=interaction.guild_id)
        if table.channel_id != interaction.channel_id and wanted(table)
    ]
    seen = await seen_by(interaction) if tables else frozenset[int]()
    urls = [(table, host.of(TableParts).presenter.link(table)) for table in tables if table.channel_id in seen]
    return [(table, t("[Go to the table]({url})", url=url)) for table, url in urls if url is not None]


async def call_waiting(interaction: discord.Interaction[Any], table: Table) -> None:
    """Tell those who wait in a channel that a table has opened there, which may be in a thread by now, unless its match
    has begun already."""
    host, channel_id = host_of(interaction), interaction.channel_id or 0
    waiting = host.of(TableParts).waiting
    if table.phase is not Phase.LOBBY or channel_id not in waiting:
        return
    people = [person_id for person_id in waiting.pop(channel_id) if table.seat_of(person_id) is None]
    if people:
        t = host.tools.display(table.locale, table.guild_id).words
        text = t("👋 {people} The next table is open.", people=" ".join(f"<@{person_id}>" for person_id in people))
        await reply_to(interaction).announce(text, allowed_mentions=host.tools.willing(people))
