"""How many draws there are: buttons that add some, and the number itself."""

import streamlit as st

from pages.ui.controls import sound_number

MOST_DRAWS = 10_000


def num_draws(key="draws"):
    """The number of draws so far; one at first."""
    number = st.session_state.get(key, st.query_params.get(key, 1))
    return int(sound_number(number, 1, 1, MOST_DRAWS))


def draw_more(count, key="draws"):
    """A callback: this many draws more."""
    st.session_state[key] = min(num_draws(key) + count, MOST_DRAWS)


def start_again(key="draws"):
    """A callback: back to a single draw."""
    st.session_state[key] = 1


def draw_buttons(key="draws"):
    """Buttons that draw once, ten or a thousand times more, or begin again."""
    with st.container(horizontal=True, key=f"{key}_buttons"):
        for count, label in ((1, "Draw once"), (10, "Draw ten"),
                             (1000, "Draw a thousand")):
            st.button(label, key=f"{key}_{count}", on_click=draw_more,
                      args=(count, key), type="primary" if count == 1 else "secondary",
                      disabled=num_draws(key) >= MOST_DRAWS)
        st.button("Start again", key=f"{key}_again", on_click=start_again, args=(key,))


def number_input(key="draws"):
    """The number of draws, which the buttons change; kept in the address."""
    st.number_input("Number of draws", 1, MOST_DRAWS, key=key,
                    bind="query-params")
