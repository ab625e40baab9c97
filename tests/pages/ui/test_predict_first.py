"""A guess is answered with a verdict, and what gives it away waits for it."""

from streamlit.testing.v1 import AppTest

from tests.pages.harness import find


def page():
    import streamlit as st

    from pages.ui.predict_first import guessed, pick_first

    replies = {"Three": "There are three.", "Four": "You counted the bias too."}
    guess = pick_first("How many?", replies, answer="Three", key="many")
    if guessed(guess, "many"):
        st.markdown("Here they are: three.")


def test_right_and_wrong_look_different_and_each_is_answered():
    app = AppTest.from_function(page).run()
    assert not app.success and not app.info
    find(app, "radio", "many").set_value("Four").run()
    assert [one.value for one in app.info] == ["Not quite. You counted the bias too."]
    find(app, "radio", "many").set_value("Three").run()
    assert [one.value for one in app.success] == ["Yes. There are three."]
    assert not app.info


def test_nothing_gives_the_answer_away_before_a_guess():
    app = AppTest.from_function(page).run()
    assert not app.markdown
    find(app, "radio", "many").set_value("Four").run()
    assert app.markdown


def test_a_student_who_does_not_want_to_guess_is_shown_it():
    app = AppTest.from_function(page).run()
    find(app, "button", "many_shown_now").click().run()
    assert app.markdown
    assert not app.success and not app.info


def test_a_link_can_open_it():
    app = AppTest.from_function(page)
    app.query_params["shown"] = "many"
    assert app.run().markdown
