"""Knows which cards are secret at a running bot's tables, and finds them in each request as it is sent."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from bot.cards.words.cards import oros_in
from bot.cards.words.rules import item_name
from bot.engine.cards import FULL, Card, CardSet
from bot.engine.match import Match
from bot.engine.rules import PRESETS
from bot.engine.scoring import SEVEN_OF_OROS as SEVEN_OF_OROS_CARD
from bot.engine.scoring import Item, RoundScore
from bot.platform.kit.colours import FELT, QUIET, TURN
from bot.platform.language.catalogues import languages, words
from bot.platform.language.faces import CardFaces, Deck
from bot.process.dispatch import screen_of
from bot.replays.ids.replay import ReplayRef
from bot.tables.ids.game import Ref
from bot.tables.live.table import Table
from bot.tournaments.ids.tournament import SheetRef
from bot.training.ids.lesson import DayRef, LessonRef
from bot.training.ids.practice import PracticeRef
from tests.support.secrecy import arguments_of_custom_id, default_finder, invisible_characters, strings
from tests.support.wiretap import Request

LEFT = "Left on the table: {cards}. They go to {name}, who took last."
EXAMPLES = (
    "**Example:** with {table} on the table, a 4 takes 4 + 7 or 1 + 3 + 7. With the 4 played, each makes 15.",
    "**Example:** with {table} on the table, a 4 takes either the 4, or 1 + 3. A 7 takes the 7, or 3 + 4.",
)
EXAMPLE_TABLE = {"1o", "3c", "4e", "7b"}
WORDS = tuple(words(language, faces=CardFaces(deck)) for language in languages() for deck in Deck)
"""The words of each language and deck: scores and rules speak of diamonds if those are the oros."""
RULES = PRESETS["escoba"].rules
OROS, SEVEN_OF_OROS = (
    "|".join(sorted({re.escape(item_name(item, RULES, t)) for t in WORDS})) for item in (Item.OROS, Item.SEVEN_OF_OROS)
)
SEVEN_IN_GUIDES = "|".join(sorted({re.escape(t("- the seven {of_oros}: 1", **oros_in(t))) for t in WORDS}))


def _lines(begin: str, *texts: str) -> re.Pattern[str]:
    """The lines that begin with `begin` and one of the texts, in any language, up to its first value."""
    said = {words(each)(text).partition("{")[0] for text in texts for each in languages()}
    return re.compile("|".join(rf"^{begin}{re.escape(each)}.*$" for each in sorted(said)), re.MULTILINE)


LEFT_OVER = _lines("-# ", LEFT)
BEGINS = "|".join(sorted({re.escape(t("Round {number}: {name} deals.", number=0, name="\0")) for t in WORDS}))
BEGINS = BEGINS.replace("0", r"\d+").replace("\0", ".+")
FORMER_ROUND = re.compile(rf"(?:^-# .*\n)+(?=-# (?:{BEGINS})$)", re.MULTILINE)
"""What a panel tells of a round that is over, all of whose cards have been seen, before it tells of the next one."""
EXAMPLE = _lines("", *EXAMPLES)
SCORED = re.compile(rf"^\*\*(?:{OROS}|{SEVEN_OF_OROS})\*\*: |^(?:{SEVEN_IN_GUIDES})$", re.MULTILINE)
"""The items of scores and rules that are named like cards."""
SCORE_PICTURE = re.compile(rf" (?:{SEVEN_OF_OROS}): ")
"""Words that the description of a score's picture contains, and no other picture's."""
COLOURS = {FELT, TURN, QUIET}
COLOUR = re.compile(r'(?<!\\)"accent_color": (\d+)')
"""The colour of a box, in a body as JSON."""
CARD = "(?:[1-7]|1[0-2])[oceb]"
ARGUMENTS = {
    "card": re.compile(CARD),
    "lay": re.compile(CARD),
    "join": re.compile("f?"),
    "rated": re.compile("[fr]"),
    "hints": re.compile("on|off"),
    "comp": re.compile("[0-5]"),
    "react": re.compile("clap|gasp|laugh"),
    "wins": re.compile(r"\d+:[0-4]"),
    "take": re.compile(rf"(?:{CARD}|claim):[0-9a-z]+"),
    "choose": re.compile(rf"(?:{CARD}|claim|any):[0-9a-z]+"),
    "pick": re.compile(rf"(?:{CARD}|claim):[0-9a-z]+:\d"),
    "agree": re.compile(r"\d+"),
    "disagree": re.compile(r"\d+"),
    "takeseat": re.compile("[0-5]"),
    "clearyes": re.compile(rf"(?:0|{'|'.join(PRESETS)}):\d{{1,3}}"),
    "aside": re.compile(rf"(?:0|{'|'.join(PRESETS)}):\d{{1,3}}"),
}
"""What a match's custom_ids carry besides game and version, by their verbs; all other verbs carry nothing."""
NO_ARGUMENTS = re.compile("")
OF_OTHER_CARDS = {each.kind for each in (DayRef, LessonRef, PracticeRef, SheetRef)}
"""How custom_ids begin on positions to learn from, and on boards that their reader has played to the end."""
PUBLIC_ARGUMENTS = {
    SheetRef.kind: re.compile("[0-9a-z]+:[0-9a-z]+:0:0"),
    ReplayRef.kind: re.compile("[0-9a-z]+:0"),
}
"""On public messages, the button of the travelling sheet names the tournament and the round, not a board; those of
replays name the match, not a step."""
SEALED = re.compile(r"`[\w-]{24}`|`[\w-]{43}`")
"""A seal or a key as text: random letters and digits, which may look like a card."""
OF_GAME = re.compile(rf"{Ref.kind}:[a-z]+:([0-9a-z]+):")
AHEAD = re.compile(r"(\w+)-[au]-([0-9a-z]+)")
"""The value of a card that somebody names for their next turn: the card, and what it takes as a packed set."""
PACKED = re.compile(rf"{Ref.kind}:(take|choose|pick):[0-9a-z]+:[0-9a-z]+:([0-9a-z]+):([0-9a-z]+)(?::[0-9a-z]+)*")


