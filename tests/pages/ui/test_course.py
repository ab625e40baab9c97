"""The list of lessons: one name for each, and minutes that were counted."""

import pytest

from pages.ui.course import LESSONS, minutes_for
from tests.pages.harness import guess_all, open_part

COUNTED = [lesson for lesson in LESSONS if lesson.minutes]


def test_minutes_follow_from_words_pictures_and_controls():
    assert minutes_for(words=600, pictures=3, interactions=2) == 8
    assert minutes_for(words=0, pictures=0, interactions=0) == 1


def test_only_where_a_student_stays_as_long_as_it_pleases_no_minutes_are_named():
    without = {lesson.stem for lesson in LESSONS if not lesson.minutes}
    assert without == {"home", "machine", "check", "exercises", "teacher"}


def test_a_lesson_is_called_by_number_and_title():
    assert LESSONS[0].name == "Home"
    assert "1. Why attention" in [lesson.name for lesson in LESSONS]


@pytest.mark.parametrize("lesson", COUNTED, ids=lambda lesson: lesson.stem)
def test_the_minutes_under_the_title_are_those_of_the_page(lesson, open_lesson):
    counted = minutes_for(*open_part(guess_all(open_lesson(lesson))))
    assert abs(lesson.minutes - counted) <= 2, (
        f"{lesson.name} takes {counted} minutes: put that into pages/ui/course.py"
    )
