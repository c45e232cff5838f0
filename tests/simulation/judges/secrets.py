"""Nobody is shown a card that their seat can't see."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tests.simulation.judges.books import Book, Books
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sight import sight_of, strings_of
from tests.support import truth, wiretap
from tests.support.secrecy import default_finder

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town

OF_GAME: Final = re.compile(r"[ew]:[a-z]+:([0-9a-z]+):([0-9a-z]+)")
OF_MATCH: Final = re.compile(r"e:(?:card|take|lay|claim|sing|pick|choose|next):([0-9a-z]+):([0-9a-z]+)")
"""The buttons whose number counts the events of a match: a lobby's buttons have one of their own."""
"""The buttons of a game, and those of its replay."""
ITEM: Final = re.compile(r"^\*\*[^*\n]+\*\*\s*:", re.M)
"""What a line of a round's score is about, such as the seven of oros."""
SCORE: Final = re.compile("[📥🧹]")
"""What stands beside the points of those who play."""
ALL: Final = 40
LATE: Final = 5.0
"""A body without a version may be so much older than its arrival, in seconds; OFTEN, while anything goes wrong."""
OFTEN: Final = 150.0


class Secrets(Judge):
    """Nobody is shown a card in another hand or in the stock, in words or in a custom_id; and at tables that play the
    same boards as others, the public message shows no card at all."""

    kind = "secret"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._books = Books(town.world.disk)
        self._games: dict[int, int] = {}
        """By message, its game."""
        self._under_way: dict[int, int] = {}
        """The same by request, for those that aren't carried out yet."""

    def died(self) -> None:
        self._books.forget()

    def arrived(self, request: Request) -> None:
        if not isinstance(request.body, dict) or "/commands" in request.path:
            return
        texts = strings_of(request) + [("file name", each.filename) for each in request.files]
        texts += [("description", each.description) for each in request.files if each.description]
        ids = [text for place, text in texts if place.endswith("custom_id")]
        seen = sight_of(self.town, request)
        games = _games_named(ids)
        if ids:
            self._under_way[request.number] = games[0] if games else 0
        named = [(text, cards) for place, text in texts if (cards := _cards_in(text, place.endswith("custom_id")))]
        scores = [text for _, text in texts if seen.viewer is None and SCORE.search(text)]
        if named or scores:
            for book in self._books.up_to_date(*games if ids else self._games_of(request, seen)):
                self._judge(book, seen, ids, named)
                if book.boards and seen.viewer is None and self._books.sealed(book.game):
                    self._object(
                        book, seen, scores + [text for text, _ in named], "though other tables play the same boards"
                    )

    def heard(self, request: Request) -> None:
        game = self._under_way.pop(request.number, None)
        if game is not None and request.applied and (message := wiretap._made(request.answer)) is not None:
            self._games[message] = game

    def _games_of(self, request: Request, seen: wiretap.Request) -> list[int]:
        """The games that a body without buttons may be about."""
        if seen.message_id is not None and (game := self._games.get(seen.message_id)):
            return [game]
        if seen.viewer is None and (found := wiretap.CHANNEL.fullmatch(request.path)):
            return self._books.open_in(int(found[1]))
        return []

    # ---------------------------------------------------------------------------------------------------- judging
    def _judge(
        self, book: Book, seen: wiretap.Request, ids: list[str], named: list[tuple[str, frozenset[str]]]
    ) -> None:
        if book.over or book.referee is None:
            return
        made_of = [
            int(found[2], 36) for each in ids if (found := OF_MATCH.match(each)) and int(found[1], 36) == book.game
        ]
        last = len(book.at) - 1
        version = max(made_of, default=0)
        if version > last:
            self.object_to(f"game {book.game}: {version} events of the match are shown, {last} are stored")
            return
        secret = book.at[version or last].hidden_from(self._seat(book, seen.viewer, version or last))
        for text, cards in named:
            if len(cards) == ALL and _deck_in(text) in book.known_decks:
                continue  # it proves a round that is over
            if (found := sorted(secret & cards)) and (version or not self._late(book)):
                self._object(book, seen, [f"{' '.join(found)} in {text!r}"], f"at version {version or last}")

    def _seat(self, book: Book, viewer: int | None, version: int) -> int | None:
        """The seat through which somebody may see this version: what was made before they left may still arrive."""
        seats = [number for number, person in enumerate(book.seats) if person == viewer and viewer is not None]
        return seats[0] if seats and version <= book.left.get(seats[0], version) else None

    def _late(self, book: Book) -> bool:
        """Whether a round has just begun: what tells of the one before may still be on its way."""
        machine = self.town.world.machine
        long = OFTEN if self.town.troubled(self.now - OFTEN, self.now) else LATE
        return machine.wall() - datetime.fromisoformat(f"{book.dealt_at}+00:00").timestamp() < long

    def _object(self, book: Book, seen: wiretap.Request, what: list[str], when: str) -> None:
        if what:
            who = "everybody" if seen.viewer is None else f"person {seen.viewer}"
            shown = ", ".join(what)
            self.object_to(f"game {book.game}: {who} is shown {shown} {when}, by {seen.method} {seen.path}")


def _games_named(ids: list[str]) -> list[int]:
    """The games whose buttons these are."""
    return list(dict.fromkeys(int(found[1], 36) for each in ids if (found := OF_GAME.match(each))))


@lru_cache(maxsize=20_000)
def _cards_in(text: str, custom_id: bool) -> frozenset[str]:
    """The cards that a string names, but for what tells of a round that is over."""
    if custom_id:
        return frozenset(map(str, truth._cards_of_custom_id(text)))
    if truth.SCORE_PICTURE.search(text):
        return frozenset()
    text = truth.LEFT_OVER.sub("", truth.FORMER_ROUND.sub("", ITEM.sub("", text)))
    return frozenset(map(str, truth._cards_of_sentences(text)))


def _deck_in(text: str) -> list[str]:
    """The cards of a text in their order, one a word."""
    return [card for word in text.split() for card in default_finder().cards(word)]
