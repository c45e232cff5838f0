"""Whole matches by the default rules, from /escoba play to the leaderboard, by pressing the buttons shown."""

from dataclasses import replace

import pytest

from bot.cards.words.cards import faces, on_button
from bot.club.store.standing import Leaderboard, Metric
from bot.engine.match import Match
from bot.engine.moves import Play, Stage
from bot.engine.views import public_view
from bot.players import Level
from bot.tables.live.view import holder_name
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from bot.tables.screens.board import LONGEST_LABEL
from bot.tables.words.names import level_of
from bot.tables.words.scores import score_lines
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import text_of
from tests.support.phrases import (
    EN,
    LAST_DEAL,
    REMATCH,
    ROUND,
    SCORE_OF,
    YOUR_TURN,
    event_lines,
    in_text,
    turn_line,
)
from tests.support.truth import match_of


async def assert_result_is_shown(here: Room, game_id: int) -> None:
    """Assert that the table message shows the result as logged and stored, on the match's only message."""
    over = await here.bot.parts.manager.finished(game_id)
    assert over is not None
    match = over.state.match
    assert match is not None
    assert match.winner is not None
    [text] = here.public_texts()
    seats = over.state.seats
    sides = range(match.seating.sides)
    names = [" & ".join(holder_name(seats[s]) for s in match.seating.seats_of(side)) for side in sides]
    assert f"🏆 {names[match.winner]} " in text
    for side, total in enumerate(match.totals):
        mark = "🥇" if side == match.winner else "▫️"
        listed = " & ".join(holder_name(seats[s]) + level_of(seats[s], EN) for s in match.seating.seats_of(side))
        assert f"{mark} {listed}: **{total}**" in text
    people = [seat for seat in seats if seat.person_id is not None]
    page = await here.bot.parts.stores.leaderboards.page(
        here.world.guild.id, Leaderboard(Metric.WINS), limit=10, offset=0
    )
    if len(people) < 2:
        assert page.total == 0
        return
    rows = {row.user_id: row for row in page.rows}
    assert set(rows) == {seat.person_id for seat in people}
    for index, seat in enumerate(seats):
        if seat.person_id is not None:
            side = match.seating.side_of(index)
            row = rows[seat.person_id]
            assert (row.matches, row.wins) == (1, int(side == match.winner))
            assert (row.points, row.escobas) == (match.totals[side], match.escobas[side])
            told = here.private_text(here.named(seat.name))
            assert f" · 📊 Leaderboard: **{row.rank}.**" in told
            assert ("**First win**" in text) == any(each.wins for each in rows.values())


async def assert_rounds_are_kept(here: Room, match: Match, seats: tuple[Seat, ...]) -> None:
    """Assert that the result leads to the score of each round, the last one first."""
    ana = here.people[0]
    await here.press(ana, here.shown, "rounds")
    for number in range(len(match.scores), 0, -1):
        shown, then = here.private_text(ana), match.scores[:number]
        assert SCORE_OF.format(number) in shown
        totals = tuple(sum(score.points[side] for score in then) for side in range(match.seating.sides))
        view = replace(public_view(match), scores=then, totals=totals)
        assert "\n".join(score_lines(then[-1], view, seats, EN)).replace("\u2060", "") in shown
        if number > 1:
            await here.press(ana, here.private(ana), "rounds", str(number - 1))


@pytest.mark.parametrize("who", thorough_but(["two", "three", "four", "pairs"], "three"))
async def test_people_play_a_match_to_its_end_and_ask_for_a_rematch(room_of: RoomOf, who: str):
    people, pairs, target = {"two": (2, False, 11), "three": (3, False, 5)}.get(who, (4, who == "pairs", 5))
    async with room_of(people, chance=Decks(4)) as here:  # two or three rounds long
        await here.begin(pairs=pairs, target=target)
        game_id = here.table.id
        await (here.play_out() if people == 2 else here.finish())
        await assert_result_is_shown(here, game_id)
        over = await here.bot.parts.manager.finished(game_id)
        assert over is not None
        assert over.state.match is not None
        for seat, holder in enumerate(over.state.seats):
            won = over.state.match.seating.side_of(seat) == over.state.match.winner
            text = here.private_text(here.named(holder.name))
            assert ("🎉" in text) == won, "a win doesn't look like a loss"
            assert (f"Well played, {holder.name}" in text) == (not won)
        await assert_rounds_are_kept(here, over.state.match, over.state.seats)
        ana = here.people[0]
        await ana.slash(here.channel, "escoba leaderboard")
        assert all(f"**{person.name}**" in here.private_text(ana) for person in here.people)
        await here.press(here.people[1], here.shown, "rematch")
        assert here.table.phase is Phase.LOBBY
        assert here.table.id != game_id
        assert REMATCH.format("Bea") in here.public_text
        assert f"to {target} points" in here.public_text
        assert here.table.view().config.teams == pairs
        for person in here.people[:1] + here.people[2:]:
            assert here.table.phase is Phase.LOBBY
            await here.press(person, here.shown, "join")
        assert ROUND.format(1) in here.public_text  # everybody has joined


