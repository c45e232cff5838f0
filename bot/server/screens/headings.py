"""The headings of the lists of a server's settings and of a person's preferences."""

from bot.platform.kit.host import Host
from bot.platform.language.texts import Words
from bot.platform.settings.documents import PreferencesCache
from bot.tables.settings import TablePreferences


def settings_heading(host: Host, guild_id: int, t: Words) -> str:
    return t("## ⚙️ Settings") + "\n-# " + t("New tables start with these.")


def own_heading(host: Host, person_id: int, t: Words) -> str:
    heading = t("## 👤 For you alone") + "\n-# " + t("These go for you on every server.")
    if host.of(PreferencesCache).cached(person_id, TablePreferences).digest_refused:
        heading += "\n⚠️ " + t("Discord didn't let me send you a private message, so I've turned those off.")
    return heading
