"""What the machine keeps: how many words are written, and what is open.

Only numbers and names are kept. The written words follow from the start, the
temperature and the seed, so a link restores them.
"""

import streamlit as st

from pages.machine.words import positions, row_name
from pages.ui.controls import Counter

START = "machine_start"
PART, WORD, HEAD, KEY = "machine_part", "machine_word", "machine_head", "machine_key"
NAMES = {PART: "part", WORD: "word", HEAD: "head", KEY: "key"}  # in the address
ANSWER = "the answer: probabilities and draw"
MOST_WRITTEN = 40
written = Counter("machine_written", highest=MOST_WRITTEN, name="written")


def start_again():
    """A callback: back to the bare start, with nothing open."""
    written.go_to(0)
    close()


def close():
    """Leave nothing open."""
    for key in (PART, WORD, HEAD, KEY):
        st.session_state[key] = None


def back_to(start):
    """A callback that keeps only the first words, the written ones or those typed."""

    def keep(number):
        if number < len(start):
            st.session_state[START] = " ".join(start[:number])
        written.go_to(number - len(start))

    return keep


def take_written():
    """A callback: the player has come to the end of a word, or back to its start."""
    number = st.session_state["machine"].write
    if isinstance(number, int):
        written.go_to(number)


def take_opened(tokens):
    """A callback: open what was chosen in the picture.

    Args:
        tokens: the words of the picture.
    """
    names = positions(tokens)

    def take():
        close()
        part, position, head, key = chosen(st.session_state["machine"].open or {})
        st.session_state[PART] = part
        if position is not None and position < len(names):
            st.session_state[WORD] = names[position]
        if head is not None:
            st.session_state[HEAD] = f"head {head + 1}"
            st.session_state[KEY] = names[key]

    return take


def chosen(message):
    """What the picture says was chosen, as (part, position, head, key).

    Args:
        message: `{"at": "3-11"}` for a cell, a word or a bar; row, token, head and key
            for a link.
    """
    if "at" not in message:
        row, position = message["row"], message["token"]
        return row_name(row), position, message["head"], message["key"]
    kind, number = message["at"].split("-")
    if kind == "bar":
        return ANSWER, None, None, None
    return row_name(0 if kind == "word" else int(kind)), int(number), None, None


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
