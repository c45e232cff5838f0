"""A lesson as its learner sees it: the table as on a panel, what is asked, and the buttons to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from discord import ButtonStyle

from bot.cards.words.cards import on_button, shown_all, sum_of
from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.match import Match
from bot.engine.moves import Claim, Play
from bot.engine.rules import Capture
from bot.engine.scoring import Item
from bot.engine.views import PublicView, SeatView, public_view, seat_view
from bot.platform.kit.colours import FELT, TURN
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Component, Either, Layout, box_of, button, line, row, rows
from bot.platform.people import Person
from bot.players import PERSONAS
from bot.tables.ids.game import pack
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Seat
from bot.tables.screens.board import (
    LONGEST_LABEL,
    choice_labels,
    pictured_item,
    pictured_panel,
    pictured_round,
    small_print,
    table_cards,
    worth_note,
)
from bot.tables.screens.panel import effect_text
from bot.tables.words.scores import check_line, closing_lines, score_lines
from bot.tables.words.telling import recent_lines
from bot.training.ids.lesson import LessonRef, LessonsRef, LessonsVerb, LessonVerb
from bot.training.live.lesson_deal import OPPONENT, LessonDeal
from bot.training.rules.lesson_steps import LESSONS
from bot.training.rules.lessons import LEARNER, NOBODY, Asks, LessonStep, named
from bot.training.store.rows import LessonRow
from bot.training.words.lesson_texts import GOODBYES, LESSON_NAMES, LESSON_TEXTS
from bot.training.words.lessons import OTHER, asked, chapter, outcome, praised, remark, whisper

_FEW: Final = 10
"""Up to this many cards are shown one by one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The table cards chosen so far, for a card of the hand or for a claim."""

    cards: CardSet = EMPTY
    claim: bool = False


def menu_layout(rows_of_lessons: Mapping[str, LessonRow], t: Words) -> Layout:
    """All lessons, and how far the learner has got in each."""
    parts: list[BoxPart] = [t("## 🎓 Lessons")]
    for name, lesson in LESSONS.items():
        row_of = rows_of_lessons.get(name)
        step = 0 if row_of is None else row_of.step
        done, begun = step >= len(lesson), step > 0
        how = t("✅ done") if done else t("step {step} of {steps}", step=step + 1, steps=len(lesson)) if begun else ""
        title = f"**{t(LESSON_NAMES[name])}**" + (f" · {how}" if how else "")
        text = t("Once more") if done else t("Go on") if begun else t.context("button", "Start")
        verb = LessonVerb.AGAIN if done else LessonVerb.OPEN
        style = ButtonStyle.secondary if done else ButtonStyle.primary
        parts += [
            line(),
            f"{title}\n{t(LESSON_TEXTS[name])}",
            row(button(LessonRef(name).custom_id(verb), text, style=style)),
        ]
    return box_of(FELT, *parts)


def step_layout(
    ref: LessonRef,
    step: LessonStep,
    learner: Person,
    display: Display,
    *,
    note: str | None = None,
    chosen: Chosen | None = None,
) -> Layout:
    """A step that is still to be answered. `note`: why the answer just given is wrong."""
    t = display.words
    *explained, question = asked(step, t).splitlines()
    lines = [_head(ref, chapter(step, t), t), *(explained if note is None else ()), question]
    head, said = "\n".join(lines), None if note is None else f"❌ {note}"
    if step.item is not None:
        return _item_layout(ref, step, learner, display, head, said)
    chosen = chosen or Chosen()
    return _table_layout(step.view, learner, display, head, said, _buttons(ref, step, display, chosen), ref)


def correct_answer_layout(ref: LessonRef, step: LessonStep, answer: str, learner: Person, display: Display) -> Layout:
    """The praise for a right answer, and the table after it. `ref` refers to the step that was answered."""
    t, after = display.words, step.after(answer)
    steps = len(LESSONS[ref.lesson])
    text = f"{_head(ref, chapter(step, t), t)}\n✅ {praised(step, after, t)}"
    if ref.step + 1 >= steps:
        text = f"{text}\n\n{t(GOODBYES[ref.lesson])}"
        last = _last_buttons(ref.lesson, t)
    else:
        following = replace(ref, step=ref.step + 1).custom_id(LessonVerb.OPEN)
        last = [button(following, t.context("button", "Next"), style=ButtonStyle.success)]
    if step.asks is Asks.POINTS:
        return _score_layout(after, learner, display, text, last)
    if step.item is not None:
        picture = pictured_item(_table_of(public_view(after), learner, t), step.item, display, points=True)
        scene = picture and picture.scene
        return box_of(FELT, text, Either(None, picture and picture.component), row(*last), scene=scene)
    return _table_layout(seat_view(after, LEARNER), learner, display, text, None, [row(*last)], None, colour=FELT)


def deal_layout(ref: LessonRef, deal: LessonDeal, learner: Person, display: Display) -> Layout:
    """The deal that is played at the end of the first lesson, with advice."""
    t, view = display.words, deal.view
    head = _head(ref, chapter(deal.step, t), t)
    if not deal.events:
        head = f"{head}\n{asked(deal.step, t)}"
    else:
        moves = recent_lines(_table_of(view.public, learner, t), t, most=2)
        head = "\n".join((head, *(f"-# {move}" for move in moves)))
    said = [text for text in (remark(deal, t), whisper(deal, t)) if text]
    if view.public.laid is not None:
        buttons = _captures(ref, view, display)
    else:
        buttons = rows(_card_button(ref, card, view, display, effects=True) for card in view.hand)
    return _table_layout(view, learner, display, head, "\n".join(said), buttons, ref)


def over_layout(ref: LessonRef, deal: LessonDeal, learner: Person, display: Display) -> Layout:
    """The score of the deal, and what to do now."""
    t = display.words
    last = _last_buttons(ref.lesson, t)
    return _score_layout(deal.match, learner, display, outcome(deal, t), last, t(GOODBYES[ref.lesson]))


def done_layout(lesson: str, t: Words) -> Layout:
    """Answer the last button of a lesson that is over, pressed again."""
    return box_of(FELT, t("## 🎓 You have done this lesson"), t(GOODBYES[lesson]), row(*_last_buttons(lesson, t)))


def _head(ref: LessonRef, title: str, t: Words) -> str:
    where = t("step {step} of {steps}", step=ref.step + 1, steps=len(LESSONS[ref.lesson]))
    return f"### 🎓 {title}\n-# {where}"


def _last_buttons(lesson: str, t: Words) -> list[Component]:
    """The buttons at a lesson's end: a match by its rules, or another lesson."""
    play = button(
        LessonRef(lesson).custom_id(LessonVerb.PLAY), t("Play a robot now"), style=ButtonStyle.success, emoji="🤖"
    )
    return [play, button(LessonsRef().custom_id(LessonsVerb.MENU), t("All lessons"), emoji="🎓")]


