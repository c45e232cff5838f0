"""A tournament as values: its set-up, its entries, the rounds with their pairings and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.platform.people import Person
from bot.tournaments.rules.setup import Format, Setup, rounds_for


class TournamentStage(StrEnum):
    """A tournament's stages, in order."""

    SIGN_UP = "sign_up"
    CHECK_IN = "check_in"
    """People who have signed up confirm that they are there; the others are left out."""
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        return self not in (TournamentStage.FINISHED, TournamentStage.CANCELLED)


class Gone(StrEnum):
    """The reason why an entry takes part in no further round."""

    WITHDREW = "withdrew"
    REMOVED = "removed"
    """The organiser has removed it, as if it had withdrawn."""
    DISQUALIFIED = "disqualified"
    """The organiser has removed it, and it stands on no podium."""
    ABSENT = "absent"
    """It hadn't checked in when the first round was drawn."""
    NO_PARTNER = "no_partner"
    """A pair that had one person when the first round was drawn."""
    FORFEITS = "forfeits"
    """It has lost twice without playing to the end: it didn't come, or left."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One person or pair that takes part.

    Attributes:
        number: from 1, in the order of signing up; never given to another.
        people: one, or with `Setup.pairs` two. A pair may be incomplete until check-in.
        present: has checked in.
        from_round: the first round it can be paired in; later than 1 for a late entry.
        gone: the reason why it takes part in no further round; its results stay.
    """

    number: int
    people: tuple[Person, ...]
    present: bool = False
    from_round: int = 1
    gone: Gone | None = None

    @property
    def withdrawn(self) -> bool:
        return self.gone is not None

    @property
    def barred(self) -> bool:
        """Whether the organiser has removed it, so that it can't come back."""
        return self.gone in (Gone.REMOVED, Gone.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a pairing, seen from its two entries.

    Attributes:
        points: the points of each in the match.
        winner: 0 for the first entry, 1 for the second; None for a draw, which only DUPLICATE has, or, with `forfeit`,
            if both lost.
        forfeit: it wasn't played to its end: the loser, or both, left or didn't come.
        board_points: with DUPLICATE each board's points, in order.
    """

    points: tuple[int, int]
    winner: int | None
    forfeit: bool = False
    board_points: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that play each other, by number; the first is dealt to first in a match's first round."""

    table: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round: its pairings and its byes.

    Attributes:
        pairings: the tables, numbered from 1.
        byes: the entries that win without an opponent.
        outcomes: the results of the pairings so far, by table.
        replays: the number of times a table was told to play again, by table; tables not named: never.
    """

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    outcomes: Mapping[int, Outcome] = field(default_factory=dict[int, Outcome])
    replays: Mapping[int, int] = field(default_factory=dict[int, int])

    def pairing(self, table: int) -> Pairing | None:
        return next((pairing for pairing in self.pairings if pairing.table == table), None)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the entries that are in it."""
        return frozenset((*self.byes, *(number for each in self.pairings for number in (each.first, each.second))))

    def attempt(self, table: int) -> int:
        """Return the number of the match of this table that counts: 1 for the first one that was opened."""
        return 1 + self.replays.get(table, 0)

    @property
    def over(self) -> bool:
        return all(pairing.table in self.outcomes for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class Correction:
    """An outcome that the organiser has replaced; `after` is None where they have had the table play again.

    `agreed`: the opponent who has agreed to it, if the organiser played at that table.
    """

    round: int
    table: int
    before: Outcome | None
    after: Outcome | None
    by: Person
    agreed: Person | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that waits for people's agreement; `after` is None if the table is to play again.

    Attributes:
        number: the version of the log that it was made with, so that nobody agrees to a newer one by mistake.
        by: somebody who may propose it.
        agreed: the people who have agreed so far.
        running: whether the table had no outcome, but a match that already counted.
    """

    number: int
    round: int
    table: int
    after: Outcome | None
    by: Person
    agreed: tuple[Person, ...] = ()
    running: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """An entry on the podium of the week before."""

    rank: int
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after `version` entries of its log.

    Attributes:
        lot: a number that decides what is left to chance, such as the first round's opponents.
        guests: the late entries of a knockout, each with the entry whose bye it has taken.
        last: the podium of the latest of the same tournament in the weeks before.
        seeds: the entries of a knockout from the highest rating to the lowest, if its places are given by rating.
        asked: the people whom the organiser has asked to take part, and who haven't answered.
        called: the people who were asked, or called to check in: nobody is notified of either a second time.
        proposals: the corrections that wait for an opponent's agreement.
        cancelled_by: who has cancelled it; None if nobody has, or if it was due to the time.
        numbered: how many entries there have been, with those whose people gave up their places before they played.
    """

    organiser: Person
    setup: Setup
    lot: int = 0
    stage: TournamentStage = TournamentStage.SIGN_UP
    entries: tuple[Entry, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    corrections: tuple[Correction, ...] = ()
    seeds: tuple[int, ...] = ()
    guests: tuple[tuple[int, int], ...] = ()
    last: tuple[Winner, ...] = ()
    version: int = 1
    asked: tuple[Person, ...] = ()
    called: frozenset[int] = frozenset()
    proposals: tuple[Proposal, ...] = ()
    cancelled_by: Person | None = None
    numbered: int = 0

    def has_entry(self, number: int) -> bool:
        return any(entry.number == number for entry in self.entries)

    def entry(self, number: int) -> Entry:
        found = [entry for entry in self.entries if entry.number == number]
        return found[0]

    def entry_of(self, person_id: int) -> Entry | None:
        """Find the entry that a person belongs to and hasn't withdrawn from."""
        for entry in self.entries:
            if not entry.withdrawn and any(person.id == person_id for person in entry.people):
                return entry
        return None

    def opponents_of(self, person_id: int, pairing: Pairing) -> tuple[Person, ...]:
        """List the people whom a person plays in a pairing; none if they don't play there."""
        two = (self.entry(pairing.first), self.entry(pairing.second))
        for own, other in (two, two[::-1]):
            if any(person.id == person_id for person in own.people):
                return other.people
        return ()

    def proposal(self, round: int, table: int) -> Proposal | None:
        """Find the correction of a table that waits for agreement."""
        return next((each for each in self.proposals if (each.round, each.table) == (round, table)), None)

    def corrected(self, round: int, table: int) -> Correction | None:
        """Find the latest correction of a table."""
        return next((each for each in reversed(self.corrections) if (each.round, each.table) == (round, table)), None)

    @property
    def uncalled(self) -> list[int]:
        """The ids of people in it, or who signed up, that haven't been asked or called to check in yet."""
        entered = [person.id for entry in self.entries if not entry.withdrawn for person in entry.people]
        return [person_id for person_id in entered if person_id > 0 and person_id not in self.called]

    @property
    def asks(self) -> bool:
        """Whether people who are asked can still enter."""
        return self.stage in (TournamentStage.SIGN_UP, TournamentStage.CHECK_IN) or self.takes_late_entries

    def complete(self, entry: Entry) -> bool:
        """Whether it has all its people."""
        return len(entry.people) == self.size

    def took_part(self, entry: Entry) -> bool:
        return any(entry.number in round.numbers for round in self.rounds)

    def open_pairing(self, entry: Entry) -> Pairing | None:
        """Find the pairing of the latest round that an entry is yet to finish."""
        if self.round is None:
            return None
        theirs = (pairing for pairing in self.round.pairings if entry.number in (pairing.first, pairing.second))
        return next((pairing for pairing in theirs if pairing.table not in self.round.outcomes), None)

    def forfeits(self, number: int) -> int:
        """Count the matches that an entry has lost without playing to the end."""
        count = 0
        for round in self.rounds:
            for pairing in round.pairings:
                outcome = round.outcomes.get(pairing.table)
                if outcome is not None and outcome.forfeit and number in (pairing.first, pairing.second):
                    count += outcome.winner is None or number != (pairing.first, pairing.second)[outcome.winner]
        return count

    @property
    def repeats(self) -> bool:
        """Whether the same is held again in a week: unless nobody wanted to play, or its organiser was erased."""
        weekly = self.setup.start is not None and self.setup.start.weekly is not None
        return weekly and self.organiser.id > 0 and bool(self.entries)

    @property
    def round(self) -> TournamentRound | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def planned(self) -> int:
        """The number of rounds, by the entries of the first one or, before it, of those who would play in it."""
        if self.rounds:
            return rounds_for(self.setup, 2 * len(self.rounds[0].pairings) + len(self.rounds[0].byes))
        return rounds_for(self.setup, self.starting)

    @property
    def starters(self) -> tuple[Entry, ...]:
        """The entries that would play in the first round, before it: the complete entries that are present or, as long
        as check-in hasn't begun, that have signed up."""
        return tuple(
            entry
            for entry in self.entries
            if not entry.withdrawn and self.complete(entry) and (entry.present or self.stage is TournamentStage.SIGN_UP)
        )

    @property
    def singles(self) -> tuple[Entry, ...]:
        """The people who are waiting for a partner and would be paired with each other when a round is drawn."""
        return tuple(
            entry
            for entry in self.entries
            if not entry.withdrawn
            and len(entry.people) == 1 < self.size
            and (entry.present or self.stage is TournamentStage.SIGN_UP)
        )

    @property
    def size(self) -> int:
        """The number of people in an entry."""
        return 2 if self.setup.pairs else 1

    @property
    def starting(self) -> int:
        """The number of entries in the first round, before it, once those who are waiting for a partner are paired."""
        return len(self.starters) + len(self.singles) // 2

    @property
    def free_place(self) -> bool:
        """Whether an all-play-all, in which somebody rests in every round, has room for one more entry."""
        return bool(self.rounds and self.rounds[0].byes) and self.latecomer is None

    @property
    def latecomer(self) -> int | None:
        """The entry that has taken the free place of an all-play-all after the first round."""
        late = (entry for entry in self.entries if entry.number not in self.rounds[0].numbers and self.complete(entry))
        return next((entry.number for entry in late if self.took_part(entry) or not entry.withdrawn), None)

    @property
    def free_bye(self) -> int | None:
        """The entry of a knockout that a late one would meet: the lowest rated that has a bye in the first round."""
        if len(self.rounds) != 1 or self.rounds[0].over:
            return None
        byes = [number for number in self.rounds[0].byes if not self.entry(number).withdrawn]
        return max(byes, key=lambda number: self.seeds.index(number) if self.seeds else 0, default=None)

    @property
    def takes_late_entries(self) -> bool:
        """Whether somebody can still enter after play has begun: while no more than half the rounds are drawn. In an
        all-play-all there must be a free place, and in a knockout a bye of the first round, which must go on."""
        if self.setup.format is Format.KNOCKOUT:
            return self.stage is TournamentStage.PLAYING and self.free_bye is not None
        roomy = self.setup.format in (Format.SWISS, Format.DUPLICATE)
        if self.setup.format is Format.ALL_PLAY_ALL:
            roomy = self.free_place
        return self.stage is TournamentStage.PLAYING and roomy and 2 * len(self.rounds) <= self.planned
