"""The catalogues: complete, in form like the code's texts, and in Spanish fit for Madrid and Montevideo alike."""

import ast
import doctest
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import babel
import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.pofile import read_po
from discord import Locale
from discord.app_commands import TranslationContext, TranslationContextLocation, locale_str
from discord.ext import commands

from bot.cards.words.cards import on_button
from bot.engine.cards import DECK
from bot.platform.language import catalogues
from bot.platform.language.catalogues import LOCALE_DIR, languages, words
from bot.platform.language.commands import NAMES, Translator
from bot.platform.language.extraction import placeholders
from bot.platform.language.texts import DEMO_PAGE, NC_, SOURCE_LANGUAGE
from cogs.admin import Admin
from cogs.escoba import Escoba
from cogs.tables import challenge_person
from tests.support.finished import is_finished
from tests.support.limits_commands import command_problems

ROOT = Path(__file__).parents[3]
ROOMS = ("bot", "cogs")
DEMO = ROOT / "bot/demo"
PAGE = "bot/demo/static/js"
TRANSLATED = [language for language in languages() if language != SOURCE_LANGUAGE]
TRANSLATE_WHAT_THEY_ARE_GIVEN = tuple(
    f"bot/platform/{each}.py" for each in ("language/commands", "language/texts", "refusals", "settings/choices")
)
KINDS = ("command", "option")
"""The contexts of names that people type."""
LONGEST_BUTTON = 34
"""How many characters of a button's label a phone shows."""
IN_ONE_WORD = (("it", ("Seven {of_oros}", "Settebello")),)
"""Texts of languages in which one word says what English needs a placeholder for."""


class Use(NamedTuple):
    """A call that translates or marks a message: t("…"), t.plural("…", "…", n), words(…)("…"), N_("…").

    With a context: t.context("button", "…"), NC_("button", "…").
    """

    place: str
    call: ast.Call
    arguments: list[ast.expr]
    context: str | None = None

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages, each with its context before it, as `Words` takes them."""
        found = (text_of(each) for each in self.arguments)
        return tuple(text if self.context is None else NC_(self.context, text) for text in found if text is not None)


# ------------------------------------------------------------------------------------------- reading the code


@cache
def sources() -> dict[str, ast.Module]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if DEMO not in path.parents]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree))


def text_of(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("N_", "NC_")


def is_record_of_marked(node: ast.AST) -> bool:
    """Whether a node makes a record whose fields are all marked messages."""
    if not isinstance(node, ast.Call) or is_marked(node):
        return False
    fields = [*node.args, *(keyword.value for keyword in node.keywords)]
    return bool(fields) and all(map(is_marked, fields))


def name_of(node: ast.AST) -> str:
    """The last name of `name`, `a.name`, or `name(…)`."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func):
            return name_of(func)
        case _:
            return ""


@cache
def uses_in(place: str, tree: ast.AST) -> tuple[Use, ...]:
    return tuple(_uses_in(place, tree))


def _uses_in(place: str, tree: ast.AST) -> Iterator[Use]:
    for node in nodes(tree):
        if not isinstance(node, ast.Call):
            continue
        where = f"{place}:{node.lineno}"
        direct = name_of(node.func) in ("t", "N_") and not isinstance(node.func, ast.Call)
        if direct or (isinstance(node.func, ast.Call) and name_of(node.func) in ("words", "private_words")):
            yield Use(where, node, node.args[:1])
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "plural":
            yield Use(where, node, node.args[:2])
        elif name_of(node.func) in ("context", "NC_") and len(node.args) == 2:
            yield Use(where, node, node.args[1:], text_of(node.args[0]))


@cache
def uses() -> list[Use]:
    return [use for place, tree in sources().items() for use in uses_in(place, tree)]


@cache
def tables() -> frozenset[str]:
    """The names of the constants that are dicts whose values are all marked messages, or records of such."""
    found: set[str] = set()
    for tree in sources().values():
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                values = node.value.values
                if values and (all(map(is_marked, values)) or all(map(is_record_of_marked, values))):
                    found.add(name_of(target))
    return frozenset(found)


@cache
def marked_constants() -> frozenset[str]:
    """The names of the constants that are marked messages."""
    assigned = (node for tree in sources().values() for node in tree.body if isinstance(node, ast.AnnAssign))
    return frozenset(name_of(node.target) for node in assigned if node.value is not None and is_marked(node.value))


