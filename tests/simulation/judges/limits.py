"""The bot keeps to Discord's limits, and doesn't bother people."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Final

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import OF_GAME, never_mentioned, stored
from tests.simulation.offers import controls_of
from tests.support.wiretap import CHANNEL
from tests.wire.limits import counts

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

MOST_A_SECOND: Final = 50
AGAIN_SECONDS: Final = 60.0
"""Nobody is mentioned again within this time, unless they have pressed something in between."""
TO_TABLE: Final = "/channels/"
"""What tells of a turn leads to its table; what tells an organiser something doesn't."""
NOTED_SECONDS: Final = 1.0
"""How long the bot may take to note whom it has mentioned."""
CHOSEN_SECONDS: Final = 5.0
"""How long ago somebody must have pressed something last for what they have chosen to be what the bot went by."""
MOST_MESSAGES: Final = 2
"""How many messages for everyone may offer something about a game."""


class Limits(Judge):
    """The bot never sends more than Discord takes in a second, mentions nobody needlessly, and tidies up."""

    kind = "limit"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._sent: deque[float] = deque()
        self._mentioned: dict[tuple[int, int], tuple[float, str]] = {}
        """When each person was mentioned last in each channel, and in which message."""
        self._pressed: dict[int, float] = {}
        self._called_gone: Counter[int] = Counter()
        """By channel, how often the bot was told that a message is gone which isn't: it posts another then."""

    def pressed(self, shot: Shot) -> None:
        self._pressed[shot.who.person.id] = self.now

    def died(self) -> None:
        unnoted = [key for key, (at, _) in self._mentioned.items() if at > self.now - NOTED_SECONDS]
        for key in unnoted:
            del self._mentioned[key]

    def arrived(self, request: Request) -> None:
        if not counts(request.path):
            return
        sent = self._sent
        sent.append(self.now)
        while sent[0] <= self.now - 1.0:
            sent.popleft()
        if len(sent) > MOST_A_SECOND and self.town.world.discord.slow == 1.0:
            self.object_to(f"{len(sent)} requests within a second: {request.method} {request.path}")

    def heard(self, request: Request) -> None:
        if request.fault == "limit":
            self.town.world.counts["429"] += 1
            if isinstance(request.answer, dict) and request.answer.get("global"):
                self.object_to(f"more than 50 requests within a second: {request.method} {request.path}")
        found = CHANNEL.fullmatch(request.path)
        if found and request.fault == "404":
            self._called_gone[int(found[1])] += 1
        if not (request.applied and isinstance(request.body, dict)):
            return
        body = request.body.get("data") or request.body
        named = (body.get("allowed_mentions") or {}) if isinstance(body, dict) else {}
        if request.method == "POST" and found and TO_TABLE in (body.get("content") or ""):  # an edit notifies nobody
            for person in map(int, named.get("users") or ()):
                self._judge_mention(int(found[1]), person, request)

    def _judge_mention(self, channel: int, person: int, request: Request) -> None:
        """Judge the mention of somebody whose turn it is. The bot needn't know of one whose answer was lost."""
        key, pressed = (channel, person), self._pressed.get(person, -1.0)
        before, other = self._mentioned.pop(key, (-AGAIN_SECONDS, ""))
        number = request.answer["id"]
        if not request.fault:
            self._mentioned[key] = self.now, number
        if self.now - before < AGAIN_SECONDS and pressed < before and number != other:
            self.object_to(f"{person} was mentioned twice in {channel} within {self.now - before:.1f} s")
        if self.now - pressed > CHOSEN_SECONDS:
            with stored(self.town, "limits") as connection:
                if never_mentioned(connection, person):
                    self.object_to(f"{person} was mentioned in {channel}, who has chosen never to be")

    def at_rest(self) -> None:
        messages = self.town.world.realm.backend.messages
        for channel in sorted(messages):
            offers: Counter[int] = Counter()
            for message in messages[channel].values():
                if not message.is_ephemeral:
                    ids = (OF_GAME.match(control.custom_id) for control in controls_of(message))
                    offers.update({int(found[2], 36) for found in ids if found})
            for game, number in sorted(offers.items()):
                if number > MOST_MESSAGES + self._called_gone[channel]:
                    self.object_to(f"{number} messages in {channel} offer something about game {game}")
