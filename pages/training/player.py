"""A slider over the steps of a run that can also play by itself, with a pause."""

import time

import streamlit as st

SECONDS_A_STEP = 0.9


def step_shown(steps, key="step"):
    """The step to show now; while playing, one further than before.

    Args:
        steps: all steps, from first to last.
        key: the key of the slider.

    Returns:
        One of the steps.
    """
    known = {str(step): step for step in steps}
    wanted = st.session_state.get(key, st.query_params.get(key))
    now = known.get(str(wanted), steps[0])
    if is_playing(key):
        if st.session_state.get(f"{key}_moved"):
            now = steps[min(steps.index(now) + 1, len(steps) - 1)]
            st.session_state[key] = str(now)
        st.session_state[f"{key}_moved"] = True
        if now == steps[-1]:
            pause(key)
    return now


def is_playing(key="step"):
    """Whether the run plays by itself."""
    return bool(st.session_state.get(f"{key}_playing"))


def play(steps, key="step"):
    """A callback: play on from here; from the start if this is the end."""
    if st.session_state.get(key, str(steps[0])) == str(steps[-1]):
        st.session_state[key] = str(steps[0])
    st.session_state[f"{key}_playing"] = True
    st.session_state[f"{key}_moved"] = False


def pause(key="step"):
    """A callback: stay where it is."""
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
            "Step of the training", [str(step) for step in steps], key=key,
            bind="query-params", on_change=pause, args=(key,),
        )


def keep_playing(key="step"):
    """The last call of the page: after a moment, the next step."""
    if is_playing(key):
        time.sleep(SECONDS_A_STEP)
        st.rerun()