def match_of(table: Table) -> Match | None:
    """A table's match, with everything secret in it."""
    return table._state.match


def stock_of(match: Match) -> CardSet:
    """The cards not yet dealt; none once the round is over."""
    now = match.round
    return CardSet() if now is None or now.over else CardSet.of(now.deck[now.dealt :])


def hidden_from(match: Match, seat: int | None) -> CardSet:
    """The cards that a seat (None: somebody without one) may not see: in other hands and not sung, or in the stock."""
    now = match.round
    hidden = stock_of(match)
    if now is not None and not now.over:
        for index, (hand, shown) in enumerate(zip(now.hands, now.shown, strict=True)):
            if index != seat:
                hidden |= hand - shown
    return hidden


def shows_other_cards(request: Request, ids: list[str]) -> bool:
    """Whether a request with these custom_ids shows only one person a position to learn from, or boards played before:
    cards other than those that the open tables hide."""
    return request.viewer is not None and bool(ids) and all(each.partition(":")[0] in OF_OTHER_CARDS for each in ids)


def shown_by(request: Request, ids: list[str], tables: list[Table]) -> list[Table]:
    """The tables that a request with these custom_ids may show: if several are open, those of its buttons and its
    channel, if there are any."""
    if len(tables) < 2:
        return tables
    named = {int(found[1], 36) for each in ids if (found := OF_GAME.match(each))}
    own = [each for each in tables if each.id in named or f"/channels/{each.channel_id}/" in request.path]
    return own or tables


