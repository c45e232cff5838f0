"""The standings of a tournament, and its end."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from bot.platform.kit.colours import QUIET, TURN
from bot.platform.kit.host import Display
from bot.platform.kit.paging import Paging
from bot.platform.language.texts import MEDALS, N_, NC_, Words, place_sign
from bot.platform.layout import Either, Layout, box_of, button, menu, option, picture_of, row
from bot.platform.people import plain
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb, boards_button
from bot.tournaments.live.view import TournamentView
from bot.tournaments.pictures.podium import PodiumEntry, PodiumScene, PodiumStep
from bot.tournaments.pictures.standings import StandingsRow, StandingsScene, SummedFigure, spelled
from bot.tournaments.rules.standings import TIE_BREAKS, EntryStanding, Sum, TieBreak, podium, standings
from bot.tournaments.rules.tournament import Format, Gone, Tournament, TournamentStage
from bot.tournaments.screens.tournament import fitting_text
from bot.tournaments.words.formats import corrections_note, entry_name, plain_entry, round_name, setup_title, short_name

PAGE: Final = 10
"""Rows on a page."""
_COLUMNS: Final = {
    TieBreak.DIFFERENCE: NC_("tie-break", "Difference"),
    TieBreak.DIRECT: NC_("tie-break", "Direct"),
    TieBreak.BUCHHOLZ: NC_("tie-break", "Buchholz"),
}
_MEANINGS: Final = {
    TieBreak.DIFFERENCE: N_(
        "**Difference**: points scored minus points conceded in all matches. After a match that someone left, the "
        "other keeps a lead but no deficit, and whoever left lost by the target, or by more if they were further "
        "behind."
    ),
    TieBreak.DIRECT: N_("**Direct**: wins over those who are still equal, if all of them have met."),
    TieBreak.BUCHHOLZ: N_(
        "**Buchholz**: the points of all opponents. A bye, and a match that wasn't played to its end, count as many as "
        "the entry's own."
    ),
}
_MEANINGS_IN_DUPLICATE: Final = {
    TieBreak.DIFFERENCE: N_(
        "**Difference**: points scored minus points conceded in all matches. After a match that someone left, the "
        "other keeps a lead but no deficit, and whoever left keeps a deficit but no lead."
    ),
    TieBreak.DIRECT: N_("**Direct**: wins over those who are still equal, if all of them have met."),
    TieBreak.BUCHHOLZ: N_(
        "**Buchholz**: the percentages of all opponents. A bye, and a match that wasn't played to its end, count as "
        "much as the entry's own."
    ),
}


def standings_layout(view: TournamentView, page: int, display: Display) -> Layout:
    """A page of the standings; the last one, if there are fewer."""
    t = display.words
    ref = TournamentRef(view.id)
    state = view.state
    everybody = standings(state)
    paging = Paging.of(page, len(everybody), PAGE)
    shown = paging.shown(everybody)
    title = t("## 📊 Standings") + f"\n-# {setup_title(state.setup, t)}"
    if not shown:
        return box_of(TURN, title, t("There are no standings before the first round."))
    text, scene = standings_text(state, shown, t), standings_scene(state, shown, t, paging.text(t))
    numbers = [
        option(f"{standing.rank}. {plain_entry(state.entry(standing.entry), t)}", str(standing.entry), chosen=False)
        for standing in shown
    ]
    before, after = (ref.custom_id(TournamentVerb.STANDINGS, number) for number in (paging.before, paging.after))
    turning = paging.buttons(before, after, t)
    return box_of(
        TURN,
        title,
        Either(text, picture_of(scene.alt(t)) if display.pictures else None),
        t("**Where do these numbers come from?**"),
        row(menu(ref.custom_id(TournamentVerb.SUMS, paging.page), numbers, placeholder=t("Choose someone"))),
        row(*turning) if turning else None,
        paging.note(t),
        corrections_note(state, t),
        scene=scene if display.pictures else None,
    )


def sums_layout(view: TournamentView, number: int, page: int, t: Words) -> Layout | None:
    """Lay out what an entry's figures are the sums of; None if it isn't ranked."""
    state, ref = view.state, TournamentRef(view.id)
    found = next((standing for standing in standings(state) if standing.entry == number), None)
    if found is None:
        return None
    lines = [f"## {MEDALS.get(found.rank, f'{found.rank}.')} {entry_name(state.entry(number), t)}"]
    lines += [f"**{label}**{t.colon}{spelled(figure)}" for label, figure in _figures(state, found, t)]
    kinds, duplicate = [kind for kind in TIE_BREAKS if kind in found.ties], state.setup.format is Format.DUPLICATE
    lines += [f"-# {t(_MEANINGS_IN_DUPLICATE[kind]) if duplicate else t(_MEANINGS[kind])}" for kind in kinds]
    if state.entry(number).gone is Gone.DISQUALIFIED:
        lines.append("-# " + t("The organiser disqualified this entry: it stands behind all others."))
    back = button(ref.custom_id(TournamentVerb.STANDINGS, page), t.context("button", "Back"), emoji="📊")
    return box_of(TURN, "\n".join(lines), row(back))


def standings_text(state: Tournament, shown: Sequence[EntryStanding], t: Words) -> str:
    """A line for each entry."""
    return "\n".join(_line(state, standing, t) for standing in shown)


def _line(state: Tournament, standing: EntryStanding, t: Words) -> str:
    entry = state.entry(standing.entry)
    name = entry_name(entry, t)
    name = f"~~{name}~~" if entry.withdrawn else f"**{name}**"
    figures = " · ".join(f"{label} {figure.value}" for label, figure in _figures(state, standing, t))
    return f"{place_sign(standing.rank, t)} {name}\n-# {figures}"


def standings_scene(state: Tournament, shown: Sequence[EntryStanding], t: Words, page: str | None) -> StandingsScene:
    """The picture of some of the standings. `page`: says which page it is, if there are several."""
    rows = tuple(
        StandingsRow(
            standing.rank,
            standing.entry,
            tuple(plain(person.name) for person in state.entry(standing.entry).people),
            tuple(figure for _, figure in _figures(state, standing, t, brief=True)),
            state.entry(standing.entry).withdrawn,
        )
        for standing in shown
    )
    note = round_name(state, len(state.rounds), t)
    if page is not None:
        note += f" · {page}"
    columns = tuple(label for label, _ in _figures(state, shown[0], t, brief=True))
    return StandingsScene(t.faces.deck, t.context("heading", "Standings"), note, columns, rows)


def _figures(
    state: Tournament, standing: EntryStanding, t: Words, *, brief: bool = False
) -> list[tuple[str, SummedFigure]]:
    """The figures that an entry is ranked by, with their names. `brief`: for a picture, without saying what points are
    the sum of."""
    if state.setup.format is Format.KNOCKOUT:
        return [(t("Rounds won"), SummedFigure(_number(standing.score, t)))]
    if state.setup.format is Format.DUPLICATE:
        percents = tuple(_number(part.value, t) for part in standing.rounds.parts)
        score = (
            "%" if brief else t.context("column", "Percent"),
            SummedFigure(_number(standing.score, t), percents if len(percents) > 1 else (), mean=True),
        )
    else:
        score = (
            t.context("tie-break", "Points"),
            SummedFigure(_number(standing.score, t)) if brief else _sum(standing.rounds, t),
        )
    signed = {TieBreak.DIFFERENCE}
    return [score, *((t(_COLUMNS[kind]), _sum(standing.ties[kind], t, signed=kind in signed)) for kind in TIE_BREAKS)]


def score_text(state: Tournament, standing: EntryStanding, t: Words) -> str:
    """Say an entry's score in words; nothing in a knockout, where the place says it."""
    match state.setup.format:
        case Format.KNOCKOUT:
            return ""
        case Format.DUPLICATE:
            return t.context("score", "{n}%", n=_number(standing.score, t))
        case _:
            return t.plural("{n} point", "{n} points", int(standing.score))


