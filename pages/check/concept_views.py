"""The concept test on the page: twelve questions at once, then both times together."""

import streamlit as st

from pages.ui.concepts import AFTER, BEFORE, CONCEPTS, complete, gained, result
from pages.ui.controls import choose
from pages.ui.frame import lesson_link
from pages.ui.progress import done, give_back, note

TIMES = {BEFORE: "Before the course", AFTER: "After the course"}
SIGNS = {True: "✓ right", False: "✗ not yet", None: "–"}


def concept_test():
    """Twelve ideas, before or after; the results side by side once both are there."""
    st.markdown(f"""
    The same {len(CONCEPTS)} ideas, asked **before** the course and **after** it, in
    other words each time. Before the course nothing is explained, so that the second
    time counts. It takes about eight minutes.
    """)
    when = choose("When", list(TIMES), "check_when", format_func=TIMES.get)
    concepts = done()["concepts"]
    if complete(concepts, when):
        st.success(f"{TIMES[when]}: all {len(CONCEPTS)} ideas are answered.")
    else:
        ask(when)
    if complete(concepts, AFTER):
        compared(result(concepts), complete(concepts, BEFORE))
    elif complete(concepts, BEFORE):
        st.caption("Come back after the course. Then both results stand here.")
    if any(key.startswith(when) for key in concepts):
        st.button("Begin this one anew", key=f"check_anew_{when}", on_click=begin_anew,
                  args=(when,))


def ask(when):
    """All questions of one time, in one form."""
    with st.form(f"concepts_{when}", border=False):
        for number, (key, concept) in enumerate(CONCEPTS.items(), 1):
            options = concept.shuffled(when)
            name = box_of(when, key)
            give_back("concepts", f"{when}:{key}", options, name)
            st.radio(f"{number}. {concept.form(when)[0]}", options, index=None,
                     key=name)
        st.form_submit_button("Hand in", type="primary", on_click=hand_in,
                              args=(when,))
    open_ones = sum(f"{when}:{key}" not in done()["concepts"] for key in CONCEPTS)
    if 0 < open_ones < len(CONCEPTS):
        st.warning(f"{open_ones} still to be answered.")


def box_of(when, key):
    """The key of the choice of one idea."""
    return f"concept_{when}_{key}"


def hand_in(when):
    """A callback: note what was picked."""
    for key, concept in CONCEPTS.items():
        picked = st.session_state.get(box_of(when, key))
        if picked is not None:
            note("concepts", f"{when}:{key}", [picked, picked == concept.answer(when)])


def begin_anew(when):
    """A callback: forget the answers of one time."""
    concepts = done()["concepts"]
    for key in CONCEPTS:
        concepts.pop(f"{when}:{key}", None)
        st.session_state.pop(box_of(when, key), None)


def compared(rows, both):
    """Each idea with its results, and the way back to what is not there yet.

    Args:
        rows: from `result`.
        both: whether the first time was answered too.
    """
    st.header("What was gained", anchor=False)
    st.table({
        "Idea": [CONCEPTS[key].name for key, _, _ in rows],
        "Before": [SIGNS[before] for _, before, _ in rows],
        "After": [SIGNS[after] for _, _, after in rows],
        "The thought behind it": [CONCEPTS[key].idea for key, _, _ in rows],
    })
    if both:
        st.markdown(f"**{gained(rows)}**")
    missed = {CONCEPTS[key].lesson for key, _, after in rows if not after}
    if missed:
        st.markdown("Worth another look:")
        for stem in sorted(missed):
            lesson_link(stem)
