"""Each limit that Discord's schema doesn't express: what keeps to it passes, and what doesn't is reported."""

from copy import deepcopy
from typing import Any

import pytest

from tests.support.limits import COMPONENTS_V2, MessageBefore, problems, warnings

SEND, EDIT = ("POST", "/channels/1/messages"), ("PATCH", "/channels/1/messages/2")
CALLBACK = ("POST", "/interactions/1/token/callback")
ORIGINAL = ("PATCH", "/webhooks/1/token/messages/@original")
COMMANDS = ("PUT", "/applications/1/commands")


def text(content: str = "hola") -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(custom_id: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": [*children]}


def select(*values: str, **more: Any) -> dict[str, Any]:
    options = [{"label": value, "value": value} for value in values]
    return {"type": 3, "custom_id": "menu", "options": options, **more}


def gallery(*names: str, alt: str = "cards") -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": f"attachment://{n}"}, "description": alt} for n in names]}


def box(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 17, "components": [*children]}


def message(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"components": [*components], "flags": COMPONENTS_V2, "allowed_mentions": {"parse": []}, **more}


def test_good_bodies_pass():
    buttons = [row(*(button(f"{line}{place}") for place in range(5))) for line in range(5)]
    named = message(text("Turn of <@7>"), allowed_mentions={"parse": [], "users": [7]})
    section = {"type": 9, "components": [text()], "accessory": button("s")}
    link = {"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"}
    assert problems(*SEND, message(box(text(), *buttons))) == []
    assert problems(*SEND, message(box(text(), gallery("a.png"))), ["a.png"]) == []
    assert problems(*SEND, named) == []
    assert problems(*SEND, {"content": "hola"}) == []
    assert problems(*SEND, message(section, row(link, button(emoji={"name": "🪙"}, label=None)))) == []
    assert problems(*SEND, message(text(), row(select("a", "b", max_values=2)))) == []
    assert problems(*CALLBACK, {"type": 4, "data": message(text(), flags=COMPONENTS_V2 | 64)}) == []
    assert problems(*CALLBACK, {"type": 5, "data": {"flags": 64}}) == []
    assert problems(*CALLBACK, {"type": 6}) == []
    assert problems(*CALLBACK, {"type": 7, "data": message(text())}) == []
    assert problems(*ORIGINAL, message(text())) == []
    assert problems("GET", "/users/@me", None) == []


BAD = {
    "41 with the nested ones": message(box(*(text() for _ in range(40)))),
    "4001 characters in all": message(text("a" * 2000), box(text("b" * 2001))),
    "custom_id 'a' 2 times": message(text(), row(button()), row(button())),
    "id 5 2 times": message({**text(), "id": 5}, {**text(), "id": 5}),
    "custom_id of 0 characters": message(text(), row(button(""))),
    "custom_id of 101 characters": message(text(), row(button("x" * 101))),
    "label of 81 characters": message(text(), row(button(label="x" * 81))),
    "without a label or an emoji": message(text(), row(button(label=""))),
    "a link button takes": message(text(), row(button(style=5))),
    "buttons in a row: 6": message(text(), row(*(button(str(n)) for n in range(6)))),
    "buttons in a row: 0": message(text(), row()),
    "up to 5 buttons or exactly 1 select": message(text(), row(button(), select("a"))),
    "options: 26": message(text(), row(select(*map(str, range(26))))),
    "options: 0": message(text(), row(select())),
    "option value 'a' 2 times": message(text(), row(select("a", "a"))),
    "up to 3 values of 2 options": message(text(), row(select("a", "b", max_values=3))),
    "takes 2 to 1 values": message(text(), row(select("a", "b", min_values=2))),
    "placeholder of 151": message(text(), row(select("a", placeholder="x" * 151))),
    "options/0/label of 101": message(text(), row(select("x" * 101))),
    "V2 components without IS_COMPONENTS_V2": message(text(), flags=0),
    "IS_COMPONENTS_V2 without V2 components": message(row(button())),
    "content beside Components V2": message(text(), content="hola"),
    "embeds beside Components V2": message(text(), embeds=[{"title": "a"}]),
    "an empty message": {"allowed_mentions": {"parse": []}},
    "content: 2001 characters": {"content": "x" * 2001},
    "components: 6 rows": {"components": [row(button(str(n))) for n in range(6)]},
    "an empty text": message(text(" ")),
    "a container in a container": message(box(text(), box(text()))),
    "components in a container: 0": message(text(), box()),
    "texts in a section: 4": message({"type": 9, "components": [text()] * 4, "accessory": button()}),
    "a section without an accessory": message({"type": 9, "components": [text()]}),
    "pictures: 11": message(gallery(*(f"{n}.png" for n in range(11)))),
    "alt text of 1025": message(gallery("a.png", alt="x" * 1025)),
    "attachment://a.png names no file": message(gallery("a.png")),
    "only an answer to an interaction can be ephemeral": message(text(), flags=COMPONENTS_V2 | 64),
    "missing, and the text has <@&5>, @here": message(text("<@&5> @here"), allowed_mentions=None),
    "missing, and the text has <@7>": {"content": "<@7>"},
    "parses everyone": message(text(), allowed_mentions={"parse": ["everyone"]}),
    "parses users": message(text(), allowed_mentions={"parse": ["users"]}),
    "names several roles": message(text(), allowed_mentions={"parse": [], "roles": [5, 6]}),
}


@pytest.mark.parametrize("finding", BAD)
def test_a_bad_message_is_reported(finding: str):
    assert any(finding in problem for problem in problems(*SEND, BAD[finding]))


@pytest.mark.parametrize("finding", BAD)
def test_a_bad_message_is_reported_in_answers_too(finding: str):
    if "ephemeral" not in finding:
        body = {"type": 4, "data": deepcopy(BAD[finding])}
        assert any(finding in problem for problem in problems(*CALLBACK, body))


def test_every_file_has_a_component_that_shows_it_and_vice_versa():
    shown = message(gallery("a.png"))
    assert problems(*SEND, shown, ["a.png", "b.png"]) == ["file 'b.png' is uploaded but no component shows it"]
    assert "Discord would rename it" in problems(*SEND, message(gallery("a b.png")), ["a b.png"])[0]
    assert "file name 'a.png' 2 times" in problems(*SEND, shown, ["a.png", "a.png"])
    assert any("files: 11" in p for p in problems(*SEND, shown, [f"{n}.png" for n in range(11)]))
    assert "no file for 3" in problems(*SEND, {**shown, "attachments": [{"id": 3}]}, ["a.png"])[0]


def test_an_edit_must_list_every_attachment_that_stays_by_id_and_name():
    had = MessageBefore({"1234": "a.png"}, v2=True)
    shown = message(gallery("a.png"))
    kept = {**shown, "attachments": [{"id": "1234", "filename": "a.png"}]}
    nameless = {**shown, "attachments": [{"id": "1234"}]}
    dropped = {**shown, "attachments": []}
    replaced = {**shown, "attachments": [{"id": 0, "filename": "a.png"}]}
    assert problems(*EDIT, kept, before=had) == []
    assert problems(*EDIT, replaced, ["a.png"], before=had) == []
    for lost in (shown, nameless, dropped):
        assert problems(*EDIT, lost, before=had) == ["attachment://a.png names no file of the message"]
    assert "isn't on the message" in problems(*EDIT, {**shown, "attachments": [{"id": "77777"}]}, before=had)[0]


@pytest.mark.parametrize(
    ("body", "before", "finding"),
    [
        (message(text(), flags=4), None, "drops IS_COMPONENTS_V2"),
        ({"flags": 0}, MessageBefore(v2=True), "drops IS_COMPONENTS_V2"),
        ({"components": [text()]}, MessageBefore(v2=False), "V2 components without"),
        (message(text(), flags=COMPONENTS_V2 | 64), None, "an edit can't set 64"),
        (message(), MessageBefore(v2=True), "takes all components"),
        ({"content": "hola"}, MessageBefore(v2=True), "content beside Components V2"),
    ],
)
def test_a_bad_edit_is_reported(body: dict[str, Any], before: MessageBefore | None, finding: str):
    for method, path, sent in [(*EDIT, body), (*ORIGINAL, body), (*CALLBACK, {"type": 7, "data": body})]:
        assert any(finding in problem for problem in problems(method, path, sent, before=before))


def test_an_edit_may_leave_the_flags_alone():
    assert problems(*EDIT, {"components": [text()]}, before=MessageBefore(v2=True)) == []


def test_a_defer_may_carry_only_the_ephemeral_flag():
    assert "only the ephemeral flag" in problems(*CALLBACK, {"type": 5, "data": {"flags": COMPONENTS_V2}})[0]
    assert "can't carry content" in problems(*CALLBACK, {"type": 5, "data": {"content": "x"}})[0]


def test_modals_choices_and_emojis_have_their_limits():
    field = {"type": 18, "label": "Words", "component": {"type": 4, "style": 1, "custom_id": "w"}}
    modal = {"title": "A note", "custom_id": "note", "components": [field]}
    assert problems(*CALLBACK, {"type": 9, "data": modal}) == []
    for wrong, finding in (
        ({"title": "x" * 46}, "title of 46"),
        ({"custom_id": ""}, "custom_id of 0"),
        ({"components": []}, "components: 0"),
        ({"components": [field, field]}, "custom_id 'w' 2 times"),
        ({"components": [{**field, "label": "x" * 46}]}, "label of 46"),
        ({"components": [{**field, "component": {"type": 4}}]}, "custom_id of 0"),
    ):
        found = problems(*CALLBACK, {"type": 9, "data": {**modal, **wrong}})
        assert any(finding in problem for problem in found)
    choices = [{"name": str(number), "value": number} for number in range(26)]
    assert problems(*CALLBACK, {"type": 8, "data": {"choices": choices}}) == ["choices: 26, from 0 to 25"]
    assert problems("POST", "/applications/1/emojis", {"name": "o7", "image": "data:image/png;base64,AAAA"}) == []
    assert len(problems("POST", "/applications/1/emojis", {"name": "7-o", "image": "A" * 400_000})) == 2


def test_a_scheduled_event_elsewhere_has_a_place_an_end_and_short_texts():
    path = "/guilds/1/scheduled-events"
    event: dict[str, Any] = {
        "name": "Copa",
        "entity_type": 3,
        "privacy_level": 2,
        "entity_metadata": {"location": "here"},
        "scheduled_start_time": "2026-11-27T20:30:00+00:00",
        "scheduled_end_time": "2026-11-27T22:30:00+00:00",
    }
    assert problems("POST", path, event) == []
    for wrong, finding in (
        ({"name": "x" * 101}, "name: 101"),
        ({"name": ""}, "name: 0"),
        ({"description": "x" * 1001}, "description: 1001"),
        ({"entity_metadata": {"location": "x" * 101}}, "location: 101"),
        ({"entity_metadata": {}}, "without a location"),
        ({"scheduled_end_time": None}, "without an end"),
        ({"privacy_level": 1}, "for the server only"),
    ):
        assert any(finding in problem for problem in problems("POST", path, event | wrong))
    assert problems("PATCH", f"{path}/2", {"name": "Copa"}) == []
    assert problems("PATCH", f"{path}/2", {"name": "x" * 101}) != []


def test_commands_have_their_limits():
    play = {"name": "play", "description": "Play", "type": 1, "name_localizations": {"es-ES": "jugar"}}
    good = {"name": "escoba", "description": "Escoba", "options": [play]}
    assert problems(*COMMANDS, [good]) == []
    for wrong, finding in (
        ({"name": "Escoba"}, "isn't in small letters"),
        ({"name": "es coba"}, "isn't a letter"),
        ({"description": ""}, "description of 0"),
        ({"name_localizations": {"ca": "escombra"}}, "no locale ca"),
        ({"options": [play, play]}, "option 'play' 2 times"),
        ({"options": [play, {**play, "name": "user", "type": 6}]}, "subcommands beside options"),
        ({"options": [{**play, "type": 3}, {**play, "name": "b", "type": 3, "required": True}]}, "required"),
        (
            {"options": [{**play, "name": f"o{n}", "description": "x" * 400} for n in range(20)]},
            "at most 8,000",
        ),
    ):
        found = problems(*COMMANDS, [{**good, **wrong}])
        assert any(finding in problem for problem in found), finding
    assert "command ('escoba', 1) 2 times" in problems(*COMMANDS, [good, good])


def test_what_only_looks_bad_is_a_warning():
    body = message(text("🪙" * 2001), gallery("a.png", alt=""), row(button(label="x" * 35)))
    found = warnings(*SEND, body)
    assert ["without alt text" in found[0], "a phone shows 34" in found[1], "UTF-16" in found[2]] == [True] * 3
    assert problems(*SEND, body, ["a.png"]) == []
    assert warnings(*SEND, message(text(), row(button(label="x" * 34)))) == []
