"""Notebooks: they run from top to bottom, alone, and end in the page's numbers."""

import json

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from llm import TinyLLM
from llm.__main__ import LESSONS, main
from llm.glassbox.softmax import softmax
from llm.notebooks import NOTEBOOKS, as_text, make_notebook
from llm.notebooks.notebook import Notebook, used_names
from pages.ui.course import LESSONS as PAGES

SENTENCE = tuple("the dog slept on the sofa".split())


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


def printed(notebook):
    """Everything that a notebook prints."""
    return "".join(
        output["text"] for cell in notebook.cells if cell.cell_type == "code"
        for output in cell.outputs if output.output_type == "stream"
    )


@pytest.mark.parametrize("lesson", NOTEBOOKS)
def test_it_runs_alone_and_ends_in_the_numbers_of_the_page(lesson, llm, tmp_path):
    notebook = make_notebook(lesson, llm)
    assert "llm." not in "".join(
        line for cell in notebook.cells if cell.cell_type == "code"
        for line in cell.source.splitlines() if "import" in line
    )
    NotebookClient(
        notebook, timeout=120, kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},  # nothing of ours lies there
    ).execute()
    assert printed(notebook).rstrip().endswith("The same numbers as on the page.")


def run(notebook):
    """Run the code of a notebook here; its names at the end."""
    names = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    return names


def test_the_courses_own_listing_gives_its_own_row(llm, capsys):
    run(make_notebook("queries_keys_values", llm))
    out = capsys.readouterr().out
    for line in ("the 0.17", "cat 0.33", "sat 0.17", "it 0.33"):
        assert line in out


@pytest.mark.parametrize("lesson", NOTEBOOKS)
def test_a_students_sentence_gives_its_numbers(lesson, llm):
    names = run(make_notebook(lesson, llm, SENTENCE))
    assert np.allclose(names["result"], names["from_the_page"], atol=1e-4)


def test_the_whole_model_in_a_notebook_is_the_model(llm):
    names = run(make_notebook("next_token", llm, SENTENCE))
    np.testing.assert_allclose(
        names["probabilities"], softmax(llm.next_logits(SENTENCE)), atol=1e-6
    )


def test_functions_stand_there_as_they_stand_in_their_files(llm):
    text = "\n".join(cell.source for cell in make_notebook("sampling", llm).cells)
    import inspect

    assert inspect.getsource(softmax).rstrip() in text


def test_it_is_a_sound_notebook_and_always_the_same(llm):
    text = as_text(make_notebook("attention", llm))
    nbformat.validate(json.loads(text))
    assert text == as_text(make_notebook("attention", llm))


def test_small_arrays_are_written_out_and_large_ones_packed():
    numbers = np.random.default_rng(0).normal(size=(70, 70)).astype(np.float32)
    book = Notebook("t", "i").array("small", [[0.1, -2e-9]]).array("large", numbers)
    names = run(book.made())
    assert (names["large"] == numbers).all()
    assert (names["small"] == np.array([[0.1, -2e-9]], np.float32)).all()


def test_used_names_leave_out_what_comes_with_python():
    assert used_names("print(softmax(len(x)))") == {"softmax", "x"}


def test_the_command_line_writes_what_the_button_gives(llm, tmp_path):
    from pages.ui.notebook import notebook_file

    out = tmp_path / "new" / "out.ipynb"
    sentence = " ".join(SENTENCE)
    assert main(["notebook", "sampling", str(out), "--sentence", sentence]) == 0
    assert out.read_text(encoding="utf-8") == notebook_file("sampling", SENTENCE)


def test_mistakes_on_the_command_line_are_one_sentence(tmp_path, capsys):
    out = str(tmp_path / "out.ipynb")
    assert main(["notebook", "sampling", out, "--sentence", "the zebra"]) == 2
    assert "zebra" in capsys.readouterr().err
    assert main(["notebook", "sampling", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        main(["notebook", "home", out])
    assert stop.value.code == 2


def test_every_notebook_is_of_a_lesson_and_can_be_asked_for():
    assert set(LESSONS) == set(NOTEBOOKS)
    assert set(NOTEBOOKS) <= {lesson.stem for lesson in PAGES}
