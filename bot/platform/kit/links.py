"""Buttons that open web addresses: the operator's support, privacy notice and terms, and the bot's invitation."""

from dataclasses import dataclass
from typing import Final

from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, layout_of, link, row


@dataclass(frozen=True, slots=True)
class Links:
    """Web addresses, None where the operator has set none."""

    support: str | None = None
    privacy: str | None = None
    terms: str | None = None


NO_LINKS: Final = Links()


def channel_url(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """Return the web address of a channel, or of a message in it; of the server, if there is no channel (below 0)."""
    if channel_id < 0:
        return f"https://discord.com/channels/{guild_id}"
    url = f"https://discord.com/channels/{guild_id}/{channel_id}"
    return url if message_id is None else f"{url}/{message_id}"


def link_row(links: Links, t: Words) -> Component | None:
    """A row of buttons that open the links; None without any."""
    named = ((links.support, t("Get help")), (links.privacy, t("Privacy notice")), (links.terms, t("Terms of use")))
    buttons = [link(url, label) for url, label in named if url is not None]
    return row(*buttons) if buttons else None


def invitation_layout(url: str, t: Words, text: str | None = None) -> Layout:
    """The answer to a command that needs a server, in one where the bot isn't. `text`: what to say elsewhere."""
    text = text or t(
        "This server has my commands, but I'm not in it, so I can't keep a table here. Someone with the Manage "
        "Server permission can invite me. After that, send the command again."
    )
    return layout_of(text, row(link(url, t("Invite me"))))
