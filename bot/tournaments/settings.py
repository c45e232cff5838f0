"""A server's setting about tournaments."""

from bot.platform.settings.documents import Choices


class TournamentSettings(Choices):
    """A server's choice of the people who may organise tournaments."""

    all_organise: bool = False
    """Whether everybody may organise tournaments, not only those who manage events or messages."""