def _table_layout(
    view: SeatView,
    learner: Person,
    display: Display,
    head: str,
    note: str | None,
    buttons: Sequence[BoxPart],
    ref: LessonRef | None,
    *,
    colour: int = TURN,
) -> Layout:
    """The table with the learner's hand, as on a panel. `ref`: the step, if it is still to be answered."""
    t, public = display.words, view.public
    picture = pictured_panel(_table_of(public, learner, t), view, display)
    hand = "\n" + t("**Your hand**") + f"\n# {shown_all(view.hand, t, '  ')}" if view.hand else ""
    worths = worth_note(public, t)  # the buttons say what the hand's are worth
    return box_of(
        colour,
        head,
        Either(f"{table_cards(public, t)}{hand}", picture and picture.component),
        small_print(worths) if worths and ref is not None else None,
        note,
        *buttons,
        scene=picture and picture.scene,
    )


def _table_of(public: PublicView, learner: Person, t: Words) -> TableView:
    opponent = PERSONAS[OPPONENT]
    return TableView(
        id=0,
        guild_id=0,
        channel_id=0,
        opener_id=learner.id,
        locale=t.language,
        phase=Phase.PLAYING,
        config=Config(rules=public.rules),
        seats=(Seat(learner.name, learner.id), Seat(opponent.name, None, opponent.level, character=OPPONENT)),
        version=public.version,
        match=public,
        deadline=None,
        waiting=False,
        restored=False,
    )


def _buttons(ref: LessonRef, step: LessonStep, display: Display, chosen: Chosen) -> list[BoxPart]:
    view, t = step.view, display.words
    match step.asks:
        case Asks.PARTNER:
            return [*rows(_answer(ref, step, answer, display) for answer in step.answers)]
        case Asks.CARD | Asks.MOVE:
            effects = step.asks is Asks.MOVE
            return [*rows(_card_button(ref, card, view, display, effects=effects) for card in view.hand)]
        case Asks.CAPTURE:
            return [*_captures(ref, view, display)]
        case _:
            return _picks(ref, view, chosen, t)


def _answer(ref: LessonRef, step: LessonStep, answer: str, display: Display) -> Component:
    move = step.move(answer)
    assert move is not None, "an answer is a move"
    [card] = move.captured
    text, emoji = on_button(card, display.words)
    return button(ref.answering(answer).custom_id(LessonVerb.TRY), text, style=ButtonStyle.primary, emoji=emoji)