async def test_the_table_and_the_panels_always_show_the_current_state(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(target=5)

        def looked() -> bool:
            assert_screens_agree(here)
            return False

        await here.play_out(until=looked)


def assert_screens_agree(here: Room) -> None:
    """Assert that the table message, the panels and the buttons agree with the engine."""
    table = here.table
    view, text = table.view(), here.public_text
    public = view.match
    assert public is not None
    if public.stage is not Stage.TO_PLAY:
        assert SCORE_OF.format(len(public.scores)) in text
        assert "<t:" in text
        return
    assert in_text([card for card in public.places if card is not None][:10], "  ") in text
    assert public.turn is not None
    assert f"<@{view.seats[public.turn].person_id}>" in turn_line(view)
    assert turn_line(view) in text
    assert all(line in text for line in event_lines(view))
    for seat, holder in enumerate(view.seats):
        side = public.seating.side_of(seat)
        assert holder.name in text
        assert f"🎴 {public.hand_counts[seat]} in hand · 📥 {public.pile_counts[side]} captured" in text
    for person in here.people:
        seat = here.seat_of(person)
        panel = here.panel(person)
        own = table.seat_view(seat)
        assert own is not None
        assert (YOUR_TURN in text_of(panel)) == (public.turn == seat)
        if public.laid is not None and own.has_turn:
            continue
        buttons = {b.custom_id.split(":")[4]: b for b in person.buttons(panel) if b.custom_id.startswith("e:card:")}
        if not own.has_turn:
            assert not buttons
            assert not own.hand or in_text(own.hand, "  ") in text_of(panel)
            continue
        assert set(buttons) == {str(card) for card in own.hand}
        for card in own.hand:
            button = buttons[str(card)]
            assert not button.disabled
            groups = [m.captured for m in own.moves if isinstance(m, Play) and m.card is card and m.captured]
            wanted, _ = on_button(card, EN)
            if not groups:
                wanted += " · to the table"
            elif groups == [public.table]:
                wanted += " · escoba! 🧹"
            else:
                named = f"{wanted} · takes {' or '.join(faces(group, EN) for group in groups)}"
                few = f"{len(groups)} ways" if len(groups) > 1 else f"takes {len(groups[0])} cards"
                wanted = named if len(named) <= LONGEST_LABEL else f"{wanted} · {few}"
            assert button.label == wanted


async def test_computers_play_to_the_end_by_themselves(room_of: RoomOf):
    async with room_of(1, chance=Decks(8)) as here:  # one round long
        ana = here.people[0]
        await here.lobby(target=5)
        await here.press(ana, here.shown, "addc")
        for seat, level in enumerate(("easy", "hard"), start=2):
            await here.press(ana, here.shown, "addc")
            await here.choose_option(ana, "comp", level, seat=seat)
        levels = [seat.level for seat in here.table.view().seats[1:]]
        assert levels == [Level.NORMAL, Level.EASY, Level.HARD]
        listed = [f"**{holder_name(seat)}** · {seat.level.value}" for seat in here.table.view().seats[1:]]
        assert all(line in here.public_text for line in listed)
        await here.press(ana, here.shown, "start")
        assert all(line in here.public_text for line in listed)
        game_id = here.table.id
        await here.press(ana, here.shown, "hand")
        await here.play_out()
        await assert_result_is_shown(here, game_id)
        await ana.slash(here.channel, "escoba stats")
        stats = await here.bot.parts.stores.leaderboards.stats(here.world.guild.id, ana.id)
        assert (stats.matches, stats.practice_matches) == (0, 1)
        await here.press(ana, here.shown, "rematch")
        assert [seat.is_computer for seat in here.table.view().seats] == [False, True, True, True]
        assert [seat.level for seat in here.table.view().seats[1:]] == levels


async def test_computers_play_at_a_pace_that_people_can_follow(room_of: RoomOf):
    async with room_of(1, computer_seconds=2) as here:
        ana = here.people[0]
        await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        assert here.table.view().match.turn == 1  # type: ignore[union-attr]
        before = here.public_text
        assert turn_line(here.table.view()) in before
        assert holder_name(here.table.view().seats[1]) in turn_line(here.table.view())
        await here.wait(1.9)
        assert here.public_text == before
        await here.wait(0.2)
        assert ana.mention in turn_line(here.table.view())
        assert turn_line(here.table.view()) in here.public_text
        assert here.table.view().match.turn == 0  # type: ignore[union-attr]


async def test_escobas_and_the_last_deal_are_announced(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        swept: list[str] = []
        last: list[str] = []

        def look() -> bool:
            match = match_of(here.table)
            assert match is not None
            for fact in match.facts:
                if getattr(fact, "escoba", False):
                    swept.append(here.public_text)
                if getattr(fact, "last", False):
                    last.append(here.public_text)
            return bool(swept and last)

        await here.play_out(lambda view: max(view.moves, key=lambda move: len(move.captured)), until=look)
        assert swept
        assert last
        assert all("# 🧹 " in text or "## Round" in text or "## 🏆" in text for text in swept)
        assert all(LAST_DEAL in text for text in last)


async def test_everybody_sees_the_dealer_take_an_opening_fifteen(room_of: RoomOf):
    rigged = Decks(rigged={1: "1b 2b 3b 4b 5b 6b 1o 2c 5e 7c"})
    async with room_of(2, chance=rigged) as here:
        await here.begin()
        assert event_lines(here.table.view())[-1] in here.public_text
        assert "# 🧹 Escoba at the deal! Ana\n7🏆 + 5🗡️ + 2🏆 + 1🪙 = **15**\n" in here.public_text
        assert "— empty —" in here.public_text
