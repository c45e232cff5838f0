"""Manual captures: choosing table cards, wrong sums, laying a card, and claiming a missed capture."""

import pytest

from bot.engine.cards import Card, CardSet
from bot.engine.facts import CaptureClaimed, CardPlayed, Fact
from bot.engine.views import seat_view
from bot.tables.ids.game import pack
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import CHOSEN, NOT_TURN, STALE, WRONG_SUM, YOUR_HAND, event_lines, turn_line
from tests.support.truth import match_of


def dealt() -> Decks:
    """Ana plays first and holds 4b 5c 7o; Bea holds 2b 6b 12b. The table has 1o 3c 7c 10e."""
    return Decks(rigged={1: "4b 5c 7o 2b 6b 12b 1o 3c 7c 10e"}, dealer=1)


def announced(here: Room) -> list[Fact]:
    """The facts of the latest event, which the table message must announce."""
    view = here.table.view()
    assert view.match is not None
    assert all(text in here.public_text for text in event_lines(view))
    return list(view.match.facts)


def version(here: Room) -> int:
    """The open table's version."""
    return here.table.view().version


async def test_the_panel_does_not_say_what_a_card_takes(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        labels = [b.label for b in ana.buttons(here.panel(ana)) if b.custom_id.startswith("e:card:")]
        assert labels == ["4🪵", "5🏆", "7🪙"]
        await here.press(ana, here.panel(ana), "card", "4b")
        toggles = [b.label for b in ana.buttons(here.panel(ana)) if b.custom_id.startswith("e:choose:")]
        assert toggles == ["1🪙", "3🏆", "7🏆", "sota 🗡️ (8)"]
        assert "**4🪵**" in text_of(here.panel(ana))
        assert here.laid_card() is None  # the card isn't shown while its player is choosing


async def test_a_wrong_sum_is_refused_and_costs_nothing(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        before = version(here)
        await here.press(ana, here.panel(ana), "card", "4b")
        await here.pick(ana, CardSet.of("1o 7c"))
        assert CHOSEN + "1🪙 7🏆" in text_of(here.panel(ana))
        assert "4 + 1 + 7 = **12**, not 15" in text_of(here.panel(ana))
        await here.press(ana, here.panel(ana), "take")
        assert WRONG_SUM in text_of(here.panel(ana))
        assert CHOSEN + "1🪙 7🏆" in text_of(here.panel(ana))  # the chosen cards are still selected
        assert version(here) == before
        await here.pick(ana, CardSet.of("1o 3c 7c"))
        assert "4 + 1 + 3 + 7 = **15** ✓" in text_of(here.panel(ana))
        await here.press(ana, here.panel(ana), "take")
        assert announced(here) == [CardPlayed(0, Card.parse("4b"), CardSet.of("1o 3c 7c"), escoba=False)]
        assert WRONG_SUM not in text_of(here.panel(ana))


@pytest.mark.thorough
async def test_capturing_two_table_cards_takes_three_presses(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        clicks = here.clicks
        for label in ("1🪙", "7🏆"):
            await here.press(ana, here.panel(ana), "choose", label=label)
        assert "1 + 7 = **8**" in text_of(here.panel(ana))
        await here.press(ana, here.panel(ana), "take", label="4🪵")
        assert WRONG_SUM in text_of(here.panel(ana))  # 12: the chosen cards are still selected
        assert "4 + 1 + 7 = **12**, not 15" in text_of(here.panel(ana))
        await here.press(ana, here.panel(ana), "panel")  # Back
        clicks = here.clicks
        for label in ("3🏆", "7🏆"):
            await here.press(ana, here.panel(ana), "choose", label=label)
        await here.press(ana, here.panel(ana), "take", label="5🏆")
        assert here.clicks - clicks == 3
        assert announced(here) == [CardPlayed(0, Card.parse("5c"), CardSet.of("3c 7c"), escoba=False)]


@pytest.mark.thorough
async def test_a_chosen_table_card_can_be_deselected(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "choose", label="1🪙")
        assert CHOSEN + "1🪙" in text_of(here.panel(ana))
        await here.press(ana, here.panel(ana), "choose", label="✓ 1🪙")
        assert CHOSEN not in text_of(here.panel(ana))


async def test_a_player_may_go_back_and_play_another_card(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "card", "4b")
        await here.press(ana, here.panel(ana), "panel")  # Back
        assert CHOSEN not in text_of(here.panel(ana))
        assert len([b for b in ana.buttons(here.panel(ana)) if b.custom_id.startswith("e:card:")]) == 3
        await here.press(ana, here.panel(ana), "card", "7o")
        take = next(b for b in ana.buttons(here.panel(ana)) if ":take:" in b.custom_id)
        assert take.disabled  # nothing is chosen yet
        await here.pick(ana, CardSet.of("10e"))
        await here.press(ana, here.panel(ana), "take")
        assert announced(here) == [CardPlayed(0, Card.parse("7o"), CardSet.of("10e"), escoba=False)]


async def test_the_next_player_may_claim_a_missed_capture(room_of: RoomOf):
    async with room_of(3, chance=dealt()) as here:
        await here.begin(2, variant="quince", pairs=False)
        ana, bea, _ = here.people
        await here.press(ana, here.panel(ana), "card", "7o")
        await here.press(ana, here.panel(ana), "lay")  # 7 + 8 would have made 15
        assert announced(here) == [CardPlayed(0, Card.parse("7o"), CardSet(), escoba=False)]
        hint = here.public_text + text_of(here.panel(bea))
        assert "claim" not in hint.lower()
        await here.press(bea, here.panel(bea), "claim")
        assert CHOSEN + "7🪙" in text_of(here.panel(bea))  # the card just laid is already selected
        await here.pick(bea, CardSet.of("1o 7c 10e"))
        await here.press(bea, here.panel(bea), "take")
        assert WRONG_SUM in text_of(here.panel(bea))
        await here.pick(bea, CardSet.of("7o 10e"))
        await here.press(bea, here.panel(bea), "take")
        assert announced(here) == [CaptureClaimed(1, Card.parse("7o"), CardSet.of("10e"), escoba=False)]
        assert bea.mention in turn_line(here.table.view())  # the claim comes before the play
        now = match_of(here.table)
        assert now is not None
        assert now.round is not None
        assert now.round.piles[1] == CardSet.of("7o 10e")


@pytest.mark.thorough
async def test_a_choice_for_another_turn_is_dropped(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana = here.people[0]
        await forge(ana, here.panel(ana), f"e:take:1:{version(here) - 1}:4b:{pack(CardSet.of('1o 7c'))}")
        assert STALE in text_of(here.panel(ana))
        assert CHOSEN not in text_of(here.panel(ana))


@pytest.mark.thorough
async def test_an_invalid_claim_is_answered_like_any_wrong_sum(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana, bea = here.people
        await here.press(ana, here.panel(ana), "card", "5c")
        await here.press(ana, here.panel(ana), "lay")
        before = version(here)
        await here.press(bea, here.panel(bea), "claim")
        await here.pick(bea, CardSet.of("1o 7c"))
        await here.press(bea, here.panel(bea), "take")
        assert WRONG_SUM in text_of(here.panel(bea))
        assert version(here) == before


def may_claim(here: Room, person: Person) -> bool:
    """Whether somebody's panel has the button for a claim."""
    return any(b.custom_id.startswith("e:claim:") for b in person.buttons(here.panel(person)))


async def test_a_claim_is_offered_only_after_a_card_was_laid(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="quince", pairs=False)
        ana, bea = here.people
        assert not may_claim(here, ana), "it is the first move"
        await here.press(ana, here.panel(ana), "card", "7o")
        await here.press(ana, here.panel(ana), "lay")
        assert not may_claim(here, ana), "it isn't her turn any more"
        assert may_claim(here, bea)
        old = next(b.custom_id for b in bea.buttons(here.panel(bea)) if b.custom_id.startswith("e:claim:"))
        await here.press(bea, here.panel(bea), "claim")
        await here.pick(bea, CardSet.of("7o 10e"))
        await here.press(bea, here.panel(bea), "take")
        assert not may_claim(here, bea), "there is one claim a turn"
        await forge(bea, here.panel(bea), old)
        assert YOUR_HAND in text_of(here.panel(bea))
        await here.press(bea, here.panel(bea), "card", "12b")
        await here.press(bea, here.panel(bea), "lay")
        await here.press(ana, here.panel(ana), "card", "5c")
        await here.pick(ana, CardSet.of("12b"))
        await here.press(ana, here.panel(ana), "take")
        assert not may_claim(here, bea), "that card took something"


async def test_on_an_empty_table_a_card_is_laid_at_once(room_of: RoomOf):
    async with room_of(2, chance=Decks(rigged={1: "4b 5c 7o 2b 6b 12b 1o 1c 4c 2c"}, dealer=1)) as here:
        await here.begin(variant="quince", pairs=False)
        ana, bea = here.people
        await here.press(ana, here.panel(ana), "card", "7o")
        await here.pick(ana, CardSet.of("1o 1c 4c 2c"))
        await here.press(ana, here.panel(ana), "take")
        assert here.table.view().match.table == CardSet()  # type: ignore[union-attr]
        verbs = {b.custom_id.split(":")[1] for b in bea.buttons(here.panel(bea))}
        assert verbs == {"card", "panel"}
        await here.press(bea, here.panel(bea), "card", "6b")
        assert announced(here) == [CardPlayed(1, Card.parse("6b"), CardSet(), escoba=False)]
        assert not may_claim(here, ana), "nothing lay there for it to take"


async def test_only_the_next_player_may_claim_and_only_before_playing(room_of: RoomOf):
    async with room_of(3, chance=Decks(rigged={1: "4b 5c 7o 2b 6b 12b 2o 6o 11o 1o 3c 7c 10e"}, dealer=2)) as here:
        await here.begin(variant="quince")
        ana, bea, ciro = here.people
        await here.press(ana, here.panel(ana), "card", "7o")
        await here.press(ana, here.panel(ana), "lay")
        missed = f"e:take:1:{version(here)}:claim:{pack(CardSet.of('7o 10e'))}"
        for person in (ana, ciro):
            await forge(person, here.panel(person), missed)
            assert NOT_TURN in text_of(here.panel(person))
        await here.press(bea, here.panel(bea), "card", "2b")
        await here.press(bea, here.panel(bea), "lay")
        await forge(ciro, here.panel(ciro), f"e:take:1:{version(here)}:claim:{pack(CardSet.of('7o 10e'))}")
        assert WRONG_SUM in text_of(here.panel(ciro))  # the right to claim has lapsed


async def test_nothing_can_be_claimed_when_captures_are_optional(room_of: RoomOf):
    async with room_of(2, chance=dealt()) as here:
        await here.begin(variant="clasica", pairs=False)
        ana, bea = here.people
        assert not [b for b in ana.buttons(here.panel(ana)) if b.custom_id.startswith("e:claim:")]
        await here.press(ana, here.panel(ana), "card", "4b")
        await here.press(ana, here.panel(ana), "lay")  # it could have taken 1 + 3
        await forge(bea, here.panel(bea), f"e:take:1:{version(here)}:claim:{pack(CardSet.of('1o 3c 4b'))}")
        assert WRONG_SUM in text_of(here.panel(bea))
        await here.press(bea, here.panel(bea), "panel")
        await here.press(bea, here.panel(bea), "card", "2b")
        await here.pick(bea, CardSet.of("1o"))
        await here.press(bea, here.panel(bea), "take")
        assert WRONG_SUM in text_of(here.panel(bea))


async def test_table_cards_that_do_not_fit_in_one_menu_are_split_in_two(room_of: RoomOf):
    async with room_of(2, chance=Decks("long")) as here:
        await here.begin(variant="clasica", pairs=False)

        await here.skip(
            lambda view: next(m for m in view.moves if not m.captured),
            until=lambda match: len(seat_view(match, 0).public.table) > 27,
        )
        match = here.table.view().match
        assert match is not None
        player = here.people[match.turn or 0]
        view = here.table.seat_view(match.turn or 0)
        assert view is not None
        cards = list(match.table)
        last = set(cards[25:])
        move = next(m for m in view.moves if m.captured and set(m.captured) & last and set(m.captured) - last)
        assert isinstance(move.card, Card)  # type: ignore[union-attr]
        await here.press(player, here.panel(player), "card", str(move.card))  # type: ignore[union-attr]
        menus = player.selects(here.panel(player))
        assert [len(menu.values) for menu in menus] == [25, len(cards) - 25]
        await here.press(player, here.panel(player), "panel")
        before = version(here)
        await here.play(player, move, view)
        assert version(here) == before + 1
        assert not move.captured & here.table.view().match.table  # type: ignore[union-attr]
