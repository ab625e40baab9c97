"""You are here: each lesson marks its part of the machine."""

from llm import TinyLLM
from pages.ui.course import LESSONS
from pages.ui.here import ALL, BLOCKS, HERE, PARTS, in_words, strip


def test_every_lesson_between_home_and_check_has_a_part_of_the_machine():
    taught = {lesson.stem for lesson in LESSONS} - {"home", "machine", "check"}
    assert set(HERE) == taught
    assert set().union(*HERE.values()) == set(PARTS)


def test_exactly_the_parts_of_the_lesson_are_marked_and_said():
    for marked in HERE.values():
        assert strip(marked).count("here-marked") == len(marked)
        said = in_words(marked).split(".")[0]
        assert marked == ALL or all(name in said for name in marked)


def test_the_line_has_as_many_blocks_as_the_model():
    assert BLOCKS == TinyLLM.load().config.num_layers
