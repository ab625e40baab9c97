"""What a lesson may take of a reader, and what it has: for all tests of lessons."""

import ast

from pages.teacher.links import sections_of
from pages.ui.course import PAGES

WORDS, HEIGHT, CONTROLS = 700, 3200, 3  # of what stands open, at 1280 px
LINES, MEDIAN_LINES = 280, 200  # of a lesson's script; for half of them
# What is for playing, or for answering, and not read from above to below.
TOOLS = ("home", "machine", "exercises", "check")
INPUTS = ("slider", "select_slider", "number_input", "text_input", "text_area",
          "selectbox", "multiselect", "radio", "button_group", "toggle", "checkbox",
          "chat_input", "file_uploader")
BOXES = ("text_input", "text_area")


def files_of(lesson):
    """The script of a lesson and the files of its folder."""
    return [lesson.path, *sorted((PAGES / lesson.stem).rglob("*.py"))]


def section_keys(lesson):
    """The keys of the sections that can be opened: their names in the address."""
    return list(sections_of(lesson))


def all_open(lesson):
    """An address that opens every section."""
    return dict.fromkeys(section_keys(lesson), "true")


def called_in(tree):
    """The names called in a piece of code: `f(...)` and `x.f(...)` both give `f`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", ""))


def has_a_box(lesson):
    """Whether a lesson's files make a box to type text into, themselves or by `ui`."""
    makers = {
        function.name
        for file in (PAGES / "ui").glob("*.py")
        for function in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and {*called_in(function)} & {*BOXES}
    }
    return any(
        {*called_in(ast.parse(file.read_text(encoding="utf-8")))} & {*BOXES, *makers}
        for file in files_of(lesson)
    )


def lines_of(lesson):
    """How many lines the script of a lesson has."""
    return len(lesson.path.read_text(encoding="utf-8").splitlines())
