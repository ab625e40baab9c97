"""A training on a page: its buttons, its place in the queue, and what is said of it.

What trains is a run (`llm.training.run`), in a process of its own (`llm.worker`). The
page only looks at it. Whatever else is touched meanwhile, the training goes on; leaving
the page or closing the tab pauses it.
"""

import time
from functools import partial
from importlib.util import find_spec

import streamlit as st

from llm.worker.trainings import MOST_SECONDS, TRAININGS
from pages.ui.kept_runs import KEPT_RUNS, MINUTES

LOOK_EVERY = 0.25  # seconds
GOES_ON_BY_ITSELF = (None, "left")


def current_run(key):
    """The run of this student, or None before the first."""
    if is_on(key) and not on_page_before(key):
        stop(key)  # the student was on another page meanwhile
    run = st.session_state.get(f"{key}_run")
    word = st.session_state.get(f"{key}_word") or st.query_params.get(key)
    if run is None and word:
        run = KEPT_RUNS.find(word)
    if run is not None:
        remember(key, run, word)
    elif key in st.query_params:
        del st.query_params[key]  # nothing is kept there any more
    return run


def remember(key, run, word):
    """Keep a run in the session, on the server, and its word in the address."""
    if word is None or KEPT_RUNS.find(word) is not run:
        word = KEPT_RUNS.keep(run)
    st.session_state[f"{key}_run"], st.session_state[f"{key}_word"] = run, word
    if st.query_params.get(key) != word:
        st.query_params[key] = word


def is_on(key):
    """Whether the run is to go on at the end of the page."""
    return bool(st.session_state.get(f"{key}_on"))


def on_page_before(key):
    """Whether the last page that ran in this session had this button."""
    return f"{key}_main" in st.session_state


def stop(key):
    """A callback: no further step."""
    st.session_state[f"{key}_on"] = False
    if run := st.session_state.get(f"{key}_run"):
        TRAININGS.stop(run)


def go_on(key):
    """A callback: train on from where it was."""
    st.session_state[f"{key}_on"] = True
    st.session_state[f"{key}_run"].paused = None


def start(key, new_run, *args):
    """A callback: begin anew with `new_run(*args)`, unless that finds it unfit."""
    stop(key)
    if run := new_run(*args):
        st.session_state[f"{key}_run"] = run
        st.session_state.pop(f"{key}_word", None)
        go_on(key)


def can_train():
    """Whether TensorFlow is there; some computers have none."""
    return bool(find_spec("tensorflow") and find_spec("keras"))


def training_buttons(key, label, new_run, *args, disabled=False):
    """Start, stop, continue, begin anew: those of them that make sense now.

    Args:
        key: names the training in the session and in the address; different on each
            page.
        label: what the first button says.
        new_run: called with `args` when a training begins.
        disabled: whether none can begin now.
    """
    run, disabled = current_run(key), disabled or not can_train()
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


def before_the_first(seconds):
    """What is to be known before a training: how long, and what ends it.

    Args:
        seconds: about how long it takes on two free cores.
    """
    if not can_train():
        st.info(why_paused("no keras"))
        return
    st.caption(
        f"About {seconds} seconds on two free cores, and some more before the first "
        f"step. If others are waiting, training pauses after {MOST_SECONDS // 60} "
        "minutes; press *Continue* to resume. *Stop*, closing the tab or leaving the "
        f"lesson pauses it too. Your model is kept for {MINUTES} minutes, even if you "
        "reload the page."
    )


def room(needed):
    """A container, or a place that is empty at once if nothing is needed in it.

    A page that trains runs for a minute, and until its end Streamlit leaves on the
    screen what the last run had drawn and this one has not.
    """
    return st.container() if needed else st.empty()


def keep_training(key, place, draw):
    """The last call of a page: watch the training until its end.

    Args:
        key: names the training in the session and in the address.
        place: a container for what is said while waiting, and when it ends early.
        draw: called with the run whenever it has something new to show.
    """
    run = current_run(key)
    if run is None:
        return
    with place:
        note = st.empty()
    if not is_on(key):
        if sentence := why_paused(run.paused):
            note.warning(sentence)
        return
    if run.paused in GOES_ON_BY_ITSELF:
        TRAININGS.enter(run)
    drawn = None
    while standing := TRAININGS.look(run):
        # Something must be drawn each time: that is when Streamlit can interrupt.
        note.caption(where_it_stands(standing))
        if run.curve and run.step != drawn:
            drawn = run.step
            draw(run)
        time.sleep(LOOK_EVERY)
    st.session_state[f"{key}_on"] = False
    st.rerun()


def where_it_stands(standing):
    """What a `Standing` means, in a sentence."""
    if standing.stage == "waiting":
        if not standing.ahead:
            return "It begins in a moment."
        who = "One training is" if standing.ahead == 1 else (
            f"{standing.ahead} trainings are")
        return (f"{who} ahead of yours, so it begins by itself in about "
                f"{about(standing.wait)}.")
    return {
        "starting": f"TensorFlow is being loaded… {standing.seconds:.0f} s",
        "building": f"The network is being built… {standing.seconds:.0f} s",
        "training": "It trains.",
    }[standing.stage]


def about(seconds):
    """A time that is only an estimate, in words."""
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


def why_paused(reason):
    """Why a training did not go on, in a sentence; None if the student knows."""
    return {
        "time": f"It trained for {MOST_SECONDS // 60} minutes, and others were "
        "waiting. *Continue* takes it up where it was.",
        "memory": "There was not enough memory for this training, and it was ended. A "
        "smaller model needs less.",
        "gone": "The process that trained ended before its time; perhaps this computer "
        "had no memory left. *Continue* takes it up where it last was.",
        "fault": "This training met an error of its own; what happened is in the log "
        "of the server. You can begin anew.",
        "no keras": "TensorFlow is not installed on this computer, so nothing can be "
        "trained here. All else in the course works without it.",
    }.get(reason)
