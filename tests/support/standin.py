"""A tiny bot to test the test helpers with: a table, private hands, buttons, a menu, a modal, a timer."""

from __future__ import annotations

import asyncio
import io
import re
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands, ui
from discord.http import Route

from tests.support.people import SimTime

PIXEL = b"\x89PNG\r\n\x1a\n"


class Do(ui.DynamicItem[ui.Button[Any]], template=r"t:(?P<what>\w+):(?P<arg>\w+)"):
    """A button; its custom_id says what it does."""

    def __init__(self, what: str, arg: str, label: str = "?", *, disabled: bool = False) -> None:
        self.what, self.arg = what, arg
        super().__init__(ui.Button(label=label, custom_id=f"t:{what}:{arg}", disabled=disabled))

    @classmethod
    async def from_custom_id(cls, _i: Any, _item: Any, match: re.Match[str], /) -> Do:
        return cls(match["what"], match["arg"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: StandIn = interaction.client
        respond = interaction.response
        if self.what == "hand":
            await respond.send_message(view=hand(interaction, "7o"), ephemeral=True)
        elif self.what == "play":
            await respond.edit_message(view=hand(interaction, "nothing"))
            await bot.table.edit(view=table(f"{interaction.user.display_name} played {self.arg}"))
        elif self.what == "slow":
            await respond.defer(ephemeral=True, thinking=True)
            await interaction.edit_original_response(view=hand(interaction, "10e"))
            await interaction.followup.send(view=hand(interaction, "1b"), ephemeral=True)
        elif self.what == "modal":
            await respond.send_modal(Note())
        elif self.what == "timer":
            bot.due = float(self.arg)
            bot.changed.set()
            await respond.defer()
        elif self.what == "break":
            raise ZeroDivisionError
        else:
            await respond.send_message(view=table(f"unknown {self.what}"), ephemeral=True)


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"p:pick"):
    """A menu of three cards."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=card, value=card) for card in ("1o", "2c", "3e")]
        super().__init__(ui.Select(custom_id="p:pick", placeholder="cards", options=options, max_values=2))

    @classmethod
    async def from_custom_id(cls, _i: Any, _item: Any, _match: re.Match[str], /) -> Pick:
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=table(f"picked {' '.join(self.item.values)}"), ephemeral=True)


class Note(ui.Modal, title="A note"):
    words: ui.TextInput[Any] = ui.TextInput(label="Words", custom_id="words")

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=table(f"noted {self.words.value}"), ephemeral=True)


def row(*items: Any) -> ui.ActionRow[Any]:
    return ui.ActionRow(*items)


def table(text: str, picture: bool = False) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(text))
    if picture:
        box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://table.png", description="empty")))
    box.add_item(row(Do("hand", "x", "My hand"), Do("slow", "x", "Slowly"), Do("modal", "x", "Note")))
    box.add_item(row(Do("timer", "60", "In 60 s"), Do("off", "x", "Not now", disabled=True)))
    box.add_item(row(Pick()))
    return view.add_item(box)


def hand(interaction: discord.Interaction[Any], card: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=0)  # with None, discord.py runs a timer of 15 minutes for each ephemeral answer
    words = f"{interaction.user.display_name} has {card}, {interaction.locale}, {interaction.guild_locale}"
    view.add_item(ui.TextDisplay(words))
    return view.add_item(row(Do("play", card, f"Play {card}"), Do("hand", "x", "Again")))


class StandIn(discord.Client):
    """The bot. Its timer waits in `time.hold`, as the real bot's clock does."""

    def __init__(self, time: SimTime) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.time = time
        self.tree = app_commands.CommandTree(self)
        self.table: discord.Message
        self.due: float | None = None
        self.changed = asyncio.Event()
        self.alarms: list[str] = []
        self.clock: asyncio.Task[None] | None = None
        self.raw_body: Any = None
        group = app_commands.Group(name="escoba", description="Play")
        group.command(name="play", description="Open a table")(self.play)
        group.command(name="raw", description="Send what the test says")(self.raw)
        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Do, Pick)
        await self.tree.sync()
        self.clock = asyncio.create_task(self.run_clock())

    async def close(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
        await super().close()

    async def run_clock(self) -> None:
        while True:
            self.changed.clear()
            await self.time.hold(self.until_changed_or_due())
            if self.due is not None and not self.changed.is_set():
                self.due = None
                self.alarms.append(self.time.now().isoformat())
                await self.table.edit(view=table("time is up"))

    async def until_changed_or_due(self) -> None:
        try:
            async with asyncio.timeout(self.due):
                await self.changed.wait()
        except TimeoutError:
            return

    async def play(self, interaction: discord.Interaction[Any]) -> None:
        file = discord.File(io.BytesIO(PIXEL), "table.png")
        await interaction.response.send_message(view=table("a table", picture=True), file=file)
        made = await interaction.original_response()
        self.table = await made.channel.fetch_message(made.id)

    async def raw(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True)
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=interaction.channel_id)
        with suppress(discord.HTTPException):  # the tap finds Discord's error
            await self.http.request(route, json=self.raw_body)
