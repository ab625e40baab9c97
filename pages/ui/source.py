"""Shows the code that runs: never a copy of it."""

import inspect
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent.parent


def show_source(*functions):
    """Print functions or classes as they stand in their files, whole.

    Args:
        functions: the very objects that the lesson calls.
    """
    for function in functions:
        function = inspect.unwrap(function)
        lines, first = inspect.getsourcelines(function)
        file = Path(inspect.getsourcefile(function)).resolve().relative_to(ROOT)
        st.caption(f"{file.as_posix()}, line {first}")
        # A line that is too long wraps: a block that scrolls is closed to the keyboard.
        st.code("".join(lines), language="python", wrap_lines=True)
