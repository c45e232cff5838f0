"""A picture as an attachment: of a new message, and of an edit."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import discord

from bot.ui.pictures.studio import Picture
from bot.ui.screens.layout import Layout

Files = Any
"""Attachments as discord.py takes them for an edit: a list of all of them, or MISSING to leave what is there."""


def file_of(picture: Picture) -> discord.File:
    """The file of a picture, for one request; it can be read again if the request is retried."""
    return discord.File(BytesIO(picture.data), picture.name)


def replacing(layout: Layout) -> Files:
    """What an edit attaches to a message, whatever was there before."""
    return [] if layout.picture is None else [file_of(layout.picture)]
