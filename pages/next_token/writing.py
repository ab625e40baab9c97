"""Writing one word at a time: the buttons, and how many words stand so far.

Only the number of written words is kept. The words follow from the start, the seed and
the settings, so a link restores them, and another temperature rewrites them with the
same draws.
"""

import time

import streamlit as st

from pages.ui import address

MOST_WORDS = 40
PAUSE = 0.35  # seconds between two words while it writes on by itself


def num_written():
    """How many tokens are to be written; one more while it writes on by itself."""
    if st.session_state.get("writing_on"):
        # Not from the slider: what the browser sends of it may be some words old.
        go_to(st.session_state.get("reached", num_so_far()) + 1)
        st.session_state["reached"] = num_so_far()
    return num_so_far()


def keep_within(number):
    """Set the counter back to the story, if it is shorter: a number of tokens."""
    if num_so_far() > number:
        go_to(number)
        st.session_state["reached"] = number


def num_so_far():
    """The number of words in the session, or else in the address."""
    return min(max(address.seed("written", "written", 0, int), 0), MOST_WORDS)


def go_to(number):
    """Show this many written words."""
    st.session_state["written"] = min(max(number, 0), MOST_WORDS)


def start_again():
    """A callback: back to the bare start."""
    stop()
    go_to(0)


def stop():
    """A callback: no further word."""
    st.session_state["writing_on"] = False


def stop_here():
    """A callback: no further word, and all that is written stays."""
    if "reached" in st.session_state:
        go_to(st.session_state["reached"])
    stop()


def one_to(number):
    """A callback: stop, and show this many words."""
    stop()
    go_to(number)


def back_to(start, key="start"):
    """A callback that keeps only the first words, the written ones or those in the box.

    Args:
        start: the words in the box.
        key: the key of the box.
    """

    def keep(number):
        if number < len(start):
            st.session_state[key] = " ".join(start[:number])
        one_to(number - len(start))

    return keep


def write_on():
    """A callback: write until the story ends, or until stopped."""
    st.session_state["reached"] = num_so_far()
    st.session_state["writing_on"] = True


def writing_buttons(number, ended):
    """Buttons to write, to take back and to start again, and the count as a slider.

    Args:
        number: how many tokens are written, `<end>` among them.
        ended: whether nothing can follow.
    """
    keep_within(number)
    full = ended or number >= MOST_WORDS
    running = bool(st.session_state.get("writing_on")) and not full
    with st.container(horizontal=True, key="writing"):
        st.button("Next word", type="primary", key="next_word", disabled=full,
                  on_click=one_to, args=(number + 1,))
        st.button("Undo", key="undo", disabled=not number,
                  on_click=one_to, args=(number - 1,))
        if running:
            st.button("Stop", key="stop", on_click=stop_here)
        else:
            st.button("Keep writing", key="write_on", disabled=full, on_click=write_on)
        st.button("Start again", key="start_again", disabled=not number,
                  on_click=start_again)
    # It ends with the story: a larger number in the address is then out of bounds.
    st.slider("Tokens written", 0, number if ended else MOST_WORDS, key="written",
              persist_state="session", on_change=stop)
    address.keep("written", number, 0)
    return running


def keep_writing(running):
    """The last call of the page: after a moment, the next word."""
    if running:
        time.sleep(PAUSE)
        st.rerun()
    stop()