def looped_over_tables(tree: ast.AST) -> set[str]:
    """The loop variables that hold a table's messages: for key, name in TABLE.items()."""
    found: set[str] = set()
    for node in nodes(tree):
        match node:
            case ast.For(target, ast.Call(ast.Attribute(table))) | ast.comprehension(
                target, ast.Call(ast.Attribute(table))
            ) if name_of(table) in tables() or name_of(table).islower():
                found |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


def comes_from_a_table(node: ast.expr, loops: set[str]) -> bool:
    match node:
        case ast.Subscript(value) | ast.Attribute(ast.Subscript(value)):
            return name_of(value) in tables()
        case ast.Call(ast.Attribute(value, "get")):
            return name_of(value) in tables()
        case ast.Name(name):
            return name in loops
        case _:
            return is_marked(node)


@cache
def scripts() -> dict[str, str]:
    """The scripts of the demo's page, which has texts of its own."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / PAGE).glob("*.js"))}


@cache
def in_the_code() -> dict[str, str | tuple[str, str]]:
    """All messages by their (singular) English text; a plural includes its singular."""
    found: dict[str, str | tuple[str, str]] = {}
    for use in uses():
        match use.messages:
            case (one, many):
                found[one] = (one, many)
            case (one,):
                found.setdefault(one, one)
    for script in scripts().values():
        for text in re.findall(r"""(?<!\w)(?:t|parts|N_)\(\s*"([^"]+)["]""", script):
            found[NC_(DEMO_PAGE, text)] = NC_(DEMO_PAGE, text)
    return found


@cache
def extracted() -> Catalog:
    """The messages that `make texts` extracts from the code, with their comments."""
    recipe = re.search(r"\(BABEL\) extract(.*?)\n\t@", (ROOT / "Makefile").read_text(encoding="utf-8"), re.DOTALL)
    assert recipe
    assert recipe[1].endswith(" ".join(("", *ROOMS)))
    keywords = parse_keywords(re.findall(r"-k (\S+)", recipe[1]))
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(each["pattern"], each["method"]) for each in mappings]
    template = Catalog()
    for room in ROOMS:
        for _, _, message, comments, context in extract_from_dir(ROOT / room, methods, keywords=keywords):
            template.add(message, auto_comments=comments, context=context)
    return template


# --------------------------------------------------------------------------------------- reading a catalogue


