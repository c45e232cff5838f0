"""A slow match, as people see it: the pace in the lobby, a missed turn, and the third in a row."""

from datetime import date, timedelta

from bot.tables.live.view import ROBOT
from bot.tables.log.events import Phase
from bot.tables.log.holidays import MOST_DAYS
from bot.tables.log.pace import DAY, Tempo
from bot.tables.settings import TablePreferences
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of

OWN_PAUSE = 4.0
"""Longer than any pause of a robot before its move."""


async def with_holidays(here: Room, days: int) -> None:
    """Leave everybody so many days of this year's holidays: those that a missed turn spends first."""
    begin = date(2026, 10, 1)
    taken = ((begin, begin + timedelta(days=MOST_DAYS - 1 - days)),) if days < MOST_DAYS else ()
    for person in here.people:
        await here.bot.parts.preferences.change(person.id, TablePreferences, holidays=taken)


async def at_a_day_a_turn(here: Room, target: int = 7, days: int = 0) -> tuple[Person, Person]:
    """Start a rated match of Ana and Bea at a day a turn; returns whose turn it is, and the other.

    `days`: of holidays, which each of them has left.
    """
    ana, bea = here.people
    await with_holidays(here, days)
    await here.lobby(bea)
    await here.choose_option(ana, "tempo", Tempo.DAY)
    if target != here.table.view().config.rules.target:
        await here.choose_option(ana, "target", str(target))
    await here.agree()
    await here.press(ana, here.shown, "start")
    await here.press(bea, here.shown, "hand")
    return (ana, bea) if here.table.view().match.turn == here.seat_of(ana) else (bea, ana)  # type: ignore[union-attr]


async def misses(here: Room) -> None:
    """Let the turn pass, and a robot make the move."""
    await here.wait(DAY)
    await here.wait(OWN_PAUSE)


async def moves(here: Room, person: Person) -> None:
    """Open the panel, which has stopped following the match since yesterday, and play until it's another's turn: after
    forced cards it may be the same person's again."""
    await here.press(person, here.shown, "hand")
    match = here.table.view().match
    while match is not None and match.turn == here.seat_of(person):
        await here.step(here.table, lambda view: view.moves[0])
        match = here.table.view().match


def pauses(here: Room, person: Person) -> bool:
    """Whether somebody's panel offers a pause."""
    return any(each.custom_id.startswith("e:pause") for each in person.selects(here.panel(person)))


