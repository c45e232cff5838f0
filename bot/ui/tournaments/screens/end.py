"""The end of a tournament: the podium, celebrated in a message of its own with the final standings."""

from __future__ import annotations

from typing import Final

from bot.club.tournaments.standings import podium, standings
from bot.club.tournaments.tournament import Format, TournamentStage
from bot.tournaments.view import TournamentView
from bot.ui.kit.colours import QUIET, TURN
from bot.ui.kit.display import Display
from bot.ui.kit.ids.sheet import boards_button
from bot.ui.kit.ids.tournament import TournamentRef, TournamentVerb
from bot.ui.layout import Either, Layout, box_of, button, line, picture_of, row
from bot.ui.tournaments.screens.standings import PAGE, standings_scene, standings_text
from bot.ui.tournaments.screens.tournament import fitting_text
from bot.ui.words.places import MEDALS
from bot.ui.words.texts import Words
from bot.ui.words.tournaments.formats import corrections_note, entry_name, setup_title, short_name

_ROOM: Final = 1200
"""Characters that the podium may take: a knockout's third place is shared, and so may be any other."""
_ON_IT: Final = 8


def has_expired(view: TournamentView) -> bool:
    """Whether it was cancelled because nothing had happened for long."""
    return view.state.stage is TournamentStage.CANCELLED and view.state.cancelled_by is None


def end_layout(view: TournamentView, display: Display, *, tells: bool = False) -> Layout:
    """The message of a tournament that is over. `tells`: it names its organiser so that Discord notifies them."""
    t = display.words
    ref = TournamentRef(view.id)
    state = view.state
    all_standings = button(ref.custom_id(TournamentVerb.STANDINGS, 0), t("Standings"), emoji="📊")
    mine = button(ref.custom_id(TournamentVerb.MINE), t("My tournament"), emoji="🙋")
    boards = [boards_button(view.id, len(state.rounds), t)] if state.setup.format is Format.DUPLICATE else []
    manage = button(ref.custom_id(TournamentVerb.MANAGE), t("Manage"), emoji="🛠️")
    shown = standings(state)[:PAGE]
    if state.stage is TournamentStage.CANCELLED or not shown:
        text = t("🏆 The tournament was cancelled.")
        if has_expired(view):
            text = t("🏆 The tournament was cancelled, because nothing happened in it for a day.")
            text = f"<@{state.organiser.id}> {text}" if tells else text
        elif state.cancelled_by is not None:
            text = t("🏆 **{name}** cancelled the tournament.", name=short_name(state.cancelled_by.name, None))
        return box_of(QUIET, text, row(all_standings, mine) if shown else None)
    scene = standings_scene(state, shown, t) if display.pictures else None
    return box_of(
        TURN,
        f"{_winners(view, t)}\n-# {setup_title(state.setup, t)}",
        fitting_text(lambda longest: "\n".join(_podium(view, longest, t)), _ROOM),
        line(),
        Either(standings_text(state, shown, t), None if scene is None else picture_of(scene.alt(t))),
        corrections_note(state, t),
        row(all_standings, *boards, mine, manage),
        scene=scene,
    )


def _winners(view: TournamentView, t: Words) -> str:
    winners = [view.state.entry(each.entry) for each in podium(view.state) if each.rank == 1]
    if not winners:  # both have lost the final
        return t("## 🏆 The tournament is over: nobody won it")
    names = ", ".join(entry_name(each, t, longest=24) for each in winners[:3])
    if sum(len(each.people) for each in winners) > 1:
        return t("## 🏆 {names} win the tournament!", names=names)
    return t("## 🏆 {name} wins the tournament!", name=names)


def _podium(view: TournamentView, longest: int, t: Words) -> list[str]:
    lines = [
        f"{MEDALS[each.rank]} **{entry_name(view.state.entry(each.entry), t, longest=longest)}**"
        for each in podium(view.state)[:_ON_IT]
    ]
    entries = t.plural("{n} entry", "{n} entries", len(standings(view.state)))
    rounds = t.plural("{n} round", "{n} rounds", len(view.state.rounds))
    return [*lines, f"-# {entries} · {rounds}"]
