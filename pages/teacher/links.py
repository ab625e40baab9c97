"""A link to an exact screen, made from a lesson and its settings."""

import ast
from functools import cache
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from pages.ui.course import LESSONS, PAGES
from pages.ui.exercise import WORK, work_key
from pages.ui.frame import st_page

MOST_CHARACTERS = 3000  # of an address that is pasted


def address(lesson, settings=()):
    """The part of a link after the host: `/heads?head=2.3`.

    Args:
        lesson: one of `LESSONS`.
        settings: a dictionary, or pairs, from name to value.
    """
    query = urlencode(dict(settings))
    return lesson.address + (f"?{query}" if query else "")


def whole_link(lesson, settings=()):
    """The whole link, with the host under which this page is open."""
    parts = urlsplit(st.context.url or "")
    host = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return host + address(lesson, settings)


def settings_in(pasted):
    """The lesson and the settings in an address that somebody pasted.

    Returns:
        One of `LESSONS`, or None if it is none of them; and a dictionary.
    """
    parts = urlsplit(pasted.strip()[:MOST_CHARACTERS])
    stem = parts.path.strip("/").split("/")[-1]
    lesson = next((one for one in LESSONS if one.stem == (stem or "home")), None)
    return lesson, dict(parse_qsl(parts.query))


@cache
def sections_of(lesson):
    """The sections of a lesson that can be opened, read from its files.

    They are named where `go_deeper` or `deeper_sections` is called; and there is the
    one that `work_it_out` draws.

    Returns:
        A dictionary from the name in the address to the heading.
    """
    found = {}
    for path in (lesson.path, *sorted((PAGES / lesson.stem).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if calls(node, "go_deeper"):
                found |= named([*node.args, *(each.value for each in node.keywords)])
            elif calls(node, "deeper_sections"):
                for row in node.args[0].elts:
                    found |= named(row.elts)
            elif calls(node, "work_it_out"):
                found[work_key(lesson.stem)] = WORK
    if work := found.pop(work_key(lesson.stem), None):
        found[work_key(lesson.stem)] = work  # at the end, as on the page
    return found


def calls(node, name):
    """Whether a piece of code is the call of a function."""
    return getattr(getattr(node, "func", None), "id", "") == name


def named(parts):
    """A section from the label and the key that stand first, where they are texts."""
    label, key = [getattr(part, "value", None) for part in [*parts, None, None]][:2]
    return {key: label} if isinstance(label, str) and isinstance(key, str) else {}


def screen_link(lesson, settings=(), label=None):
    """A link on the page that opens the screen.

    Args:
        lesson, settings: as in `address`.
    """
    st.page_link(
        st_page(lesson), label=label or lesson.name,
        icon=":material/open_in_new:", query_params=dict(settings) or None,
    )
