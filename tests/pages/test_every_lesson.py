"""What holds for every lesson; a new one gets these tests by being listed."""

from itertools import cycle
from statistics import median

import altair as alt
import pytest

from pages.ui.course import LESSONS, PAGES, neighbours
from tests.lessons import (
    BOXES,
    CONTROLS,
    INPUTS,
    LINES,
    MEDIAN_LINES,
    TOOLS,
    WORDS,
    all_open,
    has_a_box,
    lines_of,
    section_keys,
)
from tests.pages.harness import find, open_all, open_part, pictures

EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
# Where a box stands that a lesson does not show at first.
OTHER_VIEW = {
    "check": {"check_view": "Glossary"}, "teacher": {"teacher_part": "Links"},
}
SLIDING, CHOICES = ("slider", "select_slider"), ("radio", "selectbox", "button_group")
NONSENSE = {
    "empty": "",
    "spaces": "   ",
    "marks": "the 🐈 sat on 👩‍👩‍👧 ___ **bold** $x$ [a](b) :red[c] "
             "<script>alert(1)</script><img src=x onerror=alert(1)> "
             "The Cat SAT on “the” 1e308 nan inf -0 NaN 10**9",
    "right_to_left": "القطة جلست على ال ‮txet",
    "many_words": "the cat sat " * 3334,
    "control": "the\x00\x07\x1b[31m cat\u200b\r\n\tsat\ud7ff",
}


@pytest.fixture
def everything(lesson, open_lesson):
    """The lesson with every section and every table open."""
    app = open_lesson(**all_open(lesson))
    open_all(app)
    return app


def test_the_course_lists_exactly_the_files_that_are_there():
    there = {path.name for path in PAGES.glob("*.py")}
    assert {lesson.file for lesson in LESSONS} == there


def test_every_question_title_and_address_occurs_once():
    for name in ("question", "title", "stem", "number"):
        values = [getattr(lesson, name) for lesson in LESSONS]
        assert len(set(values)) == len(values)


@EVERY
def test_a_link_to_it_opens_it_in_its_frame(lesson, app, is_whole):
    is_whole(app)
    links = [link.proto.label for link in app.get("page_link")]
    for beside in filter(None, neighbours(lesson)):
        assert any(label.endswith(f": {beside.name}") for label in links)


@EVERY
def test_what_everybody_reads_is_short_enough_to_be_read(lesson, app):
    words, _, controls = open_part(app)
    assert words <= WORDS, f"{words} words"
    # A guess, and the question at the end, are answered once and not played with.
    asked = [one for one in app.radio if "guess" in one.key or "check" in one.key]
    playing = controls - len(asked)
    if lesson.stem not in TOOLS:
        assert playing <= CONTROLS, f"{playing} controls"


@EVERY
def test_its_script_reads_like_a_lesson(lesson):
    assert lines_of(lesson) <= LINES


def test_half_of_the_scripts_are_short():
    assert median(map(lines_of, LESSONS)) <= MEDIAN_LINES


@EVERY
def test_each_section_opens_alone_and_closes(lesson, app, is_whole):
    for key in section_keys(lesson):
        app.session_state[key] = True
        app.run()
        is_whole(app)
        app.session_state[key] = False


@EVERY
def test_every_picture_says_what_it_shows_and_can_be_drawn(everything):
    for one in pictures(everything):
        assert len(one.alt) > 15
        alt.Chart.from_dict(one.spec)
        assert one.proto.datasets, "a picture without numbers"
        assert not [*data_in(one.spec)], "numbers in the drawing"


def data_in(spec):
    """The data that stand in a specification itself, in its layers as well."""
    if isinstance(spec, dict):
        if "values" in spec.get("data", {}):
            yield spec["data"]["values"]
        for part in spec.values():
            yield from data_in(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from data_in(part)


@EVERY
def test_every_control_can_stand_at_its_ends(everything, is_whole):
    app = everything
    # All at the first end, all at the last, and every second one either way.
    for ends in ((0, 0), (-1, -1), (0, -1), (-1, 0)):
        for number, (kind, key) in enumerate(movable(app)):
            move(find(app, kind, key), ends[number % 2])
        app.run()
        is_whole(app)


def move(widget, place):
    """Set a widget to its first value (0) or to its last (-1); a range up to there."""
    ends = ends_of(widget)
    if not isinstance(widget.value, (list, tuple)):
        widget.set_value(ends[place])
    elif widget.type in SLIDING:
        widget.set_value((ends[0], ends[place]))
    else:
        widget.set_value([ends[place]])


def movable(app):
    """The kind and the key of every slider, number box and choice that can be moved."""
    return [
        (kind, one.key) for kind in (*SLIDING, "number_input", *CHOICES)
        for one in app.get(kind) if not one.disabled and ends_of(one)
    ]


def ends_of(widget):
    """The first and the last value that a widget allows, as far as it has an end."""
    if options := getattr(widget, "options", None):
        return [options[0], options[-1]]
    ends = getattr(widget, "min", None), getattr(widget, "max", None)
    return [end for end in ends if end is not None]


@pytest.mark.parametrize(
    "lesson", [one for one in LESSONS if has_a_box(one)], ids=lambda one: one.stem
)
def test_every_text_box_takes_nonsense(lesson, open_lesson, is_whole):
    app = open_lesson(**all_open(lesson), **OTHER_VIEW.get(lesson.stem, {}))
    for nonsense in NONSENSE.values():
        boxes = [(kind, one.key) for kind in BOXES for one in app.get(kind)]
        assert boxes, "the source names a box that the page does not show"
        for kind, key in boxes:
            box = find(app, kind, key).set_value(nonsense)
            # What is typed into a form arrives when the form is sent.
            for button in app.button:
                if box.form_id and button.form_id == box.form_id:
                    button.click()
        app.run()
        is_whole(app)
        for kind, key in boxes:
            box = find(app, kind, key)
            if box is None:
                # Another sentence gives another exercise, with boxes of its own.
                assert "_work_" in key
                continue
            kept = box.value
            # A box may be too short for ten thousand words; what fits must stay.
            assert kept == nonsense[: len(kept)], "what was typed is lost"
            assert kept or not nonsense


@EVERY
def test_an_address_full_of_nonsense_does_no_harm(lesson, open_lesson, is_whole):
    app = open_lesson(**all_open(lesson))
    names = {one.key for kind in INPUTS for one in app.get(kind)} - {None}
    names = sorted(names | {"temperature"})
    for shift in (0, 1):
        values = cycle(("nan", "<b>", "-1e400", "")[shift:] + ("nan",) * shift)
        is_whole(open_lesson(**dict(zip(names, values, strict=False))))
