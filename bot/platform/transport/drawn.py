"""A layout in the form that discord.py's methods take."""

from __future__ import annotations

from typing import Any

from discord.ui import LayoutView

from bot.platform.layout import Layout


class Drawn(LayoutView):
    """A carrier of a layout to Discord. discord.py doesn't keep it, as it has no clicks to listen for."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        return self._layout.to_components()

    def has_components_v2(self) -> bool:
        """Return True: all layouts are made of Components V2."""
        return True

    def is_dispatchable(self) -> bool:
        """Return False: clicks are handled by their custom_ids instead."""
        return False

    def is_finished(self) -> bool:
        """Return True: nothing waits for clicks on this view."""
        return True
