"""The page in a browser: it looks and behaves like Discord, in each person's language."""

import asyncio

import pytest
from playwright.async_api import Route, expect

from bot.demo import Demo
from tests.demo.conftest import Open
from tests.demo.steps import button, show_board, type_command

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARKDOWN = [
    (
        "**a** *b* _c_ __d__ ~~e~~ `f`",
        "<p><strong>a</strong> <em>b</em> <em>c</em> <u>d</u> <s>e</s> <code>f</code></p>",
    ),
    ("***a*** **b *c* d**", "<p><em><strong>a</strong></em> <strong>b <em>c</em> d</strong></p>"),
    ("snake_case_name 2 * 3 * 4 \\*no\\*", "<p>snake_case_name 2 * 3 * 4 *no*</p>"),
    ("# A\n## B\n### C\n#D", "<h1>A</h1><h2>B</h2><h3>C</h3><p>#D</p>"),
    ("-# small\ntext\nmore", '<small class="subtext">small</small><p>text<br>more</p>'),
    ("> a\n> b\nc", "<blockquote><p>a<br>b</p></blockquote><p>c</p>"),
    ("- a\n  - b\n- c\n3. d", "<ul><li>a<ul><li>b</li></ul></li><li>c</li><li>d</li></ul>"),
    ("2. a\n3. b", '<ol start="2"><li>a</li><li>b</li></ol>'),
    ("```py\na < b **c**\n```", '<pre tabindex="0"><code>a &lt; b **c**</code></pre>'),
    ("`**a**` ``b`c``", "<p><code>**a**</code> <code>b`c</code></p>"),
    ("<t:0:t> <t:99999999999999:R>", None),
    ("||a||", None),
    ("*".join("abc" * 400) + "_" * 500 + "||" * 300 + "[" * 500, None),
]


@pytest.mark.thorough
async def test_a_command_is_found_by_its_name_in_the_users_language(sample: Demo, open_as: Open) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    for page, name, about in ((ana, "/tablero", "Muestra el tablero"), (emma, "/board", "Show the board")):
        await page.locator("#composer textarea").fill(name[:3])
        row = page.locator(".command").first
        await expect(row.locator(".command-name")).to_have_text(name)
        await expect(row.locator(".command-about")).to_have_text(about)
        await page.keyboard.press("Escape")
    await show_board(ana)
    await expect(emma.locator(".spine")).to_contain_text("Ana")
    await expect(emma.locator(".spine")).to_contain_text("board")


@pytest.mark.thorough
async def test_options_are_filled_in_as_fields_and_can_be_removed(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await type_command(page, "echo")
    await page.keyboard.press("Enter")  # the number is required: nothing is sent
    await expect(page.locator(".pill.wrong input")).to_be_focused()
    await page.keyboard.type("7")
    await page.keyboard.press("Tab")
    await expect(page.locator(".more-options")).to_have_text("+3 more")
    await page.locator(".add-option", has_text="who").click()
    await page.locator(".value", has_text="@Luis").click()
    await page.locator(".add-option", has_text="loud").click()
    await page.keyboard.type("y")
    await page.keyboard.press("Enter")
    await expect(page.locator(".command-form .send")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".message .markup")).to_have_text("7 @Luis o True")

    await type_command(page, "echo")
    await page.keyboard.type("3")
    await page.keyboard.press("Tab")
    for option in ("suit", "loud"):
        await page.locator(".more-options").click()
        await page.locator(".add-option", has_text=option).click()
    await page.keyboard.press("Backspace")
    await expect(page.locator(".pill")).to_have_count(2)
    await page.get_by_role("button", name="Remove suit").click()
    await expect(page.locator(".pill")).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(page.locator(".message .markup").last).to_have_text("3 nobody o False")


TYPED = {
    "/echo number:7 who:@Luis suit:Copas loud:yes": "7 @Luis c True",
    "/ECHO  who: luis number: 7": "7 @Luis o False",
    "/echo number:7 suit:c": "7 nobody c False",
}