def _card_button(ref: LessonRef, card: Card, view: SeatView, display: Display, *, effects: bool) -> Component:
    """A card of the hand; with `effects` it says what it would do, as on a panel."""
    text, emoji = on_button(card, display.words)
    groups = [move.captured for move in view.moves if isinstance(move, Play) and move.card is card and move.captured]
    style = ButtonStyle.primary
    if effects:
        text += " · "
        text += effect_text(groups, view.public, display, LONGEST_LABEL - len(text))
        style = ButtonStyle.success if groups else ButtonStyle.secondary
    return button(ref.answering(card.notation).custom_id(LessonVerb.TRY), text, style=style, emoji=emoji)


def _captures(ref: LessonRef, view: SeatView, display: Display) -> list[Component]:
    labels = choice_labels(view.public, display)
    return rows(
        button(ref.answering(named(move)).custom_id(LessonVerb.TRY), label, style=ButtonStyle.success)
        for move, label in zip(view.moves, labels, strict=True)
    )


def _picks(ref: LessonRef, view: SeatView, chosen: Chosen, t: Words) -> list[BoxPart]:
    """The table's cards to choose from, and the cards of the hand that take them, or the claim."""
    table, laid = view.public.table, view.memory.claimable
    verb = LessonVerb.CLAIM if chosen.claim else LessonVerb.PICK
    toggles: list[Component] = []
    for card in view.public.places:
        if card is None:
            continue
        taken = card in chosen.cards
        after = chosen.cards.without(card) if taken else chosen.cards.with_card(card)
        text, emoji = on_button(card, t)
        toggles.append(
            button(
                ref.answering(pack(after)).custom_id(verb),
                f"✓ {text}" if taken else text,
                style=ButtonStyle.primary if taken else ButtonStyle.secondary,
                emoji=emoji,
                disabled=chosen.claim and card is laid,
            )
        )
    fifteen = view.public.rules.capture is Capture.FIFTEEN
    parts: list[BoxPart] = [t("**On the table**"), *rows(toggles)]
    if chosen.cards:
        parts.append(t("Chosen: {cards}", cards=sum_of([*chosen.cards], 15 if chosen.claim and fifteen else None, t)))
    if chosen.claim:
        claimed = ref.answering(named(Claim(chosen.cards))).custom_id(LessonVerb.TRY)
        claim = button(claimed, t("Claim them"), style=ButtonStyle.success)
        return [*parts, row(claim, button(ref.custom_id(LessonVerb.OPEN), t.context("button", "Back")))]
    style = ButtonStyle.success if chosen.cards else ButtonStyle.primary
    hand = [
        button(ref.answering(named(Play(card, chosen.cards))).custom_id(LessonVerb.TRY), text, style=style, emoji=emoji)
        for card in view.hand
        for text, emoji in (on_button(card, t),)
    ]
    if laid is not None and laid in table:
        start = pack(CardSet.of([laid]))
        hand.append(button(ref.answering(start).custom_id(LessonVerb.CLAIM), t.context("button", "Claim"), emoji="✋"))
    return [*parts, t("**Your hand**"), *rows(hand)]


def _item_layout(
    ref: LessonRef, step: LessonStep, learner: Person, display: Display, head: str, note: str | None
) -> Layout:
    """An item of a finished round, and the buttons to say whose point it is."""
    t = display.words
    table = _table_of(public_view(step.match), learner, t)
    names = (t.context("seat", "You"), OTHER)
    labels = {NOBODY: t.context("seat", "Nobody")} | {str(side): name for side, name in enumerate(names)}
    shown = Item.OROS if step.item is Item.SEVEN_OF_OROS else step.item
    assert shown is not None, "it is about an item"
    picture = pictured_item(table, shown, display, points=False)
    cards = next(item for item in step.match.scores[-1].items if item.item is shown).cards
    lines = [
        f"{name}{t.colon}{shown_all(cards[side], t)}"
        if len(cards[side]) <= _FEW
        else f"{name}{t.colon}**{len(cards[side])}**"
        for side, name in enumerate(names if cards else ())
    ]
    answers = (
        button(
            ref.answering(answer).custom_id(LessonVerb.TRY),
            answer if step.asks is Asks.POINTS else labels[answer],
            style=ButtonStyle.primary,
        )
        for answer in step.answers
    )
    return box_of(
        TURN,
        head,
        Either(None, picture and picture.component),
        "\n".join(lines) or None,
        note,
        *rows(answers),
        scene=picture and picture.scene,
    )


def _score_layout(
    match: Match, learner: Person, display: Display, head: str, last: list[Component], below: str | None = None
) -> Layout:
    t, public = display.words, public_view(match)
    table = _table_of(public, learner, t)
    picture = pictured_round(table, display)
    score = match.scores[-1]
    return box_of(
        FELT,
        head,
        Either("\n".join(score_lines(score, public, table.seats, t)), picture and picture.component),
        Either(None, "\n".join(closing_lines(score, table.seats, t)) or None),
        check_line(score, t) if below is None else None,
        below,
        row(*last),
        scene=picture and picture.scene,
    )
