"""What a click costs: a play from a panel, compared with bare bots that reply with a fixed layout of the same size."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import discord
from discord import ComponentType, ui
from discord.ext import commands

from bench import standin
from bench.match import CHANNELS, ClickedMatch, Transport, cost_of, escoba, logged_in, loopback
from bot.cards.pictures.sprites import warm
from bot.platform.language.faces import Deck
from bot.process.app import EscobaBot

WARM_UP = 12


@dataclass(frozen=True, slots=True)
class Clicks:
    """Median CPU milliseconds of a click.

    `bot` is the real one; `storeless` the same in another match, with a store that saves nothing; `bare` a bot that
    only replies with a layout of the same components and texts; `three` one that also edits two other messages, as the
    real one does. `requests` and `components` (of the reply) are the real bot's medians.
    """

    clicks: int
    bot: float
    storeless: float
    bare: float
    three: float
    requests: float
    components: float


@dataclass(frozen=True, slots=True)
class PicturedClicks:
    """Median CPU milliseconds of a click with pictures and without.

    `answer` counts the event loop until it has replied to the click; pictures are painted outside it. `all` counts the
    whole process until everybody sees the move, painting included. `uploads` is the number of files per click.
    """

    clicks: int
    answer: float
    answer_in_words: float
    all: float
    all_in_words: float
    uploads: float


class BareBot(commands.Bot):
    """Replies to any click with the layout `fixed`, rebuilt each time as in the real bot, and edits `others`."""

    def __init__(self) -> None:
        super().__init__(command_prefix=(), help_command=None, intents=discord.Intents(guilds=True), max_messages=None)
        self.fixed: list[Any] = []
        self.others: list[tuple[discord.PartialMessage | discord.Interaction[Any], list[Any]]] = []
        self.latest: dict[int, discord.Interaction[Any]] = {}

    async def setup_hook(self) -> None:
        """Accept clicks on any message."""
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(BareButton(custom_id="b:0", label="b")))
        self.add_view(view)

    async def answer(self, interaction: discord.Interaction[Any]) -> None:
        """Reply to a click and edit the other messages."""
        self.latest[interaction.user.id] = interaction
        await interaction.response.edit_message(view=layout_of(self.fixed))
        await asyncio.gather(*(self._edit(where, components) for where, components in self.others))

    @staticmethod
    async def _edit(where: discord.PartialMessage | discord.Interaction[Any], components: list[Any]) -> None:
        if isinstance(where, discord.PartialMessage):
            await where.edit(view=layout_of(components))
        else:
            await where.edit_original_response(view=layout_of(components))


class BareButton(ui.Button[Any]):
    """A button as in discord.py's own examples."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Reply to the click."""
        bot = interaction.client
        assert isinstance(bot, BareBot)
        await bot.answer(interaction)


def layout_of(components: list[Any]) -> ui.LayoutView:
    """A view of the same components, in which the custom_id of each button and menu is a number."""
    numbers = count()
    view = ui.LayoutView(timeout=None)
    for each in components:
        view.add_item(_item(each, numbers))
    return view


def _item(node: dict[str, Any], numbers: count[int]) -> ui.Item[Any]:
    match ComponentType(node["type"]):
        case ComponentType.container:
            return ui.Container(
                *(_item(each, numbers) for each in node["components"]), accent_colour=node.get("accent_color")
            )
        case ComponentType.action_row:
            return ui.ActionRow(*(_item(each, numbers) for each in node["components"]))
        case ComponentType.button:
            return BareButton(
                custom_id=f"b:{next(numbers)}",
                label=node.get("label"),
                emoji=(node.get("emoji") or {}).get("name"),
                style=discord.ButtonStyle(node["style"]),
                disabled=node.get("disabled", False),
            )
        case ComponentType.string_select:
            options = [discord.SelectOption(label=each["label"], value=each["value"]) for each in node["options"]]
            return ui.Select[Any](custom_id=f"b:{next(numbers)}", placeholder=node.get("placeholder"), options=options)
        case ComponentType.text_display:
            return ui.TextDisplay(node["content"])
        case ComponentType.separator:
            return ui.Separator()
        case kind:
            raise ValueError(f"a panel has no such component: {kind}")


def renumbered(components: list[Any], numbers: count[int] | None = None) -> list[Any]:
    """The components of a message as a bare bot would have made them."""
    numbers = numbers or count()
    changed: list[Any] = []
    for node in components:
        inner = {"components": renumbered(node["components"], numbers)} if "components" in node else {}
        pressed = {"custom_id": f"b:{next(numbers)}"} if node["type"] in (2, 3) else {}
        changed.append({**node, **inner, **pressed})
    return changed


