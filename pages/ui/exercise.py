"""One exercise on a page: the task, boxes to fill in, hints, and the way to it."""

import secrets
from zlib import crc32

import numpy as np
import pandas as pd
import streamlit as st

from llm.exercises import KINDS, Models, make, read_number
from llm.exercises.exercise import Number, OneOf, Order, Several, Table, Words
from pages.ui.chart import sentence
from pages.ui.course import LESSONS
from pages.ui.frame import lesson_link
from pages.ui.models import digit_model, encoder_twin, record, tiny_llm, world
from pages.ui.notebook import notebook_button
from pages.ui.progress import note, noted
from pages.ui.source import show_source
from pages.ui.tell import tell
from pages.ui.words import escaped

MOST_SEEDS = 9999
TRIES_BEFORE_THE_SOLUTION = 2
SEED = "numbers"  # the name in the address of the numbers that an exercise has
HINTS = "hints"  # `?hints=off` takes the hints away
WORK = "Exercise and notebook"
TITLES = {lesson.stem: lesson.title for lesson in LESSONS}


def by_lesson():
    """From the stem of each lesson to the names of its exercises, in course order."""
    found = {lesson.stem: [] for lesson in LESSONS}
    for name, kind in KINDS.items():
        found[kind.lesson].append(name)
    return {stem: names for stem, names in found.items() if names}


def named(kind):
    """A kind in a list: its title."""
    return KINDS[kind].title.replace("`", "")


def models():
    """What exercises ask; the larger models are opened only when needed."""
    return Models(tiny_llm(), world(), encoder_twin, digit_model, record)


@st.cache_resource(show_spinner=False, max_entries=400)
def made(kind, seed, words=None):
    """An exercise, made once for all who get the same numbers; nobody changes it."""
    return make(kind, models(), seed, words)


def exercise(kind, key, words=None, heading="Exercise"):
    """An exercise with all that belongs to it, marked on the spot.

    Args:
        kind: one of `llm.exercises.KINDS`.
        key: names it in the session; different on each page.
        words: the student's sentence, without `<start>`; None draws one.
        heading: above it; "" for none.

    Returns:
        True once it is solved, False after a wrong answer, None so far.
    """
    seed = seed_of(key)
    words = tuple(words) if words and KINDS[kind].from_sentence else None
    asked = made(kind, seed, words)
    suits = words is not None and is_made_of(asked, words, made(kind, seed))
    source = whose_numbers(asked, seed, words, suits)
    words = words if suits else None
    name = f"{kind}:{seed}"
    if words is not None:
        name += f":{crc32(repr(words).encode())}"
    if heading:
        st.header(f"{heading}: {KINDS[kind].title}", anchor=False)
    with st.container(border=True, key=f"{key}_asked"):
        if asked.start:
            sentence(asked.start, blank=False)
        st.markdown(asked.task)
        boxes = f"{key}_{kind}_{seed}_{crc32(repr(words).encode())}"
        marked(asked, name, filled_in(asked, boxes), boxes)
        hints(asked, name, key)
        tries, solved, _ = noted("exercises", name, [0, False, 0])
        if solved or tries >= TRIES_BEFORE_THE_SOLUTION:
            solution(asked, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Other numbers", key=f"{key}_other", icon=":material/refresh:",
            on_click=other_numbers, args=(key,),
        )
        st.caption(source)
    return None if not tries else solved


def is_made_of(asked, words, drawn):
    """Whether an exercise is about a sentence, and not drawn because that did not suit.

    Args:
        asked: the `Exercise`.
        words: the sentence, without `<start>`.
        drawn: what the same seed gives without a sentence.
    """
    if asked.start:
        return asked.start == words[: len(asked.start)]
    return asked.task != drawn.task


def whose_numbers(asked, seed, words, suits):
    """Where the numbers of an exercise come from, in words.

    Args:
        asked: the `Exercise`.
        seed: what else they are drawn from.
        words: the student's sentence, without `<start>`; None if nobody gave one.
        suits: whether the exercise can be made of it.
    """
    if words is None:
        return f"Numbers {seed}"
    if not suits:
        return f"Your sentence does not suit this exercise; numbers {seed} are drawn."
    if asked.start and len(asked.start) < len(words):
        return "Numbers of the beginning of your sentence"
    return "Numbers of your sentence"


def work_it_out(kind, words=None, notebook_of=None):
    """End a lesson with work for paper or a keyboard: an exercise and a notebook.

    Both lie in a section that runs only while it is open.

    Args:
        kind: one of `llm.exercises.KINDS`, of this lesson.
        words: the student's sentence, without `<start>`; None for words that are
            drawn.
        notebook_of: what the notebook is about, if not the words.
    """
    stem = KINDS[kind].lesson
    section = st.expander(
        f"{WORK}: {KINDS[kind].title}", key=work_key(stem), on_change="rerun",
        bind="query-params", icon=":material/edit_note:",
    )
    if not section.open:
        return
    with section:
        exercise(kind, f"{stem}_work", words, heading="")
        with st.container(horizontal=True, vertical_alignment="center"):
            notebook_button(stem, notebook_of or words)
            lesson_link("exercises", "More exercises",
                        {"exercises_lesson": TITLES[stem]})


def work_key(stem):
    """The name in the address of the section that `work_it_out` draws."""
    return f"{stem}_exercise"


