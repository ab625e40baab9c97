"""Says aloud what a press changed, for those who listen to the page."""

from html import escape

import streamlit as st


def announce(text):
    """Have a screen reader say one sentence when it changes; it is not to be seen.

    Once a page, as `announce("mat written, 43%")`; `assets/live_charts.html` puts the
    words where a change is spoken.
    """
    st.html(f'<span class="only-heard"><span class="to-be-heard" aria-hidden="true">'
            f"{escape(text)}</span></span>")
