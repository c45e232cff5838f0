"""The parts that the handlers of the tables use."""

from dataclasses import dataclass, field

from bot.platform.transport.reward_roles import Members
from bot.tables.boards.digests import Digests
from bot.tables.boards.evenings import Evenings
from bot.tables.boards.presenter import Matches, Presenter


@dataclass(frozen=True, slots=True)
class TableParts:
    """The presenter of the tables, who is on their servers, the clock of daily messages, the list of somebody's
    matches, the cards of evenings, and by channel the people who want to be told of its next table."""

    presenter: Presenter
    members: Members
    digests: Digests
    matches: Matches
    evenings: Evenings
    waiting: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
