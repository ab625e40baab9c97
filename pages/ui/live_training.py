"""A training on a page: its buttons, its place in the queue, and the loop that runs it.

What trains is a run: an object with `reports`, a generator of `Progress` that can be
left and taken up again, and `finished`. It is kept in the session, so whatever else is
touched meanwhile, the training goes on where it was. Leaving the page or closing the
tab stops it.
"""

import time
from functools import partial

import streamlit as st

from llm.training.queue import QUEUE


def current_run(key):
    """The run of this student, or None before the first."""
    if is_on(key) and not on_page_before(key):
        stop(key)  # the student was on another page meanwhile
    return st.session_state.get(f"{key}_run")


def is_on(key):
    """Whether the run is to go on at the end of the page."""
    return bool(st.session_state.get(f"{key}_on"))


def on_page_before(key):
    """Whether the last page that ran in this session had this button."""
    return f"{key}_main" in st.session_state


def stop(key):
    """A callback: no further step."""
    st.session_state[f"{key}_on"] = False


def go_on(key):
    """A callback: train on from where it was."""
    st.session_state[f"{key}_on"] = True


def start(key, new_run, *args):
    """A callback: begin anew with `new_run(*args)`."""
    st.session_state[f"{key}_run"] = new_run(*args)
    go_on(key)


def training_buttons(key, label, new_run, *args, disabled=False):
    """Start, stop, continue, begin anew: those of them that make sense now.

    Args:
        key: names the training in the session; different on each page.
        label: what the first button says.
        new_run: called with `args` when a training begins.
        disabled: whether none can begin now.
    """
    run = current_run(key)
    paused = run is not None and not run.finished and not is_on(key)
    with st.container(horizontal=True, key=f"{key}_buttons"):
        # One button that changes and a place for a second one: while a page still runs,
        # what is no longer there would stay on the screen.
        if is_on(key):
            said, icon, press = "Stop", ":material/stop_circle:", partial(stop, key)
        elif paused:
            said, icon, press = "Continue", None, partial(go_on, key)
        else:
            said, icon = "Train anew" if run else label, None
            press = partial(start, key, new_run, *args)
        st.button(said, key=f"{key}_main", icon=icon, on_click=press,
                  type="secondary" if is_on(key) else "primary",
                  disabled=disabled and not is_on(key) and not paused)
        if paused:
            st.button("Train anew", key=f"{key}_again", disabled=disabled,
                      on_click=start, args=(key, new_run, *args))
        else:
            st.empty()


def room(needed):
    """A container, or a place that is empty at once if nothing is needed in it.

    A page that trains runs for a minute, and until its end Streamlit leaves on the
    screen what the last run had drawn and this one has not.
    """
    return st.container() if needed else st.empty()


def keep_training(key, place, draw):
    """The last call of a page: train until the end, or until something is touched.

    Args:
        key: as in `training_buttons`.
        place: a container for what is said while waiting.
        draw: called with the run after each report; must put something on the page,
            because that is when Streamlit can interrupt it.
    """
    run = current_run(key)
    if run is None or not is_on(key):
        return
    with place:
        note = st.empty()
    with QUEUE.place(run) as ahead:
        wait_for_turn(ahead, note)
        with note:
            load_tensorflow()
        note.caption("The network is being built…")
        for _ in run.reports:
            note.empty()
            draw(run)
    stop(key)
    st.rerun()


def wait_for_turn(ahead, note):
    """Stand in the queue, and say how many are ahead."""
    while count := ahead():
        who = "One training is" if count == 1 else f"{count} trainings are"
        note.info(
            f"{who} ahead of yours. This computer does one at a time; yours begins by "
            "itself.",
            icon=":material/hourglass_top:",
        )
        time.sleep(0.2)
    note.empty()


@st.cache_resource(show_spinner="Loading TensorFlow, once…")
def load_tensorflow():
    """Import Keras, once for all students."""
    import keras  # noqa: F401

