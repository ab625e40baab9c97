"""You are here: each lesson marks its part of the machine."""

from llm import TinyLLM
from pages.home.course_map import FLOORS, lessons_on
from pages.ui.course import COURSE, LESSONS
from pages.ui.here import ALL, BLOCKS, HERE, PARTS, in_words, strip


def test_every_lesson_between_home_and_check_has_a_part_of_the_machine():
    taught = [lesson for part in COURSE.values() for lesson in part
              if part not in (COURSE["Start"], COURSE["Check"])]
    assert set(HERE) == {lesson.stem for lesson in taught}
    assert set().union(*HERE.values()) == set(PARTS)


def test_exactly_the_parts_of_the_lesson_are_marked_and_said():
    for marked in HERE.values():
        assert strip(marked).count("here-marked") == len(marked)
        said = in_words(marked).split(".")[0]
        assert marked == ALL or all(name in said for name in marked)


def test_the_line_has_as_many_blocks_as_the_model():
    assert BLOCKS == TinyLLM.load().config.num_layers


def test_the_map_of_the_course_leads_to_every_lesson_once():
    linked = [lesson for floor in (*FLOORS, ALL) for lesson in lessons_on(floor)]
    expected = [one for one in LESSONS if one.stem not in ("home", "machine")]
    assert sorted(linked, key=LESSONS.index) == expected
