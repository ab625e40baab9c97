"""What is shown is what stands in the file, line by line."""

import ast
import inspect

import pytest
from streamlit.testing.v1 import AppTest

from llm.glassbox.attention import attention_weights
from llm.glassbox.block import BlockTrace
from llm.glassbox.softmax import softmax
from pages.ui.source import ROOT, source_of, without_docstrings

SHOWN = pytest.mark.parametrize("shown", [attention_weights, softmax, BlockTrace])


@SHOWN
def test_the_code_is_that_of_the_file_from_the_line_that_is_named(shown):
    code, file, first = source_of(shown)
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
    assert "".join(lines[first - 1 :]).startswith(code)


@SHOWN
def test_without_docstrings_every_line_is_one_of_the_whole(shown):
    code = source_of(shown)[0]
    body = without_docstrings(code)
    whole = iter(code.splitlines())
    assert all(line in whole for line in body.splitlines())
    assert '"""' not in body
    assert len(body) < len(code)


def stripped(tree):
    """The tree of a program without its docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.body = node.body[1 if ast.get_docstring(node) else 0 :]
    return ast.dump(tree)


@SHOWN
def test_without_docstrings_it_is_the_same_program(shown):
    code = inspect.getsource(shown)
    assert stripped(ast.parse(code)) == ast.dump(ast.parse(without_docstrings(code)))


def page():
    from llm.glassbox.softmax import softmax
    from pages.ui.source import show_source

    show_source(softmax)


def test_code_lies_folded_and_opens_bodies_first_then_whole():
    app = AppTest.from_function(page).run()
    assert not app.code
    app.session_state["code_softmax"] = True
    app.run()
    assert "return" in app.code[0].value
    assert '"""' not in app.code[0].value
    assert "softmax.py, line" in app.caption[0].value
    app.toggle(key="code_softmax_whole").set_value(True).run()
    assert '"""' in app.code[0].value
