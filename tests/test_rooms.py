"""The rooms of the house: what may import what, and where Keras is."""

import ast
from functools import cache
from pathlib import Path

import pytest

from pages.ui.course import LESSONS

ROOT = Path(__file__).parent.parent
FILES = [
    path.relative_to(ROOT)
    for folder in ("llm", "pages")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
# What each room of `llm` may import besides itself. `digits` and `own_text` are two
# small courses of their own, beside the others.
BELOW = {
    "world": set(),
    "glassbox": set(),
    "models": {"world", "glassbox"},
    "studies": {"world", "glassbox", "models"},
    "training": {"world", "glassbox", "models", "studies"},
    "digits": {"world", "glassbox", "models", "training"},
    "own_text": {"world", "glassbox", "models", "training"},
    "notebooks": {"world", "glassbox", "models", "studies", "digits", "own_text"},
    "exercises": {"world", "glassbox", "models", "studies", "digits", "own_text"},
    "worker": {"training", "digits", "own_text"},
    "commands": {
        "world", "glassbox", "models", "studies", "training", "digits", "own_text",
        "notebooks",
    },
}
KERAS = {"keras", "tensorflow"}
# Keras inside functions, and why. A lesson shows the functions of `digits` and
# `own_text`, and its page must not load TensorFlow before a student trains.
KERAS_IN_FUNCTIONS = {
    "llm/models/keras_engine.py", "llm/digits/experiment.py", "llm/digits/train.py",
    "llm/own_text/training.py", "llm/own_text/export.py", "llm/own_text/write_text.py",
    "llm/commands/bench.py",
}


@cache
def tree(path):
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imported(path, at_top=False):
    """The modules that a file imports: all of them, or only those at its top."""
    nodes = tree(path).body if at_top else ast.walk(tree(path))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            # `from llm.models import shipped` imports a module too.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def in_room(path):
    return path.parts[0] == "llm" and len(path.parts) > 2


@pytest.mark.parametrize("path", list(filter(in_room, FILES)), ids=str)
def test_a_room_imports_only_the_rooms_below_it(path):
    room = path.parts[1]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "llm" and len(parts) > 1 and parts[1] in BELOW:
            assert parts[1] in {room, *BELOW[room]}, name


def test_every_room_has_its_rule():
    rooms = {path.parts[1] for path in FILES if in_room(path)}
    assert rooms == set(BELOW)
    assert {path.name for path in FILES if path.parts[0] == "llm" and not in_room(path)
            } == {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_keras_is_imported_in_training_and_in_the_keras_engine_only(path):
    def keras_in(names):
        return {name.split(".")[0] for name in names} & KERAS

    if path.parts[:2] != ("llm", "training"):
        assert not keras_in(imported(path, at_top=True))
        if path.parts[0] == "llm" and path.as_posix() not in KERAS_IN_FUNCTIONS:
            assert not keras_in(imported(path))


def test_a_lesson_imports_its_own_folder_and_what_all_share():
    lessons = {lesson.stem for lesson in LESSONS}
    for path in FILES:
        if path.parts[0] != "pages":
            continue
        own = path.stem[3:] if len(path.parts) == 2 else path.parts[1]
        for name in imported(path):
            parts = name.split(".")
            if parts[0] == "pages" and len(parts) > 1 and parts[1] in lessons:
                assert parts[1] == own, f"{path} imports {name}"


def test_the_models_and_the_studies_know_no_screen():
    for path in FILES:
        if path.parts[0] == "llm":
            roots = {name.split(".")[0] for name in imported(path)}
            assert not roots & {"streamlit", "altair", "pandas", "pages"}, path


def test_no_two_classes_of_llm_share_a_name():
    names = [
        node.name
        for path in FILES if path.parts[0] == "llm"
        for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)
    ]
    assert len(names) == len(set(names)), sorted(names)


# A lesson shows code in a column of 79 characters; longer lines wrap.
@pytest.mark.parametrize("path", [
    path for path in FILES
    if path.parts[0] == "llm" and path.name != "export.py"  # its text for a reader
], ids=str)
def test_code_that_lessons_may_show_fits_their_column(path):
    for number, line in enumerate(
        (ROOT / path).read_text(encoding="utf-8").splitlines(), start=1
    ):
        assert len(line) <= 79, f"{path}:{number}"
