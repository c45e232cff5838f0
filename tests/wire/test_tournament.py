"""A tournament that two processes serve one after the other, because the first is killed in the middle of a round."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.process.stores import Stores
from bot.tables.settings import TablePreferences, TurnNotice
from bot.tournaments.live.codec import encode
from bot.tournaments.rules.decide import decide
from bot.tournaments.rules.log import Announced, Begin, BeginCheckIn, CheckIn, Enter, TournamentEvent
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Format, Setup
from tests.support.fake_discord.person import Person as Member
from tests.wire.fleet import Fleet, fleet
from tests.wire.notified import Notified
from tests.wire.seen import Seen

_GAMES = "SELECT fixture, channel_id FROM games WHERE tournament_id = 1 AND closed_at IS NULL ORDER BY id"
_OUTCOMES = "SELECT count(*) FROM tournament_events WHERE kind = 'ended'"


def paired(people: list[Person]) -> Iterator[TournamentEvent]:
    """A knockout whose first round is paired; the first of the people organises it."""
    organiser = people[0]
    announced = Announced(organiser, Setup(Format.KNOCKOUT, target=5), lot=1)
    state = begin(announced)
    yield announced
    signed_up, here = [Enter(each) for each in people], [CheckIn(each) for each in people]
    for action in (*signed_up, BeginCheckIn(organiser), *here, Begin(organiser)):
        for event in decide(state, action):
            state = apply_all(state, [event])
            yield event


@pytest.mark.thorough
async def test_the_evening_goes_on_in_the_other_process_when_one_is_killed_in_the_middle_of_a_round(
    tmp_path: Path, postgres_url: str
) -> None:
    async with fleet(tmp_path, postgres_url, ("0/1", "0/1"), count=1, started=False) as f:
        [party] = f.parties
        members = [*party.people, *(f.realm.add_person(name, f.guild_of(party)) for name in ("Clo", "Don"))]
        await announced(f, [Person(each.id, each.name) for each in members], postgres_url)
        notified = Notified(f.realm)
        first, second = f.processes
        await f.start(first)
        await f.once(lambda: [key for key, _ in f.rows(_GAMES)] == ["1.1", "1.2"])
        second.start()
        await second.has_logged("Ready to take shards")
        await leave(f, f.rows(_GAMES)[0][1], members)
        await first.kill()
        await second.ready()
        await f.once(lambda: f.rows(_OUTCOMES) == [(1,)])
        await leave(f, f.rows(_GAMES)[0][1], members)
        await f.once(lambda: f.rows(_OUTCOMES) == [(2,)])

        await press(f, members[0], party.channel_id, "t:manage:")
        await press(f, members[0], party.channel_id, "t:next:", alone=True)
        await f.once(lambda: [key for key, _ in f.rows(_GAMES)] == ["2.1"])
        await leave(f, f.rows(_GAMES)[0][1], members)
        await f.once(lambda: f.rows("SELECT count(*) FROM tournaments WHERE closed_at IS NOT NULL") == [(1,)])

        assert f.rows("SELECT count(*), count(DISTINCT fixture) FROM games") == [(3, 3)], "none was opened twice"
        assert f.rows("SELECT count(*) FROM results") == [(0,)], "nobody had played a card"
        await f.once(lambda: "wins the tournament" in (shown(f, party.channel_id)))
        assert len(f.realm.backend.active_threads(f.guild_of(party))) == 3
        assert [bool(notified.of(each)) for each in members] == [True, True, True, False], "the last chose never"
        assert f.errors() == []


async def announced(f: Fleet, people: list[Person], database: str) -> None:
    """Store a tournament before any process runs; the last person has chosen never to be notified."""
    events, now = list(paired(people)), datetime.now(UTC)
    store = await Stores.open(database)
    [party] = f.parties
    await store.tournaments.open(
        guild_id=f.guild_of(party),
        channel_id=party.channel_id,
        organiser_id=people[0].id,
        locale="en-US",
        at=now,
        entries=[LogEntry(version, *encode(event), now) for version, event in enumerate(events, 1)],
        joined=people_of(events),
    )
    await store.preferences.put(people[-1].id, TablePreferences(turn_notice=TurnNotice.NEVER).dump())
    await store.database.close()


async def leave(f: Fleet, channel_id: int, members: list[Member]) -> None:
    """Have one of the people at a table leave it, and so lose."""
    seated = dict(
        f.rows("SELECT user_id, game_id FROM participants JOIN games ON id = game_id WHERE channel_id = ?", channel_id)
    )
    member = next(each for each in members if each.id in seated)
    await f.once(lambda: f.latest(channel_id, "hand") is not None)
    await f.slash(member, channel_id, "escoba leave")
    await press(f, member, channel_id, "e:leaveyes:", alone=True)


async def press(f: Fleet, member: Member, channel_id: int, begins: str, *, alone: bool = False) -> None:
    """Press a button whose custom_id starts with `begins`, as soon as there is one; `alone`: one that only they see."""

    def found() -> tuple[Seen, str] | None:
        for message in reversed(f.realm.stored(channel_id, member.id if alone else None)):
            if message.is_ephemeral is alone:
                seen = Seen(f.realm.payload_of(message))
                for button in seen.presses:
                    if button.custom_id.startswith(begins):
                        return seen, button.custom_id
        return None

    await f.once(lambda: found() is not None)
    pressed = found()
    assert pressed is not None
    await f.click(member, *pressed)


def shown(f: Fleet, channel_id: int) -> str:
    """The text of the newest message in the tournament's channel."""
    seen = f.latest(channel_id)
    return "" if seen is None else seen.text
