"""Answers to days' positions: each user's one try, and the sums of many people's tries."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import takewhile
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import ensure, unless_there
from bot.platform.database.database import Store, reading, writing
from bot.schema.training import day_answers
from bot.training.store.rows import DayAnswer

_LOOK_BACK: Final = 8
"""Days read at first to find streaks; eight times as many for longer ones, and so on."""
_FURTHER: Final = 8
_LONGEST: Final = 100_000
SAVES: Final = 2
"""Days in a calendar month that a streak survives if they are solved late."""
_LATEST: Final = 7
"""Days before today that can still be solved."""

_columns = day_answers.c


@dataclass(frozen=True, slots=True)
class DayRecord:
    """The facts about a day's position when a user asks.

    Attributes:
        answers: the user's own answers, for that day and the latest days, by day.
        shares: the number of people who chose each move on the day itself.
        streak: the number of days in a row that the user has solved so far; see `Answers.streaks`.
        savable: what their streak becomes once the days that they missed lately are solved late; `streak` if they
            haven't missed any, or can't save them any more.
    """

    answers: dict[date, DayAnswer]
    shares: dict[str, int]
    streak: int
    savable: int


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A person's results with a month's positions on a server. `lost` is in thousandths of a point."""

    rank: int
    user_id: int
    name: str
    solved: int
    answered: int
    lost: int


@dataclass(frozen=True, slots=True)
class MonthBoard:
    """The first rows of a server's leaderboard of a month, the reader's own row, and the number of people on it."""

    rows: tuple[MonthRow, ...]
    own: MonthRow | None
    people: int


class Answers(Store):
    """The answers to days' positions."""

    @writing
    async def give(self, connection: AsyncConnection, answer: DayAnswer) -> DayAnswer:
        """Store a user's answer to a day's position, unless there is one; return the one that stands."""
        await ensure(connection, answer.user_id)
        values = {**asdict(answer), "day": answer.day.isoformat()}
        await connection.execute(unless_there(connection, day_answers, values))
        own = (_columns.user_id == answer.user_id) & (_columns.day == answer.day.isoformat())
        [stands] = await _answers(connection, own, _columns.day)
        return stands

    async def has_answered(self, user_id: int, day: date) -> bool:
        """Whether a user has answered a day's position."""
        own = sa.select(_columns.user_id).where(_columns.user_id == user_id, _columns.day == day.isoformat())
        return await self.database.read(lambda connection: connection.scalar(own)) is not None

    async def has_tried(self, user_id: int) -> bool:
        """Whether a user has ever answered a day's position."""
        own = sa.select(_columns.user_id).where(_columns.user_id == user_id).limit(1)
        return await self.database.read(lambda connection: connection.scalar(own)) is not None

    @reading
    async def record(self, connection: AsyncConnection, user_id: int, day: date, today: date, days: int) -> DayRecord:
        """Read what is known about a day's position for a user, with their answers of the last `days` days."""
        first = (today - timedelta(days=days - 1)).isoformat()
        wanted = _columns.day.between(first, today.isoformat()) | (_columns.day == day.isoformat())
        own = (_columns.user_id == user_id) & wanted
        answers = {answer.day: answer for answer in await _answers(connection, own, _columns.day)}
        chosen = await connection.execute(
            sa.select(_columns.move, sa.func.count())
            .where(_columns.day == day.isoformat(), _columns.counted)
            .group_by(_columns.move)
            .order_by(_columns.move)
        )
        streak = (await _streaks(connection, [user_id], today))[user_id]
        missed = {today - timedelta(days=back) for back in range(1, min(days, _LATEST + 1))} - answers.keys()
        saved = (await _streaks(connection, [user_id], today, missed))[user_id] if missed else streak
        return DayRecord(answers, {row[0]: row[1] for row in chosen}, streak, saved)

    async def streaks(self, user_ids: Collection[int], day: date) -> dict[int, int]:
        """Count the days in a row on which each user has solved the position on the day itself.

        A streak ends with `day`, or with the day before if the user hasn't answered that day's position yet. Days that
        are solved late don't count, but up to `SAVES` of them in a month don't end it either.
        """
        return await self.database.read(_streaks, user_ids, day)

    @reading
    async def given_in(self, connection: AsyncConnection, guild_id: int, day: date) -> list[DayAnswer]:
        """List the answers given on a server on the day itself, in the order in which they came."""
        there = (_columns.guild_id == guild_id) & (_columns.day == day.isoformat()) & _columns.counted
        return await _answers(connection, there, _columns.at, _columns.user_id)

    @reading
    async def solvers(self, connection: AsyncConnection, user_ids: Collection[int], before: date) -> set[int]:
        """Find those of some users who have solved the position of any day before another."""
        earlier = _columns.user_id.in_(user_ids) & (_columns.day < before.isoformat()) & (_columns.lost == 0)
        return set(await connection.scalars(sa.select(_columns.user_id).where(earlier).distinct()))

    @reading
    async def together(self, connection: AsyncConnection, guild_id: int, last: date) -> int:
        """Count the days in a row, up to one, on which at least two users have solved the position on a server."""
        there = (_columns.guild_id == guild_id) & _columns.counted & (_columns.lost == 0)
        solved = sa.select(_columns.day).where(there, _columns.day <= last.isoformat()).group_by(_columns.day)
        latest = solved.having(sa.func.count() > 1).order_by(_columns.day.desc()).limit(_LONGEST)
        days = (date.fromisoformat(day) for day in await connection.scalars(latest))
        return sum(1 for _ in takewhile(lambda each: each[1] == last - timedelta(days=each[0]), enumerate(days)))

    @reading
    async def regulars(
        self, connection: AsyncConnection, guild_id: int, user_ids: Collection[int], since: date
    ) -> list[int]:
        """Find those of some users who have answered on a server since a day, in the order of their ids."""
        there = (_columns.guild_id == guild_id) & _columns.user_id.in_(user_ids) & (_columns.day >= since.isoformat())
        found = await connection.scalars(sa.select(_columns.user_id).where(there).distinct().order_by(_columns.user_id))
        return list(found)

    @reading
    async def month(
        self, connection: AsyncConnection, guild_id: int, user_id: int, first: date, most: int
    ) -> MonthBoard:
        """Read a server's leaderboard of the month that begins with `first`: days solved, then points given away.

        Only answers that were given there, and on the day itself, count.
        """
        after = (first.replace(day=28) + timedelta(days=4)).replace(day=1)
        there = (
            (_columns.guild_id == guild_id)
            & (_columns.day >= first.isoformat())
            & (_columns.day < after.isoformat())
            & _columns.counted
        )
        everybody = _ranked(there)
        wanted = (everybody.c.place <= most) | (everybody.c.user_id == user_id)
        found = (await connection.execute(sa.select(everybody).where(wanted).order_by(everybody.c.place))).all()
        named = await connection.execute(
            sa.select(_columns.user_id, _columns.name)
            .where(there, _columns.user_id.in_([row.user_id for row in found]))
            .order_by(_columns.day)
        )
        names = {int(row[0]): str(row[1]) for row in named}  # the latest of each
        rows = [
            MonthRow(row.rank, row.user_id, names[row.user_id], int(row.solved), row.answered, int(row.lost))
            for row in found
        ]
        own = next((row for row in rows if row.user_id == user_id), None)
        return MonthBoard(tuple(rows[:most]), own, found[0].people if found else 0)


