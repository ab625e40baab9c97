"""What a student has done: kept in this browser, and in a file if wished.

Nothing is stored on the server. The record lives in the session, and a small component
(`assets/progress.js`) copies it into the storage of this browser, from which it is read
once when the course is opened again.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

import streamlit as st

from pages.ui import address
from pages.ui.course import LESSONS, PAGES
from pages.ui.words import counted

COURSE_NAME = "transformer-course"
VERSION = 1
# What is kept, by section. In each, entries by name:
#   guesses: what was picked, or a dictionary from word to percent.
#   answers: [what was picked last, whether the first try was right].
#   checks: a list of tries, [option, whether it was right].
#   exercises: [number of tries, whether it was solved, hints that were read].
#   concepts: from an idea, as `before:softmax`, to [option, whether it was right].
#   settings: of one's own text, and the like.
SECTIONS = ("guesses", "answers", "checks", "exercises", "concepts", "settings")
MOST_ENTRIES = 1000  # in a section
MOST_CHARACTERS = 500  # of a name or an answer
MOST_BYTES = 300_000  # of a file
KEY = "progress_store"


class BadProgress(ValueError):
    """A file that is not one of ours; one sentence says why."""


def empty():
    """A record in which nothing is done."""
    return {section: {} for section in SECTIONS}


def done():
    """What this student has done, from section to entries; change it by `note`."""
    return st.session_state.setdefault("progress", empty())


def note(section, name, value):
    """Note something that was done, over what was noted under the same name."""
    st.session_state["progress_forgotten"] = False
    done()[section][name] = value


def noted(section, name, default=None):
    """What was noted under a name."""
    return done()[section].get(name, default)


def give_back(section, name, options, key=None):
    """Put what was picked earlier back into a choice that is not made yet.

    Call it just before the widget is drawn.

    Args:
        section: a part of the record, as "guesses".
        name: under which the pick was noted.
        options: what can be picked now; anything else is left out.
        key: of the widget, if it is not the name.
    """
    held = noted(section, name)
    held = held[0] if isinstance(held, list) and held else held
    key = key or name
    if st.session_state.get(key) is None and held in list(options):
        st.session_state[key] = held


class Setting(NamedTuple):
    """A setting that is kept from one visit to the next.

    Attributes:
        key: of its widget.
        usual: what holds at first.
        allowed: a function from a value to whether the widget can hold it.
        name: in the address, if it is not the key.
    """

    key: str
    usual: object
    allowed: Callable
    name: str = ""


def keep_settings(settings):
    """Give settings of an earlier visit back, and note those that are changed.

    Call it before the widgets are drawn. What stands in the address goes first: a link
    shows the same to everybody.

    Args:
        settings: a list of `Setting`.
    """
    given_back = st.session_state.setdefault("settings_given_back", set())
    for key, usual, allowed, name in settings:
        held, now = noted("settings", key), st.session_state.get(key)
        untouched = now is None or (now == usual and key not in given_back)
        if untouched and held is not None and (name or key) not in st.query_params:
            if type(held) in (int, float) and type(usual) in (int, float):
                held = type(usual)(held)  # the browser writes 1.0 as 1
            if allowed(held):
                st.session_state[key] = held
                address.decided(key)
            given_back.add(key)
        elif now is not None and now != (usual if held is None else held):
            note("settings", key, now)
            given_back.add(key)


def begin(lesson):
    """Name the lesson that is open, so that what is noted belongs to it."""
    st.session_state["lesson_open"] = lesson.stem


def here(key):
    """The name under which a choice of the open lesson is noted: `heads/heads_guess`.

    Args:
        key: of the widget.
    """
    return f"{st.session_state.get('lesson_open', '')}/{key}"


def load():
    """Take over what the browser had kept; the first call of every run."""
    kept = st.session_state.get(KEY)
    text = kept.get("stored") if kept else None
    if not text or st.session_state.get("progress_loaded"):
        return
    st.session_state["progress_loaded"] = True
    try:
        held = sound(text)
    except BadProgress:
        return  # not ours, or of a later version: it will be written over
    merge(held)


def merge(held):
    """Add the entries of a record; what was done in this tab stays."""
    mine = done()
    for section in SECTIONS:
        mine[section] = {**held[section], **mine[section]}


def keep():
    """Hand the record to the browser; the last call of every run."""
    record = done()
    component()(
        key=KEY,
        data={
            "loaded": bool(st.session_state.get("progress_loaded")),
            "forgotten": bool(st.session_state.get("progress_forgotten")),
            "record": as_text(record) if any(record.values()) else "",
        },
        on_stored_change=_nothing,
    )


def _nothing():
    """Streamlit wants a callback for a state; the run itself reads it."""


@st.cache_resource(show_spinner=False)
def component():
    """The part that runs in the browser, registered once."""
    script = (PAGES.parent / "assets" / "progress.js").read_text(encoding="utf-8")
    return st.components.v2.component("course_progress", js=script)


def forget():
    """A callback: forget all that was done, here and in the browser."""
    keys = {name.split("/")[-1] for name in [*done()["guesses"], *done()["answers"]]}
    for name in list(st.session_state):
        if str(name).startswith(tuple(keys)) and keys:
            del st.session_state[name]
    st.session_state["progress"] = empty()
    st.session_state["progress_forgotten"] = True


def as_text(record, **more):
    """A record as JSON, for the browser or a file."""
    return json.dumps(
        {"course": COURSE_NAME, "version": VERSION, **more, **record},
        ensure_ascii=False,
    )


def sound(text):
    """The record in a text, with nothing in it that does not belong there.

    Args:
        text: JSON as `as_text` writes it; a string or bytes.

    Raises:
        BadProgress: with one sentence that says what is wrong.
    """
    if len(text) > MOST_BYTES:
        raise BadProgress(f"This is larger than {MOST_BYTES // 1000} kB.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadProgress("This is not a file of the course: it is no JSON.") from None
    if not isinstance(found, dict) or found.get("course") != COURSE_NAME:
        raise BadProgress("This is not a file of the course.")
    if found.get("version") != VERSION:
        raise BadProgress("This file is of another version of the course.")
    record = empty()
    for section in SECTIONS:
        entries = found.get(section, {})
        if not isinstance(entries, dict) or len(entries) > MOST_ENTRIES:
            raise BadProgress(f"The part “{section}” of this file is damaged.")
        for name, value in entries.items():
            if len(name) > MOST_CHARACTERS or not SOUND[section](value):
                raise BadProgress(f"The part “{section}” of this file is damaged.")
            record[section][name] = deepcopy(value)
    return record


def name_in(text):
    """The student's name in a file that is sound; "" if there is none."""
    name = json.loads(text).get("name", "")
    return name[:80] if isinstance(name, str) else ""


