"""Replays of matches: one step by step, a step for everybody, and clips."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Final

from bot.engine.moments import Moment
from bot.platform.kit.press import Press
from bot.platform.layout import Layout
from bot.platform.refusals import Refusal
from bot.replays.clicks.games import SCREEN, moments_in, recording_for
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.live.replay import Recording, Replay, replay_of
from bot.replays.parts import ReplayParts
from bot.replays.refusals import ReplayRefusal
from bot.replays.screens.clip import clip_layout, shown_clip
from bot.replays.screens.replay import replay_layout, shown_replay

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
    layout = shown_replay(await _replay(press, ref), press.person.name, await press.public_display())
    await press.show_to_all(layout)


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
    layout = shown_clip(moment, recording.seats, press.person.name, await press.public_display())
    await press.show_to_all(layout, seconds=CLIP_SECONDS)


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
