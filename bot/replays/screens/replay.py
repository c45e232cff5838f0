"""A match that is over, step by step with all hands open, for one of its players; and the clip of a moment.

Buttons that are pressed repeatedly stay where they are: the texts whose length changes come below them.
"""

from collections.abc import Sequence
from typing import Final

from bot.cards.words.cards import faces, shown_all, worths
from bot.engine.facts import OpeningTaken
from bot.engine.moves import Stage
from bot.engine.story import Moment
from bot.platform.drawing.scenes import Scene
from bot.platform.kit.colours import FELT, TURN
from bot.platform.kit.host import Display
from bot.platform.kit.pictured import pictured
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Component, Either, Layout, box_of, button, menu, option, row
from bot.platform.people import plain, safe
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.live.replay import Replay, ReplayStep
from bot.replays.pictures.clip import TITLES, clip_scene
from bot.replays.pictures.step import replay_scene
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.events import Config
from bot.tables.log.seats import Seat
from bot.tables.screens.board import small_print, table_cards
from bot.tables.words.scores import score_lines, total_lines
from bot.tables.words.telling import tell


def clip_layout(game: int, moments: Sequence[Moment], number: int, seats: tuple[Seat, ...], display: Display) -> Layout:
    """One of a match's moments, for one of its players, with buttons for the other moments."""
    t = display.words
    parts, scene = _clip(moments[number], seats, display)
    others = [
        button(ReplayRef(game, other).custom_id(ReplayVerb.CLIP), t(TITLES[moment.kind]), emoji="🎬")
        for other, moment in enumerate(moments)
        if other != number
    ]
    show = button(ReplayRef(game, number).custom_id(ReplayVerb.SHOW_CLIP), t("Show to everyone"), emoji="📣")
    return box_of(TURN, *parts, row(show, *others), scene=scene)


def shown_clip(moment: Moment, seats: tuple[Seat, ...], name: str, display: Display) -> Layout:
    """A moment for everybody in the channel; `name` is the person who shows it."""
    parts, scene = _clip(moment, seats, display)
    by = "-# " + display.words("Shown by {name}", name=safe(name))
    return box_of(TURN, *parts, by, scene=scene)


def _clip(moment: Moment, seats: tuple[Seat, ...], display: Display) -> tuple[list[BoxPart], Scene | None]:
    t = display.words
    picture = pictured(clip_scene(moment, seats, t), t) if display.pictures else None
    title = f"### 🎬 {t(TITLES[moment.kind])}"
    texts = (tell(fact, [*map(holder_name, seats)], t) for fact in moment.after.facts[:1])
    told = "\n".join([*filter(None, texts), _standing(moment, seats, t)])
    return [title, Either(told, picture and picture.component)], picture and picture.scene


def _standing(moment: Moment, seats: tuple[Seat, ...], t: Words) -> str:
    seating = moment.before.seating
    names = [" & ".join(safe(seats[seat].name) for seat in seating.seats_of(side)) for side in range(seating.sides)]
    end = " – ".join(f"{name} {total}" for name, total in zip(names, moment.totals, strict=True))
    return "-# " + t("Round {round}", round=len(moment.before.scores) + 1) + " · " + t("In the end") + f": {end}"


_IN_A_MENU: Final = 25


def replay_layout(replay: Replay, display: Display, verdict: Sequence[str] = ()) -> Layout:
    """A step, and the buttons and the menu that lead to others.

    `verdict`: the coach's, in lines, if the step is a decision of the reader's that has been reviewed.
    """
    t, ref = display.words, ReplayRef(replay.row.game_id, replay.step.at)
    view = _view_of(replay, t)
    body, scene = _body(replay, view, display)
    return box_of(
        FELT,
        _head(replay, view, t),
        body,
        row(*_steps(replay, ref)),
        _told(replay, view, t),
        "\n".join(verdict) or None,
        _places(replay, ref, view, t),
        row(button(ref.custom_id(ReplayVerb.SHOW), t("Show to everyone")), ref.match_button(t)),
        scene=scene,
    )


def shown_replay(replay: Replay, name: str, display: Display) -> Layout:
    """A step for everybody in the channel; `name` is the person who shows it."""
    t = display.words
    view = _view_of(replay, t)
    body, scene = _body(replay, view, display)
    by = "-# " + t("Shown by {name}", name=safe(name))
    return box_of(FELT, _head(replay, view, t), body, _told(replay, view, t), by, scene=scene)


