"""Lessons run by AppTest: the real scripts in the real frame, without a browser."""

import pytest

from tests.pages.harness import lesson_called, opened


@pytest.fixture
def lesson(request):
    """The lesson that the test file is named for: `test_heads.py` tests `heads`."""
    return lesson_called(request.path.stem.removeprefix("test_"))


@pytest.fixture
def open_lesson(lesson):
    """A function that opens the lesson, with things in its address."""

    def open_it(lesson=lesson, /, **address):
        return opened(lesson, **address)

    return open_it


@pytest.fixture
def app(open_lesson):
    """The lesson as it opens."""
    return open_lesson()


@pytest.fixture
def is_whole(lesson):
    """A function that asserts that the lesson ran to its end, inside its frame."""

    def check(app, lesson=lesson):
        assert not app.exception, app.exception[0].message
        broken = [box for box in app.error if "Nothing you did is lost" in box.value]
        assert not broken, "the lesson broke; its traceback is in the log above"
        assert [title.value for title in app.title] == [lesson.question]
        assert all(element.value.strip() for element in (*app.markdown, *app.caption))

    return check
