"""The end of a tournament: the podium, celebrated in a message of its own."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from bot.platform.kit.colours import QUIET, TURN
from bot.platform.kit.display import Display
from bot.platform.language.places import MEDALS
from bot.platform.language.texts import Words
from bot.platform.layout import Either, Layout, box_of, button, picture_of, row
from bot.platform.people.names import plain
from bot.tournaments.ids.sheet import boards_button
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.view import TournamentView
from bot.tournaments.pictures.podium import PodiumEntry, PodiumScene, PodiumStep
from bot.tournaments.rules.standings import podium, standings
from bot.tournaments.rules.tournament import Format, TournamentStage
from bot.tournaments.screens.standings import score_text
from bot.tournaments.screens.tournament import fitting_text
from bot.tournaments.words.formats import corrections_note, entry_name, setup_title, short_name

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
    all_standings = button(ref.custom_id(TournamentVerb.STANDINGS, 0), t.context("button", "Standings"), emoji="📊")
    mine = button(ref.custom_id(TournamentVerb.MINE), t("My tournament"), emoji="🙋")
    boards = [boards_button(view.id, len(state.rounds), t)] if state.setup.format is Format.DUPLICATE else []
    manage = button(ref.custom_id(TournamentVerb.MANAGE), t.context("button", "Manage"), emoji="🛠️")
    ranked = standings(state)
    if state.stage is TournamentStage.CANCELLED or not ranked:
        text = t("🏆 The tournament was cancelled.")
        if has_expired(view):
            text = t("🏆 The tournament was cancelled, because nothing happened in it for a day.")
            text = f"<@{state.organiser.id}> {text}" if tells else text
        elif state.cancelled_by is not None:
            text = t("🏆 **{name}** cancelled the tournament.", name=short_name(state.cancelled_by.name, None))
        return box_of(QUIET, text, row(all_standings, mine) if ranked else None)
    scene = _scene(view, t) if display.pictures else None
    entries = t.plural("{n} entry", "{n} entries", len(ranked))
    rounds = t.plural("{n} round", "{n} rounds", len(state.rounds))
    return box_of(
        TURN,
        f"{_winners(view, t)}\n-# {setup_title(state.setup, t)} · {entries} · {rounds}",
        Either(
            fitting_text(lambda longest: "\n".join(_podium(view, longest, t)), _ROOM) or None,
            None if scene is None else picture_of(scene.alt(t)),
        ),
        corrections_note(state, t),
        row(all_standings, *boards, mine, manage),
        scene=scene,
    )


def _scene(view: TournamentView, t: Words) -> PodiumScene | None:
    steps: list[PodiumStep] = []
    for place, ranked in groupby(podium(view.state), key=lambda each: each.rank):
        first, *others = ranked
        entries = [view.state.entry(each.entry) for each in (first, *others)]
        names = [PodiumEntry(each.number, tuple(plain(person.name) for person in each.people)) for each in entries]
        steps.append(PodiumStep(place, tuple(names), score_text(view.state, first, t)))
    return PodiumScene(tuple(steps)) if steps else None


def _winners(view: TournamentView, t: Words) -> str:
    winners = [view.state.entry(each.entry) for each in podium(view.state) if each.rank == 1]
    if not winners:  # both have lost the final
        return t("## 🏆 The tournament is over: nobody won it")
    names = t.listed([entry_name(each, t, longest=24) for each in winners[:3]])
    if sum(len(each.people) for each in winners) > 1:
        return t("## 🏆 {names} win the tournament!", names=names)
    return t("## 🏆 {name} wins the tournament!", name=names)


def _podium(view: TournamentView, longest: int, t: Words) -> list[str]:
    return [
        f"{MEDALS[each.rank]} **{entry_name(view.state.entry(each.entry), t, longest=longest)}**"
        for each in podium(view.state)[:_ON_IT]
    ]
