"""The views of the last lesson: questions one by one, the result, the glossary."""

import ast
from functools import cache

import streamlit as st

from pages.check.progress import (
    begin_anew,
    by_lesson,
    last_option,
    note,
    progress,
    verdicts,
)
from pages.check.questions import QUESTIONS, Models, lesson_of, make
from pages.first_and_last.training import shipped_model
from pages.ui.chart import sentence
from pages.ui.controls import encoder_twin, record, tiny_llm, world
from pages.ui.course import LESSONS
from pages.ui.frame import lesson_link
from pages.ui.source import show_source
from pages.ui.words import plain

NAMES = list(QUESTIONS)
MOST_SETS = 999
LESSON = {lesson.stem: lesson for lesson in LESSONS}


def models():
    """What the questions ask; the larger models are opened only when needed."""
    return Models(tiny_llm(), world(), encoder_twin, shipped_model, record)


def set_input():
    """Which set of numbers the questions are drawn with; kept in the address."""
    chosen = st.number_input(
        "Set of numbers", 1, MOST_SETS, 1, key="check_set", bind="query-params",
        width=150, help="The same set gives everyone the same questions. Another set "
        "draws other words and numbers, asks the models anew, and starts a new score.",
    )
    return int(min(max(chosen or 1, 1), MOST_SETS))


def one_question(numbers):
    """One question with its options; what is said of an option is sent once picked.

    Args:
        numbers: the set of numbers.
    """
    number = st.pagination(
        len(NAMES), key="check_question", bind="query-params", max_visible_pages=7,
    )
    number = min(max(number, 1), len(NAMES))
    name = NAMES[number - 1]
    stem = lesson_of(name)
    question, so_far = make(name, models(), numbers), progress()
    with st.container(border=True, key="check_asked"):
        st.caption(f"Question {number} of {len(NAMES)} · {title_of(stem)}")
        if question.start:
            sentence(question.start)
        held = last_option(so_far, numbers, name)
        choices = list(question.options)
        picked = st.radio(
            question.text, choices, key=f"check_{so_far.rounds}_{numbers}_{name}",
            index=choices.index(held) if held in choices else None,
        )
        if picked is not None:
            right = picked == question.answer
            note(so_far, numbers, name, picked, right)
            reply(question, picked, right, stem)
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(
            "Next question", key="check_next", icon=":material/arrow_forward:",
            icon_position="right", on_click=go_to, args=(number % len(NAMES) + 1,),
        )


def go_to(number):
    """A callback: turn to another question."""
    st.session_state["check_question"] = number


def title_of(stem):
    """The title of a lesson; its stem if it is not in the course."""
    return LESSON[stem].title if stem in LESSON else stem


def reply(question, picked, right, stem):
    """What is said to one who picked an option."""
    if right:
        st.success(f"Yes. {question.options[picked]}")
    else:
        st.info(f"Not quite. {question.options[picked]} Try again, or look it up:")
        lesson_link(stem, f"Back to: {title_of(stem)}")
    if question.functions:
        where = st.expander(
            "What computed these numbers just now", key="check_source", type="compact",
            on_change="rerun",
        )
        if where.open:
            with where:
                show_source(*question.functions)


def score_line(numbers):
    """How far one has come, in a line and a bar."""
    found = verdicts(progress(), numbers)
    st.progress(
        len(found) / len(NAMES),
        f"{len(found)} of {len(NAMES)} questions answered, {sum(found.values())} right "
        "at the first try",
    )


def result(numbers):
    """The result lesson by lesson, with a way back to what was missed."""
    found = verdicts(progress(), numbers)
    if not found:
        st.caption("Your result by lesson appears here once you have answered.")
        return
    lines = by_lesson(found, lesson_of, NAMES)
    missed = [stem for stem, (right, answered, _) in lines.items() if right < answered]
    st.table({
        "Lesson": [title_of(stem) for stem in lines],
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
    st.button("Forget my answers to this set", key="check_forget", on_click=begin_anew,
              args=(progress(), numbers))


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
