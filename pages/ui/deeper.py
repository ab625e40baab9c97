"""Sections for those who want more; they run only while open."""

import streamlit as st


class Deeper:
    """An open or closed section: true while open, and a place to write into."""

    def __init__(self, expander):
        self.expander = expander

    def __bool__(self):
        return bool(self.expander.open)

    def __enter__(self):
        self.expander.__enter__()
        return self

    def __exit__(self, *error):
        return self.expander.__exit__(*error)


def go_deeper(label, key):
    """A section that the reader opens; whether it is open stands in the address.

    Use it as `if section := go_deeper("Why?", "why"):` and then `with section:`.

    Args:
        label: the heading.
        key: its name in the address; different on each page.
    """
    return Deeper(
        st.expander(
            f"Go deeper: {label}", key=key, on_change="rerun", bind="query-params"
        )
    )


def deeper_sections(sections, *given):
    """One section below the other; a function fills each that is open.

    Args:
        sections: tuples of the heading, its name in the address, and the function.
        given: what each function is called with.
    """
    for label, key, fill in sections:
        if opened := go_deeper(label, key):
            with opened:
                fill(*given)
