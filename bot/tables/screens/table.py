"""The message of a table, also while its boards are sealed.

While other tables may still have to play them, it says who plays and whose turn it is, but shows no card. Nothing in it
may depend on what is dealt or played, so its buttons name no state either.
"""

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle
from discord.utils import format_dt

from bot.club.rules.gains import Stakes
from bot.club.store.career import Aftermath
from bot.club.words.honours import honour_lines, own_achievement_lines, place_text
from bot.club.words.ratings import own_change_lines
from bot.engine.moves import Stage
from bot.engine.views import PublicView
from bot.platform.kit.colours import FELT, QUIET
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, row, with_text, without_rows
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.result import everybody_has_played, is_practice
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.log.seats import is_ranked
from bot.tables.screens.board import board_layout, turn_text
from bot.tables.screens.links import Below, links_of
from bot.tables.screens.lobby import lobby_layout
from bot.tables.screens.options import challenge_layout
from bot.tables.screens.score import ended_layout, own_result, result_layout, round_layout
from bot.tables.words.evenings import evening_text
from bot.tables.words.scores import against_text, seal_text


def sealed_layout(view: TableView, t: Words) -> Layout:
    """The table while its match is played, and after that until all tables of its round have ended."""
    match, fixture = view.match, view.fixture
    assert match is not None, "a sealed table plays, or has played"
    assert fixture is not None, "a sealed table belongs to a tournament"
    over = view.phase is Phase.FINISHED
    return box_of(
        QUIET if over or view.waiting else FELT,
        t("### 🔒 Round {round}, table {table}", round=fixture.round, table=fixture.table),
        against_text(view),
        _where(view, match, t),
        _why(t, over=over),
        row(*(links_of(view, Below.FIRST, t) + links_of(view, Below.LAST, t) if over else _buttons(view, t))),
    )


def board_text(match: PublicView, t: Words) -> str:
    """Say which of its boards a match plays, or has just played."""
    return t("board {n} of {boards}", n=match.round_number, boards=match.rules.rounds)


def _where(view: TableView, match: PublicView, t: Words) -> str:
    """Say how far the match has got, and whose turn it is."""
    if match.stage is Stage.OVER:
        return t.plural("✅ The board was played.", "✅ All {n} boards were played.", match.rules.rounds)
    if match.stage is Stage.TO_PLAY:
        which = t("Board {n} of {boards}", n=match.round_number, boards=match.rules.rounds)
        return f"🎴 {which}\n{turn_text(view, match, t)}"
    played = "✅ " + t("Board {n} of {boards} has been played.", n=match.round_number, boards=match.rules.rounds)
    if view.waiting or view.deadline is None:
        return played + "\n" + t("⏸️ Everyone's away. The match is waiting: click anything to come back.")
    return played + "\n" + t("The next one is dealt {time}.", time=format_dt(view.deadline, "R"))


def _why(t: Words, *, over: bool) -> str:
    if over:
        return "-# " + t("The other tables play the same cards: the result opens when the last one has finished.")
    return "-# " + t("All tables play the same cards, so only those who play here see them until all have finished.")


def _buttons(view: TableView, t: Words) -> list[Component]:
    ref = Ref(view.id)
    return [
        button(ref.custom_id(Verb.HAND), t("My hand"), style=ButtonStyle.primary, emoji="🎴"),
        button(ref.custom_id(Verb.GUIDE), t.context("button", "Rules"), emoji="📜"),
    ]


def public_layout(
    view: TableView, display: Display, stakes: Stakes | None = None, aftermath: Aftermath | None = None
) -> Layout:
    """A table's public message as it stands. `stakes`: those of a challenge; `aftermath`: what a match that is over has
    brought its people."""
    layout, seal = _layout(view, display, stakes, aftermath or Aftermath()), seal_text(view, display.words)
    if (evening := evening_text(view, display.words)) is not None:
        layout = with_text(layout, evening, above=True)
    return layout if seal is None else with_text(layout, seal)


