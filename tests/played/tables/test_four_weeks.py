"""A slow match of two over four weeks, with all that comes between people and their turns."""

from datetime import timedelta

from bot.club.store.standing import Leaderboard, Metric
from bot.tables.log.codec import decode
from bot.tables.log.events import TurnMissed
from bot.tables.log.pace import DAY
from tests.played.tables.test_slow_match import OWN_PAUSE, at_a_day_a_turn, misses, moves, with_holidays
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person
from tests.support.tables.kit import the_match

HOUR = DAY / 24


def at_turn(here: Room) -> Person:
    """The person whose turn it is."""
    turn = the_match(here.table._state).turn
    assert turn is not None
    return next(person for person in here.people if here.seat_of(person) == turn)


async def some_days(here: Room, days: int) -> None:
    """Each player moves once a day, some hours before the deadline."""
    for _ in range(days):
        for _ in range(2):
            await here.wait(DAY / 2)
            await moves(here, at_turn(here))


async def test_a_match_of_two_over_four_weeks_ends_right_and_rated(room_of: RoomOf):
    async with room_of(2) as here:
        began = here.env.now()
        await at_a_day_a_turn(here, 21)
        game, store = here.table.id, here.bot.parts.stores
        await some_days(here, 3)

        late = at_turn(here)  # a weekend without anybody: each of both misses a turn
        await misses(here)
        await here.restart(killed=True)
        await here.wait(DAY)
        await here.wait(OWN_PAUSE)
        assert sorted(here.table.view().missed) == [0, 1]
        assert at_turn(here) is late
        await some_days(here, 2)
        assert here.table.view().missed == ()

        await with_holidays(here, 5)
        away = at_turn(here)  # five days of holidays, today included
        first = here.env.now().date()
        await away.slash(here.channel, "escoba me")
        await away.choose(here.channel, ["holidays"], custom_id="^m:change$")
        form = await away.press(here.channel, custom_id="^m:holiday$")
        await away.submit(form, {"first": first.isoformat(), "last": (first + timedelta(days=4)).isoformat()})
        await here.wait(2 * DAY)
        await here.restart()
        assert "🌴 On holiday until" in here.public_text
        await here.wait(3 * DAY)
        assert "On holiday" not in here.public_text
        assert at_turn(here) is away
        await with_holidays(here, 0)
        await moves(here, away)
        await some_days(here, 2)

        late = at_turn(here)  # a pause of a week, with two restarts; the turn goes on with the rest of its day
        asker = next(person for person in here.people if person is not late)
        await here.wait(20 * HOUR)
        for person in (late, asker):
            await here.press(person, here.shown, "hand")
        await asker.choose(here.panel(asker), ["7"], custom_id="^e:pause:")
        await here.press(late, here.shown, "agree")
        await here.wait(3 * DAY)
        await here.restart(killed=True)
        await here.wait(3 * DAY)
        await here.restart()
        assert "⏸️ **Paused until" in here.public_text
        await here.wait(DAY + 3 * HOUR)
        assert at_turn(here) is late
        await here.wait(HOUR + OWN_PAUSE)  # the third missed deadline
        assert here.table.view().missed == (here.seat_of(late),)
        await here.restart()
        await some_days(here, 6)

        entries = await here.bot.parts.stores.games.log(game)
        assert sum(isinstance(decode(each.kind, each.body), TurnMissed) for each in entries) == 3
        assert here.env.now() - began >= timedelta(weeks=4)
        table = here.table
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.finish()
        match = the_match(table._state)
        store = here.bot.parts.stores
        page = await store.leaderboards.page(here.world.guild.id, Leaderboard(Metric.WINS), limit=5, offset=0)
        rows = {row.name: row for row in page.rows}
        assert match.winner is not None
        winner, loser = (table.view().seats[seat].name for seat in (match.winner, 1 - match.winner))
        assert f"## 🏆 {winner} wins!" in here.public_text
        assert [(rows[name].matches, rows[name].wins) for name in (winner, loser)] == [(1, 1), (1, 0)]
        assert (rows[winner].mu or 0) > (rows[loser].mu or 0), "it was rated"
