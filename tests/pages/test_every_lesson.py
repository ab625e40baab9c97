"""What holds for every lesson; a new one gets these tests by being listed."""

import json
import subprocess
import sys

import altair as alt
import pytest

from pages.ui.course import LESSONS, PAGES
from tests.pages.harness import find, open_all

EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
NONSENSE = {
    "spaces": "   ",
    "emoji": "the 🐈 sat on 👩‍👩‍👧 ___ **bold** $x$ [a](b) :red[c]",
    "right_to_left": "القطة جلست على ال ‮txet",
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "many_words": "the cat sat " * 3334,
    "control": "the\x00\x07\x1b[31m cat\u200b\r\n\tsat\ud7ff",
    "capitals": "The Cat SAT on “the”",
    "numbers": "1e308 nan inf -0 NaN 10**9",
}


def test_the_course_lists_exactly_the_files_that_are_there():
    there = {path.name for path in PAGES.glob("*.py")}
    assert {lesson.file for lesson in LESSONS} == there


def test_every_question_title_and_address_occurs_once():
    for name in ("question", "title", "stem", "number"):
        values = [getattr(lesson, name) for lesson in LESSONS]
        assert len(set(values)) == len(values)


@EVERY
def test_it_runs_in_its_frame(lesson, open_lesson, is_whole):
    is_whole(open_lesson(lesson), lesson)


@EVERY
def test_it_runs_when_the_router_was_left_out(lesson, is_whole):
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(lesson.path), default_timeout=60).run()
    assert not app.exception


@EVERY
def test_every_slider_and_number_moves_to_both_ends(lesson, open_lesson, is_whole):
    app = open_lesson(lesson)
    open_all(app)
    for kind in ("slider", "number_input"):
        for key, lowest, highest in [(w.key, w.min, w.max) for w in app.get(kind)]:
            for end in (lowest, highest):
                widget = find(app, kind, key)
                if widget is not None and end is not None and not widget.disabled:
                    several = isinstance(widget.value, (tuple, list))
                    widget.set_value((lowest, end) if several else end).run()
                    is_whole(app, lesson)
    for key, options in [(w.key, w.options) for w in app.select_slider]:
        for end in (options[0], options[-1]):
            find(app, "select_slider", key).set_value(end).run()
            is_whole(app, lesson)


@EVERY
def test_every_option_of_every_choice_can_be_taken(lesson, open_lesson, is_whole):
    app = open_lesson(lesson)
    open_all(app)
    for kind in ("radio", "selectbox"):
        for key, options in [(w.key, list(w.options)) for w in app.get(kind)]:
            for place in {0, len(options) - 1} if options else ():
                widget = find(app, kind, key)
                if widget is not None and not widget.disabled:
                    widget.set_value(options[place]).run()
                    is_whole(app, lesson)


@EVERY
@pytest.mark.parametrize("nonsense", ["", *NONSENSE.values()], ids=["empty", *NONSENSE])
def test_every_text_box_takes_nonsense(lesson, nonsense, open_lesson, is_whole):
    app = open_lesson(lesson)
    open_all(app)
    for kind in ("text_input", "text_area"):
        for key in [box.key for box in app.get(kind)]:
            box = find(app, kind, key).set_value(nonsense)
            # What is typed into a form arrives when the form is sent.
            sent = [b for b in app.button if box.form_id and b.form_id == box.form_id]
            (sent[0].click() if sent else app).run()
            is_whole(app, lesson)
            kept = find(app, kind, key).value
            # A box may be too short for ten thousand words; what fits must stay.
            assert kept == nonsense[: len(kept)], "what was typed is lost"
            assert kept or not nonsense


@EVERY
def test_every_chart_says_what_it_shows_and_can_be_drawn(lesson, open_lesson):
    app = open_lesson(lesson)
    open_all(app)
    for chart in app.get("vega_lite_chart"):
        assert len(chart.proto.alt) > 15
        spec = json.loads(chart.proto.spec)
        alt.Chart.from_dict(spec)
        assert chart.proto.datasets, "a chart without numbers"


@EVERY
def test_every_section_opens_and_closes(lesson, open_lesson, is_whole):
    app = open_lesson(lesson)
    for key in open_all(app):
        app.session_state[key] = False
        app.run()
        is_whole(app, lesson)


@EVERY
def test_an_address_full_of_nonsense_does_no_harm(lesson, open_lesson, is_whole):
    app = open_lesson(lesson)
    open_all(app)
    kinds = ("slider", "number_input", "text_input", "select_slider", "radio",
             "selectbox", "button_group", "toggle", "checkbox")
    names = {widget.key for kind in kinds for widget in app.get(kind)} - {None}
    for value in ("nan", "-1e400", "<b>", ""):
        there = open_lesson(lesson, **dict.fromkeys(names | {"temperature"}, value))
        is_whole(there, lesson)


def test_no_lesson_loads_tensorflow_unasked():
    script = (
        "import sys, logging\n"
        "from streamlit.testing.v1 import AppTest\n"
        "from pages.ui.course import LESSONS, PAGES\n"
        "app = AppTest.from_file(str(PAGES.parent / 'streamlit_app.py'), "
        "default_timeout=60).run()\n"
        "for lesson in LESSONS:\n"
        "    app.switch_page(f'pages/{lesson.file}').run()\n"
        "    loaded = {'tensorflow', 'keras'} & set(sys.modules)\n"
        "    assert not loaded, (lesson.file, loaded)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=PAGES.parent, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
