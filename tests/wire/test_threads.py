"""The simulated Discord's threads: what a bot can do in private, archived and locked ones, and what it hears."""

from tests.wire.client import MESSAGES, TEXT, Client, serving

StatusAndCode = tuple[int, int]
MISSING_ACCESS, ARCHIVED, LOCKED = (403, 50001), (400, 50083), (403, 160005)
DONE = (200, 0)
CREATED = 201, 0


def status_and_code(answer: tuple[int, object, dict]) -> StatusAndCode:
    """A response's status and Discord's error code."""
    return answer[0], (answer[2] or {}).get("code", 0)


async def test_a_bot_can_answer_in_a_private_thread_but_posts_there_only_once_it_was_mentioned(
    client: Client,
) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel, private=True)
    record, _ = client.realm.modal(client.person, thread, "e:x:1:1", {})
    assert await client.reply(record) == DONE
    own = client.realm.stored(thread, None)[-1].id
    assert status_and_code(await client.post(thread)) == MISSING_ACCESS
    assert status_and_code(await client.edit(own, thread)) == MISSING_ACCESS
    assert (await client.edit_reply(record))[0] == 200
    client.realm.say(client.person, thread, "can anybody hear me?")
    assert status_and_code(await client.post(thread)) == MISSING_ACCESS
    client.realm.say(client.person, thread, f"<@{client.realm.bot_id}> come in")
    assert status_and_code(await client.post(thread)) == DONE
    assert status_and_code(await client.edit(own, thread)) == DONE


async def test_a_bot_that_can_manage_threads_needs_no_mention(client: Client) -> None:
    client.realm.invite_bot("view_channel", "send_messages_in_threads", "manage_threads")
    thread = client.realm.threads.add(client.channel, private=True)
    assert status_and_code(await client.post(thread)) == DONE


async def test_a_bot_hears_nothing_of_a_private_thread_before_it_is_added(client: Client) -> None:
    client.realm.invite_bot()
    hidden = client.realm.threads.add(client.channel, private=True)
    async with client.listening(intents=1 | MESSAGES) as bot:
        begun = await bot.heard("GUILD_CREATE")
        assert begun["threads"] == []
        client.realm.say(client.person, hidden, "a secret")
        client.realm.threads.add(client.channel, "open")
        client.realm.say(client.person, hidden, f"<@{client.realm.bot_id}>")
        first = await bot.heard("THREAD_CREATE")
        assert (first["name"], first["newly_created"]) == ("open", True)
        second, members = await bot.heard("THREAD_CREATE"), await bot.heard("THREAD_MEMBERS_UPDATE")
        assert (int(second["id"]), int(second["member"]["user_id"])) == (hidden, client.realm.bot_id)
        assert "newly_created" not in second
        assert [int(member["user_id"]) for member in members["added_members"]] == [client.realm.bot_id]
    async with client.listening() as bot:
        threads = (await bot.heard("GUILD_CREATE"))["threads"]
        assert {thread["name"]: "member" in thread for thread in threads} == {"hilo": True, "open": False}


async def test_interactions_arrive_from_a_private_thread_without_the_bot(client: Client) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel, private=True)
    async with client.listening() as bot:
        _, payload = client.realm.modal(client.person, thread, "e:x:1:1", {})
        client.realm.backend.emit("INTERACTION_CREATE", payload)
        heard = await bot.heard("INTERACTION_CREATE")
        assert int(heard["channel"]["id"]) == thread
        assert heard["channel"]["thread_metadata"]["archived"] is False
        assert "member" not in heard["channel"]


async def test_a_message_has_one_thread_which_has_its_id(client: Client) -> None:
    message = await client.send()
    opening = ("POST", f"/channels/{client.channel}/messages/{message}/threads", {"name": "hilo"})
    assert status_and_code(await client.ask(*opening)) == CREATED
    assert client.realm.channel_payload(message)["parent_id"] == str(client.channel)
    assert status_and_code(await client.ask(*opening)) == (400, 160004)


async def test_an_archived_thread_refuses_edits_but_a_post_reopens_it(client: Client) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel)
    message = await client.send(thread)
    client.realm.threads.archive(thread)
    async with client.listening() as bot:
        assert (await bot.heard("GUILD_CREATE"))["threads"] == [], "archived threads aren't listed"
        assert status_and_code(await client.edit(message, thread)) == ARCHIVED
        assert status_and_code(await client.ask("PUT", f"/channels/{thread}/thread-members/@me")) == ARCHIVED
        assert status_and_code(await client.post(thread)) == DONE
        woken = await bot.heard("THREAD_UPDATE")
        assert woken["thread_metadata"]["archived"] is False
    assert status_and_code(await client.edit(message, thread)) == DONE


