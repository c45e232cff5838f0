"""What a native would say: one thing as several, in numbers and lists, and no other language's text in a catalogue."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Final

import pytest

from bot.platform.language.catalogues import words
from bot.platform.language.extraction import placeholders
from bot.platform.language.texts import SOURCE_LANGUAGE
from tests.platform.language.test_texts import TRANSLATED, catalogue, in_the_code, key_of

TRIED: Final = (0, 1, 2, 5)
NUMBERS: Final = {
    key for key, said in placeholders().items() if re.search(r"\bnumber\b|^how many|^the (smallest|largest)", said)
} - {"hand", "nth", "sum", "totals", "values"}
"""The placeholders that are figures."""
LISTS: Final = {key for key, said in placeholders().items() if re.search(r"\blisted\b", said)} - {
    "figures",
    "hand",
    "suits",
}
"""The placeholders that may be a single thing, or more."""
ALIKE_FOR_ALL_NUMBERS: Final = {"eu"}
"""Languages in which a noun doesn't change after a number."""
NOT_COUNTED: Final = {
    "Board {n} of {boards} has been played.",  # “mano 2 de 5 jugada”
    "a match won after being two fifths of the points behind: {behind} of {target}",  # never of one
    "wins against {rivals} different people",  # never one
}
"""Texts with a number that the word after it needn't agree with."""
OF_SEVERAL: Final = {
    "ca": "falten han queden restaven són sumen tenen",
    "es": "faltan han quedan quedaron son suman tienen van",
    "eu": "daude dira direnak doaz dute",
    "fr": "doivent font manquent ont restent sont vont",
    "gl": "faltan quedan quedaron son suman teñen van",
    "it": "devono fanno hanno mancano restano sono vanno vengono",
    "pt_BR": "acharam chegaram faltam ficam foram sobraram são somam vão vêm",
}
"""Verbs that are wrong of one thing alone."""
ALWAYS_SEVERAL: Final = {
    "**{name}** wants a rematch. It starts when everyone's here: {people}",  # the verb is everyone's
    "All that apply are added: {cards} are {cantos}, {n} points. They are scored with the round.",  # three cards
    "Permissions that I lack in {channel}: {names}.",  # a heading
    "The opening cards make {sum}, so {name} takes {cards}.",
    "{cards} add up to {worth}: they are yours.",
    "🚪 **{names}** have withdrawn from the tournament.",
    "🧹 **Escoba!** {cards} add up to {worth}, and the table is empty.",
}
"""Texts whose list has more than one thing, or whose verb isn't of the list."""
ANYBODYS: Final = {
    "**Base de datos:** {size} · última entrada: {time}",
    "A única partida deste servidor.",
    "Cada semana a esta hora",
    "Dona do servidor e do bot",
    "Permisos que me faltan en {channel}: {names}.",
    "Regras da casa, a partir de: {preset}",
    "cabezas de serie por valoración",
}
"""Texts of five words or more that two neighbours do say alike."""
IN_BASQUE_TOO: Final = {"Baza {n}: {cards}.", "Pista", "Primera", "dama", "jota", "{n} partida", "{n} segundo"}
"""Texts of other languages that are Basque as well."""


@cache
def names_in(key: str) -> frozenset[str]:
    form = in_the_code()[key]
    return frozenset(re.findall(r"\{(\w+)", form if isinstance(form, str) else "".join(form)))


def filled(language: str, key: str, values: Mapping[str, object]) -> str:
    """Say a message of the code in a language; among the values is the `n` of a plural."""
    match in_the_code()[key]:
        case str():
            return words(language)(key, **values)
        case one, many:
            return words(language).plural(one, many, **values)  # pyright: ignore[reportArgumentType]


class Other:
    """What stands for a placeholder that isn't a number, whatever its format."""

    def __format__(self, spec: str) -> str:
        return "X"


def with_numbers() -> Iterator[tuple[str, dict[str, object]]]:
    """All messages that have numbers, with values in every combination of those tried."""
    for key, form in in_the_code().items():
        names = names_in(key)
        numbers = sorted(names & NUMBERS)
        if not isinstance(form, str) and "n" not in names:  # `n` is shown as another one
            yield from ((key, {**dict.fromkeys(names, Other()), **dict.fromkeys(numbers, n), "n": n}) for n in TRIED)
        elif numbers:
            for chosen in product(TRIED, repeat=len(numbers)):
                yield key, {**dict.fromkeys(names, Other()), **dict(zip(numbers, chosen, strict=True))}


