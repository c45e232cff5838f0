"""The buttons of the messages about a person's data."""

import asyncio
import gzip
import json
from functools import partial
from io import StringIO
from typing import Any, Final

from bot.platform.kit.screen import Press, Screen, without_reference
from bot.platform.layout import file_of, layout_of, notice
from bot.platform.settings.pages import OwnPages
from bot.platform.transport.reply import is_private
from bot.privacy.ids.privacy import PrivacyRef, PrivacyVerb
from bot.privacy.live.tournament_data import personal_data
from bot.privacy.parts import PrivacyParts
from bot.privacy.refusals import PrivacyRefusal
from bot.privacy.screens.privacy import file_text, privacy_layout, question_layout
from bot.privacy.store.erasure import PersonalData
from bot.tables.store.logs import Games
from bot.tournaments.store.logs import TournamentLogs

FILE_NAME: Final = "escoba-data.json"
_MOST_BYTES: Final = 8 * 1024 * 1024
"""Discord takes files of 10 MiB; a larger document goes out compressed."""


async def answer(verb: PrivacyVerb, press: Press) -> None:
    t = press.t
    if not is_private(press.interaction):
        # Forged: these buttons are on private messages only. Do nothing, and change nothing public.
        await press.reply.send_private(privacy_layout(t, press.host.links))
        return
    match verb:
        case PrivacyVerb.SEE:
            await press.reply.update_private(privacy_layout(t, press.host.links))
        case PrivacyVerb.DATA:
            with press.host.of(PrivacyParts).data_requests.one_at_a_time(press.person.id):
                await _send_data(press)
        case PrivacyVerb.ERASE:
            await press.reply.update_private(question_layout(t))
        case PrivacyVerb.CONFIRM_ERASE:
            with press.host.of(PrivacyParts).data_requests.one_at_a_time(press.person.id):
                await _erase(press)
        case PrivacyVerb.KEEP:
            await press.reply.update_private(privacy_layout(t, press.host.links, note=t("Nothing was erased.")))


async def _send_data(press: Press) -> None:
    t = press.t
    press.host.throttle.own_data.take_or_refuse(press.person.id, PrivacyRefusal.DATA_JUST_NOW)
    # Answer at once, because this may read through many games; and don't defer: Discord may take no file after that.
    note = t("I'm collecting your data. The file comes below.")
    await press.reply.update(privacy_layout(t, press.host.links, note=note))
    of = press.host.of
    data = await personal_data(
        of(PersonalData), of(Games), of(TournamentLogs), press.person.id, press.interaction.created_at
    )
    data["keys"] |= {f"choices.{name}": meaning for name, meaning in of(OwnPages).meanings().items()}
    name, content = await asyncio.to_thread(_packed, data)
    text = file_text(t)
    await press.reply.follow_up_with_file(layout_of(text, file_of(name)), text, name, content)


def _packed(data: dict[str, Any]) -> tuple[str, bytes]:
    """The name and content of the file."""
    text = StringIO()  # written piece by piece: `dumps` joins, and frees, a million at once, and all threads wait
    json.dump(data, text, ensure_ascii=False, indent=1)
    content = text.getvalue().encode()
    if len(content) <= _MOST_BYTES:
        return FILE_NAME, content
    return FILE_NAME + ".gz", gzip.compress(content)


async def _erase(press: Press) -> None:
    t = press.t
    erased = await press.host.of(PrivacyParts).erase(press.person)
    text = t("Done: everything about you is erased.") if erased else t("I had nothing about you.")
    await press.reply.update_private(notice(text))


SCREEN: Final = Screen(
    "personal data", PrivacyRef, without_reference({verb: partial(answer, verb) for verb in PrivacyVerb})
)
