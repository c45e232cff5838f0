"""A server's settings about its seasons and their rewards, and the keys under which the last podium is noted."""

from bot.club.rules.seasons import SeasonLength
from bot.platform.settings.documents import Choices


class ClubSettings(Choices):
    """A server's choices; None stands for the default."""

    season: SeasonLength = SeasonLength.MONTH
    """The length of a season."""
    winner_role: int | None = None
    """The role that a season's best gets when its podium is made; None for no role."""
    podium_role: int | None = None
    """The role of the first three."""
    passes_on: bool = True
    """Whether those who had a role from the previous podium lose it then."""

    @property
    def reward_roles(self) -> list[int]:
        """The roles that the best of a season get."""
        return [role for role in (self.winner_role, self.podium_role) if role is not None]


def rewarded_key(guild_id: int) -> str:
    """The store's key for which roles the last podium has given, and up to which place."""
    return f"rewarded:{guild_id}"


def podium_key(guild_id: int) -> str:
    """The store's key for which season's podium was posted last."""
    return f"podium:{guild_id}"
