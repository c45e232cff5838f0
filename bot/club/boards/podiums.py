"""Posts the podium of a season that is over, once, and gives the roles that are its rewards.

No timer watches for the end of a season: the first match between people that ends in the next one brings the podium
into its channel. So it comes where the server plays now, while people are there to read it, and a server that sleeps
isn't woken. One that plays again only after LATEST gets none: it would be old news, and the leaderboard still has it.

A podium is noted as posted before it is posted. If the bot stops in between, it isn't posted at all, rather than twice.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.club.rules.seasons import before, bounds, is_season, season_of
from bot.club.screens.ranking import MOST, PLACES, Podium, crowd_rows, podium_layout, podium_rows
from bot.club.settings import ClubSettings, podium_key, rewarded_key
from bot.club.store.given_roles import Given, GivenRoles
from bot.club.store.leaderboard import Leaderboards
from bot.club.store.standing import Leaderboard, LeaderboardPage, Metric, Standing
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import Tools
from bot.platform.outside import read_json
from bot.platform.place import Spot
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.reward_roles import RoleFlaw, RoleGiver
from bot.platform.transport.trouble import NETWORK, Trouble, trouble_of
from bot.platform.transport.turns import Priority

log = logging.getLogger(__name__)

LATEST: Final = timedelta(days=7)
"""Time after the end of a season in which its podium is still news."""
RETRY_SECONDS: Final = 600
"""Time until roles are taken again that Discord, being in trouble, hasn't taken."""


