"""A card with several captures is played face up; its player then chooses one, on the table or on the panel."""

from random import Random

from bot.cards.words.cards import face
from bot.engine.cards import CardSet
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.facts import CardPlayed
from bot.engine.match import Match, start
from bot.engine.moves import Play, Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import SeatView, seat_view
from bot.tables.ids.game import pack
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import CHOSEN, EN, STALE, WRONG_SUM, YOUR_HAND, event_lines, turn_line

MANY_SEED = 85
"""A seed with which hoarding gives a card more than twenty captures although capturing is compulsory."""


def dealt() -> Decks:
    """Ana plays first and holds 4b 5c 6c. The table has 1o 3c 7c 12o: her 4 takes 12 and 1, or 1, 3 and 7."""
    return Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"}, dealer=1)


def takes(here: Room, message: object) -> dict[str, str]:
    """The capture buttons of a message: the cards each takes, and its label."""
    buttons = here.people[0].buttons(message)  # type: ignore[arg-type]
    return {b.custom_id.split(":")[5]: b.label for b in buttons if b.custom_id.startswith("e:take:")}


async def test_the_captures_are_offered_on_the_table_and_on_the_panel(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin()
        ana, bea = here.people
        card = next(b for b in ana.buttons(here.panel(ana)) if b.custom_id.endswith(":4b"))
        assert "2" in card.label.replace("4🪵", "")  # the label says how many captures there are
        await here.press(ana, here.panel(ana), "card", "4b")
        wanted = {pack(CardSet.of("1o 12o")), pack(CardSet.of("1o 3c 7c"))}
        assert set(takes(here, here.shown)) == set(takes(here, here.panel(ana))) == wanted
        assert takes(here, here.panel(bea)) == {}
        assert event_lines(here.table.view())[0] in here.public_text
        assert ana.mention in turn_line(here.table.view())
        await here.press(ana, here.shown, "take", "4b", pack(CardSet.of("1o 3c 7c")))
        assert takes(here, here.shown) == {}
        assert YOUR_HAND in text_of(here.panel(ana))
        match = here.table.view().match
        assert match is not None
        fact = match.facts[0]
        assert isinstance(fact, CardPlayed)
        assert str(fact.captured) == "1o 3c 7c"


async def test_a_card_once_shown_cannot_be_taken_back(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin()
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "card", "4b")
        assert here.laid_card() is not None
        for message in (here.shown, here.panel(ana)):
            assert {b.custom_id.split(":")[1] for b in ana.buttons(message)} <= {
                "take",
                "hand",
                "guide",
                "react",
                "wins",
            }
        await here.press(ana, here.shown, "hand")  # a new panel doesn't give it back either
        assert {b.custom_id.split(":")[1] for b in ana.buttons(here.panel(ana))} == {"take"}
        assert here.laid_card() is not None


async def test_after_a_card_is_shown_only_its_own_captures_can_be_played(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin()
        ana = here.people[0]
        old = next(b for b in ana.buttons(here.panel(ana)) if b.custom_id.endswith(":5c"))
        await here.press(ana, here.panel(ana), "card", "4b")
        version = here.table.view().version
        await forge(ana, here.panel(ana), old.custom_id)  # the panel from before
        assert STALE in text_of(here.panel(ana))
        for args in ("5c:0", "4b:0", "4b:" + pack(CardSet.of("7c")), "5c:" + pack(CardSet.of("12o"))):
            await forge(ana, here.panel(ana), f"e:take:1:{version}:{args}")
            assert here.table.view().version == version
        assert len(takes(here, here.shown)) == 2
        await here.press(ana, here.panel(ana), "take", "4b", pack(CardSet.of("1o 12o")))


async def test_a_card_that_makes_an_escoba_says_so_and_is_played_at_once(room_of: RoomOf):
    rigged = Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 2o 2c 6o"}, dealer=1)
    async with room_of(2, chance=rigged) as here:
        await here.begin()
        ana = here.people[0]
        labels = {b.custom_id[-2:]: b.label for b in ana.buttons(here.panel(ana)) if b.custom_id.startswith("e:card:")}
        assert [name for name, label in labels.items() if "🧹" in label] == ["4b"]
        await here.press(ana, here.panel(ana), "card", "4b")
        assert here.laid_card() is None
        for text in (here.public_text, *(text_of(here.panel(person)) for person in here.people)):
            assert text.count("# 🧹 Escoba! Ana\n4🪵 + 6🪙 + 2🪙 + 2🏆 + 1🪙 = **15**\n") == 1
            assert text.lower().count("escoba!") == 1, "it is told once"
        assert "📥 5 captured · **0** points (+1 escoba)\n" in here.public_text, "the score itself moves at scoring"
        assert "Ana **0** points (+1 escoba) 📥 5 captured · Bea **0** points 📥 0 captured\n" in text_of(
            here.panel(ana)
        )
        match = here.table.view().match
        assert match is not None
        assert (len(match.table), match.escobas) == (0, (1, 0))


def hoard(view: SeatView) -> Play:
    """Capture as little as possible, so that the table fills up."""
    plays = [move for move in view.moves if isinstance(move, Play)]
    return min(plays, key=lambda move: (len(move.captured), move.card.worth))


def widest(seed: int) -> int:
    """The most captures any card offers in the first round when both players hoard. Used to find MANY_SEED."""
    match: Match = start(MatchStarted(PRESETS["escoba"].rules, Seating.TWO, 0))
    match = match.apply(RoundDealt(Decks(seed).deck(1, 1)))
    found = 0
    while match.stage is Stage.TO_PLAY:
        view = seat_view(match, match.turn or 0)
        assert match.round is not None
        found = max(found, *(len(match.round.captures_of(card)) for card in view.hand))
        match = match.apply(match.event_of(hoard(view)))
    return found


async def test_more_than_twenty_captures_are_narrowed_down_by_table_cards(room_of: RoomOf):
    async with room_of(2, chance=Decks(MANY_SEED)) as here:
        await here.begin()
        wide: list[SeatView] = []

        def come(match: Match) -> bool:
            view = None if match.turn is None else here.table.seat_view(match.turn)
            if view is None:
                return False
            for card in view.hand:
                groups = [m for m in view.moves if isinstance(m, Play) and m.card is card and m.captured]
                if len(groups) > 20:
                    wide.append(view)
                    return True
            return False

        await here.skip(hoard, until=come)
        assert wide, here.public_text
        view = wide[0]
        player = here.people[view.seat]
        by_card: dict[str, list[Play]] = {}
        for move in view.moves:
            if isinstance(move, Play) and move.captured:
                by_card.setdefault(str(move.card), []).append(move)
        name, moves = max(by_card.items(), key=lambda item: len(item[1]))
        await here.press(player, here.panel(player), "card", name)
        assert here.laid_card() is not None
        assert takes(here, here.shown) == {}
        choosing = [b.label for b in player.buttons(here.panel(player)) if b.custom_id.startswith("e:choose:")]
        assert choosing == [face(card, EN) for card in view.public.places if card is not None]
        version = here.table.view().version
        wrong = CardSet.of(list(view.public.table)[:1])
        await here.pick(player, wrong)
        await here.press(player, here.panel(player), "take")
        assert WRONG_SUM in text_of(here.panel(player))
        assert CHOSEN in text_of(here.panel(player))
        assert here.table.view().version == version
        move = Random(1).choice(moves)
        await here.take(player, move)
        assert here.table.view().version == version + 1
        assert not move.captured & here.table.view().match.table  # type: ignore[union-attr]