def _layout(view: TableView, display: Display, stakes: Stakes | None, aftermath: Aftermath) -> Layout:
    t = display.words
    if view.sealed and view.phase in (Phase.PLAYING, Phase.FINISHED):
        return sealed_layout(view, t)
    match view.phase:
        case Phase.LOBBY:
            challenged = view.challenge and view.missing
            return challenge_layout(view, t, stakes) if challenged else lobby_layout(view, t, seeks=display.seeks)
        case Phase.PLAYING:
            if not is_dealt(view):
                return undealt_layout(view, t)
            running = view.match is not None and view.match.stage is Stage.TO_PLAY
            return board_layout(view, display) if running else round_layout(view, display)
        case Phase.FINISHED:
            return result_layout(view, display, honour_lines(aftermath, view.people, t))
        case _:
            return ended_layout(view, t)


def end_panel(
    view: TableView, person_id: int, aftermath: Aftermath, display: Display, offers: Sequence[Component] = ()
) -> Layout:
    """The end of a match on the panel of one of its players. `aftermath`: what the match has brought its people;
    `offers`: see `own_result`."""
    brought = _brought(view, person_id, aftermath, display.words)
    seat = next((index for index, seat in enumerate(view.seats) if seat.person_id == person_id), None)
    if view.phase is Phase.FINISHED:
        return result_layout(view, display) if seat is None else own_result(view, seat, brought, display, offers)
    return ended_layout(view, display.words, brought)


def is_dealt(view: TableView) -> bool:
    """Whether the match has had a deal. A tournament's table opens with its match begun, but deals only once posted."""
    return view.match is not None and view.match.round_number > 0


def undealt_layout(view: TableView, t: Words) -> Layout:
    """A tournament's table before its first deal."""
    match, fixture = view.match, view.fixture
    assert match is not None, "its match has begun"
    title = t("### 🎴 Round {round}, table {table}", round=fixture.round, table=fixture.table) if fixture else None
    dealt = t("The cards are dealt in a moment: the number of this message cuts the deck.")
    return box_of(FELT, title, against_text(view), dealt)


def copy_layout(view: TableView, url: str | None, display: Display, stakes: Stakes | None = None) -> Layout:
    """A copy of an open table's public message for one person, without its buttons, with a link to the original."""
    link = [] if url is None else [display.words("[Go to the table]({url})", url=url)]
    return without_rows(public_layout(replace(view, poll=None), display, stakes), *link)


def is_counted(view: TableView) -> bool:
    """Whether the table's match counts for the leaderboard."""
    return view.match is not None and is_ranked(view.config, view.seats, view.match.seating)


def _why_uncounted(view: TableView, t: Words) -> str:
    if view.fixture is not None:
        return t("It counts for the tournament only.")
    if is_practice(view.config, view.seats):
        return t("Matches against robots only don't count for the leaderboard.")
    return t("A friendly match: it doesn't count.")


def _brought(view: TableView, person_id: int, aftermath: Aftermath, t: Words) -> list[str]:
    """List what a match has brought one of its people, or why it counts for nothing."""
    if view.phase not in (Phase.FINISHED, Phase.FORFEITED) or view.match is None:
        return []
    if not is_counted(view):
        return [f"-# {_why_uncounted(view, t)}"] if view.phase is Phase.FINISHED else []
    if view.fixture is not None and view.phase is Phase.FORFEITED and not everybody_has_played(view.match):
        alone = t("It counts for the tournament only: not everyone had played a card.")
        return [f"-# {alone}"]
    changes = own_change_lines(aftermath.ratings, person_id, t)
    private = " · ".join(filter(None, (*changes[:1], place_text(aftermath, person_id, t))))
    # A result tells everybody what was achieved; other ends don't.
    achieved = own_achievement_lines(aftermath, person_id, t) if view.phase is Phase.FORFEITED else []
    return [*([private] if private else []), *changes[1:], *achieved]
