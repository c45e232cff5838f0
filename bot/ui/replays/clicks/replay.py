"""Replays of matches: the list of a player's own, a match step by step, and a step for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.engine.deals import Proof
from bot.engine.replays.match_file import write
from bot.engine.replays.moments import Moment, moments_of
from bot.replays.match_file import match_file_of
from bot.replays.proofs import proof_of_log
from bot.replays.replay import Recording, Replay, recorded, replay_of
from bot.store import LogEntry
from bot.tables.errors import Refusal, RefusalCode
from bot.training.review import Judged
from bot.ui.kit.host import host_of
from bot.ui.kit.ids.replay import ReplayRef, ReplayVerb
from bot.ui.kit.paging import Paging
from bot.ui.kit.press import Press
from bot.ui.kit.screen import Screen
from bot.ui.layout import Layout
from bot.ui.replays.clicks import verify
from bot.ui.replays.parts import ReplayParts
from bot.ui.replays.screens.clip import clip_layout, shown_clip
from bot.ui.replays.screens.replay import PAGE, file_layout, file_text, matches_layout, replay_layout, shown_replay
from bot.ui.transport.reply import private_words, reply_to

_LAST: Final = 2**31
"""A step after all others."""
CLIP_SECONDS: Final = 10
"""Seconds that a message waits for its clip, without which it has no point."""
_MOST_PAGES: Final = 10**6
"""Beyond any list: a forged page number must not be larger than the database can count."""


async def send_matches(interaction: discord.Interaction[Any]) -> None:
    """Answer a command with the asker's latest matches, for them only."""
    await reply_to(interaction).send_private(await _matches(interaction, 0))


async def _matches(interaction: discord.Interaction[Any], page: int) -> Layout:
    """A page of the list, or the last page if there are fewer."""
    store, guild_id = host_of(interaction).store, interaction.guild_id or 0
    rows, total = await store.matches.page(guild_id, interaction.user.id, limit=PAGE, offset=PAGE * page)
    paging = Paging.of(page, total, PAGE)
    if page > paging.page:
        return await _matches(interaction, paging.page)
    return matches_layout(rows, paging, private_words(interaction))


async def list_page(press: Press, ref: ReplayRef) -> None:
    await press.answer(await _matches(press.interaction, min(ref.at, _MOST_PAGES)))


async def choose(press: Press, ref: ReplayRef) -> None:
    """Open the match that was chosen in the list."""
    await _go(press, ReplayRef(press.number))


async def open_message(press: Press, ref: ReplayRef) -> None:
    """Show a step in a new message: the clicked one goes on showing a result."""
    host = press.host
    layout = _layout(press, await _replay(press, ref))
    await host.tools.send(press.interaction.channel_id or 0, layout, press.reply.send_private)


async def go(press: Press, ref: ReplayRef) -> None:
    await _go(press, ref)


async def first(press: Press, ref: ReplayRef) -> None:
    await _go(press, replace(ref, at=0))


async def last(press: Press, ref: ReplayRef) -> None:
    await _go(press, replace(ref, at=_LAST))


async def back(press: Press, ref: ReplayRef) -> None:
    await _step(press, ref, -1)


async def following(press: Press, ref: ReplayRef) -> None:
    await _step(press, ref, 1)


async def jump(press: Press, ref: ReplayRef) -> None:
    """Go to the step that was chosen in a menu."""
    await _go(press, replace(ref, at=press.number))


async def show(press: Press, ref: ReplayRef) -> None:
    """Show the step to everybody in the channel, in the language of the server; it pings nobody."""
    layout = shown_replay(await _replay(press, ref), press.person.name, await press.public_display())
    await press.show_to_all(layout)


async def clip(press: Press, ref: ReplayRef) -> None:
    """Make a clip of one of the match's best moments, and show it in a new message."""
    recording, moments = await _moments(press, ref)
    number = ref.at if ref.at < len(moments) else 0
    layout = clip_layout(ref.game, moments, number, recording.seats, press.display)
    await press.host.tools.send(
        press.interaction.channel_id or 0, layout, press.reply.send_private, seconds=CLIP_SECONDS
    )