def _ranked(which: sa.ColumnElement[bool]) -> sa.Subquery:
    """Sum up answers by user, each with their place and how many there are; equals share a rank.

    The database does it, since there may be very many, and it doesn't hold up the event loop.
    """
    solved, lost = sa.func.sum(sa.case((_columns.lost == 0, 1), else_=0)), sa.func.sum(_columns.lost)
    order = (solved.desc(), lost, sa.func.count().desc())
    sums = sa.select(
        sa.func.rank().over(order_by=order).label("rank"),
        sa.func.row_number().over(order_by=(*order, _columns.user_id)).label("place"),
        sa.func.count().over().label("people"),
        *(_columns.user_id, solved.label("solved"), sa.func.count().label("answered"), lost.label("lost")),
    )
    return sums.where(which).group_by(_columns.user_id).subquery()


async def of_user(connection: AsyncConnection, user_id: int) -> list[DayAnswer]:
    """Read all answers of a user, in the order of the days."""
    return await _answers(connection, _columns.user_id == user_id, _columns.day)


async def _streaks(
    connection: AsyncConnection, user_ids: Collection[int], day: date, made_up: Collection[date] = ()
) -> dict[int, int]:
    """Count as `Answers.streaks`. `made_up`: days to take as solved late."""
    found: dict[int, int] = dict.fromkeys(user_ids, 0)
    answered = set(
        await connection.scalars(
            sa.select(_columns.user_id).where(
                _columns.day == day.isoformat(), _columns.user_id.in_(found), _columns.counted
            )
        )
    )
    last = {user_id: day if user_id in answered else day - timedelta(days=1) for user_id in found}
    open_ones: set[int] = set(found)
    back = _LOOK_BACK
    while open_ones:
        first = day - timedelta(days=min(back, _LONGEST))
        rows = await connection.execute(
            sa.select(_columns.user_id, _columns.day, _columns.counted).where(
                _columns.user_id.in_(open_ones),
                _columns.day.between(first.isoformat(), day.isoformat()),
                _columns.lost == 0,
            )
        )
        solved = {user_id: dict.fromkeys(made_up, False) for user_id in open_ones}
        for row in rows:
            solved[row.user_id][date.fromisoformat(row.day)] = row.counted
        ended: dict[int, date] = {}
        for user_id in open_ones:
            found[user_id], ended[user_id] = streak_of(solved[user_id], last[user_id])
        # A streak that goes back to the first day that was read may be longer.
        open_ones = {each for each in open_ones if ended[each] < first}
        back *= _FURTHER
    return found


def streak_of(solved: Mapping[date, bool], last: date) -> tuple[int, date]:
    """Count a streak that ends with `last`, and find the day before it.

    `solved`: the days that were solved, each with whether that was on the day itself.
    """
    streak, day, saves = 0, last, Counter[tuple[int, int]]()
    while day in solved:
        month = (day.year, day.month)
        saves[month] += not solved[day]
        if saves[month] > SAVES:
            break
        streak += solved[day]
        day -= timedelta(days=1)
    return streak, day


async def _answers(
    connection: AsyncConnection, which: sa.ColumnElement[bool], *order: sa.ColumnElement[Any]
) -> list[DayAnswer]:
    names = (_columns[name] for name in DayAnswer.__dataclass_fields__)
    rows = await connection.execute(sa.select(*names).where(which).order_by(*order))
    return [DayAnswer(date.fromisoformat(day), *others) for day, *others in map(list[Any], rows)]
