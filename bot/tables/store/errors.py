"""The errors of games: a channel that has one, a game that doesn't exist or is over."""

from bot.platform.database.errors import StoreError, VersionConflict


class ChannelBusy(StoreError):
    """The channel, or the person who plays alone, already has an open game; there can be only one."""

    code: str = "channel_busy"
    counts: bool = False

    def __init__(self, channel_id: int | None) -> None:
        where = "somebody who plays alone" if channel_id is None else f"channel {channel_id}"
        super().__init__(f"{where} has an open game already")
        self.channel_id = channel_id


class FixtureOpened(StoreError):
    """A game has already been opened for this pairing of a tournament, which has only one."""

    code: str = "fixture_opened"

    def __init__(self, tournament_id: int, key: str) -> None:
        super().__init__(f"tournament {tournament_id} has had its game {key} already")
        self.tournament_id = tournament_id
        self.key = key


class UnknownGame(StoreError):
    """There is no game with this id."""

    code: str = "unknown_game"

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


class GameClosed(VersionConflict):
    """The game is closed: nothing can be appended to its log."""

    code: str = "game_closed"
