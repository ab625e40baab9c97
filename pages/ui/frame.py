"""What stands around every lesson: menu, title, previous and next, and a safety net."""

import contextvars
import logging
import math
from contextlib import suppress
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.ui import address, progress, projector
from pages.ui.course import COURSE, LESSONS, NAME, PAGES, neighbours, section_of
from pages.ui.here import you_are_here

STYLE = PAGES.parent / "assets" / "course.css"
LIVE_CHARTS = PAGES.parent / "assets" / "live_charts.html"
HISTORY = PAGES.parent / "assets" / "history.html"
TRANSLATION = PAGES.parent / "assets" / "translation.html"

# The pages of the script that runs now, once the router has named them. One value for
# each script thread, because several students share the process.
_pages = contextvars.ContextVar("pages", default=None)


def run():
    """Draw the frame and run the lesson that the address names."""
    drop_the_infinite()
    progress.load()
    pages = st_pages()
    _pages.set(pages)
    current = st.navigation(
        {name: [pages[lesson] for lesson in part] for name, part in COURSE.items()},
        position="top",
    )
    lesson = next(lesson for lesson in LESSONS if pages[lesson] is current)
    st.set_page_config(page_title=f"{lesson.title} · {NAME}" if lesson.number else NAME)
    address.begin(lesson)
    st.html(STYLE)
    projector.frame()
    title(lesson)
    # Drawn before the lesson runs, so that a lesson may stop early and keep its links.
    progress.begin(lesson)
    body = st.container()
    previous_and_next(lesson, pages)
    link = st.container()
    for script in (HISTORY, LIVE_CHARTS, TRANSLATION):
        st.html(script, unsafe_allow_javascript=True)
    with body:
        run_safely(current)
    with link:
        link_to_this_screen()
    progress.keep()


def drop_the_infinite():
    """Take numbers without end out of the address: Streamlit cannot read them back.

    The run begins anew then, because this one has read the address already. A word
    like "infinity" that stands in a box is left alone: its place in the address is held
    by the box, and a box reads it back.
    """
    endless = [
        name for name, value in st.query_params.to_dict().items() if is_endless(value)
    ]
    dropped = False
    for name in endless:
        with suppress(StreamlitAPIException):
            del st.query_params[name]
            dropped = True
    if dropped:
        st.rerun()


def is_endless(value):
    """Whether a text from the address is a number beyond all bounds, as `1e999`."""
    try:
        return math.isinf(float(value))
    except ValueError:
        return False


def lesson(file):
    """The first call of every lesson; `file` is its `__file__`, one of the course.

    On a fresh server Streamlit may start a file in `pages/` by itself, without the
    router. Naming the pages here turns that off for good, and the script starts anew.
    """
    if _pages.get() is None:
        _pages.set(st_pages())
        st.navigation(list(_pages.get().values()), position="hidden")
        st.rerun()


def st_pages():
    """One `st.Page` for each lesson; no addresses of our own, see `lesson`."""
    return {
        lesson: st.Page(
            lesson.path,
            title=lesson.name,
            help=lesson.question,
            default=lesson.number == 0,
        )
        for lesson in LESSONS
    }


def st_page(lesson):
    """The `st.Page` of a lesson, for links with settings in them."""
    return (_pages.get() or st_pages())[lesson]


def lesson_link(stem, label=None, settings=None):
    """A link to another lesson by its file name, as `attention`.

    Args:
        label: what the link says; the name of the lesson if None.
        settings: a dictionary of what stands in the address.
    """
    pages = _pages.get() or st_pages()
    lesson = next(lesson for lesson in pages if lesson.stem == stem)
    st.page_link(
        pages[lesson], label=label or lesson.name,
        icon=":material/arrow_right_alt:", query_params=settings,
    )


def title(lesson):
    """The lesson's place in the course, its question, and its part of the machine."""
    if lesson.number and lesson.counted:
        minutes = f" · about {lesson.minutes} minutes" if lesson.minutes else ""
        st.caption(f"{section_of(lesson)} · {lesson.name}{minutes}")
    st.title(lesson.question, anchor=False)
    you_are_here(lesson)


def previous_and_next(lesson, pages):
    """Links to the lessons beside this one."""
    before, after = neighbours(lesson)
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if before:
            st.page_link(
                pages[before],
                label=f"Back: {before.name}",
                icon=":material/arrow_back:",
            )
        if after:
            st.page_link(
                pages[after],
                label=f"Next: {after.name}",
                icon=":material/arrow_forward:",
                icon_position="right",
            )


def link_to_this_screen():
    """The address of this screen to copy: a frame around the page hides it."""
    with st.popover("Link to this screen", icon=":material/link:", type="tertiary"):
        what_is_set = urlencode(st.query_params.to_dict(), doseq=True)
        st.code(f"{st.context.url}?{what_is_set}".rstrip("?"), language=None)


def run_safely(page):
    """Run a lesson; if it breaks, say so in one sentence and keep the frame."""
    try:
        page.run()
    except Exception as error:
        logging.getLogger(__name__).exception("A lesson broke: %s", page.title)
        with st.container(key="broken"):
            st.error(f"{what_to_do(error)} Nothing you did is lost.")


def what_to_do(error):
    """One sentence on an error for the student who met it."""
    if isinstance(error, ModuleNotFoundError):
        return (
            f"This lesson needs the package {error.name}, which is not installed: run "
            "`pip install -r requirements.txt` and start again."
        )
    from llm.models.keras_file import WeightsError

    if isinstance(error, (OSError, WeightsError)):
        return (
            "A file of the trained model is missing or damaged: fetch `assets/` again, "
            "or run `python -m llm train`."
        )
    return (
        "This lesson met an error of its own; change what you changed last, or "
        "reload the page."
    )
