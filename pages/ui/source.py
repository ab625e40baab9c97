"""Shows the code that runs: never a copy of it."""

import ast
import inspect
import textwrap
from pathlib import Path

import streamlit as st

from pages.ui.words import in_a_row

ROOT = Path(__file__).resolve().parent.parent.parent
LABEL = "The code that ran"
SWITCH = "Show the docstrings too"


def show_source(*functions, open=False, key=None):
    """Show functions or classes as they stand in their files.

    They lie in a closed section, without what only explains them; a switch shows them
    whole. With `open=True` they stand on the page itself.

    Args:
        functions: the very objects that the lesson calls.
        key: names the section where a page has several; by itself their names.
    """
    names = (inspect.unwrap(function).__name__ for function in functions)
    key = key or f"code_{'_'.join(names)}"
    if open:
        place = st.container(key=key)
    else:
        place = st.expander(
            LABEL, key=key, type="compact", icon=":material/code:", on_change="rerun"
        )
        if not place.open:
            return
    switch = f"{key}_whole"
    whole = st.session_state.get(switch, False)
    sources = [source_of(function) for function in functions]
    codes = [code if whole else without_docstrings(code) for code, *_ in sources]
    # Not wrapped: a wrapped line would lose its indentation.
    with place:
        if open:  # one piece, so that they can be read together
            with st.container(horizontal=True, horizontal_alignment="distribute"):
                st.caption(files_of(sources), width="content")
                st.toggle(SWITCH, key=switch, persist_state="page")
            st.code("\n".join(codes), language="python")
            return
        for code, (_, file, first) in zip(codes, sources, strict=True):
            st.caption(f"{file}, line {first}")
            st.code(code, language="python")
        st.toggle(SWITCH, key=switch, persist_state="page")


def files_of(sources):
    """Where several functions stand: each file once, with its lines."""
    lines = {}
    for _, file, first in sources:
        lines.setdefault(file, []).append(str(first))
    return "; ".join(
        f"{file}, line{'s' if len(firsts) > 1 else ''} {in_a_row(firsts)}"
        for file, firsts in lines.items()
    )


def source_of(function):
    """The code of a function or class, whole, and where it stands.

    Returns:
        The text, the file from the root of the course, and the number of its first
        line.
    """
    function = inspect.unwrap(function)
    lines, first = inspect.getsourcelines(function)
    file = Path(inspect.getsourcefile(function)).resolve().relative_to(ROOT)
    return textwrap.dedent("".join(lines)), file.as_posix(), first


def without_docstrings(code):
    """Code as it stands, line by line, but for the docstrings in it."""
    lines = code.splitlines(keepends=True)
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        text = node.body[0]
        # A body that is nothing but a docstring keeps it.
        if ast.get_docstring(node) and len(node.body) > 1:
            for number in range(text.lineno - 1, text.end_lineno):
                lines[number] = ""
            # The blank line that set the docstring off goes with it.
            if not lines[text.end_lineno].strip():
                lines[text.end_lineno] = ""
    return "".join(lines)
