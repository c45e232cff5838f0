"""A small bot with all kinds of components and answers, also those that Escoba doesn't use."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

HOSTILE = "<img src=x onerror=document.title='pwned'> <script>document.title='pwned'</script> &amp;"


def png(width: int = 400, height: int = 200) -> bytes:
    """A plain picture."""
    rows = b"".join(b"\0" + bytes((20, 120, 60)) * width for _ in range(height))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


class Press(ui.DynamicItem[ui.Button[Any]], template=r"t:(?P<verb>\w+)"):
    """A button that does what its verb says."""

    def __init__(self, verb: str, **look: Any) -> None:
        super().__init__(ui.Button(custom_id=f"t:{verb}", **look))
        self.verb = verb

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any) -> Press:
        return cls(match["verb"], label=item.label)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        answer = interaction.response
        match self.verb:
            case "count":
                interaction.client.count += 1
                await answer.edit_message(view=board(interaction.client))
            case "secret":
                await answer.send_message(f"secret of {interaction.user.display_name}", ephemeral=True)
            case "form":
                await answer.send_modal(Form())
            case "language":
                await answer.send_message(f"{interaction.locale} {interaction.guild_locale}", ephemeral=True)
            case "silent":
                return
            case "broken":
                raise RuntimeError("this handler is broken")


class Turn(ui.DynamicItem[ui.Button[Any]], template=r"u:(?P<version>\d+):(?P<place>\w+)"):
    """A button of a game with two places: one's are disabled on the other's turn, and all ids change each turn."""

    def __init__(self, version: int, place: str) -> None:
        rests = (version % 2 == 1) != (place == "other")
        super().__init__(ui.Button(custom_id=f"u:{version}:{place}", label=f"{version}-{place}", disabled=rests))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any) -> Turn:
        return cls(int(match["version"]), match["place"])

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        interaction.client.turn += 1
        await interaction.response.edit_message(view=turns(interaction.client.turn))


def turns(version: int) -> ui.LayoutView:
    """The message of the game with two places."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(f"Turn {version}"))
    view.add_item(row(*(Turn(version, str(place)) for place in range(3))))
    view.add_item(row(Turn(version, "other")))
    return view


class Choose(ui.DynamicItem[ui.Select[Any]], template=r"c:(?P<kind>\w+)"):
    """A menu of suits."""

    def __init__(self, item: Any = None) -> None:
        names = ("oros", "copas", "espadas", "bastos")
        options = [discord.SelectOption(label=name, value=name, default=name == "oros", emoji="🃏") for name in names]
        super().__init__(
            item or ui.Select(custom_id="c:suits", placeholder="Suits", min_values=1, max_values=3, options=options)
        )

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any) -> Choose:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        data: Any = interaction.data
        interaction.client.chosen = data["values"]
        await interaction.response.edit_message(view=board(interaction.client))


class Form(ui.Modal, title="A form"):
    """A form with a line and a menu."""

    line: ui.Label[Any] = ui.Label(text="A line", component=ui.TextInput(custom_id="line", max_length=20))
    menu: ui.Label[Any] = ui.Label(
        text="A menu",
        component=ui.Select(
            custom_id="menu",
            options=[discord.SelectOption(label="one", value="1"), discord.SelectOption(label="two", value="2")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        line: Any = self.line.component
        menu: Any = self.menu.component
        await interaction.response.send_message(f"got {line.value} and {menu.values}", ephemeral=True)


def row(*items: Any) -> ui.ActionRow[Any]:
    """A row of the components."""
    return ui.ActionRow(*items)


def board(bot: Any) -> ui.LayoutView:
    """A layout with one component of each kind."""
    style = discord.ButtonStyle
    language: Any = Press("language", label="Language")
    box: ui.Container[Any] = ui.Container(
        ui.Section(ui.TextDisplay(f"## Count {bot.count}"), accessory=language),
        ui.Separator(),
        ui.TextDisplay(f"{HOSTILE}\n||hidden|| **bold** <t:1700000000:F> chosen {bot.chosen}"),
        ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="The board")),
        row(
            Press("count", label="Count", style=style.primary, emoji="➕"),
            Press("secret", label="Secret", style=style.success),
            Press("form", label="Form"),
            Press("never", label="Never", style=style.danger, disabled=True),
        ),
        row(Press("silent", label="Silent"), Press("broken", label="Broken"), Press("again", emoji="🔄")),
        row(Choose()),
        accent_colour=0x2F9E44 + bot.count,
    )
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


class Spanish(app_commands.Translator):
    """Translates some names."""

    async def translate(self, string: Any, locale: discord.Locale, context: Any) -> str | None:
        words = {"board": "tablero", "Show the board": "Muestra el tablero", "Greet someone": "Saludar"}
        return words.get(str(string)) if locale is discord.Locale.spain_spanish else None


@app_commands.command(name="board", description="Show the board")
async def show(interaction: discord.Interaction[Any]) -> None:
    """Post the layout."""
    picture = discord.File(io.BytesIO(png()), "board.png")
    await interaction.response.send_message(view=board(interaction.client), file=picture)


@app_commands.command(name="echo", description="Say what was chosen")
@app_commands.choices(suit=[app_commands.Choice(name="Oros", value="o"), app_commands.Choice(name="Copas", value="c")])
async def echo(
    interaction: discord.Interaction[Any],
    number: app_commands.Range[int, 1, 9],
    who: discord.Member | None = None,
    suit: str = "o",
    loud: bool = False,
) -> None:
    """Answer with the options."""
    name = who.mention if who else "nobody"
    await interaction.response.send_message(f"{number} {name} {suit} {loud}")


@app_commands.command(name="turns", description="Take turns")
async def take_turns(interaction: discord.Interaction[Any]) -> None:
    """Post the game with two places."""
    await interaction.response.send_message(view=turns(0))


@app_commands.command(name="moderate", description="For moderators")
@app_commands.default_permissions(manage_messages=True)
async def moderate(interaction: discord.Interaction[Any]) -> None:
    """Answer privately; only moderators may use this."""
    await interaction.response.send_message("moderated", ephemeral=True)


@app_commands.context_menu(name="Greet someone")
async def greet(interaction: discord.Interaction[Any], person: discord.Member) -> None:
    """Greet the person whose menu it was chosen in."""
    await interaction.response.send_message(f"{interaction.user.display_name} greets {person.display_name}")


class Sample(commands.Bot):
    """The bot."""

    count = turn = 0
    chosen: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__((), intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Choose, Turn)
        for command in (show, echo, moderate, take_turns, greet):
            self.tree.add_command(command)
        await self.tree.set_translator(Spanish())
        await self.tree.sync()


async def create_sample(*_: Any) -> Sample:
    """Takes the place of `create_bot`."""
    return Sample()
