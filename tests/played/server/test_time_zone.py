"""/escoba settings: the time zone, by the name of a city or a country."""

from bot.platform.settings.ids import SETTINGS
from bot.platform.settings.language import LanguageSettings
from tests.support.escoba import RoomOf, own
from tests.support.people import forge, text_of
from tests.support.phrases import STALE


async def test_a_city_sets_the_time_zone_and_a_country_with_several_offers_them(room_of: RoomOf):
    async with room_of(2) as here:
        ana = here.people[0]
        own(here, ana)
        await here.setting(ana, "zone")
        assert "**UTC (it's " in here.private_text(ana)
        zones = here.bot.parts.guild_settings

        async def write(text: str) -> str:
            await here.setting(ana, "zone")
            form = await ana.press(here.channel, custom_id="^s:zoneask$")
            await ana.submit(form, {"zone": text})
            return here.private_text(ana)

        assert "✅ **Time zone** · Europe/Madrid" in await write("madrid")
        assert (await zones.of(here.world.guild.id, LanguageSettings)).zone == "Europe/Madrid"
        assert "I know no time zone like “Mordor\\*”." in await write("Mordor*")
        await write("españa")
        [menu] = [each for each in ana.selects(ana.panel(here.channel)) if each.custom_id == "s:zone"]
        assert menu.values == ["Europe/Madrid", "Africa/Ceuta", "Atlantic/Canary"]
        await ana.choose(here.channel, ["Atlantic/Canary"], custom_id="^s:zone$")
        assert (await zones.of(here.world.guild.id, LanguageSettings)).zone == "Atlantic/Canary"
        assert "✅ **Time zone** · Atlantic/Canary" in here.private_text(ana)
        await write("españa")
        result = await forge(ana, ana.panel(here.channel), SETTINGS.custom_id("zone"), ["Mars/Olympus_Mons"])
        assert result.response is not None
        assert STALE in text_of(result.response)
        assert (await zones.of(here.world.guild.id, LanguageSettings)).zone == "Atlantic/Canary"
