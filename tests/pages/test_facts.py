"""Every number in a sentence is computed, or stands in the table of sourced facts."""

import ast
import json
import re

import pytest

from pages.ui.course import PAGES

FACTS = json.loads((PAGES.parent / "assets" / "facts.json").read_text("utf-8"))
# Drawings are code in a string; what they write is held by the tests of their lesson.
FILES = {
    path.relative_to(PAGES).as_posix(): path
    for path in sorted(PAGES.rglob("*.py"))
    if "charts" not in path.relative_to(PAGES).as_posix()
}
# What a digit may be without being a figure that somebody could get wrong.
SHAPES = (
    r"`[^`]*`",  # code, and words of the tiny world
    r"\$[^$]*\$",  # a formula
    r"^\s*\d+\. ",  # the number of a point in a list
    r"^(?:\*\*)?\d(?: ·| read$| compute$| draw$| write$)",  # of a heading, of a box
    r"^\.\d\b",  # of a head, after its block
    r"^(?:\d × )?\d+ minutes$",  # of a path, which `test_teacher.py` adds up
    r"\bUTF-8\b",
    # A number that counts off: word 5, steps 1 to 3, module 10 of 12.
    r"(?i)\b(?:steps?|words?|positions?|modules?|lesson|block|dog) \d+"
    r"(?: (?:to|and|of) \d+)?\b",
    r"(?<![\d.,])[01](?![\d.,%]*\d|%)",  # the bounds of a share, and a single one
    r"\b(?:0|100)%(?!\d)",  # nothing, and the whole
    r"\b(?:under 0\.1|over 99\.9)%",  # where `percent` stops
)
# What is left of code: of Vega, of LaTeX, of a colour.
CODE = re.compile(r"\bdatum\b|\\[a-z]{2}|[{}_^]|#\w{6}\b")
# A question may suppose a case that is not measured anywhere.
SUPPOSED = re.compile(r"^(?:Suppose|A head gives one word)")


def sentences(tree):
    """The texts of a file that a reader may meet: strings of several words, by line.

    What an f-string fills in is left out: it is computed. So are docstrings.
    """
    skipped = {id(part) for node in ast.walk(tree) for part in not_prose(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.strip()
            if id(node) not in skipped and " " in text:
                yield node.lineno, text


def not_prose(node):
    """Strings below a node that nobody reads: its docstring, code in an f-string."""
    if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
        first = node.body[:1]
        if first and isinstance(first[0], ast.Expr):
            yield first[0].value
    if isinstance(node, ast.FormattedValue):
        yield from ast.walk(node)


def typed_numbers(text):
    """The numbers in a text that are typed, with the word before and after."""
    if SUPPOSED.match(text):
        return []
    for shape in SHAPES:
        text = re.sub(shape, " ", text, flags=re.MULTILINE)
    text = "" if CODE.search(text) else " ".join(text.split())
    for said in sorted(FACTS, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(said)}(?!\d)", " ", text)
    return re.findall(r"\S*\d\S*", text)


@pytest.mark.parametrize("name", FILES)
def test_no_number_is_typed_into_a_sentence(name):
    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    found = [(line, n) for line, text in sentences(tree) for n in typed_numbers(text)]
    assert found == []


@pytest.mark.parametrize("said", FACTS)
def test_every_fact_says_what_it_is_and_who_wrote_it(said):
    assert re.search(r"\d", said), "no number"
    assert FACTS[said]["what"]
    assert re.search(r"\b(19|20)\d\d\b", FACTS[said]["source"])
