"""Projector mode: larger type and wide plots, for a room that looks on.

`?projector=on` in the address of any page switches it on, and it stays on while the
tab is open.
"""

import streamlit as st

from pages.ui.course import PAGES

NAME = "projector"  # in the address
STYLE = PAGES.parent / "assets" / "projector.css"
LARGER = 1.5  # times as large: the type in pictures, and what is drawn with it
# What grows in the specification of a picture. Widths follow from the page.
GROWS = {
    "fontSize", "labelFontSize", "titleFontSize", "height", "step", "strokeWidth",
    "size", "dx", "dy", "labelLimit", "titleLimit", "columnPadding", "offset",
}


def is_on():
    """Whether this page is shown by a projector."""
    wanted = st.query_params.get(NAME)
    if wanted in ("on", "off"):
        st.session_state[NAME] = wanted == "on"
    return bool(st.session_state.get(NAME))


def switch_off():
    """A callback: back to the usual size."""
    st.session_state[NAME] = False
    if NAME in st.query_params:
        del st.query_params[NAME]


def frame():
    """The style of projector mode and a way out of it; nothing while it is off."""
    if is_on():
        st.html(STYLE)
        st.button(
            "Leave projector mode", key="no_print_projector", on_click=switch_off,
            type="tertiary", icon=":material/close_fullscreen:",
        )


def enlarged(part):
    """The specification of a picture with larger type, and room for it.

    Args:
        part: a specification, or a part of one.
    """
    if isinstance(part, dict):
        return {
            key: value * LARGER
            if key in GROWS and type(value) in (int, float)
            else enlarged(value)
            for key, value in part.items()
            if key != "datasets"
        } | ({"datasets": part["datasets"]} if "datasets" in part else {})
    return [enlarged(item) for item in part] if isinstance(part, list) else part