class LeakWatcher:
    """A watcher of the wiretap: no body names a card that its readers may not see.

    `seen` counts the bodies that were checked while something was secret; `cards`, all cards that were found in bodies:
    a check that never finds any proves nothing.
    """

    def __init__(self, bot: Callable[[], Any]) -> None:
        self._bot = bot
        self.seen = 0
        self.cards = 0

    def __call__(self, request: Request) -> Iterator[str]:
        """What is wrong with a request."""
        texts = strings(request.body, request.file_names)
        ids = [text for place, text in texts if place.endswith("custom_id")]
        if shows_other_cards(request, ids):
            return
        parts = getattr(self._bot(), "parts", None)
        for table in shown_by(request, ids, [] if parts is None else parts.manager.within()):
            if (match := match_of(table)) is not None and request.body:
                seat = None if request.viewer is None else table.seat_of(request.viewer)
                yield from self._leaks(request, texts, match, hidden_from(match, seat))

    def _leaks(self, request: Request, texts: list[tuple[str, str]], match: Match, hidden: CardSet) -> Iterator[str]:
        self.seen += bool(hidden)
        for colour in map(int, COLOUR.findall(request.text)):
            if colour not in COLOURS:
                yield f"a colour that means nothing: {colour:#08x}"
        for place, text in texts:
            if strange := invisible_characters(text):
                yield f"unseen characters {' '.join(strange)} in {place}: {text[:120]!r}"
            found = _cards_in(place, text, match)
            self.cards += len(found)
            for card in sorted(found):
                if card in hidden:
                    yield f"secret card {card} in {place}: {text[:120]!r}"
            wrong = _wrong_arguments(text, request.viewer is None) if place.endswith("custom_id") else None
            if wrong is not None and found.isdisjoint(hidden):
                yield f"{wrong} in {place}: {text!r}"


@lru_cache(maxsize=20_000)
def _wrong_arguments(custom_id: str, public: bool) -> str | None:
    """What is wrong with a custom_id: it carries what no button of its kind carries, or no public one may carry."""
    screen = screen_of(custom_id)
    if screen is None:
        return "a public button of no screen" if public else None
    kind, verb, arguments = (*custom_id.split(":", 2), "")[:3]
    if public and verb not in screen.public:
        return f"a public button that is for private messages only, {verb} of {screen.name},"
    known = PUBLIC_ARGUMENTS.get(kind) if public else None
    if kind == Ref.kind:
        known, arguments = ARGUMENTS.get(verb, NO_ARGUMENTS), ":".join(arguments.split(":")[2:])
    if known is not None and not known.fullmatch(arguments):
        return f"arguments that {'a public ' if public else ''}{verb} doesn't have"
    return None


def _cards_in(place: str, text: str, match: Match) -> frozenset[Card]:
    """The cards that a string of a body names, except those that everybody saw in an earlier round."""
    if place.endswith("custom_id"):
        return _cards_of_custom_id(text)
    if place.endswith("description") and SCORE_PICTURE.search(text):
        named = default_finder().cards(text) - {str(SEVEN_OF_OROS_CARD)}
        return frozenset() if any(named <= _primes(score) for score in match.scores) else _cards_of(text)
    if "-# " in text:
        text = FORMER_ROUND.sub("", text) if match.scores else text
        text = LEFT_OVER.sub(lambda line: "" if default_finder().cards(line[0]) <= _left_over(match) else line[0], text)
    return _cards_of_sentences(text)


@lru_cache(maxsize=20_000)
def _cards_of_custom_id(text: str) -> frozenset[Card]:
    """The cards of a custom_id, including those in packed sets."""
    if packed := PACKED.fullmatch(text):
        mask = int(packed[3], 36)
        assert mask <= FULL.mask, f"no set of cards: {text}"
        return _cards_of(f"{packed[2]} {CardSet(mask)}")
    return _cards_of(arguments_of_custom_id("custom_id", text))


@lru_cache(maxsize=20_000)
def _cards_of_sentences(text: str) -> frozenset[Card]:
    """The cards of a text, without the examples in the rules, seals, and items of a score that are named like cards."""
    if ahead := AHEAD.fullmatch(text):
        return _cards_of(f"{ahead[1]} {CardSet(int(ahead[2], 36))}")
    text = SEALED.sub("", SCORED.sub("", text))
    return _cards_of(
        EXAMPLE.sub(lambda line: "" if default_finder().cards(line[0]) == EXAMPLE_TABLE else line[0], text)
    )


def _cards_of(text: str) -> frozenset[Card]:
    return frozenset(map(Card.parse, default_finder().cards(text)))


def _left_over(match: Match) -> set[str]:
    """The cards that were left on the table at the end of any round."""
    return {str(card) for score in match.scores for card in score.leftovers}


def _primes(score: RoundScore) -> set[str]:
    """The cards that made the primes of a scored round, which everybody was shown."""
    return {str(card) for item in score.items if item.item is Item.PRIME for cards in item.cards for card in cards}
