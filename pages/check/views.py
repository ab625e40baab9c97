"""The views of the last lesson: questions one by one, the result, the glossary."""

import ast
from functools import cache

import streamlit as st

from pages.check.progress import (
    begin_anew,
    by_lesson,
    last_option,
    note_try,
    verdicts,
)
from pages.check.questions import QUESTIONS, lesson_of, make
from pages.ui.chart import sentence
from pages.ui.controls import Counter, number_box
from pages.ui.course import LESSONS
from pages.ui.exercise import models
from pages.ui.frame import lesson_link
from pages.ui.predict_first import verdict
from pages.ui.progress import done
from pages.ui.source import show_source
from pages.ui.words import plain

NAMES = list(QUESTIONS)
NUM_ROUNDS = 3
# Each round goes through all lessons: every third question.
ROUNDS = [NAMES[number::NUM_ROUNDS] for number in range(NUM_ROUNDS)]
MOST_SETS = 999
TITLES = {lesson.stem: lesson.title for lesson in LESSONS}
AT = Counter("check_question", highest=len(NAMES), lowest=1, default=1)


def set_input():
    """Which set of numbers the questions are drawn with; kept in the address."""
    return number_box(
        "Set of numbers", 1, MOST_SETS, 1, "check_set", width=150,
        help="The same set gives everyone the same questions. Another set "
        "draws other words and numbers, asks the models anew, and starts a new score.",
    )


def round_of(name):
    """The round that a question belongs to, counted from 0."""
    return NAMES.index(name) % NUM_ROUNDS


def number_of(name):
    """The number of a question in the address, from 1."""
    return NAMES.index(name) + 1


def mark(verdicts, name):
    """The sign behind the number of a question: right, missed, or still open."""
    return {True: " ✓", False: " ✗", None: ""}[verdicts.get(name)]


def first_open(verdicts, names):
    """The first question that is not answered yet; the first if all are."""
    return next((name for name in names if name not in verdicts), names[0])


def turned_to():
    """The name of the question that is turned to; its number is in the address."""
    number = AT.value()
    if number != AT.default:
        st.query_params[AT.key] = str(number)
    elif AT.key in st.query_params:
        del st.query_params[AT.key]
    return NAMES[number - 1]


def steps(name, numbers):
    """The rounds, and the questions of this round with what is right, missed and open.

    Args:
        name: of the question that is turned to.
        numbers: the set of numbers.
    """
    found = verdicts(done()["checks"], numbers)
    with st.container(horizontal=True, gap="small", key="check_rounds"):
        for number, names in enumerate(ROUNDS):
            answered = sum(one in found for one in names)
            st.button(
                f"Round {number + 1}: {answered} of {len(names)}",
                key=f"check_round_{number}",
                type="primary" if number == round_of(name) else "secondary",
                on_click=AT.go_to, args=(number_of(first_open(found, names)),),
            )
    with st.container(horizontal=True, gap="xsmall", key="check_steps"):
        for place, one in enumerate(ROUNDS[round_of(name)], 1):
            st.button(
                f"{place}{mark(found, one)}", key=f"check_to_{one}",
                type="primary" if one == name else "tertiary",
                on_click=AT.go_to, args=(number_of(one),),
            )


def one_question(name, numbers):
    """One question with its options; what is said of an option is sent once picked.

    Args:
        name: which question.
        numbers: the set of numbers.
    """
    names = ROUNDS[round_of(name)]
    stem = lesson_of(name)
    question = make(name, models(), numbers)
    with st.container(border=True, key="check_asked"):
        st.caption(
            f"Round {round_of(name) + 1}, question {names.index(name) + 1} of "
            f"{len(names)} · {TITLES[stem]}"
        )
        if question.start:
            sentence(question.start)
        held = last_option(done()["checks"], numbers, name)
        choices = list(question.options)
        begun = st.session_state.get("check_begun", 0)
        key = f"check_{begun}_{numbers}_{name}"
        if held in choices and st.session_state.get(key) is None:
            st.session_state[key] = held  # also after the browser gave it back
        picked = st.radio(question.text, choices, index=None, key=key)
        if picked is not None:
            right = picked == question.answer
            note_try(numbers, name, picked, right)
            reply(question, picked, right, stem)
    following = names[(names.index(name) + 1) % len(names)]
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(
            "Next question", key="check_next", icon=":material/arrow_forward:",
            icon_position="right", on_click=AT.go_to, args=(number_of(following),),
        )


def reply(question, picked, right, stem):
    """What is said to a student who picked an option."""
    verdict(right, question.options[picked])
    if not right:
        lesson_link(stem, f"Look it up: {TITLES[stem]}")
    if question.functions:
        show_source(*question.functions, key="check_source")


def score_line(numbers):
    """How far the student has come, in a line and a bar."""
    found = verdicts(done()["checks"], numbers)
    st.progress(
        len(found) / len(NAMES),
        f"{len(found)} of {len(NAMES)} questions answered, {sum(found.values())} right "
        "at the first try",
    )


def result(numbers):
    """The result lesson by lesson, with a way back to what was missed."""
    found = verdicts(done()["checks"], numbers)
    if not found:
        st.caption("Your result by lesson appears here once you have answered.")
        return
    lines = by_lesson(found, lesson_of, NAMES)
    missed = [stem for stem, (right, answered, _) in lines.items() if right < answered]
    st.table({
        "Lesson": [TITLES[stem] for stem in lines],
        "Right at the first try": [
            f"{right} of {answered}" if answered else "–"
            for right, answered, _ in lines.values()
        ],
        "Questions": [every for _, _, every in lines.values()],
    })
    if missed:
        st.markdown("**Worth another look**, because a first try missed there:")
        for stem in missed:
            lesson_link(stem)
    elif len(found) == len(NAMES):
        st.markdown("Nothing missed. The glossary and the takeaways are yours.")
    st.button("Forget my answers to this set", key="check_forget", on_click=forget,
              args=(numbers,))


def forget(numbers):
    """A callback: begin a set anew, with choices that hold nothing."""
    begin_anew(numbers)
    st.session_state["check_begun"] = st.session_state.get("check_begun", 0) + 1


@cache
def first_uses():
    """From each term of the glossary to the lesson that first explains it in place.

    Read from the lessons themselves: the arguments of their calls of `glossary`.
    """
    found = {}
    for lesson in LESSONS:
        for node in ast.walk(ast.parse(lesson.path.read_text(encoding="utf-8"))):
            if getattr(getattr(node, "func", None), "id", "") == "glossary":
                for argument in node.args:
                    found.setdefault(argument.value, lesson)
    return found


def fitting(terms, wanted):
    """The terms in which a search finds something, in the order of the alphabet.

    Args:
        terms: a dictionary from term to its line.
        wanted: what was typed; empty finds all.
    """
    wanted = wanted.strip().casefold()
    return {
        term: terms[term]
        for term in sorted(terms, key=str.casefold)
        if wanted in f"{term} {terms[term]}".casefold()
    }


def glossary_view(terms):
    """All terms, searchable.

    Args:
        terms: a dictionary from term to its line.
    """
    wanted = st.text_input(
        "Search", key="check_search", bind="query-params", max_chars=60,
        placeholder="a word, or a part of one",
    ) or ""
    found, uses = fitting(terms, wanted), first_uses()
    if not found:
        st.info(f"No term, and no meaning of one, holds {plain(wanted)}.")
        return
    st.caption(f"{len(found)} of {len(terms)} terms")
    st.markdown("\n".join(
        f"- **{term}**: {line}"
        + (f" *({uses[term].title})*" if term in uses else "")
        for term, line in found.items()
    ))
