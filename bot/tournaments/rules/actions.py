"""Actions that can be asked of a tournament: by people, and by the director, who reports how tables have ended."""

from __future__ import annotations

from dataclasses import dataclass

from bot.platform.people.person import Person
from bot.tournaments.rules.tournament import Outcome, Setup


@dataclass(frozen=True, slots=True)
class TournamentAction:
    """An action that a person asks for."""

    person: Person


@dataclass(frozen=True, slots=True)
class Enter(TournamentAction):
    """A person takes part: before the first round, late, or again after withdrawing. In pairs, a partner must join."""


@dataclass(frozen=True, slots=True)
class Ask(TournamentAction):
    """The organiser asks somebody to take part, each person once."""

    whom: Person


@dataclass(frozen=True, slots=True)
class JoinPartner(TournamentAction):
    """A person completes somebody's pair. The person's own entry of one is given up."""

    entry: int


@dataclass(frozen=True, slots=True)
class LeaveEntry(TournamentAction):
    """A person gives up their place before the first round, or says no when asked; a partner keeps theirs."""


@dataclass(frozen=True, slots=True)
class CheckIn(TournamentAction):
    """A person confirms that their entry is there; one person of a pair is enough."""


@dataclass(frozen=True, slots=True)
class Withdraw(TournamentAction):
    """A person takes part in no further round. Before the first one it is the same as `LeaveEntry`."""


@dataclass(frozen=True, slots=True)
class Remove(TournamentAction):
    """The organiser removes an entry; it can't come back. `disqualified`: it stands on no podium either."""

    entry: int
    disqualified: bool = False


@dataclass(frozen=True, slots=True)
class ChangeSetup(TournamentAction):
    """The organiser changes the set-up, before the first round."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class Repeat(TournamentAction):
    """The organiser has it held at a minute of every week, see `Start`, or stops that."""

    weekly: int | None


@dataclass(frozen=True, slots=True)
class BeginCheckIn(TournamentAction):
    """The organiser asks everybody to confirm that they are there."""


@dataclass(frozen=True, slots=True)
class Begin(TournamentAction):
    """The organiser has the first round drawn from those who checked in or, without check-in, all who signed up.

    `ratings`: people's ids with their ratings, for a knockout whose places are given by rating; `due`: nobody asks for
    it, its time has come.
    """

    ratings: tuple[tuple[int, float], ...] = ()
    due: bool = False


@dataclass(frozen=True, slots=True)
class DrawRound(TournamentAction):
    """The organiser has the next round drawn; that ends it if nobody is left to play. `due`: as in `Begin`."""

    due: bool = False


@dataclass(frozen=True, slots=True)
class Correct(TournamentAction):
    """The organiser decides how a table ended, or changes it. If they played there, an opponent must agree."""

    round: int
    table: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class PlayAgain(TournamentAction):
    """The organiser has a table of the latest round play again; not with DUPLICATE: its players know the boards. If
    they played there, an opponent must agree."""

    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Answer(TournamentAction):
    """An opponent agrees to what was proposed for a table, or doesn't. `number` says which proposal they saw."""

    round: int
    table: int
    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class CancelTournament(TournamentAction):
    """The organiser ends the tournament without a podium."""


@dataclass(frozen=True, slots=True)
class Report:
    """A table has ended. This changes nothing if its round isn't the latest, or the table has an outcome already or has
    been told to play again since; so it may be reported any number of times."""

    round: int
    table: int
    attempt: int
    outcome: Outcome