@pytest.mark.thorough
async def test_a_command_typed_out_runs(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    for number, (line, answer) in enumerate(TYPED.items()):
        await page.locator("#composer textarea").fill(line)
        await expect(page.locator(".command .command-name")).to_contain_text("/echo")
        await page.keyboard.press("Enter")
        await expect(page.locator(".message .markup").nth(number)).to_have_text(answer)
        await expect(page.locator("#composer textarea")).to_have_value("")
        await expect(page.locator("#composer .picker")).to_be_hidden()


@pytest.mark.thorough
async def test_the_page_asks_again_for_a_wrong_value(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    for line, wrong in (
        ("/echo number:70", "number"),
        ("/echo number:x", "number"),
        ("/echo number:1 who:Nadie", "who"),
    ):
        await page.locator("#composer textarea").fill(line)
        await page.keyboard.press("Enter")
        await expect(page.locator(".pill.wrong")).to_contain_text(wrong)
        await expect(page.locator(".pill.wrong input")).to_be_focused()
        await expect(page.locator(".message")).to_have_count(0)
        await page.keyboard.press("Escape")
        await expect(page.locator(".pill")).to_have_count(0)


@pytest.mark.thorough
async def test_a_line_that_is_not_a_command_is_posted_and_the_list_closes(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await page.locator("#composer textarea").fill("/nothing like that")
    await expect(page.locator("#composer .picker")).to_contain_text("No command is called that")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message .markup")).to_have_text("/nothing like that")
    await expect(page.locator("#composer .picker")).to_be_hidden()


async def test_texts_never_become_markup_but_markdown_is_shown_as_on_discord(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    await show_board(page)
    hostile = (
        '**<img src=x onerror="document.title=1">** [x](javascript:alert(1)) </li><script>document.title=1</script>'
    )
    await page.locator("#composer textarea").fill(hostile)
    await page.keyboard.press("Enter")
    said = page.locator(".message .markup").last
    await expect(said).to_contain_text('<img src=x onerror="document.title=1">')
    await expect(said).to_contain_text("[x](javascript:alert(1))")
    assert await page.locator('#messages img[src="x"], #messages script, #messages a[href^="javascript"]').count() == 0
    assert "Club de Escoba" in await page.title()
    script = """async (text) => {
        const { markdown } = await import("/static/js/markdown.js");
        const box = document.createElement("div");
        box.append(...markdown(text));
        return [box.innerHTML, box.textContent];
    }"""
    for text, html in MARKDOWN:
        made, words = await page.evaluate(script, text)
        assert made == html if html is not None else words, text
        assert "<script" not in made


async def test_components_look_like_discords(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana", color_scheme="dark")
    await show_board(page)
    await expect(page.locator(".container")).to_have_css("background-color", "rgb(36, 36, 41)")
    colours = {
        "count": "rgb(88, 101, 242)",
        "secret": "rgb(0, 128, 58)",
        "form": "rgb(57, 58, 65)",
        "never": "rgb(210, 45, 57)",
    }
    for verb, colour in colours.items():
        await expect(button(page, verb)).to_have_css("background-color", colour)
    await expect(button(page, "never")).to_be_disabled()
    picture = page.locator(".gallery img")
    await expect(picture).to_have_attribute("alt", "The board")
    assert await picture.evaluate("image => image.complete && image.naturalWidth") == 400
    await page.locator(".alt-badge").click()
    await expect(page.locator(".alt-text p")).to_have_text("The board")
    await page.keyboard.press("Escape")
    await picture.click()
    await expect(page.locator(".lightbox img")).to_have_attribute("alt", "The board")
    await page.keyboard.press("Escape")
    await expect(page.locator(".lightbox")).to_have_count(0)
    await expect(page.locator(".spoiler > .secret")).to_be_hidden()
    await page.locator(".spoiler").click()
    await expect(page.locator(".spoiler > .secret")).to_be_visible()


async def test_everybody_sees_the_effect_of_a_click_and_isnt_interrupted(sample: Demo, open_as: Open) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    await show_board(ana)
    await emma.locator(".spoiler").click()
    await button(emma, "secret").focus()
    await emma.locator("#messages").evaluate("list => { list.querySelector('.gallery img').mark = 'mine'; }")
    for number in (1, 2, 3):
        await button(ana, "count").click()
        await expect(emma.locator(".container h2")).to_have_text(f"Count {number}")
    await expect(button(emma, "secret")).to_be_focused()
    await expect(emma.locator(".spoiler")).to_have_class("spoiler revealed")
    assert await emma.locator(".gallery img").evaluate("image => image.mark") == "mine"


@pytest.mark.thorough
async def test_the_keyboard_focus_stays_in_place_though_every_button_is_new(sample: Demo, open_as: Open) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    await type_command(ana, "turns")
    await ana.keyboard.press("Enter")
    await ana.locator('[data-id="u:0:1"]').focus()
    for version in (0, 2):
        await ana.keyboard.press("Enter")
        await expect(ana.locator(".message .markup")).to_have_text(f"Turn {version + 1}")
        await expect(ana.locator(".message")).to_be_focused()  # no button in its place can be pressed
        await ana.keyboard.press("Enter")  # and no other is pressed by mistake
        await emma.locator(f'[data-id="u:{version + 1}:other"]').click()
        await expect(ana.locator(f'[data-id="u:{version + 2}:1"]')).to_be_focused()


@pytest.mark.thorough
async def test_a_commands_answer_doesnt_take_the_keyboard_focus_from_its_message(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    arrived = asyncio.Event()

    async def answer_late(route: Route) -> None:
        response = await route.fetch()
        await arrived.wait()
        await route.fulfill(response=response)

    await page.route("**/act/*", answer_late)
    await type_command(page, "turns")
    await page.keyboard.press("Enter")
    await page.locator('[data-id="u:0:1"]').focus()
    arrived.set()
    await expect(page.locator("#composer textarea")).to_be_visible()
    await expect(page.locator('[data-id="u:0:1"]')).to_be_focused()


@pytest.mark.thorough
async def test_keyboard_focus_that_moved_elsewhere_isnt_taken_back(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    await type_command(page, "turns")
    await page.keyboard.press("Enter")
    await page.locator('[data-id="u:0:2"]').click()
    await expect(page.locator(".message")).to_be_focused()
    await page.locator("#composer textarea").focus()
    await page.locator('[data-id="u:1:other"]').dispatch_event("click")
    await expect(page.locator(".message .markup")).to_have_text("Turn 2")
    await expect(page.locator("#composer textarea")).to_be_focused()


NAMELESS = """() => ["menu", "listbox", "combobox", "dialog"]
    .flatMap((role) => [...document.querySelectorAll(`[role=${role}]`)])
    .filter((each) => !each.ariaLabel && !each.labels?.length)
    .map((each) => each.outerHTML)"""


@pytest.mark.thorough
async def test_every_menu_has_a_name(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await show_board(page)
    await page.locator(".menu").click()
    for found in (
        page.get_by_role("combobox", name="Suits: oros"),
        page.get_by_role("dialog", name="Suits"),
        page.get_by_role("listbox", name="Suits"),
    ):
        await expect(found).to_be_visible()
    assert await page.evaluate(NAMELESS) == []
    await page.keyboard.press("Escape")
    for opener, name in ((".guild-button", "Server language"), ("#user .icon-button", "Your language")):
        await page.locator(opener).click()
        await expect(page.get_by_role("menu", name=name)).to_be_visible()
        assert await page.evaluate(NAMELESS) == []
        await page.keyboard.press("Escape")
    await type_command(page, "echo")
    await page.keyboard.press("Tab")
    await page.locator(".add-option", has_text="suit").click()
    await expect(page.get_by_role("listbox", name="suit")).to_be_visible()
    assert await page.evaluate(NAMELESS) == []


async def test_only_its_recipient_sees_a_private_message_until_it_is_dismissed_or_the_page_reloaded(
    sample: Demo, open_as: Open
) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    await show_board(ana)
    await button(ana, "secret").click()
    private = ana.locator(".message.ephemeral")
    await expect(private).to_contain_text("secret of Ana")
    await expect(private).to_contain_text("Solo tú puedes ver esto")
    assert await emma.locator(".message").count() == 1
    await private.locator(".dismiss").click()
    await expect(private).to_have_count(0)
    await ana.reload()
    await expect(ana.locator(".message")).to_have_count(1)

    await button(ana, "secret").click()
    await expect(private).to_contain_text("secret of Ana")
    await ana.locator(".face-button", has_text="Emma").click()
    await expect(private).to_have_count(0)
    await ana.locator(".face-button", has_text="Ana").click()
    await expect(private).to_contain_text("secret of Ana")
    await ana.reload()
    await expect(ana.locator(".message")).to_have_count(1)
    await button(ana, "secret").click()
    await expect(private).to_have_count(1)


async def test_an_answer_outlives_the_message_that_it_answers(sample: Demo, open_as: Open) -> None:
    emma, world = await open_as(sample, "emma"), sample.world
    await show_board(emma)
    await button(emma, "secret").click()
    answer = emma.locator(".message.ephemeral .spine")
    await expect(answer).to_contain_text("Escoba")
    board = await emma.locator(".message:not(.ephemeral)").get_attribute("data-message")
    place = world.bot.get_partial_messageable(world.channels["mesa-1"].id)
    async with world.operation():
        await place.get_partial_message(int(board or 0)).delete()
    await expect(answer).to_have_text("Original message was deleted")


async def test_a_form_asks_for_what_is_needed_and_a_menu_sends_its_choices_when_it_closes(
    sample: Demo, open_as: Open
) -> None:
    page = await open_as(sample, "emma")
    await show_board(page)
    await button(page, "form").click()
    form = page.locator("dialog.modal")
    await expect(form.locator("h2")).to_have_text("A form")
    await form.locator("button[type=submit]").click()
    await expect(form.locator(".problem")).to_be_visible()
    await form.locator("input").fill("hello")
    await form.locator("select").select_option(label="two")
    await form.locator("button[type=submit]").click()
    await expect(form).to_have_count(0)
    await expect(page.locator(".message.ephemeral")).to_contain_text("got hello and ['2']")

    await page.locator(".menu").click()
    options = page.locator(".option")
    await expect(options).to_have_count(4)
    await expect(options.first).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(options.last).to_have_attribute("aria-disabled", "true")
    await button(page, "count").evaluate("button => button.click()")  # the message changes under the open list
    await expect(page.locator(".container h2")).to_have_text("Count 1")
    await expect(page.locator(".popover")).to_have_count(1)
    await page.locator(".menu-foot button").click()
    await expect(page.locator(".container")).to_contain_text("chosen ['oros', 'copas', 'espadas']")
    await page.locator(".menu").click()
    await page.keyboard.press("Escape")
    await expect(page.locator(".popover")).to_have_count(0)
    await expect(page.locator(".menu")).to_be_focused()


async def test_a_pressed_button_shows_that_it_waits_and_when_it_failed(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await show_board(page)
    await button(page, "silent").click()
    await expect(page.locator(".toast")).to_contain_text("This interaction failed")
    await expect(page.locator(".message .problem")).to_have_text("This interaction failed")
    await button(page, "count").click()
    await expect(page.locator(".message .problem")).to_have_count(0)
    async with sample.world.operation():  # nothing is answered meanwhile
        await button(page, "count").click()
        await expect(button(page, "count")).to_have_attribute("aria-busy", "true")
        await expect(button(page, "count").locator(".dots")).to_be_visible()
    await expect(button(page, "count").locator(".dots")).to_have_count(0)
