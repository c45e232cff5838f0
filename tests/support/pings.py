"""Knows whom a running bot may notify, and finds messages that may notify anybody else.

Discord notifies the people whom a new public message mentions, if its `allowed_mentions` let it; edits notify nobody.
"""

from collections.abc import Iterator
from typing import Any, Final, cast

import simcord

from bot.tables.ids.game import Ref
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.settings import TableSettings, TurnNotice, turn_notice
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.tournament import TournamentStage
from bot.training.settings import DayNotice, TrainingPreferences
from tests.support.limits import MESSAGES, Kind, kind_and_body
from tests.support.limits_components import walk
from tests.support.wiretap import CALLBACK, WEBHOOK, Request

REMATCH, WINNER = "e:rematch:", "e:winner:"

PROMISE: Final = "mention you here when the next table opens"


class PingWatcher:
    """A watcher of the wiretap: no message may notify anybody but

    - the player whose turn it is, in plain text,
    - the players of a match, once, when one of them asks for its rematch,
    - the players of a tournament's table, once, when it opens,
    - those who have signed up for a tournament, when its check-in begins, or somebody who is asked to take part in it,
      each person once for both,
    - those who played a tournament's match whose result was corrected, or is to be,
    - the organiser of a tournament, once, when it is cancelled because nothing has happened,
    - those who have asked to be told of a channel's next table, once,
    - those who want to hear of the daily puzzle, in a server's message with it, once a day,
    - the person who is challenged, when the challenge is posted as the answer to its command or, to whoever has won,
      below their result,
    - and the players of a lobby, once, when it moves to a thread;

    and nobody who has chosen never to be notified, in an edit either, nor any role but the one that the server has
    chosen for players. `seen` counts the messages that may notify somebody.
    """

    def __init__(self, env: simcord.Env) -> None:
        self.seen = 0
        self._env = env
        self._players: dict[int, set[int]] = {}
        """Who sits at each table, or sat there to its end."""
        self._seen: dict[int, set[int]] = {}
        """Who has ever sat at a table, by channel."""
        self._called: dict[int, set[int]] = {}
        """Who was called to check in, by tournament."""
        self._paired: dict[int, list[set[int]]] = {}
        """Who played each match of the latest tournament, by channel. After a restart an ended one isn't attended."""
        self._waiting: dict[int, set[int]] = {}
        """Who was promised to be told of the next table, by channel."""
        self._once: dict[tuple[str, int], Request] = {}
        """Invitations by the match that is over, calls to tournaments' tables and arrivals in threads by the table."""

    def __call__(self, request: Request) -> Iterator[str]:
        """What is wrong with a request."""
        bot: Any = self._env.bot
        for each in bot.parts.manager.within():
            self._players[each.id] = {seat.person_id for seat in each.view().seats if seat.may_return}
            self._seen.setdefault(each.channel_id, set()).update(self._players[each.id])
        kind, message = kind_and_body(request.method, request.path, request.body)
        if PROMISE in request.text and request.viewer is not None:
            self._waiting.setdefault(self._interaction(request).channel_id, set()).add(request.viewer)
        if kind in MESSAGES:
            yield from self._roles(message, request)
        if kind not in MESSAGES or not (users := (message.get("allowed_mentions") or {}).get("users")):
            return
        self.seen += 1
        for live in bot.host.of(TournamentParts).tournaments.attended:
            self._paired[live.channel_id] = [people for *_, people in _paired(live)]
        rung = {int(user) for user in users}
        if kind is not Kind.EDIT and self._is_daily(request, message, rung):
            return
        record = self._interaction(request)
        channel_id = record.channel_id if record is not None else int(request.path.split("/")[2])
        if request.viewer is not None:
            yield f"a private message mentions {rung}"
        elif kind is Kind.EDIT:
            if not rung <= self._seen.get(channel_id, set()):
                yield f"it mentions {rung}, who don't play there"
        else:
            if not self._is_due(request, message, bot.parts.manager.at(channel_id), channel_id, record, rung):
                yield f"it may notify {rung}"
        if unwilling := {each for each in rung if turn_notice(bot.parts.preferences, each) is TurnNotice.NEVER}:
            yield f"it may notify {unwilling}, who chose never to be"

    def _roles(self, message: dict[str, Any], request: Request) -> Iterator[str]:
        """What is wrong with the roles that a message may notify."""
        if not (roles := {int(role) for role in (message.get("allowed_mentions") or {}).get("roles", ())}):
            return
        record, bot = self._interaction(request), cast("Any", self._env.bot)
        chosen = (
            None if record is None else bot.parts.guild_settings.cached(record.guild_id, TableSettings).players_role
        )
        if roles != {chosen} or request.viewer is not None or f"<@&{chosen}>" not in (message.get("content") or ""):
            yield f"it may notify the roles {roles}"

    def _is_due(
        self,
        request: Request,
        message: dict[str, Any],
        table: Table | None,
        channel_id: int,
        record: Any,
        rung: set[int],
    ) -> bool:
        """Whether there is a reason for a new message to notify these people."""
        tournaments = cast("Any", self._env.bot).host.of(TournamentParts).tournaments
        content = message.get("content") or ""
        if self._is_call(tournaments.at(channel_id), rung) or self._is_about_result(
            tournaments, channel_id, content, rung
        ):
            return True
        if table is None:
            ended = [live for live in tournaments.attended if live.channel_id == channel_id and not live.open]
            return any(self._is_expired(live, request, rung) for live in ended)
        if "The next table is open" in (message.get("content") or ""):
            waiting = self._waiting.pop(channel_id, set())
            return table.phase is Phase.LOBBY and rung <= waiting
        if table.phase is Phase.PLAYING:
            at_turn = _at_turn(table)
            if rung == {at_turn} and f"<@{at_turn}>" in (message.get("content") or ""):
                return True
            of_tournament = table.view().fixture is not None
            return of_tournament and rung <= self._players[table.id] and self._first("call", table.id, request)
        if record is not None and table.view().challenge:
            won = self._players.get(self._offered(record, WINNER) or 0, set())
            challenged = {person.id for person in table.view().missing}
            return rung == challenged and (record.source_message_id is None or rung <= won)
        if record is not None:
            game_id = self._offered(record, REMATCH)
            invited = {person.id for person in table.view().missing}
            played = self._players.get(game_id or 0, set())
            return rung <= invited & played and record.user_id in played and self._first("rematch", game_id, request)
        if table.thread_id is not None:
            return rung <= self._players[table.id] and self._first("arrival", table.id, request)
        view = table.view()  # a rematch that was asked for on a private message, which nothing answers in public
        together = [game for game, people in self._players.items() if rung | {view.opener_id} <= people]
        invited = rung <= {person.id for person in view.missing}
        return invited and any(self._first("rematch", game, request) for game in together)

    def _is_daily(self, request: Request, message: dict[str, Any], rung: set[int]) -> bool:
        """Whether a server's daily puzzle mentions people who want that."""
        bell = "🔔 " + " ".join(f"<@{each}>" for each in sorted(rung))
        bot: Any = self._env.bot
        want = set(bot.parts.preferences.people(TrainingPreferences, lambda each: each.day_notice is DayNotice.SERVER))
        day = f"{self._env.now():%Y%m%d} {request.path}"
        return bell in str(message) and rung <= want and self._first(day, 0, request)

    def _is_about_result(self, tournaments: TournamentDirector, channel_id: int, content: str, rung: set[int]) -> bool:
        """Whether a message tells people what is proposed for their match, or was corrected."""
        if "✏️" not in content and "▫️" not in content:
            return False
        found = [live for live in tournaments.attended if live.channel_id == channel_id]
        tables = [
            people
            for live in found
            for number, table, people in _paired(live)
            if live.state.proposal(number, table) or live.state.corrected(number, table)
        ]
        return any(rung <= people for people in (tables if found else self._paired.get(channel_id, [])))

    def _is_call(self, live: LiveTournament | None, rung: set[int]) -> bool:
        """Whether they have signed up for a tournament whose check-in is open, or somebody is asked to take part in it,
        and nobody of them was called before, neither to the one nor to the other."""
        if live is None:
            return False
        signed_up = {person.id for each in live.state.entries for person in each.people}
        checks_in = live.state.stage is TournamentStage.CHECK_IN and rung <= signed_up
        asked = len(rung) == 1 and rung <= {person.id for person in live.state.asked}
        called = self._called.setdefault(live.id, set())
        if not (checks_in or asked) or rung & called:
            return False
        called |= rung
        return True

    def _is_expired(self, live: LiveTournament, request: Request, rung: set[int]) -> bool:
        """Whether somebody's tournament was cancelled because nothing had happened in it."""
        state = live.state
        expired = state.stage is TournamentStage.CANCELLED and state.cancelled_by is None
        return expired and rung == {state.organiser.id} and self._first("expired", live.id, request)

    def _first(self, what: str, number: int | None, request: Request) -> bool:
        """Whether no such message was sent before, apart from those that Discord refused."""
        before = self._once.get((what, number or 0))
        if before is None or before.status >= 400:
            self._once[what, number or 0] = request
            return True
        return False

    def _interaction(self, request: Request) -> Any:
        """SimCord's record of the interaction that a request answers; None if it answers none."""
        backend = self._env.backend
        if match := CALLBACK.fullmatch(request.path):
            return backend.interactions[int(match[1])]
        if match := WEBHOOK.fullmatch(request.path):
            return backend.interactions[backend.interaction_tokens[match[1]]]
        return None

    def _offered(self, record: Any, button: str) -> int | None:
        """The match below which the clicked message has such a button."""
        clicked = self._env.backend.messages.get(record.channel_id, {}).get(record.source_message_id)
        for _, node in walk(clicked.components if clicked is not None else []):
            if (custom_id := node.get("custom_id") or "").startswith(button):
                ref = Ref.read(custom_id.removeprefix(button).split(":"))
                return None if ref is None else ref.game
        return None


def _at_turn(table: Table) -> int | None:
    """The person whose turn it is; None if a computer plays."""
    match = table.view().match
    seat = None if match is None or match.turn is None else table.view().seats[match.turn]
    return seat.person_id if seat is not None and seat.human_here else None


def _paired(live: LiveTournament) -> list[tuple[int, int, set[int]]]:
    """The matches of a tournament: round, table, and who plays there."""
    return [
        (drawn.number, pairing.table, {person.id for each in sides for person in live.state.entry(each).people})
        for drawn in live.state.rounds
        for pairing in drawn.pairings
        if (sides := (pairing.first, pairing.second))
    ]
