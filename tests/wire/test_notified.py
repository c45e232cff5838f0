"""The simulated Discord: whom a message notifies, what others write, and what an interaction says about its origin."""

from typing import Any

from tests.wire.client import TEXT, Client, serving
from tests.wire.notified import Notified


def mention(person: Any, **rest: Any) -> dict[str, Any]:
    """A message that mentions somebody and is allowed to notify them."""
    return {"text": f"your turn, <@{person.id}>", "allowed_mentions": {"users": [str(person.id)]}, **rest}


async def test_a_new_message_notifies_those_it_mentions_and_may_mention() -> None:
    async with serving("Ana", "Bea") as client:
        notified, (ana, bea) = Notified(client.realm), client.realm.people
        _, _, sent = await client.post(**mention(ana))
        assert [(ping.user_id, ping.message_id, ping.silent) for ping in notified.pings] == [
            (ana.id, int(sent["id"]), False)
        ]
        assert notified.by_bot() == notified.of(ana, client.channel) == notified.pings
        assert notified.of(bea) == []


async def test_people_whose_mention_is_not_allowed_are_not_notified() -> None:
    async with serving("Ana", "Bea") as client:
        notified, (ana, bea) = Notified(client.realm), client.realm.people
        both = f"<@{ana.id}> and <@{bea.id}>"
        await client.post(text=both, allowed_mentions={"parse": []})
        assert notified.pings == []
        await client.post(text=both, allowed_mentions={"parse": [], "users": [str(bea.id)]})
        assert [ping.user_id for ping in notified.pings] == [bea.id]
        notified.clear()
        await client.post(text=both, allowed_mentions={"parse": ["users"]})
        assert {ping.user_id for ping in notified.pings} == {ana.id, bea.id}


async def test_a_notification_shows_content_and_nothing_of_components(client: Client) -> None:
    notified, ana = Notified(client.realm), client.person
    await client.post(**mention(ana))
    body = {"content": f"your turn, <@{ana.id}>", "allowed_mentions": {"users": [str(ana.id)]}}
    assert (await client.ask("POST", f"/channels/{client.channel}/messages", body))[0] == 200
    assert [ping.text for ping in notified.of(ana)] == ["", f"your turn, <@{ana.id}>"]


async def test_an_edit_notifies_nobody_and_deleting_undoes_no_notification(client: Client) -> None:
    notified, ana = Notified(client.realm), client.person
    message = await client.send()
    body = {**TEXT, "components": [{"type": 10, "content": f"<@{ana.id}>"}]}
    path = f"/channels/{client.channel}/messages/{message}"
    status, _, _ = await client.ask("PATCH", path, {**body, "allowed_mentions": {"users": [str(ana.id)]}})
    assert status == 200
    assert notified.pings == []
    _, _, sent = await client.post(**mention(ana))
    await client.delete(int(sent["id"]))
    assert len(notified.of(ana)) == 1


async def test_a_mention_on_a_button_notifies_nobody(client: Client) -> None:
    notified = Notified(client.realm)
    button = {"type": 2, "style": 1, "label": f"<@{client.person.id}>", "custom_id": "e:x:1:1"}
    body = {**TEXT, "components": [{"type": 1, "components": [button]}], "allowed_mentions": {"parse": ["users"]}}
    assert (await client.ask("POST", f"/channels/{client.channel}/messages", body))[0] == 200
    assert notified.pings == []


async def test_a_public_answer_notifies_and_a_private_one_does_not(client: Client) -> None:
    notified, ana = Notified(client.realm), client.person
    named = {"components": [{"type": 10, "content": f"<@{ana.id}>"}], "allowed_mentions": {"users": [str(ana.id)]}}
    private, public = await client.click(), await client.click()
    assert await client.reply(private, **named, flags=1 << 15 | 1 << 6) == (200, 0)
    assert notified.pings == []
    assert await client.reply(public, **named) == (200, 0)
    assert len(notified.of(ana)) == 1


async def test_a_silent_message_notifies_with_a_badge_only(client: Client) -> None:
    notified = Notified(client.realm)
    await client.post(**mention(client.person, flags=1 << 15 | 1 << 12))
    assert [ping.silent for ping in notified.of(client.person)] == [True]


async def test_people_can_notify_each_other_but_not_themselves() -> None:
    async with serving("Ana", "Bea") as client:
        notified, (ana, bea) = Notified(client.realm), client.realm.people
        client.realm.say(ana, client.channel, f"<@{bea.id}> <@{ana.id}> <@{client.realm.bot_id}>")
        assert [ping.user_id for ping in notified.pings] == [bea.id]
        assert notified.by_bot() == []


# ------------------------------------------------------------------------------------------- what interactions say
async def test_an_interaction_says_which_message_is_the_newest_in_its_channel(client: Client) -> None:
    table = await client.send()
    assert int(client.clicked(table)[1]["channel"]["last_message_id"]) == table
    chat = client.realm.say(client.person, client.channel, "how is it going?")
    record, payload = client.clicked(table)
    assert int(payload["channel"]["last_message_id"]) == chat
    await client.reply(record, flags=1 << 15 | 1 << 6)  # a private message doesn't count
    assert int(client.clicked(table)[1]["channel"]["last_message_id"]) == chat
    client.realm.delete_message(client.channel, chat)
    assert int(client.clicked(table)[1]["channel"]["last_message_id"]) == chat, "deleting doesn't reset it"


async def test_an_interaction_carries_a_partial_channel(client: Client) -> None:
    _, payload = client.clicked(await client.send())
    channel = payload["channel"]
    assert {"id", "name", "type", "parent_id", "position", "topic", "nsfw", "flags"} <= channel.keys()
    assert "permission_overwrites" not in channel
    assert channel["permissions"] == payload["member"]["permissions"]
    assert payload["entitlements"] == []


async def test_a_server_that_is_not_a_community_is_english_whatever_its_members_speak(client: Client) -> None:
    client.realm.locales[client.person.id] = "es-ES"
    _, payload = client.clicked(await client.send())
    assert (payload["guild_locale"], payload["locale"]) == ("en-US", "es-ES")
    async with client.listening() as bot:
        guild = await bot.heard("GUILD_CREATE")
        assert (guild["features"], guild["preferred_locale"]) == ([], "en-US")


async def test_a_community_has_its_chosen_language() -> None:
    async with serving(community="es-ES") as client:
        _, payload = client.clicked(await client.send())
        assert (payload["guild_locale"], payload["locale"]) == ("es-ES", "en-US")
        async with client.listening() as bot:
            guild = await bot.heard("GUILD_CREATE")
            assert (guild["features"], guild["preferred_locale"]) == (["COMMUNITY"], "es-ES")


async def test_each_server_has_its_own_language(client: Client) -> None:
    other = client.realm.add_guild("Plaza", "fr")
    person = client.realm.add_person("Zoé", other)
    channel = client.realm.add_channel("table", other)
    _, payload = client.clicked(await client.send(channel), channel, person)
    assert (int(payload["guild_id"]), payload["guild_locale"]) == (other, "fr")


async def test_a_bot_without_the_messages_intent_hears_nothing_of_what_people_write(client: Client) -> None:
    async with client.listening() as bot:
        await bot.heard("GUILD_CREATE")
        client.realm.say(client.person, client.channel, "hello")
        client.realm.add_channel("otra")
        assert (await bot.frame())["t"] == "CHANNEL_CREATE"
