"""Discord as a simulated process reaches it: requests that take time, get lost, or are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.gateway import Gateway
from tests.support.fake_discord import shapes
from tests.support.fake_discord.realm import Realm, Upload
from tests.support.fake_discord.refused import Refused
from tests.support.wiretap import CALLBACK, CHANNEL, WEBHOOK
from tests.wire.limits import Rates, limit_headers, too_many

if TYPE_CHECKING:
    from tests.simulation.life import Life

API: Final = "/api/v10"
TOKEN: Final = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GSimul.at1onsimulat1onsimulat1onsimulat1on"
WAY_SECONDS: Final = (0.015, 0.06)
"""How long it takes one way, at least and at most, on a good day."""


@dataclass(slots=True)
class Request:
    """A request of the bot, and how it ended."""

    number: int
    life: Life
    method: str
    path: str
    body: Any
    params: dict[str, Any]
    headers: Mapping[str, str]
    files: list[Upload]
    at: float
    status: int = 0
    code: int = 0
    answer: Any = None
    applied: bool = False
    """Whether it took effect, whatever the bot heard of it."""
    fault: str = ""
    """What went wrong on the way, if anything did."""
    seen: Any = None
    """Who sees its body, once a judge has looked it up."""
    sheet: Any = None
    """What its message shows, once a judge has read it."""
    nodes: list[Any] | None = None
    """The components of its body, once a judge has gathered them."""
    strings: list[tuple[str, str]] | None = None
    """The strings of its body with their places, once a judge has gathered them."""


@dataclass(slots=True)
class Fault:
    """What goes wrong with a request: `status` is answered, or `drop` cuts the connection; `applied`: after it took
    effect. `delay`: seconds that its answer is late."""

    name: str
    status: int = 0
    code: int = 0
    drop: bool = False
    applied: bool = False
    delay: float = 0.0
    retry_after: float = 0.0
    everywhere: bool = False


Judge = Callable[[Request], Fault | None]
Heard = Callable[[Request], None]


class Discord:
    """Discord as the bot reaches it: answers requests, and has a gateway.

    `faults`: says what goes wrong with a request; `heard` are told of each request once it has been answered.
    """

    def __init__(self, realm: Realm, machine: Any) -> None:
        self.realm = realm
        self.machine = machine
        self.chance: Random = machine.chance("network")
        self.rates = Rates(clock=machine.true)
        self.rates.as_discord()
        self.faults: Judge = lambda request: None
        self.arrived: Heard = lambda request: None
        self.heard: Heard = lambda request: None
        self.slow = 1.0
        """How many times as long the way takes."""
        self.gateway = Gateway(realm, machine, self.way)
        self._numbers = count(1)

    def way(self) -> float:
        """The seconds for one way."""
        return self.chance.uniform(*WAY_SECONDS) * self.slow

    def send(self, request: Request, answered: Callable[[Request, Mapping[str, str], bytes | None], None]) -> None:
        """Carry a request to Discord, and the answer back; None for an answer if the connection is cut."""
        request.number = next(self._numbers)
        self.machine.after(self.way(), lambda: self._arrive(request, answered))

    def _arrive(self, request: Request, answered: Callable[..., None]) -> None:
        fault = self.faults(request)
        headers: dict[str, str] = {}
        if fault is not None:
            request.fault = fault.name
        if fault is None or fault.applied or not (fault.status or fault.drop):
            headers = self._carry_out(request)
        else:
            self.arrived(request)
        status, answer = request.status, request.answer
        if fault is not None and fault.status:
            status, answer = fault.status, {"code": fault.code, "message": "a fault of the simulation"}
            if fault.status == 429:
                headers, answer = too_many(fault.retry_after, everywhere=fault.everywhere)
                if not fault.everywhere:
                    headers |= limit_headers("bucket-fault", 5, 0, fault.retry_after)
        request.status, request.code = (
            status,
            answer.get("code", 0) if status >= 400 and isinstance(answer, dict) else 0,
        )
        body = None if fault is not None and fault.drop else b"" if answer is None else json.dumps(answer).encode()
        if body is None:
            request.status = 599
        self.heard(request)
        headers = {**headers, "Date": formatdate(self.machine.true(), usegmt=True)}
        if body:
            headers["Content-Type"] = "application/json"
        late = fault.delay if fault is not None else 0.0
        self.machine.after(self.way() + late, lambda: answered(request, headers, body))

    def _carry_out(self, request: Request) -> dict[str, str]:
        verdict = self.rates.judge(request.method, request.path, self._age(request))
        self.arrived(request)
        if verdict.refusal is not None:
            request.status, request.answer, request.fault = 429, verdict.refusal, "limit"
            return verdict.headers
        try:
            self._check_token(request)
            answer = self.gateway.info(request.method, request.path)
            if answer is None:
                answer = self.realm.request(request.method, request.path, request.body, request.params, request.files)
        except Refused as error:
            request.status, request.answer = error.status, error.said
        else:
            request.status, request.answer = shapes.status_of(request.method, request.path, answer), answer
            request.applied = True
        return verdict.headers

    def _age(self, request: Request) -> float:
        found = CHANNEL.fullmatch(request.path) if request.method == "PATCH" else None
        return self.realm.age(int(found[1]), int(found[2])) if found and found[2] else 0.0

    def _check_token(self, request: Request) -> None:
        if found := WEBHOOK.fullmatch(request.path):
            if self.realm.expired(found[1]):
                raise Refused(401, 50027, "Invalid Webhook Token")
        elif not CALLBACK.fullmatch(request.path) and request.headers.get("Authorization") != f"Bot {TOKEN}":
            raise Refused(401, 0, "401: Unauthorized")