async def test_messages_in_an_archived_thread_can_be_deleted(client: Client) -> None:
    thread = client.realm.threads.add(client.channel)
    message = await client.send(thread)
    client.realm.threads.archive(thread)
    assert (await client.delete(message, thread))[0] == 204
    assert client.realm.channel_payload(thread)["thread_metadata"]["archived"]


async def test_a_refused_post_does_not_reopen_a_thread(client: Client) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel)
    client.realm.threads.archive(thread)
    client.realm.deny(client.channel, "send_messages_in_threads")
    assert status_and_code(await client.post(thread)) == (403, 50013)
    assert client.realm.channel_payload(thread)["thread_metadata"]["archived"]


async def test_a_locked_thread_refuses_posts_edits_and_deletions(client: Client) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel)
    message = await client.send(thread)
    client.realm.threads.lock(thread)
    assert status_and_code(await client.edit(message, thread)) == LOCKED
    assert status_and_code(await client.post(thread)) == LOCKED
    client.realm.threads.archive(thread)
    assert status_and_code(await client.edit(message, thread)) == LOCKED
    assert status_and_code(await client.post(thread)) == LOCKED
    assert status_and_code(await client.delete(message, thread)) == LOCKED
    client.realm.threads.archive(thread, archived=False)
    client.realm.threads.lock(thread, locked=False)
    assert status_and_code(await client.post(thread)) == DONE


async def test_a_bot_that_can_manage_threads_can_write_in_locked_ones(client: Client) -> None:
    thread = client.realm.threads.add(client.channel)
    message = await client.send(thread)
    client.realm.threads.lock(thread)
    assert status_and_code(await client.edit(message, thread)) == DONE
    client.realm.threads.archive(thread)
    assert status_and_code(await client.edit(message, thread)) == ARCHIVED
    assert status_and_code(await client.post(thread)) == DONE


async def test_a_bot_can_unarchive_a_thread_unless_it_is_locked(client: Client) -> None:
    client.realm.invite_bot()
    thread = client.realm.threads.add(client.channel)
    client.realm.threads.archive(thread)
    assert status_and_code(await client.ask("PATCH", f"/channels/{thread}", {"archived": False})) == DONE
    assert not client.realm.channel_payload(thread)["thread_metadata"]["archived"]
    client.realm.threads.archive(thread)
    client.realm.threads.lock(thread)
    assert status_and_code(await client.ask("PATCH", f"/channels/{thread}", {"archived": False})) == (403, 50013)


async def test_clicking_in_an_archived_thread_unarchives_it_unless_it_is_locked(client: Client) -> None:
    thread = client.realm.threads.add(client.channel)
    client.realm.threads.archive(thread)
    async with client.listening() as bot:
        await bot.heard("GUILD_CREATE")
        assert client.realm.threads.reopen(client.person, thread)
        assert (await bot.heard("THREAD_UPDATE"))["thread_metadata"]["archived"] is False
    client.realm.threads.archive(thread)
    client.realm.threads.lock(thread)
    assert not client.realm.threads.reopen(client.person, thread)
    assert client.realm.channel_payload(thread)["thread_metadata"]["archived"]


async def test_app_permissions_in_a_thread_are_its_channels() -> None:
    async with serving("Ana", channels=2) as client:
        client.realm.invite_bot()
        thread = client.realm.threads.add(client.channel)
        client.realm.deny(client.channel, "send_messages", "send_messages_in_threads")
        for number in (client.channel, thread):
            _, payload = client.realm.modal(client.person, number, "e:x:1:1", {})
            allowed = client.realm.permissions(number)
            assert int(payload["app_permissions"]) == allowed.value
            assert (allowed.view_channel, allowed.send_messages, allowed.send_messages_in_threads) == (
                True,
                False,
                False,
            )
        free = client.realm.permissions(client.realm.threads.add(client.realm.channels[1]))
        assert free.send_messages_in_threads
        assert not free.manage_threads


async def test_a_body_refused_because_of_its_threads_state_is_not_reported_as_invalid(client: Client) -> None:
    thread = client.realm.threads.add(client.channel)
    message = await client.send(thread)
    client.realm.threads.archive(thread)
    await client.ask("PATCH", f"/channels/{thread}/messages/{message}", TEXT)
    client.server.tap.check()