async def test_the_pace_is_chosen_in_the_options_and_named_in_the_lobby(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        assert "per turn" not in here.public_text
        await here.choose_option(ana, "tempo", Tempo.THREE_DAYS)
        assert "Add up to 15 · to 7 points · 3 days per turn · about 6 weeks · 🏅 rated" in here.public_text
        assert "In a match of two, missing three turns in a row loses it." in here.public_text
        await here.choose_option(bea, "tempo", Tempo.OPEN)
        assert "No time limit · 🏅 rated" in here.public_text
        assert "can lose by time" in here.public_text
        await here.choose_option(bea, "tempo", Tempo.USUAL)
        assert "per turn" not in here.public_text
        await here.choose_option(bea, "tempo", Tempo.WEEK)
        table = here.table
        await here.wait(6 * DAY)
        assert table.phase is Phase.LOBBY, "a lobby waits as long as a turn"
        await here.wait(DAY)
        assert table.phase is Phase.LOBBY, "and a day longer, for the OK on what was changed"
        await here.wait(DAY)
        assert table.phase is Phase.EXPIRED


async def test_the_target_is_chosen_in_the_options_or_follows_the_pace(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.choose_option(ana, "tempo", Tempo.DAY)
        assert "to 7 points · 1 day per turn · about 2 weeks" in here.public_text
        await here.choose_option(ana, "tempo", Tempo.QUICK)
        assert "to 21 points · 1 minute per turn · 🏅 rated" in here.public_text
        await here.choose_option(ana, "target", "15")
        await here.choose_option(ana, "tempo", Tempo.WEEK)
        assert "to 15 points · 1 week per turn · about 7 months · 🏅 rated" in here.public_text


async def test_one_round_is_chosen_like_a_target_and_is_friendly(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.choose_option(ana, "target", "round")
        assert "Add up to 15 · One round · 🤝 friendly" in here.public_text
        assert "New: One round" in here.public_text
        options = await here.options(ana)
        assert "Make it rated" not in {each.label for each in ana.buttons(options)}
        await here.agree()
        await here.press(ana, here.shown, "start")
        assert "### 🧹 One round · deal 1 of 6" in here.public_text
        await here.press(ana, here.shown, "hand")
        assert "board" not in text_of(here.panel(ana)).lower()
        await here.play_out()
        assert "**One round**" in "\n".join(here.public_texts())
        assert here.bot.parts.manager.at(here.channel.id) is None


async def test_cards_without_a_choice_are_told_as_forced(room_of: RoomOf):
    async with room_of(2) as here:
        await at_a_day_a_turn(here)
        table = here.table
        before = 0
        while "*Forced.*" not in here.public_text:
            match, before = table.view().match, table.version
            assert match is not None
            await moves(here, next(each for each in here.people if here.seat_of(each) == match.turn))
        assert table.version > before + 1


async def test_the_options_of_a_slow_table_turn_that_off(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        assert "Forced cards: at once" not in {each.label for each in ana.buttons(await here.options(ana))}
        await here.choose_option(ana, "tempo", Tempo.DAY)
        assert "Forced cards: at once" in {each.label for each in ana.buttons(await here.options(ana))}
        await here.options(ana, "forced")
        assert not here.table.view().config.forced
        assert "Forced cards: by hand" in here.public_text


async def test_a_missed_turn_costs_one_move_and_the_third_in_a_row_the_match(room_of: RoomOf):
    async with room_of(2) as here:
        late, other = await at_a_day_a_turn(here)
        table = here.table
        await misses(here)
        assert f"**{late.name}** {ROBOT} plays" in here.public_text
        assert "💤" not in here.public_text
        await moves(here, other)
        await here.press(late, here.shown, "hand")
        assert "You missed your last turn, so a robot played it." in text_of(here.panel(late))
        await misses(here)
        await moves(here, other)
        await here.press(late, here.shown, "hand")
        assert "Miss this one, too, and you lose the match." in text_of(here.panel(late))
        await misses(here)
        assert table.phase is Phase.FORFEITED
        assert f"⏳ **{late.name}** ran out of time, so {other.name} wins." in "\n".join(here.public_texts())


async def test_who_plays_the_third_turn_starts_over(room_of: RoomOf):
    async with room_of(2) as here:
        late, other = await at_a_day_a_turn(here)
        table = here.table
        for _ in range(2):
            await misses(here)
            await moves(here, other)
        await moves(here, late)
        await moves(here, other)
        await here.press(late, here.shown, "hand")
        assert "missed" not in text_of(here.panel(late))
        assert table.phase is Phase.PLAYING


async def test_a_restart_between_two_missed_turns_changes_nothing(room_of: RoomOf):
    async with room_of(2) as here:
        late, other = await at_a_day_a_turn(here)
        await misses(here)
        await moves(here, other)
        await here.restart()
        await misses(here)
        await moves(here, other)
        await here.press(late, here.shown, "hand")
        assert "Miss this one, too, and you lose the match." in text_of(here.panel(late))


async def test_a_pause_is_chosen_on_the_panel_and_agreed_to_on_the_table(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        for person in here.people:
            await here.press(person, here.shown, "hand")
        assert not pauses(here, current), "first they play a card"
        await here.step(here.table, lambda view: view.moves[0])
        assert pauses(here, current)
        await current.choose(here.panel(current), ["7"], custom_id="^e:pause:")
        asked = f"⏸️ **{current.name}** proposes a pause of 7 days."
        assert asked in here.public_text
        assert not pauses(here, current)
        await here.press(other, here.shown, "disagree")
        assert asked not in here.public_text
        assert not pauses(here, current), "it would be refused"
        await here.step(here.table, lambda view: view.moves[0])
        await other.choose(here.panel(other), ["3"], custom_id="^e:pause:")
        await here.press(current, here.shown, "agree")
        assert "⏸️ **Paused until <t:" in here.public_text
        assert "resume" not in "".join(each.custom_id for each in current.buttons(here.panel(current)))
        await here.wait(3 * DAY)
        assert "Paused" not in here.public_text
        assert here.table.view().missed == ()


async def test_whoever_asked_for_the_pause_ends_it_after_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        await here.press(other, here.shown, "hand")
        await other.choose(here.panel(other), ["14"], custom_id="^e:pause:")
        await here.press(current, here.shown, "agree")
        await here.restart()
        await here.wait(DAY)
        await here.press(other, here.shown, "hand")
        assert "⏸️ **Paused until <t:" in text_of(here.panel(other))
        await here.press(other, here.panel(other), "resume")
        assert "Paused" not in here.public_text
        await misses(here)
        assert here.table.view().missed == (here.seat_of(current),)


async def test_a_quick_match_offers_no_pause(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        assert not pauses(here, here.people[0])
