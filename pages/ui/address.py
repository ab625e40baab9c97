"""What stands in the address: one set of names, the same in all lessons.

Streamlit binds a name to the control of one page, and takes the name out of the address
on the way to another page that has it too (measured on 1.67.0). So what several lessons
have is kept in the address here: the key of a control differs from page to page, its
name does not. An old link, with the key for a name, still opens.
"""

import contextvars

import streamlit as st

# Every name that more than one lesson has, with what it means.
NAMES = {
    "start": "the words that the model continues",
    "sentence": "the words that a model reads",
    "temperature": "of the draws",
    "top_k": "how many of the likeliest words may be drawn",
    "top_p": "the probability that the words drawn from reach together",
    "seed": "the whole number from which all draws follow",
    "written": "how many words the model has written",
    "step": "of the training",
    "part": "of the machine, which is open or followed",
    "word": "that is followed, with its number",
    "layer": "the number of a block",
    "head": "a head: its block and its number there",
    "cut": "what is cut out of the network",
    "key": "the word that a head looks at, with its number",
}

PAGE = "address_of"  # the lesson that ran last in this session
# The keys that have had their value from the address in this run; None if the reader
# was on this page before, so that the session knows better.
_taken = contextvars.ContextVar("taken", default=None)


def begin(lesson):
    """Called by the frame: whether the address decides, or what was chosen before.

    On the way to a lesson by a link with settings in it, or by the Back button of the
    browser, the address decides; by a plain link, the lesson stands as it was left.
    """
    arrives = st.session_state.get(PAGE) != lesson.stem and bool(st.query_params)
    st.session_state[PAGE] = lesson.stem
    _taken.set(set() if arrives else None)


def seed(key, name, default, read=str):
    """Give a control its value from the address, before it is drawn.

    Args:
        key: of the control in the session; different on each page.
        name: in the address, one of `NAMES`.
        default: what holds if the address says nothing that is sound.
        read: from text to a value; None or a ValueError if it is not sound.

    Returns:
        What the control stands at now.
    """
    taken = _taken.get()
    if key not in st.session_state or (taken is not None and key not in taken):
        st.session_state[key] = read_or(default, text_of(name, key), read)
    decided(key)
    return st.session_state[key]


def decided(key):
    """Let a control keep the value that it was just given, on an arrival, too."""
    if _taken.get() is not None:
        _taken.get().add(key)


def text_of(name, old):
    """What the address says under a name, or under the old one; None if nothing."""
    return st.query_params.get(name, st.query_params.get(old))


def read_or(default, text, read):
    """A text as a value, or the default."""
    try:
        value = None if text is None else read(text)
    except ValueError:
        value = None
    return default if value is None else value


def keep(name, value, default, old=None):
    """Put a value into the address, unless it is the default; the value.

    Args:
        old: a name that older links have; it goes out of the address.
    """
    if old is not None and old != name and old in st.query_params:
        del st.query_params[old]
    if value != default and value is not None:
        if st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)
    elif name in st.query_params:
        del st.query_params[name]
    return value
