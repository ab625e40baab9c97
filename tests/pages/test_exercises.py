"""The page of exercises: an answer is marked, hints come in steps, then the way."""

import re

import pytest

from llm.exercises import KINDS
from llm.exercises.exercise import Number, OneOf, Order, Several, Words
from llm.notebooks import NOTEBOOKS
from pages.exercises.words import how_far
from pages.ui.exercise import TITLES, by_lesson, made, named, tolerance
from tests.pages.harness import find, lesson_called, opened, press, said


def open_kind(open_lesson, kind, **address):
    """The page with one kind of exercise on it."""
    stem = KINDS[kind].lesson
    return open_lesson(**{
        "exercises_lesson": TITLES[stem], f"exercises_{stem}": named(kind), **address,
    })


def fill(app, asked, answer):
    """Put an answer into the boxes of an exercise, without pressing anything."""
    for name, field in asked.fields.items():
        ends = f"_{name}"
        if isinstance(field, (Number, Words)):
            box = next(one for one in app.text_input if one.key.endswith(ends))
            box.set_value(str(answer[name]))
        elif isinstance(field, OneOf):
            box = next(one for one in app.radio if one.key.endswith(ends))
            box.set_value(answer[name])
        elif isinstance(field, Several):
            box = next(
                one for one in app.get("button_group") if one.key.endswith(ends)
            )
            box.set_value(list(answer[name]))
        elif isinstance(field, Order):
            for place, option in enumerate(answer[name], 1):
                box = next(one for one in app.selectbox
                           if one.key.endswith(f"_{name}_{place}"))
                box.set_value(option)


def check(app):
    """Press “Check”."""
    button = next(one for one in app.button if one.label == "Check")
    button.click().run()


ONE_OF_EACH = ("steps_between", "softmax_row", "mask", "repair", "order_steps",
               "wrong_start")


@pytest.mark.parametrize("kind", ONE_OF_EACH)
def test_a_right_answer_is_right_and_shows_the_way(kind, open_lesson, is_whole):
    app = open_kind(open_lesson, kind)
    asked = made(kind, 1)
    assert asked.solution not in said(app)
    fill(app, asked, asked.answer)
    check(app)
    is_whole(app)
    assert [box.value for box in app.success] == ["Right."]
    assert asked.solution in said(app)
    assert app.session_state["progress"]["exercises"][f"{kind}:1"] == [1, True, 0]


def test_a_mistake_is_told_and_after_the_second_try_the_way_is_shown(open_lesson):
    app = open_kind(open_lesson, "score")
    asked = made("score", 1)
    first, second = asked.mistakes[:2]
    fill(app, asked, asked.filled(first))
    check(app)
    assert first.said in app.info[0].value
    assert asked.solution not in said(app)
    fill(app, asked, asked.filled(second))
    check(app)
    assert second.said in app.info[0].value
    assert asked.solution in said(app)


def test_hints_come_one_by_one_and_can_be_switched_off(open_lesson):
    app = open_kind(open_lesson, "score")
    hints = made("score", 1).hints
    assert hints[0] not in said(app)
    press(app, "exercises_hint")
    assert hints[0] in said(app) and hints[1] not in said(app)
    press(app, "exercises_hint")
    assert hints[1] in said(app)
    app = open_kind(open_lesson, "score", hints="off")
    assert find(app, "button", "exercises_hint") is None


def test_a_link_opens_the_exercise_with_its_numbers(open_lesson):
    app = open_kind(open_lesson, "score", numbers="77")
    assert made("score", 77).task in said(app)
    for nonsense in ("x", "-3", "99999999999"):
        assert not open_kind(open_lesson, "score", numbers=nonsense).exception


def test_other_numbers_are_another_exercise(open_lesson):
    app = open_kind(open_lesson, "score")
    press(app, "exercises_other")
    assert made("score", 1).task not in said(app)


