"""The handlers of one's own matches: their list, replays, clips and the check of deals."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.engine.match_file import write
from bot.engine.proofs import Proof
from bot.engine.story import Moment, moments_of
from bot.platform.eventlog import LogEntry
from bot.platform.kit.host import host_of
from bot.platform.kit.paging import Paging
from bot.platform.kit.screen import Press, Screen
from bot.platform.layout import Layout, file_of, layout_of
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import own_server
from bot.platform.transport.reply import private_words, reply_to
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.live.proofs import checked, proof_of_log, unfinished
from bot.replays.live.replay import Recording, Replay, match_file_of, recorded, replay_of
from bot.replays.parts import ReplayParts
from bot.replays.refusals import ReplayRefusal
from bot.replays.screens.games import ON_PAGE_RUNNING, PAGE, Offer, Running, file_text, games_layout, match_layout
from bot.replays.screens.replay import clip_layout, replay_layout, shown_clip, shown_replay
from bot.replays.screens.verify import verify_layout
from bot.replays.store.own_matches import OwnMatches
from bot.tables.live.manager import TableManager
from bot.tables.live.running import RunningMatch, running_matches
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.store.deals import Deals
from bot.tables.store.logs import Games

SCREEN: Final = Screen("replays", ReplayRef)
_MOST_PAGES: Final = 10**6
"""Beyond any list: a forged page number must not be larger than the database can count."""


async def send_games(interaction: discord.Interaction[Any]) -> None:
    """Answer a command with the asker's matches, for them only."""
    await reply_to(interaction).send_private(await games_page(interaction))


async def games_page(interaction: discord.Interaction[Any], page: int = 0) -> Layout:
    """A page of the list, or the last page if there are fewer: the open ones go on beside those that are over."""
    host, guild_id, person_id = host_of(interaction), own_server(interaction), interaction.user.id
    games, deals, matches = host.of(Games), host.of(Deals), host.of(OwnMatches)
    rows, total = await matches.page(guild_id, person_id, limit=PAGE, offset=PAGE * page)
    open_ones, gone = await _running(interaction)
    both = (Paging.of(page, total, PAGE), Paging.of(page, len(open_ones), ON_PAGE_RUNNING))
    pages = max(each.pages for each in both)
    if page >= pages:
        return await games_page(interaction, pages - 1)
    latest = None if page else await unfinished(games, deals, matches, guild_id, person_id)
    running = Running(Paging(page, pages, ON_PAGE_RUNNING).shown(open_ones), 0 if page else gone, interaction.guild_id)
    return games_layout(rows, Paging(page, pages, PAGE), private_words(interaction), latest, running)


async def _running(interaction: discord.Interaction[Any]) -> tuple[list[RunningMatch], int]:
    """Read the asker's open matches on the servers where they are, and count those on others."""
    host, person_id = host_of(interaction), interaction.user.id
    games = host.of(Games)
    found = await running_matches(games, host.of(TableManager), await games.running(person_id), person_id)
    elsewhere = {match.guild_id for match in found} - {interaction.guild_id}
    where = {interaction.guild_id, *await host.of(TableParts).members.among(elsewhere, person_id)}
    there = [match for match in found if match.guild_id in where]
    return there, len(found) - len(there)


@SCREEN.on(ReplayVerb.LIST, ReplayVerb.OLDER, ReplayVerb.NEWER)
async def list_page(press: Press, ref: ReplayRef) -> None:
    await press.answer(await games_page(press.interaction, min(ref.at, _MOST_PAGES)))


@SCREEN.on(ReplayVerb.CHOOSE)
async def choose(press: Press, ref: ReplayRef) -> None:
    """Open the match that was chosen in the list."""
    await press.answer(await _match(press, ReplayRef(press.number, ref.at)))


@SCREEN.on(ReplayVerb.MATCH)
async def show_match(press: Press, ref: ReplayRef) -> None:
    await press.answer(await _match(press, ref))


async def _match(press: Press, ref: ReplayRef) -> Layout:
    """Lay out a match with what can be done with it.

    Raises Refusal if it wasn't theirs, was on another server, or can't be read.
    """
    host, person_id = press.host, press.person.id
    row = await host.of(OwnMatches).of(press.server, person_id, ref.game)
    if row is None:
        match = await checked(host.of(Games), host.of(Deals), press.server, person_id, ref.game)
        if match is None:
            raise Refusal(ReplayRefusal.NO_REPLAY)
        return match_layout(ref, match, Offer(verifies=True), press.t)
    try:
        recording = await recording_for(press, ref)
    except Refusal as error:
        return match_layout(ref, row, Offer(), press.t, error.reason(press.t))
    parts, fixture = host.of(ReplayParts), recording.fixture
    offer = Offer(
        review=parts.review_button(ref.game, person_id, press.t) if recording.played_out else None,
        replays=True,
        clips=bool(await moments_in(recording)),
        verifies=bool(fixture and fixture.boards) or await host.of(Deals).of(ref.game) is not None,
    )
    return match_layout(ref, row, offer, press.t)


@SCREEN.on(ReplayVerb.EXPORT)
async def export(press: Press, ref: ReplayRef) -> None:
    """Send the match as a file that people and programs can read."""
    await recording_for(press, ref)
    # Answer at once with the match as it was, because Discord may take no file after a deferral.
    await press.answer(await _match(press, ref))
    entries = await press.host.of(Games).log(ref.game)
    content = await asyncio.to_thread(_written, entries, await proof_of_log(press.host.of(Deals), ref.game, entries))
    name, text = f"escoba-{ref.game}.txt", file_text(press.t)
    await press.reply.follow_up_with_file(layout_of(text, file_of(name)), text, name, content)


