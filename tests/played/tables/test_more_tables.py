"Rules that aren't played everywhere: cantos, five players, three against three, scopone."

from bot.cards.words.items import sung_text
from bot.cards.words.rules import deal_name, lead_name, seating_name
from bot.engine.cards import canto_points
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Capture, Opening, Seating
from bot.platform.kit.codec import base36
from bot.tables.refusals import MoveRefusal
from tests.played.tables.test_rules_editor import choose, edit
from tests.played.test_presets import careless
from tests.support.escoba import Decks, RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import EN, NOT_TURN, STALE, refusal_text
from tests.support.truth import stock_of

THREE = "2c 3c 4c"
SUNG = "escalera + flor + tres de nueve"


async def test_a_deal_of_chorizo_is_sung_shown_and_scored(room_of: RoomOf):
    deck = Decks(rigged={1: f"{THREE} 1o 7b 12e 5e 6o 10b 11c"}, dealer=1)
    async with room_of(2, chance=deck) as here:
        ana, bea = here.people
        await here.begin(variant="chorizo")
        assert "to 31 points" in here.public_text
        before = here.panel(ana)
        assert SUNG in text_of(before)
        assert "everyone" in text_of(before)
        assert SUNG not in here.public_text + text_of(here.panel(bea))
        await here.press(ana, before, "sing")
        match = here.table.view().match
        assert match is not None
        assert (match.turn, len(match.shown[0])) == (0, 3)
        assert here.public_text.startswith(f"# 🎵 {SUNG.capitalize()}! Ana")
        for text in (here.public_text, text_of(here.panel(bea))):
            assert f"sings **{SUNG}**" in text
            assert "Ana sang and still holds" in text
        assert not any(each.custom_id.startswith("e:sing:") for each in ana.buttons(here.panel(ana)))
        await here.skip(careless, until=lambda match: not stock_of(match))
        await here.play_out(careless, until=lambda: here.table.view().match.stage is Stage.TO_DEAL)  # type: ignore[union-attr]
        match = here.table.view().match
        assert match is not None
        [score] = match.scores
        assert sung_text(score.cantos[0][:3]) == SUNG
        points = canto_points(score.cantos[0])
        assert f"Ana {sung_text(score.cantos[0])} **+{points}**" in here.public_text
        assert points <= match.totals[0]


async def test_singing_is_refused_out_of_turn_too_late_and_where_nobody_sings(room_of: RoomOf):
    deck = Decks(rigged={1: f"{THREE} 1b 2b 3b 10b 11c 1o 1e"}, dealer=1)
    async with room_of(2, chance=deck) as here:
        ana, bea = here.people
        await here.begin(variant="chorizo")
        panel = here.panel(ana)
        sing = next(each.custom_id for each in ana.buttons(panel) if each.custom_id.startswith("e:sing:"))
        await forge(bea, here.panel(bea), sing)
        assert NOT_TURN in text_of(here.panel(bea))
        await here.press(ana, panel, "card", "2c")
        await forge(ana, here.panel(ana), sing)
        assert STALE in text_of(here.panel(ana))
        fresh = next(each.custom_id for each in bea.buttons(here.panel(bea)) if each.custom_id.startswith("e:sing:"))
        await here.press(bea, here.panel(bea), "card", "1b")
        version = here.table.view().version
        late = ":".join((*fresh.split(":")[:3], base36(version)))
        await forge(ana, here.panel(ana), late)
        assert refusal_text(MoveRefusal.NOTHING_TO_SING) in text_of(here.panel(ana))
        assert here.table.view().version == version
        assert not any(here.table.view().match.shown)  # type: ignore[union-attr]


async def test_five_play_once_the_lobby_has_a_fifth_seat(room_of: RoomOf):
    async with room_of(5, chance=Decks(dealer=4)) as here:
        ana, *others = here.people
        await here.lobby(*others[:3])
        await edit(here, ana)
        await choose(here, ana, "seats", "5-off")
        await here.press(others[3], here.shown, "join")
        assert seating_name(Seating.FIVE, EN) in here.public_text
        await here.press(ana, here.shown, "start")
        match = here.table.view().match
        assert match is not None
        assert (match.seating, match.hand_counts, match.deals) == (Seating.FIVE, (3,) * 5, 2)
        assert len(match.table) + match.pile_counts[4] == 5
        await here.press(ana, here.shown, "hand")
        await here.step(here.table, careless)
        assert here.table.view().match.turn == 1  # type: ignore[union-attr]


async def test_six_play_in_two_sides_of_three_if_they_say_so(room_of: RoomOf):
    async with room_of(6) as here:
        ana = await here.lobby(*here.people[1:], variant="quince")
        await here.options(ana, "teams")
        assert "Side A: 1. **Ana** + 3. **Ciro** + 5. **Elio**" in here.public_text
        bea = here.people[1]
        await here.choose_option(bea, "partner", "2")
        await here.choose_option(bea, "partner", "4")
        assert "Side B: 2. **Bea** + 4. **Elio** + 6. **Ciro**" in here.public_text
        await here.press(ana, here.shown, "start")
        match = here.table.view().match
        assert match is not None
        assert (match.seating, match.deals) == (Seating.TRIPLES, 2)
        assert "Bea & Elio & Ciro" in here.public_text.replace("**", "").replace("👉 ", "")


async def test_choosing_scopone_in_the_lobby_turns_off_what_it_rules_out(room_of: RoomOf):
    async with room_of(4) as here:
        ana = await here.lobby(*here.people[1:])
        await edit(here, ana)
        await choose(here, ana, "switch", "cantos", "lead")
        assert lead_name(2, EN) in here.public_text
        answer = await choose(here, ana, "deal", "10-0")
        config = here.table.view().config
        assert (config.rules.hand, config.rules.table, config.rules.opening) == (10, 0, Opening.NONE)
        assert (config.rules.cantos, config.rules.lead) == (False, 2)
        assert "there's no opening escoba, so that's off now" in answer
        assert "Cantos go with three cards in hand, so they are off now" in answer
        await choose(here, ana, "deal", "9-4")
        await choose(here, ana, "capture", "match")
        assert deal_name(9, 4, EN) in here.public_text
        await here.agree()
        await here.press(ana, here.shown, "start")
        match = here.table.view().match
        assert match is not None
        assert (match.seating, match.hand_counts, len(match.table), match.deals) == (Seating.FOUR, (9,) * 4, 4, 1)
        assert match.rules.capture is Capture.MATCH
        await here.press(ana, here.shown, "guide")
        assert "scopone, 9 cards each" in here.private_text(ana)
        assert "A win needs a lead of 2 points" in here.private_text(ana)


async def test_choosing_a_preset_brings_its_target_unless_another_was_chosen(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await edit(here, ana)
        await choose(here, ana, "preset", "chorizo")
        assert here.table.view().config.rules == PRESETS["chorizo"].rules
        await choose(here, ana, "preset", "quince")
        assert here.table.view().config.rules.target == 21
        await here.choose_option(ana, "target", "15")
        await edit(here, ana)
        await choose(here, ana, "preset", "chorizo")
        assert here.table.view().config.rules.target == 15
