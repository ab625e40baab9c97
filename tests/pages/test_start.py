"""A start that cannot work says what to do, in one sentence."""

import importlib.util
import runpy

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import controls
from pages.ui.course import LESSONS
from tests.pages.harness import ENTRY


@pytest.fixture
def what_is_wrong(monkeypatch):
    """The check of `streamlit_app.py`, without its start."""
    monkeypatch.setattr("pages.ui.frame.run", lambda: None)
    return runpy.run_path(str(ENTRY))["what_is_wrong"]


@pytest.mark.parametrize("python", [(3, 10), (3, 14), (4, 0)])
def test_a_python_that_does_not_fit_is_named_with_those_that_do(python, what_is_wrong):
    said = what_is_wrong(python)
    assert f"Python {python[0]}.{python[1]}" in said
    assert "3.11, 3.12 or 3.13" in said


@pytest.mark.parametrize("python", [(3, 11), (3, 12), (3, 13)])
def test_a_python_that_fits_starts(python, what_is_wrong):
    assert what_is_wrong(python) is None


def test_a_missing_package_is_named_with_the_command_that_helps(
    what_is_wrong, monkeypatch
):
    real = importlib.util.find_spec
    monkeypatch.setitem(
        what_is_wrong.__globals__, "find_spec",
        lambda name: None if name == "h5py" else real(name),
    )
    said = what_is_wrong()
    assert "h5py" in said and "pip install -r requirements.txt" in said


@pytest.fixture
def with_model(monkeypatch):
    """A function that opens home with another file as its model."""

    def open_it(path):
        monkeypatch.setenv("TINY_LLM", str(path))
        controls.tiny_llm.clear()
        return AppTest.from_file(str(ENTRY), default_timeout=60).run()

    yield open_it
    controls.tiny_llm.clear()


def test_a_missing_model_is_said_in_the_frame(with_model, tmp_path):
    app = with_model(tmp_path / "nothing.keras")
    said_once_in_its_frame(app)


def test_a_damaged_model_is_said_in_the_frame(with_model, tmp_path):
    real = ENTRY.parent / "assets" / "tiny_llm"
    for ending in (".keras", ".json"):
        content = real.with_suffix(ending).read_bytes()
        (tmp_path / f"cut{ending}").write_bytes(content[:900])
    said_once_in_its_frame(with_model(tmp_path / "cut.keras"))


def said_once_in_its_frame(app):
    """One sentence, the title, and the links to other lessons."""
    assert not app.exception
    assert len(app.error) == 1
    assert "python -m llm train" in app.error[0].value
    assert "Nothing you did is lost" in app.error[0].value
    assert app.title[0].value == LESSONS[0].question
    assert len(app.get("page_link")) >= 1


def test_a_lesson_that_breaks_keeps_its_frame(monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr("pages.ui.controls.tiny_llm", broken)
    app = AppTest.from_file(str(ENTRY), default_timeout=60).run()
    assert not app.exception
    assert "error of its own" in app.error[0].value
    assert "RuntimeError" not in app.error[0].value
    assert len(app.get("page_link")) >= 1
