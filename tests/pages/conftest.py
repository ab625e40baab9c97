"""Lessons run by AppTest: the real scripts in the real frame, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.course import PAGES

ENTRY = PAGES.parent / "streamlit_app.py"


@pytest.fixture
def open_lesson():
    """A function that opens a lesson of COURSE, with things in its address."""

    def open_it(lesson, **address):
        app = AppTest.from_file(str(ENTRY), default_timeout=180)
        for name, value in address.items():
            app.query_params[name] = value
        app.run()
        if lesson.number:
            app.switch_page(f"pages/{lesson.file}").run()
        return app

    return open_it


@pytest.fixture
def is_whole():
    """A function that asserts that a lesson ran to its end, inside its frame."""

    def check(app, lesson):
        assert not app.exception, app.exception[0].message
        broken = [box for box in app.error if "Nothing you did is lost" in box.value]
        assert not broken, "the lesson broke; its traceback is in the log above"
        assert [title.value for title in app.title] == [lesson.question]

    return check
