"""One set of names in the address, whichever lesson is open."""

import ast
from collections import defaultdict

import pytest

from pages.ui.address import NAMES
from pages.ui.course import LESSONS, PAGES
from tests.pages.harness import go_to, lesson_called, opened

BOUND_BY_STREAMLIT = {"choose": 2, "choose_position": 2, "go_deeper": 1}


def bound_names():
    """The names that Streamlit binds itself, each with the lessons that have it."""
    found = defaultdict(set)
    for lesson in LESSONS:
        for path in (lesson.path, *sorted((PAGES / lesson.stem).glob("*.py"))):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and (name := bound_name(call)):
                    found[name].add(lesson.stem)
    return found


def bound_name(call):
    """The name in the address that a call binds, if it stands there as it is."""
    given = {one.arg: getattr(one.value, "value", None) for one in call.keywords}
    place = BOUND_BY_STREAMLIT.get(getattr(call.func, "id", ""))
    if place is None and given.get("bind") != "query-params" or "name" in given:
        return None
    if place is not None and len(call.args) > place:
        return getattr(call.args[place], "value", None)
    return given.get("key")


def test_a_name_that_streamlit_binds_belongs_to_one_lesson():
    names = bound_names()
    assert len(names) > 30, "the search finds what it looks for"
    assert {name: there for name, there in names.items() if len(there) > 1} == {}
    assert not set(names) & set(NAMES)


def first(values):
    """The value of a name in an address, however AppTest hands it out."""
    return values if isinstance(values, str) else values[0]


NEW = {"start": "the dog", "temperature": "0.5", "top_k": "3", "top_p": "0.8",
       "seed": "7"}
OLD = {"sampling_start": "the dog", "T": "0.5", "k": "3", "p": "0.8",
       "sampling_seed": "7"}


@pytest.mark.parametrize("names", [NEW, OLD], ids=["new", "old"])
def test_new_and_old_names_open_the_same_screen(names):
    app = opened(lesson_called("sampling"), **names)
    assert app.text_input(key="sampling_start").value == "the dog"
    assert app.number_input(key="sampling_seed").value == 7
    assert app.session_state["choice_sliders"] == {"T": 0.5, "k": 3, "p": 0.8}
    assert {name: first(app.query_params[name]) for name in NEW} == NEW
    assert not set(OLD) & set(app.query_params)


def by_plain_link(app, stem):
    """Go to a lesson as a link does that has no settings in it."""
    app.query_params.clear()
    return go_to(app, lesson_called(stem))


def test_each_lesson_keeps_what_was_chosen_in_it():
    app = opened(lesson_called("home"), start="the bird", written="2")
    by_plain_link(app, "machine")
    box = app.text_input(key="machine_start")
    assert box.value != "the bird", "the start of another lesson"
    box.set_value("the cat").run()
    by_plain_link(app, "home")
    assert app.text_input(key="home_start").value == "the bird"


@pytest.mark.parametrize("wrong", ["", "nan", "1e999", "many", "-5", "2.7"])
def test_what_is_no_number_is_the_default_and_what_is_out_of_range_the_nearest(wrong):
    app = opened(lesson_called("home"), start="the bird sang on the", written=wrong)
    assert not app.exception
    number = {"-5": 0, "2.7": 2}.get(wrong, 0)
    assert app.session_state["home_written"] == number
