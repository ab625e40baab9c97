"""Exercises on paper, and the key to them."""

from html import escape

import streamlit as st

from llm.exercises import KINDS
from llm.exercises.exercise import Number, OneOf, Order, Several, Table
from llm.exercises.parts import table
from pages.ui.exercise import label, made, tolerance
from pages.ui.tell import tell

LINES = {Number: 1, OneOf: 1, Several: 1, Order: 2}  # to write on, for each kind of box


def paper_kinds(stems):
    """The exercises of some lessons that can be done on a printed page.

    Args:
        stems: of the lessons.
    """
    return [name for name in kinds_of(stems) if made(name, 1).on_paper]


def kinds_of(stems):
    """The names of all exercises of some lessons."""
    return [name for name, kind in KINDS.items() if kind.lesson in stems]


def not_on_paper(stems):
    """Which exercises of some lessons need the screen, in a sentence; "" for none."""
    left = [KINDS[name].title for name in kinds_of(stems)
            if not made(name, 1).on_paper]
    if not left:
        return ""
    return ("Not on paper, because the running model must be asked: "
            f"{'; '.join(left)}. The page *Exercises* has them.")


def options_in_words(asked):
    """What can be chosen in an exercise, as a list in Markdown; "" if nothing."""
    said = []
    for field in asked.fields.values():
        if isinstance(field, (OneOf, Several, Order)):
            name = field.label[:1].upper() + field.label[1:]
            options = "".join(f"\n- ☐ {label(field, o)}" for o in field.options)
            said.append(f"{name}:\n{options}")
        elif isinstance(field, Table):
            empty = [[""] * len(field.columns)] * len(field.rows)
            said += [in_a_table(field, field.start), "Your table:",
                     in_a_table(field, empty)]
    return "\n\n".join(said)


def in_a_table(field, numbers):
    """The numbers of a table to be changed, in Markdown.

    Args:
        field: a `Table`.
        numbers: lists of cells, one a row.
    """
    return table(
        ["word", *field.columns],
        [[name, *row] for name, row in zip(field.rows, numbers, strict=True)],
    )


def answer_in_words(asked):
    """The marked answer of an exercise, field by field, in Markdown."""
    said = []
    for name, field in asked.fields.items():
        answer = asked.answer[name]
        if isinstance(field, Table):
            continue  # one of many; the way to it says it
        if isinstance(field, Number):
            shown = f"{answer:,.0f}" if not field.tolerance else f"{answer:.3f}"
        elif isinstance(field, (Several, Order)):
            shown = "; ".join(label(field, option) for option in answer) or "none"
        else:
            shown = label(field, answer)
        said.append(f"{field.label}: **{shown}**")
    return " · ".join(said)


def sheet(kinds, seed, key=False, first=False):
    """One worksheet, or the key to it, as it is printed.

    Args:
        kinds: names of exercises.
        seed: from which their numbers are drawn.
        key: whether the answers and the way to them are printed.
        first: whether it is the first on the page.
    """
    if not first:
        st.html("<div class='new-sheet'></div>")
    st.header(f"{'Key' if key else 'Worksheet'} {seed}", anchor=False)
    if not key:
        st.markdown("Name: \\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_")
    for number, kind in enumerate(kinds, 1):
        asked = made(kind, seed)
        st.markdown(f"**{number}. {KINDS[kind].title}**")
        if asked.start:
            st.markdown(f"`{' '.join(asked.start)}`")
        st.markdown(asked.task)
        if key:
            st.markdown(f"{answer_in_words(asked)}\n\n{asked.solution}")
        else:
            tell(options_in_words(asked))
            tell(tolerance(asked.fields.values(), bool(asked.judge)), st.caption)
            blanks(asked)


def blanks(asked):
    """Lines to write the answers on."""
    st.html("".join(
        f"<span>{escape(field.label)}</span>"
        + "<span class='answer-line'></span>" * LINES.get(type(field), 1)
        for field in asked.fields.values()
        if not isinstance(field, (OneOf, Several, Table))
    ) or "<span class='answer-line'></span>")
