"""The events of a tournament, one per version of its log. `Tournament` is the state after them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.platform.people.person import Person
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

    `agreed`: an opponent who has agreed to it, where the organiser played.
    """

    round: int
    table: int
    outcome: Outcome
    by: Person
    agreed: Person | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """The organiser has a table of the latest round play again; any outcome that it had is void.

    `agreed`: as in `Corrected`.
    """

    table: int
    by: Person
    agreed: Person | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """An organiser who played at a table wants its outcome replaced; `outcome` is None to have it play again."""

    round: int
    table: int
    outcome: Outcome | None
    by: Person


@dataclass(frozen=True, slots=True)
class Declined:
    """An opponent doesn't agree to what was proposed for a table."""

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
)
