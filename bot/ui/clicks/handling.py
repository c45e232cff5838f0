"""Around the handling of every interaction: log lines carry its id, and its outcome and duration are measured."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

import discord

from bot.operating.logs import reporting
from bot.operating.meter import Meter, Outcome

_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "autocomplete",
    discord.InteractionType.component: "click",
    discord.InteractionType.modal_submit: "form",
}


class Handling:
    """The outcome of handling an interaction: failed, unless something else is set."""

    def __init__(self) -> None:
        self.outcome = Outcome.FAILED


@contextmanager
def handling(interaction: discord.Interaction[Any], meter: Meter) -> Generator[Handling]:
    """Handle an interaction in this block, and report the outcome."""
    begun = Handling()
    began = perf_counter()
    with reporting(interaction.id):
        try:
            yield begun
        finally:
            command = interaction.command
            meter.handled(
                _KINDS.get(interaction.type, "other"),
                None if command is None else command.qualified_name,
                begun.outcome,
                perf_counter() - began,
            )