@asynccontextmanager
async def _bare(*, wire: bool) -> AsyncIterator[tuple[BareBot, Transport]]:
    bot = BareBot()
    async with bot:
        yield bot, await logged_in(bot, wire=wire)


async def measure(clicks: int, *, wire: bool) -> Clicks:
    """Play that many clicks on four bots in turn, over HTTP or answered within the process."""
    costs: list[tuple[float, float, float, float, int, int]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as other_folder,
        loopback() if wire else nullcontext(),
    ):
        async with (
            escoba(Path(folder), wire=wire) as (bot, transport),
            escoba(Path(other_folder), wire=wire) as (forgetful, forgetful_transport),
            _bare(wire=wire) as (bare, bare_transport),
            _bare(wire=wire) as (three, three_transport),
        ):
            kept, lost = _Matches(bot, transport), _Matches(forgetful, forgetful_transport, forgets=True)
            while len(costs) < clicks + WARM_UP:
                match = await kept.current()
                person_id, panel, custom_id = await match.next_play()
                real = await match.click(person_id, panel, custom_id)
                storeless = await (await lost.current()).play()
                bare.fixed = three.fixed = match.panels[person_id]["components"]
                simple = await cost_of(bare, bare_transport, _bare_click(person_id, panel), match.resting)
                _set_others(three, match, person_id)
                triple = await cost_of(three, three_transport, _bare_click(person_id, panel), match.resting)
                if (simple.requests, triple.requests) != (1, 1 + len(three.others)):
                    raise AssertionError("a bare bot hasn't made the expected requests")
                size = sum(1 for _ in standin.walk(bare.fixed))
                costs.append((real.seconds, storeless.seconds, simple.seconds, triple.seconds, real.requests, size))
                bare_transport.sent.clear()
                three_transport.sent.clear()
    of_bot, of_storeless, of_bare, of_three, requests, sizes = zip(*costs[WARM_UP:], strict=True)
    milliseconds = [1000 * median(each) for each in (of_bot, of_storeless, of_bare, of_three)]
    return Clicks(clicks, *milliseconds, requests=median(requests), components=median(sizes))


async def measure_pictures(clicks: int, *, wire: bool) -> PicturedClicks:
    """Play that many clicks on a bot with pictures and on one without, in turn."""
    costs: list[tuple[float, float, float, float]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as other_folder,
        loopback() if wire else nullcontext(),
    ):
        async with (
            escoba(Path(folder), wire=wire, pictures=True) as (painting, transport),
            escoba(Path(other_folder), wire=wire) as (plain, other_transport),
        ):
            warm(Deck.SPANISH, lambda: True)
            pictured, text_only = _Matches(painting, transport), _Matches(plain, other_transport)
            files = 0
            while len(costs) < clicks + WARM_UP:
                if len(costs) == WARM_UP:
                    files = transport.files
                with_pictures = await (await pictured.current()).play()
                in_words = await (await text_only.current()).play()
                costs.append((with_pictures.answer, in_words.answer, with_pictures.seconds, in_words.seconds))
            uploads = (transport.files - files) / clicks
    medians = [1000 * median(each) for each in zip(*costs[WARM_UP:], strict=True)]
    return PicturedClicks(clicks, *medians, uploads=uploads)


class _Matches:
    """One match after another on a bot; with `forgets`, its store discards entries once a match has begun."""

    def __init__(self, bot: EscobaBot, transport: Transport, *, forgets: bool = False) -> None:
        self._bot = bot
        self._transport = transport
        self._channels = iter(CHANNELS)
        self._forgets = forgets
        self._match: ClickedMatch | None = None

    async def current(self) -> ClickedMatch:
        """The match in progress."""
        if self._match is None or self._match.over:
            self._match = ClickedMatch(self._bot, self._transport, next(self._channels))
            await self._match.begin()
            if self._forgets:
                self._bot.parts.stores.games.append = _drop  # type: ignore[method-assign]
        return self._match


async def _drop(*_: Any, **__: Any) -> None:
    """Replaces `Games.append`."""


def _bare_click(person_id: int, panel: dict[str, Any]) -> str:
    return standin.click(person_id, {**panel, "components": renumbered(panel["components"])}, "b:0")


def _set_others(bot: BareBot, match: ClickedMatch, person_id: int) -> None:
    """Make the bot edit what the real one edits after a click: the table's message and the other panel."""
    message = bot.get_partial_messageable(match.channel_id, guild_id=standin.GUILD).get_partial_message(
        int(match.public_message["id"])
    )
    bot.others = [(message, match.public)]
    for other, interaction in bot.latest.items():
        if other != person_id and other in match.panels:
            bot.others.append((interaction, match.panels[other]["components"]))
