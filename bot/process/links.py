"""The buttons that lead from a match that is over to the subjects that the tables don't know."""

from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.replays.ids.replay import replay_button
from bot.tables.live.view import TableView
from bot.tables.screens.evening import thats_all_button
from bot.tables.screens.links import Below, MatchLink, register_links
from bot.tournaments.ids.tournament import boards_button, tournament_button
from bot.training.ids.practice import review_button


def declare_links() -> None:
    """Register the buttons, in their order."""
    register_links(
        (
            MatchLink(Below.FIRST, _tournament),
            MatchLink(Below.OWN, lambda view, t: review_button(view.id, t)),
            MatchLink(Below.OWN, lambda view, t: replay_button(view.id, t)),
            MatchLink(Below.LAST, _boards),
            MatchLink(Below.LAST, thats_all_button),
        )
    )


def _tournament(view: TableView, t: Words) -> Component | None:
    return None if view.fixture is None else tournament_button(view.fixture.tournament, t)


def _boards(view: TableView, t: Words) -> Component | None:
    fixture = view.fixture
    return boards_button(fixture.tournament, fixture.round, t) if fixture and fixture.boards else None
