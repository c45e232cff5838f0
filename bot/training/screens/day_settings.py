"""The private screen for whether and where a server gets the day's position, for those who may manage the server."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.platform.language.calendar import UTC_NAME, zone_named
from bot.platform.language.texts import N_, Words
from bot.platform.layout import Component, Layout, button, channel_menu, layout_of, menu, option, row
from bot.platform.settings.choices import Choice
from bot.platform.settings.ids import SETTINGS
from bot.platform.settings.listing import SETTINGS_LIST
from bot.platform.transport.permissions import MissingPermission
from bot.training.ids.lesson import DaySetting
from bot.training.store.days import DayChannel, Stopped

DAY: Final = Choice(
    "day",
    N_("**Daily puzzle**"),
    {},
    about=N_(
        "A puzzle a day in a channel. Everyone solves it in private; the message shows who tried, and notifies nobody."
    ),
)
_LACKING: Final = {
    MissingPermission.VIEW: N_("View Channel"),
    MissingPermission.SEND: N_("Send Messages"),
    MissingPermission.ATTACH: N_("Attach Files (until then, cards come as text)"),
}
_STOPPED: Final = {
    Stopped.UNUSED: N_("I've stopped posting it in {channel}: for a week nobody opened it there."),
    Stopped.FORBIDDEN: N_("I've stopped posting it in {channel}: I may no longer write there."),
    Stopped.GONE: N_("I've stopped posting it: its channel was deleted."),
}


@dataclass(frozen=True, slots=True)
class DayChoice:
    """A server's choices, as the editor shows them.

    Attributes:
        row: the channel and the hour; None while the feature is off.
        next_at: when the next message comes; None while no more come.
        changes_at: when the position changes.
        zone: the server's time zone.
        posted: whether today's message has been posted.
        lacking: the permissions that the bot lacks in the channel.
        note: what came of the latest click.
    """

    row: DayChannel | None
    next_at: datetime | None
    changes_at: datetime
    zone: str = UTC_NAME
    posted: bool = False
    lacking: Sequence[MissingPermission] = ()
    note: str | None = None


def day_settings_layout(choice: DayChoice, t: Words) -> Layout:
    """The screen on which a server chooses where and when the day's position is posted."""
    row_, on = choice.row, choice.next_at is not None
    hours = [
        option(_at(choice, hour), str(hour), chosen=row_ is not None and hour == row_.hour)
        for hour in sorted(range(24), key=lambda each: _local(choice, each).time())
    ]
    text = t("**The hour** ({zone}): the puzzle changes at {time}", zone=choice.zone, time=_at(choice, 0))
    chosen = None if row_ is None or row_.stopped is Stopped.GONE else row_.channel_id
    buttons: list[Component] = []
    if on and not choice.posted:
        buttons.append(
            button(SETTINGS.custom_id(DaySetting.NOW), t("Post today's now"), style=ButtonStyle.primary, emoji="🧩")
        )
    if row_ is not None:
        buttons.append(button(SETTINGS.custom_id(DaySetting.OFF), t("Turn off")))
    return SETTINGS_LIST.page(
        DAY if row_ is None else replace(DAY, about=""),
        t,
        _state(choice, t),
        _lacking(choice, t),
        None if choice.note is None else f"⚠️ {choice.note}",
        t("**The channel**"),
        row(channel_menu(SETTINGS.custom_id(DaySetting.CHANNEL), chosen, placeholder=t("Choose a channel"))),
        None if row_ is None else text,
        None if row_ is None else row(menu(SETTINGS.custom_id(DaySetting.HOUR), hours)),
        buttons=buttons,
    )


def offer_layout(t: Words) -> Layout:
    """Ask somebody who may manage the server for a channel for the puzzle; the screen above follows."""
    channels = channel_menu(SETTINGS.custom_id(DaySetting.CHANNEL), None, placeholder=t("Choose a channel"))
    return layout_of(f"🧩 **{DAY.name(t)}**\n{DAY.explanation(t)}", row(channels))


def day_value(which: Choice, row_: DayChannel | None, t: Words) -> str:
    """The channel, in the list of settings."""
    if row_ is None:
        return t.context("daily puzzle", "Off")
    return t("⚠️ Stopped") if row_.stopped else _channel(row_)


def _channel(row_: DayChannel) -> str:
    return f"<#{row_.channel_id}>"


def _state(choice: DayChoice, t: Words) -> str:
    """Whether the position is posted, and where and when."""
    if choice.row is None:
        return t("It's **off**. It starts when you choose a channel.")
    if choice.row.stopped is not None:
        again = t("It starts again when you choose a channel or an hour.")
        return f"⚠️ {t(_STOPPED[choice.row.stopped], channel=_channel(choice.row))} {again}"
    assert choice.next_at is not None, "a message comes while it is on"
    return t(
        "It's posted in {channel} every day at {time}. The next one comes {when}.",
        channel=_channel(choice.row),
        time=_at(choice, choice.row.hour),
        when=format_dt(choice.next_at, "R"),
    )


def _lacking(choice: DayChoice, t: Words) -> str | None:
    if not choice.lacking or choice.row is None:
        return None
    names = ", ".join(f"**{t(_LACKING[each])}**" for each in choice.lacking)
    return "⚠️ " + t("Permissions that I lack in {channel}: {names}.", channel=_channel(choice.row), names=names)


def _local(choice: DayChoice, hour: int) -> datetime:
    """The next time of an hour in UTC, in the server's zone."""
    return (choice.changes_at + timedelta(hours=hour)).astimezone(zone_named(choice.zone))


def _at(choice: DayChoice, hour: int) -> str:
    """An hour in UTC, as clocks in the server's zone show it: "7:00"."""
    local = _local(choice, hour)
    return f"{local.hour}:{local:%M}"