def _sum(figure: Sum, t: Words, *, signed: bool = False) -> SummedFigure:
    if not figure.parts:
        return SummedFigure("–")
    return SummedFigure(
        _number(figure.total, t, signed=signed),
        tuple(_number(part.value, t, signed=signed) for part in figure.parts) if len(figure.parts) > 1 else (),
    )


def _number(value: Fraction, t: Words, *, signed: bool = False) -> str:
    """A whole number as it is, any other with one decimal as the language writes it.

    >>> from bot.platform.language.texts import words
    >>> _number(Fraction(-5, 2), words("es"))
    '−2,5'
    """
    text = t.number(abs(int(value) if value.denominator == 1 else round(float(value), 1)))
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    return sign + text


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
    for place, ranked in groupby(podium(view.state), key=lambda standing: standing.rank):
        first, *others = ranked
        entries = [view.state.entry(standing.entry) for standing in (first, *others)]
        names = [PodiumEntry(entry.number, tuple(plain(person.name) for person in entry.people)) for entry in entries]
        steps.append(PodiumStep(place, tuple(names), score_text(view.state, first, t)))
    return PodiumScene(tuple(steps)) if steps else None


def _winners(view: TournamentView, t: Words) -> str:
    winners = [view.state.entry(standing.entry) for standing in podium(view.state) if standing.rank == 1]
    if not winners:  # both have lost the final
        return t("## 🏆 The tournament is over: nobody won it")
    names = t.listed([entry_name(entry, t, longest=24) for entry in winners[:3]])
    if sum(len(entry.people) for entry in winners) > 1:
        return t("## 🏆 {names} win the tournament!", names=names)
    return t("## 🏆 {name} wins the tournament!", name=names)


def _podium(view: TournamentView, longest: int, t: Words) -> list[str]:
    return [
        f"{MEDALS[standing.rank]} **{entry_name(view.state.entry(standing.entry), t, longest=longest)}**"
        for standing in podium(view.state)[:_ON_IT]
    ]
