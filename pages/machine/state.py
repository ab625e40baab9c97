"""What the machine keeps: how many words are written, and what is open.

Only numbers are kept. The written words follow from the start, the temperature and the
seed, so a link restores them.
"""

import streamlit as st

from pages.machine.words import positions, row_name

MOST_WORDS = 40
START, WRITTEN = "machine_start", "machine_written"
PART, WORD, HEAD, KEY = "machine_part", "machine_word", "machine_head", "machine_key"
ANSWER = "the answer: probabilities and draw"


def num_written():
    """How many words are to be written, from the session or else the address."""
    number = st.session_state.get(WRITTEN, st.query_params.get(WRITTEN, "0"))
    try:
        return min(max(int(number), 0), MOST_WORDS)
    except (TypeError, ValueError):
        return 0


def write(number):
    """Show this many written words, here and in the address."""
    st.session_state[WRITTEN] = min(max(number, 0), MOST_WORDS)


def keep_in_address(number):
    """Put the number of written words into the address, or take it out at 0."""
    if number:
        st.query_params[WRITTEN] = str(number)
    elif WRITTEN in st.query_params:
        del st.query_params[WRITTEN]


def start_again():
    """A callback: back to the bare start."""
    write(0)
    close()


def close():
    """A callback: nothing is open."""
    for key in (PART, WORD, HEAD, KEY):
        st.session_state[key] = None


def back_to(start):
    """A callback that keeps only the first words, the written ones or those typed."""

    def keep(number):
        if number < len(start):
            st.session_state[START] = " ".join(start[:number])
        write(number - len(start))

    return keep


def take_written():
    """A callback: the player has come to the end, or back to the start, of a word."""
    number = st.session_state["machine"].write
    if isinstance(number, int):
        write(number)


def take_open(tokens):
    """A callback: open what was chosen in the picture.

    Args:
        tokens: the words of the picture.
    """
    names = positions(tokens)

    def take():
        chosen = st.session_state["machine"].open or {}
        row, position = chosen.get("row"), chosen.get("token")
        if "at" in chosen:
            kind, number = str(chosen["at"]).split("-")
            row = {"bar": "bar", "word": 0}.get(kind, kind)
            position = None if kind == "bar" else int(number)
        close()
        st.session_state[PART] = ANSWER if row == "bar" else row_name(int(row))
        if position is not None and position < len(names):
            st.session_state[WORD] = names[position]
        if chosen.get("head") is not None:
            st.session_state[HEAD] = f"head {chosen['head'] + 1}"
            st.session_state[KEY] = names[chosen["key"]]

    return take


def opened_at(part, word, tokens, num_rows):
    """The name that the picture gives to what is open: `3-11`; None for nothing."""
    if part is None:
        return None
    if part == ANSWER:
        return "bar-0"
    names = positions(tokens)
    position = names.index(word) if word in names else len(names) - 1
    rows = [row_name(row) for row in range(num_rows)]
    return f"{rows.index(part)}-{position}"