def _written(entries: Sequence[LogEntry], proof: Proof | None) -> bytes:
    return write(match_file_of(entries, proof)).encode()


async def recording_for(press: Press, ref: ReplayRef) -> Recording:
    """The match that a button names, if the person may see all of it.

    Raises Refusal if it isn't over, wasn't theirs or is no longer kept, or if others may still play the same cards.
    """
    recording = await recorded(press.host.of(OwnMatches), press.host.of(Games), ref.game, press.server, press.person.id)
    fixture = recording.fixture
    if fixture is not None and not await press.host.of(ReplayParts).is_open(fixture):
        raise Refusal(TableRefusal.BOARD_CLOSED)
    return recording


async def moments_in(recording: Recording) -> tuple[Moment, ...]:
    """The moments of a match of which clips can be made, the best first."""
    return await asyncio.to_thread(moments_of, recording.match_events)


@SCREEN.on(ReplayVerb.VERIFY, ReplayVerb.VERIFY_ROUND)
async def check(press: Press, ref: ReplayRef) -> None:
    """Check how the match was dealt, and show the deck of the round that was chosen in the menu, if one was."""
    found = await checked(press.host.of(Games), press.host.of(Deals), press.server, press.person.id, ref.game)
    if found is None:
        raise Refusal(ReplayRefusal.NO_LOG)
    await press.answer(verify_layout(found, press.t, number=press.number))


_LAST: Final = 2**31
"""A step after all others."""
CLIP_SECONDS: Final = 10
"""Seconds that a message waits for its clip, without which it has no point."""


@SCREEN.on(ReplayVerb.OPEN)
async def open_message(press: Press, ref: ReplayRef) -> None:
    """Show a step in a new message: the clicked one goes on showing a result."""
    host = press.host
    layout = _layout(press, await _replay(press, ref))
    await host.tools.send(press.interaction.channel_id or 0, layout, press.reply)


@SCREEN.on(ReplayVerb.GO)
async def go(press: Press, ref: ReplayRef) -> None:
    await press.answer(_layout(press, await _replay(press, ref)))


@SCREEN.on(ReplayVerb.FIRST)
async def first(press: Press, ref: ReplayRef) -> None:
    await go(press, replace(ref, at=0))


@SCREEN.on(ReplayVerb.LAST)
async def last(press: Press, ref: ReplayRef) -> None:
    await go(press, replace(ref, at=_LAST))


@SCREEN.on(ReplayVerb.JUMP)
async def jump(press: Press, ref: ReplayRef) -> None:
    """Go to the step that was chosen in a menu."""
    await go(press, replace(ref, at=press.number))


@SCREEN.on(ReplayVerb.SHOW)
async def show(press: Press, ref: ReplayRef) -> None:
    """Show the step to everybody in the channel, in the language of the server; it pings nobody."""
    replay = await _replay(press, ref)
    await press.show_to_all(lambda display: shown_replay(replay, press.person.name, display))


@SCREEN.on(ReplayVerb.CLIP)
async def clip(press: Press, ref: ReplayRef) -> None:
    """Make a clip of one of the match's best moments, and show it in a new message."""
    recording, moments = await _moments(press, ref)
    number = ref.at if ref.at < len(moments) else 0
    layout = clip_layout(ref.game, moments, number, recording.seats, press.display)
    await press.host.tools.send(press.interaction.channel_id or 0, layout, press.reply, seconds=CLIP_SECONDS)


@SCREEN.on(ReplayVerb.SHOW_CLIP)
async def show_clip(press: Press, ref: ReplayRef) -> None:
    """Show a clip to everybody in the channel, in the language of the server; it pings nobody."""
    recording, moments = await _moments(press, ref)
    moment = moments[ref.at if ref.at < len(moments) else 0]
    await press.show_to_all(
        lambda display: shown_clip(moment, recording.seats, press.person.name, display), seconds=CLIP_SECONDS
    )


async def _moments(press: Press, ref: ReplayRef) -> tuple[Recording, tuple[Moment, ...]]:
    recording = await recording_for(press, ref)
    moments = await moments_in(recording)
    if not moments:
        raise Refusal(ReplayRefusal.NO_CLIP)
    return recording, moments


async def _replay(press: Press, ref: ReplayRef, by: int = 0) -> Replay:
    """A match at the step that a button names, or `by` steps after it."""
    recording = await recording_for(press, ref)
    # Replaying the whole of a long match takes some hundredths of a second.
    return await asyncio.to_thread(replay_of, recording, ref.at, by)


async def _step(by: int, press: Press, ref: ReplayRef) -> None:
    await press.answer(_layout(press, await _replay(press, ref, by)))


def _layout(press: Press, replay: Replay) -> Layout:
    verdict_on = press.host.of(ReplayParts).verdict_on
    verdict = verdict_on(replay.row.game_id, press.person.id, replay.step.before, press.t)
    return replay_layout(replay, press.display, verdict)


SCREEN.on(ReplayVerb.BACK)(partial(_step, -1))
SCREEN.on(ReplayVerb.NEXT)(partial(_step, 1))