def seed_of(key):
    """Which numbers an exercise has: what was drawn here, else what the address says.
    """
    held = st.session_state.get(f"{key}_seed")
    if held is not None:
        return held
    try:
        return min(max(int(st.query_params.get(SEED, 1)), 1), MOST_SEEDS)
    except ValueError:
        return 1


def other_numbers(key):
    """A callback: draw other numbers, and put them into the address."""
    seed = 2 + secrets.randbelow(MOST_SEEDS - 1)
    st.session_state[f"{key}_seed"] = seed
    st.query_params[SEED] = str(seed)


def filled_in(asked, key):
    """The boxes of an exercise.

    Returns:
        From the name of each field to what is in it, or to None if that is nothing or
        not sound.
    """
    with st.form(key, border=False):
        if set(map(type, asked.fields.values())) == {Number}:
            with st.container(horizontal=True):
                given = {
                    name: box(field, f"{key}_{name}", 210)
                    for name, field in asked.fields.items()
                }
        else:
            given = {
                name: box(field, f"{key}_{name}")
                for name, field in asked.fields.items()
            }
        tell(tolerance(asked.fields.values(), bool(asked.judge)), st.caption)
        st.form_submit_button("Check", type="primary", on_click=check, args=(key,))
    return given


def check(key):
    """A callback: what stands in the boxes is to be marked, as a new try."""
    st.session_state[f"{key}_checked"] = st.session_state[f"{key}_new"] = True


def tolerance(fields, judged=False):
    """How exact numbers must be, in words; "" if there are none.

    Args:
        fields: the boxes.
        judged: whether each answer that does what is asked is right.
    """
    said = sorted({field.tolerance for field in fields if isinstance(field, Number)})
    if judged:
        return "Any answer that does what is asked counts as right."
    if not said:
        return ""
    if said == [0]:
        return "Whole numbers, exactly."
    least = min(one for one in said if one)  # what is right in every box
    whole = " Whole numbers must be exact." if 0 in said else ""
    return f"Within {least:.2g} of the answer counts as right.{whole}"


def label(field, option):
    """An option as it is shown."""
    return f"`{option}`" if field.code else escaped(option)


def box(field, key, width="stretch"):
    """The box of one field; None while nothing sound is in it."""
    name = field.label[:1].upper() + field.label[1:]
    if isinstance(field, Number):
        text = st.text_input(name, key=key, width=width, placeholder="a number")
        return read_number(text, whole=not field.tolerance)
    if isinstance(field, Words):
        return st.text_input(name, key=key).strip() or None
    if isinstance(field, OneOf):
        return st.radio(name, field.options, index=None, key=key,
                        format_func=lambda option: label(field, option))
    if isinstance(field, Several):
        return tuple(st.pills(name, field.options, key=key, selection_mode="multi",
                              format_func=lambda option: label(field, option)) or ())
    if isinstance(field, Order):
        return in_order(field, name, key)
    if isinstance(field, Table):
        return edited(field, name, key)
    raise TypeError(f"no box for {field}")


def in_order(field, name, key):
    """Lines to be put in order, one list a place; None until each is used once."""
    st.markdown(f"{name}:")
    order = tuple(
        st.selectbox(
            f"Step {place}", field.options, index=None, key=f"{key}_{place}",
            placeholder="choose", format_func=lambda option: option,
        )
        for place in range(1, len(field.options) + 1)
    )
    return order if sorted(map(str, order)) == sorted(field.options) else None


def edited(field, name, key):
    """A table to be changed; None while a number is missing."""
    st.markdown(f"{name}:")
    start = pd.DataFrame(field.start, field.rows, field.columns)
    number = st.column_config.NumberColumn(step=0.1, min_value=-9.0, max_value=9.0)
    found = st.data_editor(
        start, key=key, column_config=dict.fromkeys(field.columns, number)
    ).to_numpy(float)
    return found.tolist() if np.isfinite(found).all() else None


def marked(asked, name, given, key):
    """Mark what was filled in, note the try, and say what was mixed up."""
    tries, solved, read = noted("exercises", name, [0, False, 0])
    new = st.session_state.pop(f"{key}_new", False)
    if not st.session_state.get(f"{key}_checked"):
        if solved:
            st.success("Solved.")
        return
    missing = [field.label for one, field in asked.fields.items() if given[one] is None]
    if missing:
        st.warning(f"Still to be filled in: {', '.join(missing)}.")
        return
    mark = asked.mark(given)
    if new and not solved:
        note("exercises", name, [tries + 1, mark.right, read])
    if mark.right:
        st.success("Right.")
    else:
        st.info(f"Not yet. {mark.said}")


def hints(asked, name, key):
    """The hints that were asked for, and a button for the next one."""
    if st.query_params.get(HINTS) == "off":
        return
    _, solved, read = noted("exercises", name, [0, False, 0])
    for number, hint in enumerate(asked.hints[:read], 1):
        st.markdown(f"**Hint {number}.** {hint}")
    if read < len(asked.hints) and not solved:
        st.button(
            "A hint" if not read else "Another hint", key=f"{key}_hint",
            icon=":material/lightbulb:", on_click=read_hint, args=(name,),
        )


def read_hint(name):
    """A callback: read one hint more."""
    tries, solved, read = noted("exercises", name, [0, False, 0])
    note("exercises", name, [tries, solved, read + 1])


def solution(asked, key):
    """The way to the answer with these numbers, and what computed it."""
    st.markdown(f"**The way to it.** {asked.solution}")
    if asked.functions:
        show_source(*asked.functions, key=f"{key}_code")
