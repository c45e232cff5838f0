"""The status that the bot reports to its owner. It identifies no people, servers or games."""

from discord.utils import format_dt

from bot.platform.kit.colours import FELT
from bot.platform.kit.links import NO_LINKS, Links, link_row
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, box_of, line
from bot.platform.operating.meter import Status

_MEGABYTE = 1_000_000
_MILLISECONDS = 1_000


def status_layout(status: Status, t: Words, links: Links = NO_LINKS) -> Layout:
    latency = t("not connected") if status.latency is None else _milliseconds(status.latency, t)
    size = "?" if status.database_bytes is None else f"{t.rounded(status.database_bytes / _MEGABYTE)} MB"
    append = t("none yet") if status.last_append is None else _milliseconds(status.last_append, t)
    running = [
        t("**Version:** {version}", version=status.version),
        t("**Started:** {time}", time=format_dt(status.started_at, "R")),
        t("**Gateway:** {latency}", latency=latency),
        t("**Servers:** {n}", n=status.servers),
        t("**Open tables:** {lobbies} waiting, {matches} playing", lobbies=status.lobbies, matches=status.matches),
        t("**Database:** {size} · last entry: {time}", size=size, time=append),
    ]
    requests = status.requests
    waiting, refused = requests.waiting, requests.refused
    running.append(
        t("**Requests:** {waiting} waiting, {refused} refused in 10 minutes", waiting=waiting, refused=refused)
    )
    if requests.answers_only:
        running.append("⚠️ " + t("Discord refused so many that I only answer clicks for now."))
    if status.second_copy:
        running.append("⚠️ " + t("Another bot seems to run with my token. Stop one of the two, or reset the token."))
    troubles = [
        t("**Answers that failed:** {n}", n=status.answers_failed),
        t("**Entries that could not be saved:** {n}", n=status.store_failures),
        t("**Messages that could not be shown:** {n}", n=status.showings_failed),
        t("**Errors in the log:** {n}", n=status.errors_logged),
    ]
    return box_of(
        FELT,
        t("## 🩺 How I'm doing"),
        "\n".join(running),
        line(),
        t("### Trouble since the start") + "\n" + "\n".join(troubles),
        link_row(links, t),
    )


def _milliseconds(seconds: float, t: Words) -> str:
    return f"{t.number(round(seconds * _MILLISECONDS))} ms"
