"""Each press is answered within three seconds, and what was put off comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.simulation.judges.judge import Judge
from tests.simulation.shots import ANSWER_SECONDS
from tests.support.wiretap import CHANNEL, WEBHOOK

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

MANY: Final = 3
"""So many presses of one person within the last seconds may be too many."""
THINKS: Final = 5
"""The kind of answer that shows that the bot is thinking: only its own token can bring what it promises."""
EFFECT_SECONDS: Final = 30.0
"""How long something may take whose answer was put off."""


class Answers(Judge):
    """Each press is answered within three seconds, unless something kept it from the bot or its answer from Discord."""

    kind = "unanswered"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._put_off: dict[str, Shot] = {}
        """By token, the presses of which something is still to come."""

    def over(self, shot: Shot) -> None:
        if shot.answered is not None and shot.answered - shot.at <= ANSWER_SECONDS:
            return
        if not shot.reached or shot.excuse or self.town.troubled(shot.at - 1.0, shot.at + ANSWER_SECONDS, silent=True):
            self.town.world.counts["excused"] += 1
            return
        late = "" if shot.answered is None else f" until {shot.answered - shot.at:.2f} s later"
        self.object_to(f"{shot.who}: {shot.what} wasn't answered{late}")

    def put_off(self, shot: Shot) -> None:
        """A press was answered with a promise."""
        recent = [
            each for each in self.town.presses.shots.values() if each.who is shot.who and each.at > self.now - 10.0
        ]
        if len(recent) >= MANY:
            return  # who presses so fast is told once that nothing comes of it
        self._put_off[shot.record.token] = shot
        self.town.world.machine.after(EFFECT_SECONDS, lambda: self._nothing_came(shot))

    def heard(self, request: Request) -> None:
        found = WEBHOOK.fullmatch(request.path)
        if found and (request.applied or request.fault or request.status == 404):  # what was pressed may be gone
            self._put_off.pop(found[1], None)
            self._forget_those_of(found[1])
        elif not self._put_off or not (request.applied or request.fault):
            return
        elif found := CHANNEL.fullmatch(request.path):
            channel = int(found[1])
            kept = {
                token: shot
                for token, shot in self._put_off.items()
                if shot.channel_id != channel or shot.kind == THINKS
            }
            self._put_off = kept

    def _forget_those_of(self, token: str) -> None:
        """Something came by an earlier answer to the same person: a panel that has replaced the one they pressed."""
        if self._put_off:
            shots = self.town.presses.shots.values()
            who = next((each.who for each in shots if each.record.token == token), None)
            kept = {own: each for own, each in self._put_off.items() if each.who is not who or each.kind == THINKS}
            self._put_off = kept

    def _nothing_came(self, shot: Shot) -> None:
        if self._put_off.pop(shot.record.token, None) is None:
            return
        if not self.town.troubled(shot.at - 1.0, self.now):
            self.object_to(f"{shot.who}: nothing came of {shot.what}, whose answer was put off")
