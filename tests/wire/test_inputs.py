"""Choices of people, roles and channels, and forms, reach the bot as Discord sends them, and it understands them."""

from pathlib import Path
from typing import Any

import discord

from tests.support.fake_discord.person import Person
from tests.wire.client import Client
from tests.wire.seen import MODAL, UPDATE, Press, Seen
from tests.wire.world import Wire, wire

BUTTON, STRINGS, PEOPLE, ROLES, MENTIONABLES, CHANNELS = 2, 3, 5, 6, 7, 8


async def menu(client: Client, kind: int, **how: Any) -> Seen:
    """A message with a menu."""
    select = {"type": kind, "custom_id": "e:x:1:1", **how}
    _, _, message = await client.post(flags=1 << 15, components=[{"type": 1, "components": [select]}])
    return Seen(message)


def chosen(client: Client, message: Seen, *values: str) -> Any:
    """The data of a choice in a menu."""
    return client.realm.component(client.person, message.payload, "e:x:1:1", values)[1]["data"]


async def test_a_choice_of_people_tells_of_them_and_what_they_may_do(client: Client) -> None:
    bea = client.realm.add_person("Bea")
    message = await menu(client, PEOPLE)
    [row] = message.payload["components"]
    data = chosen(client, message, str(bea.id))
    assert (data["component_type"], data["values"], data["id"]) == (PEOPLE, [str(bea.id)], row["components"][0]["id"])
    assert data["resolved"]["users"][str(bea.id)]["global_name"] == "Bea"
    member = data["resolved"]["members"][str(bea.id)]
    assert discord.Permissions(int(member["permissions"])).view_channel
    assert not {"user", "deaf", "mute"} & set(member)


async def test_a_choice_tells_of_roles_and_channels_but_not_of_strings(client: Client) -> None:
    realm = client.realm
    role = str(realm.backend.create_role(realm.guild_id, name="players").id)
    other = str(realm.add_channel("otra"))
    assert set(chosen(client, await menu(client, ROLES), role)["resolved"]) == {"roles"}
    mixed = chosen(client, await menu(client, MENTIONABLES, max_values=2), role, str(client.person.id))
    assert set(mixed["resolved"]) == {"roles", "users", "members"}
    channel = chosen(client, await menu(client, CHANNELS), other)["resolved"]["channels"][other]
    assert (channel["name"], channel["type"]) == ("otra", 0)
    assert discord.Permissions(int(channel["permissions"])).view_channel
    strings = await menu(client, STRINGS, options=[{"label": "A", "value": "a"}])
    assert "resolved" not in chosen(client, strings, "a")


async def test_a_form_comes_with_its_message_and_a_row_for_each_label(client: Client) -> None:
    message = await client.send()
    record, _ = client.clicked(message)
    parts = [
        {"type": 10, "content": "hello"},
        {"type": 18, "label": "Name", "component": {"type": 4, "style": 1, "custom_id": "name", "value": "Ana"}},
        {"type": 18, "label": "Who", "component": {"type": PEOPLE, "custom_id": "who"}},
    ]
    body = {"type": MODAL, "data": {"title": "Form", "custom_id": "e:form", "components": parts}}
    path = f"/interactions/{record.id}/{record.token}/callback"
    assert (await client.ask("POST", path, body))[0] == 200
    me = str(client.person.id)
    submitted, payload = client.realm.modal(client.person, client.channel, "e:form", {"who": [me]})
    words, name, who = payload["data"]["components"]
    assert words == {"type": 10, "id": 1}
    assert name == {"type": 18, "id": 2, "component": {"type": 4, "id": 3, "custom_id": "name", "value": "Ana"}}
    assert who["component"] == {"type": PEOPLE, "id": 5, "custom_id": "who", "values": [me]}
    assert set(payload["data"]["resolved"]) == {"users", "members"}
    assert int(payload["message"]["id"]) == submitted.source_message_id == message
    _, forged = client.realm.modal(client.person, client.channel, "e:another", {"name": "Ana"})
    assert "message" not in forged


# ----------------------------------------------------------------------------------------------------- the bot
async def shown(w: Wire, person: Person, message: Seen, starts: str, values: list[str] | None = None) -> Seen:
    """Return what a person sees after a click on a button or a choice in a menu of their message."""
    found: list[Press] = [press for press in message.presses if press.custom_id.startswith(starts)]
    await w.click(person, message, found[0].custom_id) if values is None else await w.select(
        person, message, found[0].custom_id, values
    )
    await w.settle()
    seen = w.latest(w.channels[0], viewer=person)
    assert seen is not None
    return seen


async def test_the_settings_take_a_role_and_a_channel(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:
        [ana], [channel] = w.people, w.channels
        w.realm.give_server(ana)
        role = w.realm.backend.create_role(w.realm.guild_id, name="players").id
        await w.slash(ana, channel, "escoba settings")
        settings = w.latest(channel, viewer=ana)
        assert settings is not None
        roles = await shown(w, ana, settings, "s:change", ["players_role"])
        settings = await shown(w, ana, roles, "s:players_role", [str(role)])
        assert f"<@&{role}>" in settings.text
        roles = await shown(w, ana, settings, "s:change", ["players_role"])
        assert str([{"id": str(role), "type": "role"}]) in str(roles.payload["components"])
        day = await shown(w, ana, await shown(w, ana, roles, "s:open"), "s:change", ["day"])
        day = await shown(w, ana, day, "s:dayin", [str(channel)])
        assert f"<#{channel}>" in day.text


async def test_a_form_opened_from_a_message_changes_that_message(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:
        [ana], [channel] = w.people, w.channels
        await w.slash(ana, channel, "escoba play")
        lobby = w.table(channel)
        await w.click(ana, lobby, lobby.one("options"))
        options = w.latest(channel, viewer=ana)
        assert options is not None
        asked = await w.select(ana, options, options.one("target"), ["other"])
        assert asked.kind == MODAL
        form = asked.request.message
        answer = await w.send_modal(ana, channel, form["custom_id"], {"target": "33"}).answer()
        assert answer.kind == UPDATE
        await w.settle()
        changed = w.latest(channel, viewer=ana)
        assert changed is not None
        assert changed.id == options.id
        assert "To 33 points" in str(changed.payload["components"])
