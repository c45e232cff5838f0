"""The private message about a person's data: what is kept, a file with all of it, and its erasure."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import re
from typing import Any, Final, Literal, Self, cast

import discord
from discord import ButtonStyle
from discord.ui import Button, DynamicItem, Item, LayoutView, TextDisplay

from bot.tables import privacy
from bot.ui.colours import QUIET
from bot.ui.interactions import answered, host_of, person_of, private_words
from bot.ui.layout import box_of, row, view_of
from bot.ui.notices import notice
from bot.ui.reply import Reply
from bot.ui.texts import Words

FILE_NAME: Final = "escoba-data.json"
_MOST_BYTES: Final = 8 * 1024 * 1024
"""Discord takes files of 10 MiB; a larger document goes out compressed."""

What = Literal["data", "erase", "eraseyes", "keep"]


def privacy_layout(t: Words, *, note: str | None = None) -> LayoutView:
    """What is kept, and what can be done about it."""
    return box_of(
        QUIET,
        None if note is None else f"**{note}**",
        t("## 🔒 Your data"),
        t(
            "**What I keep:** your Discord id and the name you had when you joined a game; the games you sat in, with "
            "their moves; and each server's results. Servers' settings name nobody."
        ),
        t("**What I don't:** I read no messages, and I see neither your e-mail nor your IP address."),
        t("**For how long:** until you erase it here. Backup copies keep it until they are replaced."),
        row(
            PrivacyButton.make("data", t("Get my data")),
            PrivacyButton.make("erase", t("Erase my data"), ButtonStyle.danger),
        ),
    )


def question_layout(t: Words) -> LayoutView:
    """The question before a person's data is erased."""
    return box_of(
        QUIET,
        t("## Erase everything about you?"),
        t(
            "Your id and your name go from every game and result on all servers. You disappear from the leaderboards, "
            "and your figures are gone for good. What the others have won stays theirs."
        ),
        t("If you sit in a game you leave it: a computer plays your cards to the end."),
        t("-# Messages that I have already posted stay in their channels; who moderates those can delete them."),
        row(
            PrivacyButton.make("eraseyes", t("Erase it for good"), ButtonStyle.danger),
            PrivacyButton.make("keep", t("Keep it")),
        ),
    )


def file_layout(t: Words, name: str) -> LayoutView:
    """The message that carries the file: an uploaded file shows through a component only."""
    text = t("Here is all I hold about you, on all servers. Its last part says what the words in it mean.")
    return view_of(TextDisplay(text), discord.ui.File[Any](f"attachment://{name}"))


class PrivacyButton(DynamicItem[Button[Any]], template=r"p:(?P<what>data|erase|eraseyes|keep)"):
    """A button of these messages. It names nobody: it is about the person who presses it."""

    def __init__(self, item: Button[Any], what: What) -> None:
        super().__init__(item)
        self.what: What = what

    @classmethod
    def make(cls, what: What, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Self:
        """The button to put in a layout."""
        return cls(Button(label=label, style=style, custom_id=f"p:{what}"), what)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button that was pressed."""
        return cls(cast("Button[Any]", item), cast("What", match["what"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what it says."""
        await answered(interaction, self._press(interaction))

    async def _press(self, interaction: discord.Interaction[Any]) -> None:
        t = private_words(interaction)
        if interaction.message is None or not interaction.message.flags.ephemeral:
            # Forged: these buttons are on private messages only. Nothing is done, and nothing public is changed.
            await Reply.of(interaction).private(privacy_layout(t))
            return
        match self.what:
            case "data":
                await _send_data(interaction, t)
            case "erase":
                await Reply.of(interaction).update_private(question_layout(t))
            case "eraseyes":
                await _erase(interaction, t)
            case "keep":
                await Reply.of(interaction).update_private(privacy_layout(t, note=t("Nothing was erased.")))


async def _send_data(interaction: discord.Interaction[Any], t: Words) -> None:
    # Deferred at once: this may read through many games, and a file can't be sent as the change of a message.
    await interaction.response.defer(ephemeral=True, thinking=True)
    data = await privacy.personal_data(host_of(interaction).store, interaction.user.id, interaction.created_at)
    name, content = await asyncio.to_thread(_packed, data)
    with io.BytesIO(content) as stream:
        file = discord.File(stream, name)
        await interaction.followup.send(view=file_layout(t, name), file=file, ephemeral=True)


def _packed(data: dict[str, Any]) -> tuple[str, bytes]:
    """The name and content of the file."""
    content = json.dumps(data, ensure_ascii=False, indent=1).encode()
    if len(content) <= _MOST_BYTES:
        return FILE_NAME, content
    return FILE_NAME + ".gz", gzip.compress(content)


async def _erase(interaction: discord.Interaction[Any], t: Words) -> None:
    touched = await privacy.erase(host_of(interaction).manager, person_of(interaction))
    if touched:
        text = t("Done: everything about you is erased. If you play again, I begin anew.")
    else:
        text = t("I held nothing about you.")
    await Reply.of(interaction).update_private(notice(text))
