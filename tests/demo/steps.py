"""Steps that many tests take in a window of the sample bot's demo."""

from playwright.async_api import Locator, Page


async def type_command(page: Page, text: str) -> None:
    """Type a command's name and choose the first match."""
    await page.locator("#composer textarea").fill(f"/{text}")
    await page.keyboard.press("Enter")


async def show_board(page: Page) -> None:
    """Have the sample bot post its layout."""
    await type_command(page, "board")
    await page.keyboard.press("Enter")
    await page.locator('[data-id="t:count"]').wait_for()
    await page.locator("#composer textarea").wait_for()  # the answer to the command may come after its message


def button(page: Page, verb: str) -> Locator:
    """A button of the layout."""
    return page.locator(f'[data-id="t:{verb}"]')
