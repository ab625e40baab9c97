"""Controls return sound values, whatever the address holds."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.harness import find


def app_of(page, **address):
    app = AppTest.from_function(page)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def told(app):
    return [part.value for part in app.markdown]


def choices():
    import streamlit as st

    from pages.ui.controls import choose, choose_position

    options = list("abcdef")[: 3 if st.session_state.get("few") else 6]
    for kind in ("segments", "pills", "list", "radio", "steps"):
        st.markdown(choose(kind, options, key=kind, default="b", kind=kind))
    st.markdown(str(choose_position("Word", options, key="word", default=-1)))


@pytest.mark.parametrize("held", ["c", "z", "", "<script>"])
def test_a_choice_is_always_one_of_its_options(held):
    kinds = ("segments", "pills", "list", "radio", "steps", "word")
    app = app_of(choices, **dict.fromkeys(kinds, held))
    assert not app.exception
    expected = "c" if held == "c" else "b"
    assert told(app) == [expected] * 5 + ["2" if held == "c" else "5"]


def test_a_choice_falls_back_when_its_option_is_gone():
    app = app_of(choices, list="f", radio="f")
    assert told(app)[2:4] == ["f", "f"]
    app.session_state["few"] = True
    app.run()
    assert not app.exception
    assert told(app) == ["b"] * 5 + ["2"]


def counting():
    import streamlit as st

    from pages.ui.controls import Counter

    counter = Counter("written", highest=40)
    counter.button("Next word", add=1)
    counter.button("Undo", add=-1)
    counter.button("Start again", to=0)
    st.markdown(str(counter.slider("Words written", highest=16)))


@pytest.mark.parametrize(
    ("held", "number"), [("3", 3), ("99", 16), ("-5", 0), ("nan", 0), ("x", 0)]
)
def test_a_counter_never_leaves_what_there_is(held, number):
    assert told(app_of(counting, written=held)) == [str(number)]


def test_buttons_and_slider_move_the_same_number():
    app = app_of(counting, written="15")
    find(app, "button", "written_add_1").click().run()
    assert told(app) == ["16"]
    find(app, "slider", "written").set_value(4).run()
    find(app, "button", "written_add_-1").click().run()
    assert told(app) == ["3"]
    find(app, "button", "written_to_0").click().run()
    assert told(app) == ["0"]
    assert find(app, "button", "written_add_-1").disabled


def numbers():
    import streamlit as st

    from pages.ui.controls import number_box

    st.markdown(str(number_box("Steps", 1, 9, 3, key="steps")))


def test_a_number_out_of_range_is_named_and_the_nearest_is_used():
    app = app_of(numbers)
    find(app, "number_input", "steps").set_value(120).run()
    assert told(app) == ["9"]
    assert "120 is out of range" in app.warning[0].value
    find(app, "number_input", "steps").set_value(4).run()
    assert told(app) == ["4"]
    assert not app.warning


def records():
    import streamlit as st

    from pages.ui.models import record

    record("tiny_llm").clear()
    st.markdown(str(len(record("tiny_llm")["vocabulary"])))


def test_what_one_student_does_to_a_record_is_not_seen_by_others():
    app = app_of(records)
    assert not app.exception
    assert int(told(app)[0]) > 300