def counted(text: str) -> list[tuple[int, str]]:
    """The numbers of a text, each with the word after it."""
    return [(int(number), word) for number, word in re.findall(r"(?<![\w.,–])(\d)\*{0,2}\s(\w+)", text)]


def is_one(language: str, number: int) -> bool:
    return number in ((0, 1) if language in ("fr", "pt_BR") else (1,))


@cache
def words_after_numbers(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words after one alone and after several alone, where a text has a form for each."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for key, form in in_the_code().items():
        if not isinstance(form, str):
            for n in (1, 5):
                said = filled(language, key, {**dict.fromkeys(names_in(key), Other()), "n": n})
                found[n == 1] |= {word for _, word in counted(said)}
    return frozenset(found[True] - found[False]), frozenset(found[False] - found[True])


@cache
def disagreements(language: str) -> Mapping[str, set[str]]:
    """The numbers that are followed by the wrong form of a word, by text."""
    of_one, of_several = words_after_numbers(language)
    found: dict[str, set[str]] = defaultdict(set)
    for key, values in with_numbers():
        for number, word in counted(filled(language, key, values)):
            if word in (of_several if is_one(language, number) else of_one):
                found[key].add(f"{number} {word}")
    return found


@pytest.mark.parametrize("language", [each for each in TRANSLATED if each not in ALIKE_FOR_ALL_NUMBERS])
def test_what_is_counted_agrees_with_its_number(language: str) -> None:
    never_one = disagreements(SOURCE_LANGUAGE).keys()  # “to {target} points”
    found = {key: said for key, said in disagreements(language).items() if key not in {*never_one, *NOT_COUNTED}}
    assert found == {}, "an idiom needs no agreement: “Days solved: 1 of 5”"


@pytest.mark.parametrize("language", TRANSLATED)
def test_only_the_word_after_a_total_agrees_with_it(language: str) -> None:
    wrong = [
        forms
        for one, forms in plurals(language)
        if re.search(r"\{\w+\}\W* of \{n\}", one) and len({re.sub(r"(?<=\{n\})\s\w+", "", form) for form in forms}) > 1
    ]
    assert wrong == [], "in “1 of 3 have found it” the verb is of the 1"


def plurals(language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for each in catalogue(language):
        if not isinstance(each.id, str) and isinstance(each.string, tuple):
            yield each.id[0], each.string


@pytest.mark.parametrize("language", OF_SEVERAL)
def test_a_list_of_one_has_no_verb_of_several(language: str) -> None:
    of_several = re.compile(rf"\b(?:{'|'.join(OF_SEVERAL[language].split())})\b", re.IGNORECASE)
    of_a_list = re.compile(rf"\{{(?:{'|'.join(sorted(LISTS))})\}}")
    of_a_label = re.compile(rf"{of_several.pattern}: ?\{{(?:{'|'.join(sorted(NUMBERS))})\}}", re.IGNORECASE)
    found = {
        sentence
        for key in in_the_code().keys() - ALWAYS_SEVERAL
        if isinstance(in_the_code()[key], str)
        for sentence in re.split(r"(?<=[.!?;])\s|\n", said_plainly(language, key))
        if (of_a_list.search(sentence) and of_several.search(sentence)) or of_a_label.search(sentence)
    }
    assert found == set(), "a noun or a form of “to have” says it of one as well"


def said_plainly(language: str, key: str) -> str:
    """A text in a language with its placeholders as they are."""
    return filled(language, key, {name: f"{{{name}}}" for name in names_in(key)})


@cache
def texts_of(language: str) -> Mapping[str, frozenset[str]]:
    """All that a catalogue says, form by form."""
    return {
        key_of(each): frozenset({each.string} if isinstance(each.string, str) else each.string)
        for each in catalogue(language)
        if each.id and each.string
    }


def words_in(text: str) -> int:
    return len(re.findall(r"[^\W\d_]+", re.sub(r"\{.*?\}|`.*?`", "", text)))


def alike(one: str, other: str) -> Iterator[str]:
    """The translations that two catalogues have in common and that aren't the English."""
    for key, said in texts_of(one).items():
        for text in said & texts_of(other).get(key, frozenset()):
            if text not in in_the_code()[key]:
                yield text


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_a_neighbours(language: str) -> None:
    others = [each for each in TRANSLATED if each.partition("_")[0] != language.partition("_")[0]]
    least = 1 if language == "eu" else 5
    shared = {text for each in others for text in alike(language, each) if words_in(text) >= least}
    assert shared - ANYBODYS - (IN_BASQUE_TOO if language == "eu" else set()) == set()


def test_what_is_listed_here_is_there() -> None:
    assert in_the_code().keys() >= ALWAYS_SEVERAL | NOT_COUNTED