class Podiums:
    """Hears of the matches between people that end.

    Args:
        tools: what messages are sent with.
        values: tell which podiums are posted.
        leaderboards: tell who is on them.
        given: notes who gets a role.
        guild_settings: how long a server's seasons are, and which roles its best get.
        client: gives roles.
        parent_of: the channel of a server's thread; None for anything else. Nobody hides a podium in a private thread.
    """

    def __init__(
        self,
        tools: Tools,
        values: KeyValues,
        leaderboards: Leaderboards,
        given: GivenRoles,
        guild_settings: GuildSettingsCache,
        client: discord.Client,
        parent_of: Callable[[int, int], int | None],
    ) -> None:
        self._tools = tools
        self._values = values
        self._leaderboards = leaderboards
        self._given = given
        self._guild_settings = guild_settings
        self._parent_of = parent_of
        self._roles = RoleGiver(client, tools.channels)
        self._looked: dict[int, str] = {}
        """By server: the season in which the bot last checked whether the podium of the one before is posted."""

    def match_ended(self, spot: Spot, locale: str) -> None:
        """Make the podium of the season before, if none is posted, after a match on a server, in its language."""
        if self._tools.closing():
            return
        now, guild_id = self._tools.clock.now(), spot.guild_id
        season = season_of(self._guild_settings.cached(guild_id, ClubSettings).season, now)
        if season is None or now - bounds(season)[0] > LATEST or self._looked.get(guild_id) == season:
            return
        self._looked[guild_id] = season
        self._tools.spawn(self._look(spot, locale, before(season)))

    async def take_due(self) -> None:
        """Take the roles of people who have erased their data; what Discord refuses for good stays with them."""
        left = False
        try:
            for given in await self._given.due():
                try:
                    await self._roles.take(Spot(0, given.guild_id), given.role_id, given.user_id)
                except NETWORK as error:
                    log.info("Could not take a role; trying again later (%s)", type(error).__name__)
                    left = True
                else:
                    await self._given.taken(given)
        except StoreError as error:
            log.warning("Could not find out or note which roles are to be taken: %s", error)
            left = True
        if left and not self._tools.closing():
            self._tools.clock.after("roles", RETRY_SECONDS, self.take_due)

    async def _look(self, spot: Spot, locale: str, season: str) -> None:
        done = False
        try:
            done = await self._make(spot, locale, season)
        except StoreError as error:
            log.warning("Could not find out whether a season's podium is posted: %s", error)
        except NETWORK as error:
            log.info("Could not find out or change who has a reward's role (%s)", type(error).__name__)
        except Exception:  # never let this failure stop the tables
            log.exception("Could not make a season's podium")
        if not done:  # the next match tries again
            self._looked.pop(spot.guild_id, None)

    async def _make(self, spot: Spot, locale: str, season: str) -> bool:
        """Post the podium of a season unless that was done; returns False if another attempt may succeed.

        Raises:
            StoreError: if the store fails.
            what `trouble.NETWORK` lists: if Discord doesn't answer about roles, or is in trouble.
        """
        guild_id, here = spot.guild_id, spot.channel_id
        noted = await self._values.get(podium_key(guild_id))
        if noted is not None and is_season(noted) and bounds(noted)[1] >= bounds(season)[1]:
            return True
        page = await self._best(guild_id, season)
        rows, crowd = podium_rows(page.rows), crowd_rows(page.rows)
        if not rows and not crowd:
            return True
        rewards = await self._reward(spot, rows, noted)  # before the note: if the store fails, this is repeated
        if not await self._values.add(podium_key(guild_id), season, instead_of=noted):
            return True  # another process was faster
        layout = podium_layout(
            Podium(season, rows or crowd, page.total, rewards, crowded=not rows),
            self._tools.display(locale, guild_id).words,
        )
        parent = self._parent_of(guild_id, here)
        for channel_id in dict.fromkeys((parent or here, here)):
            place = Spot(channel_id, guild_id)
            try:
                async with self._tools.channels.turn(place, Priority.POST) as ticket:
                    nonce = f"p{channel_id}{season[2:].replace('-', '')}"
                    await self._tools.channels.post(ticket, place, layout, nonce=nonce, allowed_mentions=NOBODY)
            except NETWORK as error:
                log.info("Channel %s: could not post the season's podium (%s)", channel_id, type(error).__name__)
                trouble = trouble_of(error)
                if trouble.passes and _was_answered(error):
                    break  # it isn't there, and a later attempt may succeed
                if trouble not in (Trouble.SILENCED, Trouble.GONE):
                    return True  # it may be there all the same, or never will be
            else:
                return True
        await self._values.set(podium_key(guild_id), noted)
        return False

    async def _best(self, guild_id: int, season: str) -> LeaderboardPage:
        which = Leaderboard(Metric.SEASON_POINTS, season)
        return await self._leaderboards.page(guild_id, which, limit=MOST + 1, offset=0)

    async def _reward(
        self, spot: Spot, rows: Sequence[Standing], last: str | None
    ) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Give the server's reward roles to those on the podium, and take those of the last podium from its people.

        Returns the roles, each with the names of those who have it now.
        """
        guild_id = spot.guild_id
        settings = await self._guild_settings.of(guild_id, ClubSettings)
        if not settings.reward_roles:
            return ()
        wanted = {settings.winner_role: 1, settings.podium_role: PLACES}  # if it is the same role, all three get it
        places = {role_id: place for role_id, place in wanted.items() if role_id is not None}
        earlier, before_them = dict[int, int](), tuple[Standing, ...]()
        held = await self._given.held(guild_id) if settings.passes_on else dict[int, set[int]]()
        if settings.passes_on and last is not None and is_season(last):
            noted = await self._values.get(rewarded_key(guild_id))
            earlier = places if noted is None else _read_places(noted)
            before_them = podium_rows((await self._best(guild_id, last)).rows)
        try:
            unfit = await self._roles.unfit(guild_id, [*places, *earlier, *held])
        except NETWORK as error:
            if trouble_of(error) is Trouble.PASSING:
                raise  # the roles are given with the podium or never
            log.info("Could not find out whether roles can be given (%s)", type(error).__name__)
            return ()
        told: list[tuple[int, tuple[str, ...]]] = []
        for role_id in dict.fromkeys((*earlier, *held, *places)):
            if (why := unfit.get(role_id)) is not None:
                for user_id in held.get(role_id, ()) if why.flaw is RoleFlaw.GONE else ():
                    await self._given.taken(Given(guild_id, role_id, user_id))
                continue
            best = {row.user_id: row.name for row in rows if row.rank <= places.get(role_id, 0)}
            losing = {row.user_id for row in before_them if row.rank <= earlier.get(role_id, 0)}  # 1.0 noted nobody
            for user_id in sorted((losing | held.get(role_id, set())) - best.keys()):
                await self._roles.take(spot, role_id, user_id)
                await self._given.taken(Given(guild_id, role_id, user_id))
            if have := [user_id for user_id in best if await self._give(spot, role_id, user_id)]:
                told.append((role_id, tuple(best[user_id] for user_id in have)))
        await self._values.set(rewarded_key(guild_id), json.dumps(places))
        return tuple(told)

    async def _give(self, spot: Spot, role_id: int, user_id: int) -> bool:
        given = Given(spot.guild_id, role_id, user_id)
        if not await self._given.note(given):
            return False
        if not (done := await self._roles.give(spot, role_id, user_id)):
            await self._given.taken(given)
        return done


def _was_answered(error: BaseException) -> bool:
    """Whether Discord, or a proxy in front of it, has refused to do something, so that it wasn't done."""
    return isinstance(error, discord.RateLimited) or (isinstance(error, discord.HTTPException) and error.status < 500)


def _read_places(noted: str) -> dict[int, int]:
    """Read the roles of a podium and how many places get each; none if the text is damaged."""
    try:
        return {int(role): int(place) for role, place in read_json(noted).items()}
    except (ValueError, TypeError, AttributeError) as error:
        log.warning("Can't read which roles were given (%s)", type(error).__name__)
        return {}
