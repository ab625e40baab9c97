"""The map of the course: the machine from its top to its words, and who explains it."""

import streamlit as st

from pages.ui.course import COURSE, LESSONS
from pages.ui.frame import lesson_link
from pages.ui.here import (
    ALL,
    ATTENDING,
    BARS,
    BLOCK,
    CHANCE,
    HERE,
    PLACES,
    WORDS,
    map_part,
)

FLOORS = (CHANCE, BARS, BLOCK, ATTENDING, PLACES, WORDS)


def course_map():
    """Each floor of the machine beside links to the lessons on it."""
    with st.container(key="map", gap=None):
        for floor in (*FLOORS, ALL):
            with st.container(horizontal=True, key=f"map_{'_'.join(floor)}"):
                map_part(floor)
                with st.container(gap=None, width="stretch"):
                    for lesson in lessons_on(floor):
                        lesson_link(lesson.stem, lesson.name)


def lessons_on(floor):
    """The lessons about one floor of the machine, in the order of the course."""
    found = [lesson for lesson in LESSONS if HERE.get(lesson.stem) == floor]
    return found + (COURSE["Check"] if floor == ALL else [])