@cache
def catalogue(language: str) -> Catalog:
    with (LOCALE_DIR / language / "LC_MESSAGES" / "bot.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def form_of(message: Message) -> str | tuple[str, str]:
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def key_of(message: Message) -> str:
    form = form_of(message)
    text = form if isinstance(form, str) else form[0]
    return text if message.context is None else NC_(message.context, text)


def keys_of(catalogue: Catalog) -> dict[str, str | tuple[str, str]]:
    """All messages of a catalogue, in the form of `in_the_code`."""
    return {key_of(each): key_of(each) if isinstance(each.id, str) else form_of(each) for each in catalogue if each.id}


@cache
def pairs(language: str) -> list[tuple[str, str]]:
    """Each English text that is translated with its translation; singulars and plurals separately."""
    found: list[tuple[str, str]] = []
    for message in catalogue(language):
        if not message.id:
            continue
        if isinstance(message.id, str):
            found.append((message.id, str(message.string)))
        else:
            one, many = message.id
            found += [(many if form else one, said) for form, said in enumerate(message.string or ())]
    return [(text, said) for text, said in found if said]


def forms_of(key: str) -> tuple[str, ...]:
    """The English texts of a message by its key, without the context."""
    form = in_the_code()[key]
    return (form.rpartition("\x04")[2],) if isinstance(form, str) else form


def unlike(language: str, trait: Any) -> list[tuple[str, str]]:
    """The pairs whose translation differs from the English text in a trait."""
    return [(text, said) for text, said in pairs(language) if trait(text) != trait(said)]


# ------------------------------------------------------------------------------------------------- the tests


@pytest.mark.spanish
def test_the_examples_in_the_module_are_true():
    tried = doctest.testmod(catalogues)
    assert tried.attempted
    assert not tried.failed


def test_only_in_french_is_there_a_space_before_a_colon():
    assert [words(language).colon for language in ("en", "es", "fr")] == [": ", ": ", "\u00a0: "]


def test_numbers_in_texts_are_written_as_ratings_are():
    t = words("ca")
    said = (t.plural("{n} point", "{n} points", 2718), t("won {wins} of {matches}", wins=1061, matches="1061"))
    assert said == ("2.718 punts", "victòries: 1.061 de 1061")
    assert [words(each).number(2718) for each in ("en", "es", "fr")] == ["2,718", "2.718", "2\u202f718"]


def test_every_translated_text_is_a_literal_in_the_code():
    loose: list[str] = []
    for place, tree in sources().items():
        loops = looped_over_tables(tree)
        if place not in TRANSLATE_WHAT_THEY_ARE_GIVEN:
            loose += [
                f"{use.place}: {ast.unparse(use.call)}"
                for use in uses_in(place, tree)
                for each in use.arguments
                if text_of(each) is None and not comes_from_a_table(each, loops)
            ]
    assert loose == [], "neither a plain text nor t(TABLE[...]) of a dict of N_ texts or of records of them"


def test_every_translated_text_is_a_literal_in_the_scripts_of_the_page():
    given = [each for script in scripts().values() for each in re.findall(r"(?<!\w)(?:t|parts)\(\s*([^,)]*)", script)]
    assert sorted(each for each in given if not each.startswith('"')) == [
        *("PROBLEMS[problem] ?? PROBLEMS.invalid", "SPOKEN[name]", "problem"),  # marked with N_
        *("text", "text"),  # by t itself, and one marked with N_
    ]


def test_every_choice_is_given_marked_texts():
    choices = [
        node
        for tree in sources().values()
        for node in nodes(tree)
        if isinstance(node, ast.Call) and name_of(node.func) == "Choice" and isinstance(node.func, ast.Name)
    ]
    loose = [ast.unparse(node) for node in choices if not is_marked(node.args[1])]
    for texts_of in (each for node in choices for each in node.args[2:]):
        given = texts_of.values if isinstance(texts_of, ast.Dict) else [texts_of]
        loose += [ast.unparse(each) for each in given if not is_text_of_a_choice(each)]
    assert len(choices) > 10
    assert loose == [], "neither N_ texts nor a dict of them"


def is_text_of_a_choice(node: ast.expr) -> bool:
    match node:
        case ast.Name(name):
            return name in tables() or name in marked_constants()
        case ast.Call(ast.Attribute(attr="fromkeys"), [_, text]):
            return is_marked(text)
        case ast.DictComp(value=ast.Call(ast.Name("_hours_text"))):  # figures, or a text that is marked there
            return True
        case ast.Call(ast.Name("language_names"), [first]):  # each language has its own
            return is_marked(first) or name_of(first) in marked_constants()
        case ast.DictComp(value=ast.Attribute(ast.Name(record))):
            return record in looped_over_tables(node)
        case _:
            return is_marked(node)


def test_no_text_is_translated_within_an_f_string():
    hidden = [
        f"{use.place}: {ast.unparse(use.call)}"
        for place, tree in sources().items()
        for node in nodes(tree)
        if isinstance(node, ast.JoinedStr)
        for use in uses_in(place, node)
        if use.messages
    ]
    assert hidden == [], "Babel doesn't look into f-strings: translate first and insert the result"


@pytest.mark.thorough
def test_make_texts_finds_every_text_of_the_code():
    assert keys_of(extracted()) == in_the_code()


def test_a_text_of_one_word_says_where_it_stands():
    assert [each for each in in_the_code() if len(each.split()) == 1 and "\x04" not in each] == []


def test_translators_are_told_what_each_placeholder_stands_for():
    used = {each for text in in_the_code() for each in re.findall(r"\{(\w+)", " ".join(forms_of(text)))}
    assert used == placeholders().keys()
    [playing] = [each for each in extracted() if each.id == "{name} is playing…"]
    assert playing.auto_comments == [f"{{name}}: {placeholders()['name']}"]
    [faulty] = [each for each in extracted() if each.id == "Line {line} of {name}:"]
    assert faulty.auto_comments == ["{line}: the number of a line; {name}: the name of the file that it is in."]


def test_translators_are_told_how_long_a_text_may_be():
    comments = {key_of(each): " ".join(each.auto_comments) for each in extracted() if each.id}
    assert "34 characters" in comments[NC_("button", "Join")]
    assert [each for each in on_buttons() if "characters" not in comments[each]] == []
    assert all("up to 32 characters" in comments[each] for each in NAMES)


def test_the_template_for_translators_is_up_to_date():
    with (LOCALE_DIR / "bot.pot").open("rb") as file:
        template = read_po(file)
    assert keys_of(template) == keys_of(extracted()), "run `make texts`"
    told = [{key_of(each): " ".join(each.auto_comments) for each in of if each.id} for of in (template, extracted())]
    assert told[0] == told[1], "run `make texts`"


class TestEachCatalogue:
    """Run `make texts`, then translate what is new."""

    pytestmark = pytest.mark.parametrize("language", TRANSLATED)

    def test_it_has_every_text_of_the_code_and_no_other(self, language: str):
        held = keys_of(catalogue(language))
        assert sorted(in_the_code().items() - held.items(), key=str) == [], "run `make texts`"
        assert sorted(held.items() - in_the_code().items(), key=str) == [], "run `make texts`"
        assert list(catalogue(language).obsolete) == [], "delete the lines that begin with #~ once they no longer help"

    def test_no_translation_is_blank_or_fuzzy(self, language: str):
        assert [text for text, said in pairs(language) if not said.strip()] == []
        assert [each.id for each in catalogue(language) if each.id and each.fuzzy] == []

    def test_the_placeholders_are_kept(self, language: str):
        lost = unlike(language, lambda text: Counter(re.findall(r"\{.*?\}", text)))
        assert [pair for pair in lost if (language, pair) not in IN_ONE_WORD] == []

    def test_headings_marks_and_emojis_are_kept(self, language: str):
        assert unlike(language, lambda text: re.findall(r"^(?:#{1,3} |-# |- |> |, )", text)) == []
        assert unlike(language, lambda text: [text.count(mark) for mark in ("**", "`", "](", "\n")]) == []
        assert unlike(language, lambda text: Counter(c for c in text if unicodedata.category(c) in "So Sm")) == []
        assert unlike(language, lambda text: (text[:1].isspace(), text[-1:].isspace(), text.endswith("…"))) == []

    def test_buttons_named_in_texts_have_those_names(self, language: str):
        t = words(language)
        for text, said in pairs(language):
            for named in re.findall(r"\*\*(\w[\w ]*)\*\*", text):
                key = NC_("button", named)
                if key in in_the_code() or named in in_the_code():
                    button = t(key if key in in_the_code() else named)
                    assert f"**{button}**" in said or not is_finished(language)

    def test_commands_named_in_texts_have_those_names(self, language: str):
        t = words(language)
        for text, said in pairs(language):
            for command in re.findall(r"`/escoba (\S+?)`", text):
                assert f"`/escoba {t.context('command', command)}`" in said or not is_finished(language)

    def test_button_labels_fit_a_phone(self, language: str):
        for t in (words(SOURCE_LANGUAGE), words(language)):
            assert [t(text) for text, room in on_buttons().items() if len(t(text)) > room] == []

    def test_a_card_with_its_effect_fits_a_phone(self, language: str):
        for t in (words(SOURCE_LANGUAGE), words(language)):
            effects = [
                t("to the table"),
                t.context("effect of a card", "escoba!") + " 🧹",
                t.plural("takes {n} card", "takes {n} cards", 9),
                t.plural("{n} way", "{n} ways", 9) + " 🧹",
            ]
            longest = max((on_button(card, t)[0] for card in DECK), key=len)
            assert [text for text in effects if len(f"{longest} · {text}") > LONGEST_BUTTON] == []


@cache
def on_buttons() -> dict[str, int]:
    """The texts of buttons, and how many characters fit on each."""
    found: dict[str, int] = {}
    for place, tree in sources().items():
        for node in nodes(tree):
            match node:
                case ast.Call(ast.Name("button" | "_button" | "_question")):
                    emoji = any(each.arg == "emoji" for each in node.keywords)
                    for use in uses_in(place, node):
                        found |= dict.fromkeys(use.messages, LONGEST_BUTTON - 3 * emoji)
    assert len(found) > 10
    return found


class TestCommands:
    async def payloads(self) -> list[dict[str, Any]]:
        bot = commands.Bot(command_prefix=(), intents=discord.Intents.none())
        for cog in (Escoba(), Admin()):
            await bot.add_cog(cog)
        bot.tree.add_command(challenge_person)
        return [await command.get_translated_payload(bot.tree, Translator()) for command in bot.tree.get_commands()]

    def named(self, nodes: list[dict[str, Any]], *above: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Commands, options and choices, each with its path."""
        for node in nodes:
            yield " ".join((*above, node["name"])), node
            yield from self.named([*node.get("options", ()), *node.get("choices", ())], *above, node["name"])

    @pytest.mark.spanish
    async def test_all_names_and_descriptions_are_valid_in_every_language(self):
        payloads = await self.payloads()
        assert {each["name"] for each in payloads} == {"escoba", "escoba-admin", "Challenge to Escoba"}
        assert list(command_problems(payloads)) == []
        [by_right_click] = [each for each in payloads if each["type"] == discord.AppCommandType.user.value]
        assert by_right_click["name_localizations"]["es-ES"] == "Retar a Escoba"

    async def test_every_name_can_be_read(self):
        shown = [name for _, node in self.named(await self.payloads()) for name in self.names_of(node)]
        assert [name for name in shown if not name.replace("\u202f", " ").replace("\u00a0", " ").isprintable()] == []

    def names_of(self, node: dict[str, Any]) -> list[str]:
        return [node["name"], *node.get("name_localizations", {}).values()]

    @pytest.mark.parametrize("locale", ["es-ES", "es-419", "fr", "it", "pt-BR"])
    async def test_everything_is_translated(self, locale: str):
        missing: list[str] = []
        known = {each.rpartition("\x04")[2] for each in in_the_code()} | in_the_code().keys()
        for way, node in self.named(await self.payloads()):
            text = NC_("menu", node["name"]) if "value" in node else node.get("description", node["name"])
            if text not in known:
                missing.append(way)
            if "description" in node and way != "escoba" and not {NC_(each, node["name"]) for each in KINDS} & known:
                missing.append(f"{way}: its name")
            if locale not in node["name_localizations"]:
                missing.append(f"{way}: its name in {locale}")
            if "description" in node and locale not in node["description_localizations"]:
                missing.append(f"{way}: its description in {locale}")
        assert missing == []

    async def test_every_name_in_the_catalogue_belongs_to_a_command_or_an_option(self):
        names = {NC_(each, node["name"]) for _, node in self.named(await self.payloads()) for each in KINDS}
        assert names >= {*NAMES}


COMMAND_LOCALES = (Locale.brazil_portuguese, Locale.latin_american_spanish, Locale.british_english, Locale.french)


class TestWords:
    @pytest.mark.spanish
    @pytest.mark.parametrize("locale", ["es-ES", "es-419", "es", "ES-es", "es-MX", "es-AR"])
    def test_every_spanish_is_spanish(self, locale: str):
        assert words(locale)("My hand") == "Mis cartas"

    @pytest.mark.parametrize("locale", ["en-GB", "en-US", "xx-XX", "xx", "est", "", None])
    def test_a_language_without_a_catalogue_is_english(self, locale: str | None):
        t = words(locale)
        assert (t.language, t("My hand")) == ("en", "My hand")

    @pytest.mark.parametrize(
        ("locale", "language"),
        [
            *[(each, "pt_BR") for each in ("pt-BR", "pt_BR", "PT-br", "pt", "pt-PT")],  # another region's beats English
            *[(each, "es") for each in ("es", "es-ES", "ES-es")],
            *[(each, "es_419") for each in ("es-MX", "es-CL", "es-419")],
            *[(each, "es_AR") for each in ("es-AR", "es_AR")],
            *[(each, "en") for each in ("en", "en-US", "en-GB")],
            *[(each, None) for each in ("ptx", "p", "br", "fr", "")],
        ],
    )
    @pytest.mark.usefixtures("regional")
    def test_a_region_has_its_own_language_or_else_its_languages(self, locale: str, language: str | None):
        assert catalogues.language_of(locale) == language
        assert words(locale).language == (language or "en")

    @pytest.mark.parametrize("language", catalogues.languages())
    def test_a_language_calls_itself_what_unicode_says(self, language: str) -> None:
        said = babel.Locale.parse(language).get_display_name()
        assert said is not None
        assert catalogues.language_name(language) == said[:1].upper() + said[1:]

    @pytest.mark.usefixtures("regional")
    async def test_a_regional_catalogue_is_read_named_and_used_for_commands(self):
        assert words("pt-BR")("My hand") == "Minhas cartas"
        assert catalogues.language_name("pt_BR") == "Português (Brasil)"
        context = TranslationContext(TranslationContextLocation.other, None)
        said = [await Translator().translate(locale_str("My hand"), each, context) for each in COMMAND_LOCALES]
        assert said == ["Minhas cartas", "Mis naipes", "My hand", None]

    @pytest.mark.spanish
    @pytest.mark.usefixtures("regional")
    def test_what_a_catalogue_lacks_is_said_in_the_next_language(self):
        argentina, spain = words("es-AR"), words("es")
        assert [argentina(each) for each in ("My hand", "A month", "A quarter")] == [
            "Mis cartas, che",
            "Un mes de acá",  # Latin America's
            spain("A quarter"),
        ]
        assert argentina.plural("{n} win", "{n} wins", 2) == spain.plural("{n} win", "{n} wins", 2) != "2 wins"
        assert (words("pt-BR")("A month"), words("pt-BR").context("button", "Join")) == ("A month", "Join")

    @pytest.mark.spanish
    @pytest.mark.parametrize(("n", "said"), [(0, "0 victorias"), (1, "1 victoria"), (2, "2 victorias")])
    def test_only_one_is_singular_in_spanish(self, n: int, said: str):
        assert words("es").plural("{n} win", "{n} wins", n) == said

    def test_a_text_that_has_a_plural_is_only_used_with_a_number(self):
        """Until Python 3.11.4, gettext found no translation for its singular alone."""
        counted = {use.messages[0] for use in uses() if len(use.messages) == 2}
        assert counted.isdisjoint(use.messages[0] for use in uses() if len(use.messages) == 1)

    @pytest.mark.spanish
    def test_braces_in_a_name_are_not_placeholders(self):
        assert words("es")("{name} is playing…", name="{n}") == "{n} está jugando…"


class TestSpanish:
    said = tuple(said for _, said in pairs("es"))

    def test_it_says_tu_in_words_of_both_sides_of_the_ocean(self):
        elsewhere = (
            "vos|vosotr[oa]s|usted|ustedes|vuestr[oa]s?|"  # how it would address the reader
            "tenés|podés|querés|debés|sos|habéis|tenéis|podéis|jugás|elegís|pulsá|mirá|probá|esperá|volvé|"
            "co[gj]e[rsn]?|ordenador(es)?|computadoras?|agarra[r]?"  # used, or decent, on only one side of the ocean
        )
        assert [text for text in self.said if re.search(rf"\b(?:{elsewhere})\b", text, re.IGNORECASE)] == []

    def test_it_says_what_to_do_in_the_imperative(self):
        roundabout = "hay que|se puede (?:probar|intentar|esperar)|conviene|vale la pena|falta decir|queda esperar"
        assert [text for text in self.said if re.search(rf"\b(?:{roundabout})\b", text, re.IGNORECASE)] == []

    def test_mano_means_only_a_round(self):
        for text, said in pairs("es"):
            if re.search(r"\bmanos?\b", said, re.IGNORECASE):
                assert re.search(
                    r"\bround|\bboard|\bOpening escoba|\bthat were dealt|\ball cards are played", text, re.IGNORECASE
                ), said

    def test_questions_and_exclamations_have_opening_marks(self):
        assert [s for s in self.said if s.count("?") != s.count("¿") or s.count("!") != s.count("¡")] == []

    def test_a_match_is_a_partida_and_a_round_a_mano_or_in_a_tournament_a_ronda(self):
        for text, said in pairs("es"):
            plain = re.sub(r"\{.*?\}|captures? match(es)?|Nothing matches", "", text)
            if re.search(r"\brounds?\b", plain, re.IGNORECASE):
                assert re.search(r"\b(manos?|rondas?)\b", said, re.IGNORECASE), text
            if re.search(r"\bmatch(es)?\b", plain):
                assert re.search(r"\bpartidas?\b", said, re.IGNORECASE), text


def test_argentina_reads_no_tu_also_where_a_text_comes_from_another_catalogue():
    shown: dict[tuple[object, ...], str] = {}
    for language in ("es", "es_419", "es_AR"):
        for each in catalogue(language):
            forms = tuple(each.string or ()) if isinstance(each.id, tuple) else (str(each.string or ""),)
            shown |= {(each.context, each.id, form): said for form, said in enumerate(forms) if each.id and said}
    tu = (
        "tú|ti|contigo|tienes|puedes|quieres|juegas|pierdes|sabes|vuelves|empiezas|aprendes|abres|necesitas|dejas|"
        "terminas|participas|buscas|indicas|aceptas|pasas|practicas|retiras|cierras|pones|pulsa|presiona|aquí|allí|"
        r"(?:pulsa|presióna|escríbe|súma|encuéntra|quítase|míra|júga|pón)(?:lo|la|le)s?|(?:avísa|mencióna|invíta)me"
    )
    assert [said for said in shown.values() if re.search(rf"\b(?:{tu})\b", said, re.IGNORECASE)] == []
