"""The events of a tournament's log, and the actions that cause them."""

from dataclasses import dataclass
from typing import ClassVar

from bot.platform.people import Person
from bot.tournaments.rules.tournament import Gone, Outcome, Pairing, Setup, TournamentStage, Winner


@dataclass(frozen=True, slots=True)
class Announced:
    """Somebody opens sign-up, or it is opened again a week later.

    `lot`: any number; it decides what is left to chance. `last`: the podium of the week before.
    """

    organiser: Person
    setup: Setup
    lot: int = 0
    last: tuple[Winner, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUp:
    """The organiser changes the set-up, before the first round."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class RepeatSet:
    """Somebody has it held every week, or stops that. `weekly`: see `Start`."""

    weekly: int | None
    by: Person


@dataclass(frozen=True, slots=True)
class Asked:
    """The organiser asks somebody to take part. They don't before they say so themselves."""

    person: Person
    by: Person


@dataclass(frozen=True, slots=True)
class Entered:
    """A new entry. From check-in on it is present; once rounds are drawn it is a late one, for the next round."""

    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class PartnerJoined:
    """A second person joins an entry of one."""

    entry: int
    person: Person


@dataclass(frozen=True, slots=True)
class LeftEntry:
    """Before the first round, a person gives up their place, or doesn't want to be asked any more; an entry without
    people is no more."""

    person_id: int


@dataclass(frozen=True, slots=True)
class StageBegan:
    """CHECK_IN, PLAYING, FINISHED or CANCELLED begins; `by` is None if it was due to the time or the last result."""

    stage: TournamentStage
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """An entry is there."""

    entry: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An entry takes part in no further round. `by`: who removed it; None if it wasn't removed."""

    entry: int
    why: Gone
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class CameBack:
    """An entry that had withdrawn takes part again, from the next round on."""

    entry: int


@dataclass(frozen=True, slots=True)
class Seeded:
    """The entries that are about to begin a knockout, from the highest rating to the lowest."""

    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The next round is drawn up."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ByeTaken:
    """A late entry of a knockout meets one that had a bye in the first round, while that goes on."""

    pairing: Pairing


@dataclass(frozen=True, slots=True)
class TableEnded:
    """A table of the latest round ended."""

    table: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Corrected:
    """The organiser replaces an outcome, or gives one where a table ended without one.

    `agreed`: the last of those who have agreed to it, if anybody had to.
    """

    round: int
    table: int
    outcome: Outcome
    by: Person
    agreed: Person | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """The organiser has a table of the latest round play again; any outcome is void. `agreed`: as in `Corrected`."""

    table: int
    by: Person
    agreed: Person | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """Somebody wants an outcome replaced, which others must agree to; `outcome` is None to have it play again.
    `running`: there is none yet, but the match already counts."""

    round: int
    table: int
    outcome: Outcome | None
    by: Person
    running: bool = False


@dataclass(frozen=True, slots=True)
class Agreed:
    """One of several people whom it needs agrees to what was proposed for a table."""

    round: int
    table: int
    by: Person


@dataclass(frozen=True, slots=True)
class Declined:
    """Somebody whom it needs doesn't agree to what was proposed for a table."""

    round: int
    table: int
    by: Person


TournamentEvent = (
    Announced
    | SetUp
    | RepeatSet
    | Asked
    | Entered
    | PartnerJoined
    | LeftEntry
    | StageBegan
    | CheckedIn
    | Withdrawn
    | CameBack
    | Seeded
    | RoundPaired
    | ByeTaken
    | TableEnded
    | Corrected
    | Replayed
    | Proposed
    | Declined
    | Agreed
)


@dataclass(frozen=True, slots=True)
class TournamentAction:
    """An action that a person asks for."""

    counted: ClassVar = False
    """Whether it can change the tournament again and again, so that each person has only so many of them."""

    person: Person


@dataclass(frozen=True, slots=True)
class Enter(TournamentAction):
    """A person takes part: before the first round, late, or again after withdrawing. In pairs, a partner must join."""

    counted: ClassVar = True


@dataclass(frozen=True, slots=True)
class Ask(TournamentAction):
    """The organiser asks somebody to take part, each person once."""

    whom: Person


@dataclass(frozen=True, slots=True)
class JoinPartner(TournamentAction):
    """A person completes somebody's pair. The person's own entry of one is given up."""

    counted: ClassVar = True

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

    counted: ClassVar = True

    setup: Setup


@dataclass(frozen=True, slots=True)
class Repeat(TournamentAction):
    """The organiser has it held at a minute of every week, see `Start`, or stops that."""

    counted: ClassVar = True

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
    """The organiser decides how a table ended, or changes it, with those whom that costs something."""

    counted: ClassVar = True

    round: int
    table: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class PlayAgain(TournamentAction):
    """The organiser has a table of the latest round play again, likewise; not with DUPLICATE: its players know the
    boards."""

    counted: ClassVar = True

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
