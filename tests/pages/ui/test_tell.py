"""A sentence is written only if there is one."""

from streamlit.testing.v1 import AppTest


def test_nothing_leaves_no_element():
    def page():
        import streamlit as st

        from pages.ui.tell import tell

        tell("")
        tell("", st.caption)
        tell("one")
        tell("two", st.caption)

    app = AppTest.from_function(page).run()
    assert [element.value for element in app.markdown] == ["one"]
    assert [element.value for element in app.caption] == ["two"]
