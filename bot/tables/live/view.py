"""The visible part of a table: renderers and computer players get this instead of its state."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.club.rules.playing import Share
from bot.engine.cards import EMPTY, CardSet
from bot.engine.highlights import Highlights
from bot.engine.match import Match
from bot.engine.rules import Seating
from bot.engine.story import Story, story_of
from bot.engine.views import PublicView, SeatView, public_view, seat_view
from bot.platform.people import Person, safe, told_apart
from bot.players import PERSONAS
from bot.players.characters import Remark
from bot.tables.log.evenings import Outcome
from bot.tables.log.events import Config, Fixture, Guests, Phase
from bot.tables.log.pace import is_unhurried
from bot.tables.log.seats import Question, Seat, is_against_people
from bot.tables.log.topics import Paused
from bot.tables.log.votes import Poll

ROBOT: Final = "🤖"


def holder_name(seat: Seat) -> str:
    """Name a seat's holder in a text that Discord formats; a robot, or a character's face, precedes a computer's."""
    if seat.person_id is not None:
        return safe(seat.name)
    face = ROBOT if seat.character is None else PERSONAS[seat.character].face
    return f"{face} {safe(seat.name)}"


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as everybody sees it.

    Attributes:
        version: the version that buttons name: the log's in a lobby, the match's in a match.
        deadline: when the turn or the pause after a round is over.
        waiting: everybody is away; nothing moves until the deadline, when the game is abandoned.
        restored: the bot was restarted during this turn.
        missing: people who are invited to a rematch, or challenged, and haven't joined yet.
        guests: who may sit down in the lobby; None for all.
        stand_ins: the cards of this round that a computer played in a person's place.
        ended_by: the name of the person who ended the table without a result.
        hints: whether the current player may ask for advice.
        remark: what a character says about the latest move, if the server wants any of that.
        faces: how many people show each face, in the order of `Face`; None where nobody may show any.
        poll: the votes of onlookers about who wins a round; None where nobody may vote.
        ready: the seats of the people who want the next round.
        overdue: the current player, who has no deadline, hasn't clicked for so long that the others may have a computer
            play for them.
        claimable: they haven't moved for so long that the others may claim the match, which is rated.
        claim_days: after how many days in a turn that is; 0 for never.
        slow: whether a turn takes a day or more.
        days: in a lobby, the days that a slow match is expected to take; else 0.
        lost_by_misses: whether too many slow turns missed in a row lose the match; else a computer plays on.
        missed: the seats of people who have let slow turns pass, each once for every such turn in a row.
        question: the question to those who play that is open now.
        pause: the pause in which the table's clocks stand still now.
        day_spent: whether a day of holidays was spent because the current player had let the deadline pass. Only they
            are told.
        may_nudge: whether the current player of a slow match may be nudged once half of their time is over.
        nudged_by: the seat of the person who has done so in this turn.
        holiday: when the current player's holiday is over, if they are on one.
        may_pause: the seats whose people may ask for a pause of such a match, unless there is one.
        vacant: the first seat that somebody else may take if those who play agree.
        forfeits: the seats whose people have lost a rated match by giving it up.
        late: those of them who have let its time pass.
        default_winner: the side that has won because everybody else has given it up, even if the match is played on.
        shares: of a rated match that is over and brings people only what they have played for, everybody's part in it.
        best_left: of a match that is over and that somebody had given up, the side that has won.
        movable: whether the lobby may go on in a thread.
        fixture: the pairing it was opened for, if it belongs to a tournament.
        challenge: its opener challenges the other person who is invited.
        highlights: what is worth telling about the match; None before it begins.
        commitment: the commitment to the seed that its decks are drawn with; None if it has no seed.
        posted: how often its message was posted before its first deal.
        opened: with duplicate, whether all tables of the round have ended, so that everybody may see what was played.
        unseen: whether its channel takes no message, so that it is played from elsewhere.
        returned: whether the bot wasn't in the server for a part of the turn.
        changed: the number of the latest change in the lobby to which people had to agree; 0 for none.
        ok_until: until when the match waits for those who haven't, in seconds since 1970.
        tonight: the outcomes of the matches in its channel's evening before its own, on its public message.
        names: the `holder_name` of each seat.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    opener_id: int
    locale: str
    phase: Phase
    config: Config
    seats: tuple[Seat, ...]
    version: int
    match: PublicView | None
    deadline: datetime | None
    waiting: bool
    restored: bool
    missing: tuple[Person, ...] = ()
    guests: Guests | None = None
    stand_ins: CardSet = EMPTY
    ended_by: str | None = None
    hints: bool = False
    remark: Remark | None = None
    ready: frozenset[int] = frozenset()
    overdue: bool = False
    claimable: bool = False
    claim_days: int = 0
    slow: bool = False
    days: int = 0
    lost_by_misses: bool = False
    missed: tuple[int, ...] = ()
    question: Question | None = None
    pause: Paused | None = None
    day_spent: bool = False
    may_nudge: bool = False
    nudged_by: int | None = None
    holiday: datetime | None = None
    may_pause: frozenset[int] = frozenset()
    vacant: int | None = None
    forfeits: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    default_winner: int | None = None
    best_left: int | None = None
    shares: tuple[Share, ...] = ()
    movable: bool = False
    faces: tuple[int, ...] | None = None
    poll: Poll | None = None
    highlights: Highlights | None = None
    fixture: Fixture | None = None
    challenge: bool = False
    opened: bool = False
    commitment: str | None = None
    posted: int = 0
    unseen: bool = False
    returned: bool = False
    changed: int = 0
    ok_until: int = 0
    tonight: tuple[Outcome, ...] = ()
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asker = None if self.question is None else self.question.by
        people = told_apart((*self.seats, *self.missing, *([] if asker is None else [asker])), drawn=True)
        object.__setattr__(self, "seats", people[: len(self.seats)])
        object.__setattr__(self, "names", tuple(map(holder_name, self.seats)))
        object.__setattr__(self, "missing", people[len(self.seats) :][: len(self.missing)])
        if self.question is not None and asker is not None:
            object.__setattr__(self, "question", replace(self.question, by=people[-1]))

    @property
    def alone(self) -> bool:
        """Whether its opener plays alone in private: there is no channel, and nobody else sees it."""
        return self.channel_id is None

    @property
    def sealed(self) -> bool:
        """Whether only its players may see what is played: other tables may still have the same boards before them."""
        return self.fixture is not None and bool(self.fixture.boards) and not self.opened

    @property
    def boards(self) -> int:
        """The number of boards that a tournament's match plays; 0 in any other."""
        return 0 if self.fixture is None else len(self.fixture.boards)

    @property
    def over(self) -> bool:
        return not self.phase.open

    @property
    def unhurried(self) -> bool:
        """Whether its people come when they can: each turn notifies them once at most."""
        return is_unhurried(self.config.tempo, slow=self.slow)

    @property
    def of_evening(self) -> bool:
        """Whether it belongs to its channel's evening, once it is played."""
        return self.channel_id is not None and self.fixture is None and not self.unhurried

    @property
    def people(self) -> list[Person]:
        """The people who have a seat."""
        return [Person(seat.person_id, seat.name) for seat in self.seats if seat.person_id is not None]

    @property
    def person_at_turn(self) -> int | None:
        """The person whose turn it is, if any; None if a computer plays."""
        turn = None if self.match is None else self.match.turn
        return None if turn is None or not self.seats[turn].human_here else self.seats[turn].person_id

    @property
    def winner(self) -> int | None:
        """The side that has won a match that is over."""
        if self.forfeits:
            return self.best_left
        return None if self.match is None else self.match.winner

    @property
    def winner_to_play(self) -> Person | None:
        """The winner, whom anybody may challenge to the next match; None if they played with a partner or against
        robots alone, if it was no match that people sit through together in a channel, or no game for two."""
        match = self.match
        if self.phase is not Phase.FINISHED or match is None or self.winner is None or self.fixture is not None:
            return None
        if self.unhurried or self.config.conflicts_with(Seating.TWO):
            return None
        if not is_against_people(self.seats, match.seating):
            return None
        first, *partners = (self.seats[seat] for seat in match.seating.seats_of(self.winner))
        if partners or not first.may_return or first.person_id is None or first.person_id < 0:
            return None
        return Person(first.person_id, first.name)

    def playing_besides(self, seat: int | None) -> set[int]:
        """The sides with people who still play for a rated match, besides the player of a seat."""
        assert self.match is not None, "sides play a match"
        people = {index for index, each in enumerate(self.seats) if each.person_id is not None}
        return {self.match.seating.side_of(index) for index in people - self.forfeits - {seat}}

    @property
    def story(self) -> Story:
        """The story of the match, which is over."""
        assert self.match is not None, "there is no story without a match"
        assert self.highlights is not None, "a match has highlights"
        return story_of(self.match, self.highlights)


class MatchViews:
    """The views of one state of a match, each made when it is first needed; there are none without a match.

    A move is shown in several places, which share the same views.
    """

    __slots__ = ("_match", "_public", "_seats")

    def __init__(self, match: Match | None) -> None:
        self._match = match
        self._public: PublicView | None = None
        self._seats: dict[int, SeatView] = {}

    def public(self) -> PublicView | None:
        """Return what everybody sees."""
        if self._public is None and self._match is not None:
            self._public = public_view(self._match)
        return self._public

    def seat(self, seat: int) -> SeatView | None:
        """Return what the player of a seat sees."""
        if self._match is None:
            return None
        if seat not in self._seats:
            self._seats[seat] = seat_view(self._match, seat, self.public())
        return self._seats[seat]
