"""A challenge that waits for its answer."""

from __future__ import annotations

from discord import ButtonStyle

from bot.club.rules.stakes import Stakes
from bot.platform.kit.colours import FELT
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, box_of, button, line, row
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView, holder_name
from bot.tables.screens.lobby import join_id
from bot.tables.screens.options import rating_buttons, rating_lines, rule_lines
from bot.tables.words.rules import rules_name


def challenge_layout(view: TableView, t: Words, stakes: Stakes | None) -> Layout:
    """A challenge; the match begins when it is accepted."""
    ref = Ref(view.id)
    title = t(
        "## ⚔️ {preset} · to {target} points",
        preset=rules_name(view.config, t),
        target=view.config.rules.target,
    )
    opener, [challenged] = view.seats[0], view.missing
    text = t("**{name}** challenges {person} to a match.", name=holder_name(opener), person=f"<@{challenged.id}>")
    return box_of(
        FELT,
        f"{title}\n{text}",
        line(),
        "\n".join(rating_lines(view, stakes, t)),
        "\n".join(rule_lines(view, t)),
        row(
            button(join_id(ref, view), t.context("button", "Accept"), style=ButtonStyle.success),
            button(ref.custom_id(Verb.DECLINE), t.context("button", "Decline")),
            button(ref.custom_id(Verb.CANCEL), t.context("button", "Cancel")),
            *rating_buttons(ref, view, t),
        ),
    )
