"""The words of the field, each explained in one line where it is first used."""

import json
from functools import cache

import streamlit as st

from pages.ui.course import PAGES

FILE = PAGES.parent / "assets" / "glossary.json"


@cache
def terms():
    """A dictionary from term to its line."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def glossary(*wanted):
    """Small buttons in a row; each opens the meaning of one term in place."""
    with st.container(horizontal=True, gap="small"):
        for term in wanted:
            with st.popover(term, type="tertiary", icon=":material/help:"):
                st.markdown(f"**{term}**: {terms()[term]}")
