"""A slider over the steps of a run that can also play by itself, with a pause."""

import time

import streamlit as st

from pages.ui import address

SECONDS_A_STEP = 0.9


def step_shown(steps, key="step"):
    """The step to show now; while playing, one further than before.

    Not every step was kept. An address that names another gets the nearest, and
    `nearest_in_words` says so.

    Args:
        steps: all kept steps, from first to last.
        key: the key of the slider.

    Returns:
        One of the steps.
    """
    known = {written(step): step for step in steps}
    wanted = address.seed(key, key, written(steps[0]))
    now = known.get(wanted)
    if now is None:
        now = nearest(steps, wanted)
        st.session_state[key] = written(now)
        asked = asked_for(wanted)
        st.session_state[f"{key}_asked"] = asked if asked != now else None
    if is_playing(key):
        if st.session_state.get(f"{key}_moved"):
            now = steps[min(steps.index(now) + 1, len(steps) - 1)]
            st.session_state[key] = written(now)
        st.session_state[f"{key}_moved"] = True
        if now == steps[-1]:
            pause(key)
    return now


def written(step):
    """A step as the slider writes it: `16,000`."""
    return f"{step:,}"


def asked_for(wanted):
    """The step that an address names, as `16000` or `16,000`; None if it is none."""
    try:
        return int(str(wanted).replace(",", ""))
    except ValueError:
        return None


def nearest(steps, wanted):
    """The kept step nearest to what an address names; the first if it names none."""
    asked = asked_for(wanted)
    return steps[0] if asked is None else min(steps, key=lambda step: abs(step - asked))


def nearest_in_words(now, key="step"):
    """Why another step is shown than the address named; empty if it is not so."""
    asked = st.session_state.get(f"{key}_asked")
    if asked is None:
        return ""
    return f"The weights of step {asked:,} were not kept; the nearest is step {now:,}."


def is_playing(key="step"):
    """Whether the run plays by itself."""
    return bool(st.session_state.get(f"{key}_playing"))


def play(steps, key="step"):
    """A callback: play on from here; from the start if this is the end."""
    if st.session_state.get(key, written(steps[0])) == written(steps[-1]):
        st.session_state[key] = written(steps[0])
    st.session_state[f"{key}_asked"] = None
    st.session_state[f"{key}_playing"] = True
    st.session_state[f"{key}_moved"] = False


def pause(key="step"):
    """A callback: stay where it is."""
    st.session_state[f"{key}_asked"] = None
    st.session_state[f"{key}_playing"] = False


def step_slider(steps, key="step"):
    """The slider over the steps, with a button that plays or pauses.

    Args:
        steps: all steps, from first to last.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}_bar"):
        if is_playing(key):
            st.button("Pause", key=f"{key}_pause", on_click=pause, args=(key,),
                      icon=":material/pause:")
        else:
            st.button("Play", key=f"{key}_play", on_click=play, args=(steps, key),
                      type="primary", icon=":material/play_arrow:")
        st.select_slider(
            "Step of the training", [written(step) for step in steps], key=key,
            persist_state="session", on_change=pause, args=(key,),
        )
    address.keep(key, st.session_state[key], written(steps[0]))


def keep_playing(key="step"):
    """The last call of the page: after a moment, the next step."""
    if is_playing(key):
        time.sleep(SECONDS_A_STEP)
        st.rerun()