async def show_clip(press: Press, ref: ReplayRef) -> None:
    """Show a clip to everybody in the channel, in the language of the server; it pings nobody."""
    recording, moments = await _moments(press, ref)
    moment = moments[ref.at if ref.at < len(moments) else 0]
    layout = shown_clip(moment, recording.seats, press.person.name, await press.public_display())
    await press.show_to_all(layout, seconds=CLIP_SECONDS)


async def _moments(press: Press, ref: ReplayRef) -> tuple[Recording, tuple[Moment, ...]]:
    recording = await recording_for(press, ref)
    moments = await asyncio.to_thread(moments_of, recording.match_events)
    if not moments:
        raise Refusal(RefusalCode.NO_CLIP)
    return recording, moments


async def export(press: Press, ref: ReplayRef) -> None:
    """Send the match as a file that people and programs can read."""
    replay = await _replay(press, ref)
    # Answer at once with the step as it was, because Discord may take no file after a deferral.
    await press.answer(_layout(press, replay))
    store = press.host.store
    entries = await store.log(ref.game)
    content = await asyncio.to_thread(_written, entries, await proof_of_log(store, ref.game, entries))
    name = f"escoba-{ref.game}.txt"
    await press.reply.follow_up_with_file(file_layout(name, press.t), file_text(press.t), name, content)


def _written(entries: Sequence[LogEntry], proof: Proof | None) -> bytes:
    return write(match_file_of(entries, proof)).encode()


async def recording_for(press: Press, ref: ReplayRef) -> Recording:
    """The match that a button names, if the person may see all of it.

    Raises:
        Refusal: if it isn't over, wasn't theirs or is no longer kept, or if others may still play the same cards.
    """
    recording = await recorded(press.host.store, ref.game, press.guild_id, press.person.id)
    fixture = recording.fixture
    if fixture is not None and not await press.host.of(ReplayParts).is_open(fixture):
        raise Refusal(RefusalCode.BOARD_CLOSED)
    return recording


async def _replay(press: Press, ref: ReplayRef, by: int = 0) -> Replay:
    """A match at the step that a button names, or `by` steps after it."""
    recording = await recording_for(press, ref)
    # Replaying the whole of a long match takes some hundredths of a second.
    return await asyncio.to_thread(replay_of, recording, ref.at, by)


async def _go(press: Press, ref: ReplayRef) -> None:
    await press.answer(_layout(press, await _replay(press, ref)))


async def _step(press: Press, ref: ReplayRef, by: int) -> None:
    await press.answer(_layout(press, await _replay(press, ref, by)))


def _layout(press: Press, replay: Replay) -> Layout:
    return replay_layout(
        replay, press.display, judged=_judged(press, replay), reviews=press.host.of(ReplayParts).advises
    )


def _judged(press: Press, replay: Replay) -> Judged | None:
    """The coach's verdict on the step, if it is a decision of this person and their review is kept."""
    review = press.host.of(ReplayParts).review_of(replay.row.game_id, press.person.id)
    if review is None:
        return None
    return next((each for each in review.judged if each.decision.version == replay.step.before), None)


SCREEN: Final = Screen(
    "replays",
    ReplayRef,
    {
        ReplayVerb.OPEN: open_message,
        ReplayVerb.GO: go,
        ReplayVerb.CHOOSE: choose,
        ReplayVerb.LIST: list_page,
        ReplayVerb.OLDER: list_page,
        ReplayVerb.NEWER: list_page,
        ReplayVerb.FIRST: first,
        ReplayVerb.BACK: back,
        ReplayVerb.NEXT: following,
        ReplayVerb.LAST: last,
        ReplayVerb.ROUND: jump,
        ReplayVerb.DEAL: jump,
        ReplayVerb.ESCOBA: jump,
        ReplayVerb.SHOW: show,
        ReplayVerb.CLIP: clip,
        ReplayVerb.SHOW_CLIP: show_clip,
        ReplayVerb.EXPORT: export,
        **verify.HANDLERS,
    },
    public=[ReplayVerb.OPEN, ReplayVerb.CLIP],
)