def of_lesson(record, stem):
    """How much of a lesson is done.

    Args:
        record: what a student has done.
        stem: of the lesson.

    Returns:
        The number of guesses, of questions answered at its end, and of kinds of
        exercise solved.
    """
    from llm.exercises import KINDS

    own = {name for name, kind in KINDS.items() if kind.lesson == stem}
    solved = {
        name.split(":")[0]
        for name, (_, right, _) in record["exercises"].items()
        if right
    }
    guesses, answers = (
        sum(name.startswith(f"{stem}/") for name in record[section])
        for section in ("guesses", "answers")
    )
    return guesses, answers, len(own & solved)


def done_in_words(stem, record=None):
    """What is done of a lesson, in a few words; "" for nothing.

    Args:
        stem: of the lesson.
        record: of a student; None for the one who looks.
    """
    guesses, answers, solved = of_lesson(done() if record is None else record, stem)
    said = []
    if guesses:
        said.append("guessed")
    if answers:
        said.append("checked")
    if solved:
        said.append(counted(solved, "exercise") + " solved")
    return ", ".join(said)


def progress_table():
    """What is done, lesson by lesson."""
    st.table({
        "Lesson": [lesson.name for lesson in LESSONS if lesson.counted],
        "Done": [
            done_in_words(lesson.stem) or "–" for lesson in LESSONS if lesson.counted
        ],
    })
    tries = done()["checks"].values()
    right = sum(bool(one) and one[0][1] for one in tries)
    st.caption(
        f"Check: {counted(len(tries), 'question')} answered, {right} right at the "
        "first try."
    )


def any_done():
    """Whether this student has done anything yet."""
    return any(done().values())


def buttons(key):
    """Save what was done as a file, take it over from a file, or forget it.

    Args:
        key: names the widgets; different on each page.
    """
    st.caption(
        "What you do is kept in this browser only. A file takes it to another "
        "computer, or to your teacher."
    )
    name = st.text_input(
        "Your name in the file (may stay empty)", key=f"{key}_name", max_chars=80
    )
    with st.container(horizontal=True):
        st.download_button(
            "Save as a file", as_text(done(), name=name), f"{COURSE_NAME}.json",
            "application/json", key=f"{key}_save", on_click="ignore",
            icon=":material/download:",
        )
        st.button(
            "Forget everything", key=f"{key}_forget", on_click=forget,
            icon=":material/delete:", disabled=not any_done(),
        )
    file = st.file_uploader(
        "Take over a file", "json", key=f"{key}_load", max_upload_size=1
    )
    if file is not None and st.session_state.get(f"{key}_taken") != file.file_id:
        try:
            merge(sound(file.getvalue()))
        except BadProgress as problem:
            st.warning(str(problem))
        else:
            st.session_state[f"{key}_taken"] = file.file_id
            st.rerun()


def _is_text(value):
    return isinstance(value, str) and len(value) <= MOST_CHARACTERS


def _is_count(value, highest=10_000):
    return type(value) is int and 0 <= value <= highest


def _is_guess(value):
    if isinstance(value, dict):
        return len(value) <= 20 and all(
            _is_text(word) and _is_count(share, 100) for word, share in value.items()
        )
    return _is_text(value)


def _is_try(value):
    return (
        isinstance(value, list) and len(value) == 2 and _is_text(value[0])
        and type(value[1]) is bool
    )


def _is_list_of_tries(value):
    return isinstance(value, list) and len(value) <= 20 and all(map(_is_try, value))


def _is_exercise(value):
    return (
        isinstance(value, list) and len(value) == 3 and _is_count(value[0])
        and type(value[1]) is bool and _is_count(value[2], 20)
    )


def _is_setting(value):
    number = type(value) in (int, float) and abs(value) < 1e9
    return _is_text(value) or type(value) is bool or number


SOUND = {
    "guesses": _is_guess,
    "answers": _is_try,
    "checks": _is_list_of_tries,
    "exercises": _is_exercise,
    "concepts": _is_try,
    "settings": _is_setting,
}