def test_a_sentence_of_ones_own_gives_the_numbers(open_lesson):
    app = open_kind(open_lesson, "mask", exercises_numbers="from a sentence of mine",
                    exercises_start="the dog slept on the sofa")
    assert "`6 sofa`" in said(app)


WHOLE, CAT = "Numbers of your sentence", "the cat sat on the mat all day"


@pytest.mark.parametrize(("kind", "typed", "told"), [
    ("mask", CAT, WHOLE),
    ("mask", "dog", "Your sentence does not suit"),
    ("word_and_position", CAT, "Numbers of the beginning of your sentence"),
    ("cut_effect", CAT, "Your sentence does not suit"),
    ("pair_counts", CAT, WHOLE),
    ("pair_counts", "dog", "Your sentence does not suit"),
])
def test_it_is_said_whether_the_sentence_suits(open_lesson, kind, typed, told):
    app = open_kind(open_lesson, kind, exercises_numbers="from a sentence of mine",
                    exercises_start=typed)
    (found,) = [one.value for one in app.caption if "sentence" in one.value]
    assert found.startswith(told)


def test_what_is_no_number_is_asked_for_again_and_is_no_try(open_lesson):
    app = open_kind(open_lesson, "score")
    asked = made("score", 1)
    fill(app, asked, dict.fromkeys(asked.fields, "a lot"))
    check(app)
    assert "Still to be filled in" in app.warning[0].value
    assert not app.session_state["progress"]["exercises"]


def test_every_lesson_has_exercises_with_titles_of_their_own():
    for names in by_lesson().values():
        assert len({named(name) for name in names}) == len(names)


def test_how_far_one_has_come_is_said_in_words():
    assert "none" in how_far({})
    assert how_far({"score:3": [1, True, 0], "score:4": [1, True, 0],
                    "mask:1": [4, False, 2]}).startswith("1 of")
    assert how_far({f"{kind}:1": [1, True, 0] for kind in KINDS}).startswith("All")


def test_tolerances_are_said():
    assert tolerance([Number("n")]) == "Whole numbers, exactly."
    assert "0.01" in tolerance([Number("n", 0.01)])
    assert "exact" in tolerance([Number("n", 0.01), Number("m")])
    two = tolerance([Number("n", 0.03), Number("m", 0.02)])
    assert two.startswith("Within 0.02 of"), "what is right in both boxes"
    assert "does what is asked" in tolerance([Number("n", 0.01), Number("m")], True)
    assert tolerance([OneOf("c", ("a", "b"))]) == ""


def kinds_at_the_end(lesson):
    """The kinds of exercise that the script of a lesson ends with."""
    return re.findall(r'^work_it_out\(\s*"(\w+)"', lesson.path.read_text("utf-8"), re.M)


@pytest.mark.parametrize("stem", by_lesson())
def test_every_lesson_ends_with_an_exercise_of_its_own_and_its_notebook(stem):
    (kind,) = kinds_at_the_end(lesson_called(stem))
    assert KINDS[kind].lesson == stem
    assert stem in NOTEBOOKS


def test_the_section_at_the_end_of_a_lesson_marks_as_the_page_does():
    app = opened(lesson_called("attention"))
    assert not [one for one in app.button if one.label == "Check"]
    app.session_state["attention_exercise"] = True
    app.run()
    assert app.get("download_button")[0].proto.label == "Download as a notebook"
    check(app)
    assert not app.exception and not app.error
    assert "Still to be filled in" in app.warning[0].value


def test_one_solved_sentence_leaves_another_one_unsolved(open_lesson):
    first = "the dog slept on the sofa"
    app = open_kind(open_lesson, "mask", exercises_numbers="from a sentence of mine",
                    exercises_start=first)
    asked = made("mask", 1, tuple(first.split()))
    fill(app, asked, asked.answer)
    check(app)
    assert [box.value for box in app.success] == ["Right."]
    app.get_by_key("exercises_start").set_value("the cat sat on the mat").run()
    assert not app.success and "The way to it" not in said(app)
