"""A layout as discord.py's methods take one."""

from __future__ import annotations

from typing import Any

from discord.ui import LayoutView

from bot.ui.screens.layout import Layout


class Drawn(LayoutView):
    """Sends a layout. discord.py is told that nothing of it is to be listened to, and keeps nothing of it."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        """The components of the request."""
        return self._layout.to_components()

    def has_components_v2(self) -> bool:
        """They are all of the new kind."""
        return True

    def is_dispatchable(self) -> bool:
        """Clicks on it are served by their custom_ids."""
        return False

    def is_finished(self) -> bool:
        """So nobody waits for any."""
        return True
