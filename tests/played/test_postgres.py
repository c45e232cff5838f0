"""The bot on PostgreSQL: a match in which the bot is killed and the server closes its connections."""

import psycopg
import pytest
import sqlalchemy as sa

from bot.club.store.standing import Leaderboard, Metric
from bot.platform.database.locations import location_of
from bot.process.check import check
from tests.support.escoba import RoomOf
from tests.support.truth import match_of

pytestmark = pytest.mark.thorough


async def test_a_match_survives_lost_postgres_connections(room_of: RoomOf, postgres_url: str) -> None:
    async with room_of(3, database=postgres_url) as here:
        await here.begin(target=5)
        await here.play_out(until=lambda: here.clicks > 12)
        state = match_of(here.table)
        await here.restart(killed=True)
        assert match_of(here.table) == state
        end_connections(postgres_url)
        for person in here.people:
            await here.press(person, here.panel(person), "panel")
        await here.play_out(until=lambda: here.clicks > 24)
        end_connections(postgres_url)
        await here.play_out(until=lambda: here.clicks > 36)
        await here.finish()
        assert "🏆" in here.public_text
        store, guild = here.bot.parts.stores, here.world.guild.id
        page = await store.leaderboards.page(guild, Leaderboard(Metric.WINS), limit=10, offset=0)
        assert [row.matches for row in page.rows] == [1, 1, 1]
        assert await store.games.open_games("match") == []
        said: list[str] = []
        assert await check(location_of(postgres_url), said.append), said
        assert said[-1].startswith("1 games (0 open)")


def end_connections(url: str) -> None:
    """Close every connection of the bot, as a restart of the database server does."""
    place = sa.make_url(url).set(drivername="postgresql")
    with psycopg.connect(place.render_as_string(hide_password=False)) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'escoba'"
        )
