"""The promises of the layout: who may import whom, and that pages print real code."""

import ast
import json
import re
import subprocess
import sys

import pytest

from pages.ui.course import LESSONS, PAGES

UI = PAGES / "ui"
# These run on the press of the train button only; their own tests press it.
RUN_BY_A_TRAINING = {
    "first_and_last": {"make_rows", "build_transformer", "build_recurrent", "compiled",
                       "shuffled_batches"},
    "your_text": {"own_text", "windows", "compiled", "validation_loss", "write",
                  "pair_probabilities"},
}
WITHOUT_CODE = {"home", "why"}
EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)

def trees(folder, pattern="**/*.py"):
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob(pattern))
    }


def imports(tree):
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def calls(tree):
    """The names that are called in a file: `f(...)` and `x.f(...)` both give `f`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", ""))


def test_nothing_imports_a_lesson():
    stems = {lesson.path.stem for lesson in LESSONS}
    everything = {**trees(PAGES), **trees(PAGES.parent / "llm")}
    for path, tree in everything.items():
        names = {part for module in imports(tree) for part in module.split(".")}
        assert not names & stems, path


def test_charts_know_nothing_of_streamlit():
    for path, tree in trees(UI / "charts").items():
        assert "streamlit" not in {name.split(".")[0] for name in imports(tree)}, path
    assert "streamlit" not in set(imports(ast.parse((UI / "course.py").read_text())))


def test_llm_knows_nothing_of_the_screen():
    for path, tree in trees(PAGES.parent / "llm").items():
        roots = {name.split(".")[0] for name in imports(tree)}
        assert not roots & {"streamlit", "altair", "pages"}, path


def test_code_is_printed_in_one_place_only():
    for path, tree in trees(PAGES).items():
        if path != UI / "source.py":
            assert "code" not in set(st_calls(tree)), path


def st_calls(tree):
    """The names called on `st`; an address to be copied is no code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            to_copy = any(
                how.arg == "language" and getattr(how.value, "value", "") is None
                for how in node.keywords
            )
            if getattr(node.func.value, "id", "") == "st" and not to_copy:
                yield node.func.attr


def test_no_page_prints_python_from_a_string_or_raw_html():
    for path in PAGES.glob("**/*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"```\s*(python|py)\b", text), path
        assert "unsafe_allow_html" not in text, path


def test_a_script_runs_on_the_page_in_one_place_only():
    """The one that keeps the words of a chart with its slider; see `frame.py`."""
    found = [path for path in PAGES.glob("**/*.py")
             if "unsafe_allow_javascript" in path.read_text(encoding="utf-8")]
    assert found == [UI / "frame.py"]


def test_a_lesson_owes_the_frame_one_line_and_leaves_the_rest_to_it():
    for lesson in LESSONS:
        tree = ast.parse(lesson.path.read_text(encoding="utf-8"))
        called = list(st_calls(tree))
        assert not {"title", "set_page_config", "navigation"} & set(called), lesson.file
        assert list(calls(tree)).count("lesson") == 1, lesson.file


@pytest.fixture(scope="module")
def seen():
    """What `first_pass.py` sees of each lesson."""
    command = [sys.executable, "-m", "tests.pages.first_pass"]
    run = subprocess.run(command, cwd=PAGES.parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


@EVERY
def test_every_function_that_is_shown_has_run(lesson, seen):
    assert not seen[lesson.stem]["broken"]
    assert seen[lesson.stem]["shown"] or lesson.stem in WITHOUT_CODE
    idle = set(seen[lesson.stem]["idle"])
    assert idle <= RUN_BY_A_TRAINING.get(lesson.stem, set())


@EVERY
def test_no_lesson_loads_tensorflow_unasked(lesson, seen):
    assert seen[lesson.stem]["loaded"] == []


def test_every_term_that_a_page_wants_is_in_the_glossary():
    known = json.loads((PAGES.parent / "assets" / "glossary.json").read_text())
    for path, tree in trees(PAGES).items():
        for node in ast.walk(tree):
            if getattr(getattr(node, "func", None), "id", "") == "glossary":
                assert {word.value for word in node.args} <= set(known), path


def test_every_term_of_the_glossary_is_explained_in_one_line():
    known = json.loads((PAGES.parent / "assets" / "glossary.json").read_text())
    for term, line in known.items():
        assert "\n" not in line and line.endswith("."), term
        assert len(line) < 260, term