def _view_of(replay: Replay, t: Words) -> TableView:
    """The table at that moment, as everybody saw it."""
    state = replay.state
    return TableView(
        id=replay.row.game_id,
        guild_id=0,
        channel_id=0,
        opener_id=state.opener_id,
        locale=t.language,
        phase=state.phase,
        config=Config(),
        seats=state.seats,
        version=replay.public.version,
        match=replay.public,
        deadline=None,
        waiting=False,
        restored=False,
        stand_ins=state.stand_ins,
    )


def _head(replay: Replay, view: TableView, t: Words) -> str:
    """Say who played, and where in the match this is: always two lines."""
    public, step = replay.public, replay.step
    sides = [
        " & ".join(safe(view.seats[seat].name) for seat in public.seating.seats_of(side))
        for side in range(public.seating.sides)
    ]
    where = t("round {round}, deal {deal} of {deals}", round=step.round, deal=step.deal, deals=public.deals)
    place = t("step {place} of {all}", place=replay.place + 1, all=len(replay.steps))
    return f"### 🎞️ {' – '.join(sides)}\n-# {where} · {place}"


def _body(replay: Replay, view: TableView, display: Display) -> tuple[Either, Scene | None]:
    t = display.words
    picture = pictured(replay_scene(view, replay.hands, t), t) if display.pictures else None
    hands = [
        f"{'👉 ' if replay.public.turn == seat else ''}**{view.names[seat]}**{t.colon}" + (shown_all(hand, t) or "—")
        for seat, hand in enumerate(replay.hands)
    ]
    figures = worths([*replay.public.table, *(card for hand in replay.hands for card in hand)], t)
    text = "\n".join([table_cards(replay.public, t), *hands, *([small_print(figures)] if figures else [])])
    return Either(text, picture and picture.component), picture and picture.scene


def _told(replay: Replay, view: TableView, t: Words) -> str | None:
    public = replay.public
    facts = (tell(fact, view.names, t, view.stand_ins) for fact in public.facts)
    lines = [text for text in facts if text is not None]
    if public.stage is not Stage.TO_PLAY and public.scores:
        lines += score_lines(public.scores[-1], public, view.seats, t)
        lines += total_lines(public, view.seats, t, public.winner)
    return "\n".join(lines) or None


def _steps(replay: Replay, ref: ReplayRef) -> list[Component]:
    at_start, at_end = replay.place == 0, replay.place == len(replay.steps) - 1
    return [
        button(ref.custom_id(ReplayVerb.FIRST), None, emoji="⏮️", disabled=at_start),
        button(ref.custom_id(ReplayVerb.BACK), None, emoji="◀️", disabled=at_start),
        button(ref.custom_id(ReplayVerb.NEXT), None, emoji="▶️", disabled=at_end),
        button(ref.custom_id(ReplayVerb.LAST), None, emoji="⏭️", disabled=at_end),
    ]


def _places(replay: Replay, ref: ReplayRef, view: TableView, t: Words) -> Component:
    """The menu to jump with: to any round, to the deals of this one, and to escobas; in a long match to this round's.

    No option is preselected, as Discord wouldn't report that it is chosen.
    """
    here = replay.step
    dealt = [step for step in replay.steps if step.dealt and (step.deal == 1 or step.round == here.round)]
    swept = [step for step in replay.steps if step.escoba is not None]
    places = {step.at: step for step in (*dealt, *swept)}
    if len(places) > _IN_A_MENU:
        places = {step.at: step for step in (*dealt, *(step for step in swept if step.round == here.round))}
    options = [
        option(_place_label(step, view, t), str(step.at), chosen=False, emoji="🧹" if step.escoba else None)
        for step in _window([places[at] for at in sorted(places)], here)
    ]
    return row(menu(ref.custom_id(ReplayVerb.JUMP), options, placeholder=t("Go to…")))


def _window(steps: Sequence[ReplayStep], here: ReplayStep) -> Sequence[ReplayStep]:
    """Choose as many of the steps as a menu has room for: those around where the reader is."""
    before = sum(step.at <= here.at for step in steps)
    first = max(0, min(before - _IN_A_MENU // 2, len(steps) - _IN_A_MENU))
    return steps[first : first + _IN_A_MENU]


def _place_label(step: ReplayStep, view: TableView, t: Words) -> str:
    """Name a round, one of its later deals, or an escoba by its cards and player."""
    text = t("Round {round}", round=step.round)
    if step.escoba is None:
        return text if step.deal == 1 else text + " · " + t("Deal {n}", n=step.deal)
    swept = step.escoba
    cards = list(swept.cards) if isinstance(swept, OpeningTaken) else [swept.card, *swept.captured]
    return f"{text} · {faces(cards, t)} · {plain(view.seats[swept.seat].name)}"
