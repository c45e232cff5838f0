"""Buttons to the operator's support, privacy notice and terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.ui.screens.layout import Component, link, row
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Links:
    """Web addresses, None where the operator has set none."""

    support: str | None = None
    privacy: str | None = None
    terms: str | None = None


NO_LINKS: Final = Links()


def link_row(links: Links, t: Words) -> Component | None:
    """A row of buttons that open the links; None without any."""
    named = ((links.support, t("Get help")), (links.privacy, t("Privacy notice")), (links.terms, t("Terms of use")))
    buttons = [link(url, label) for url, label in named if url is not None]
    return row(*buttons) if buttons else None
