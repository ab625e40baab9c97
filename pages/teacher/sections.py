"""The parts of the page, each drawn only while it is open."""

import streamlit as st

from pages.teacher.links import (
    screen_link,
    sections_of,
    settings_in,
    whole_link,
)
from pages.teacher.paths import PATHS, minutes_of
from pages.teacher.results import class_table, exercise_table, idea_table, read
from pages.teacher.worksheets import not_on_paper, paper_kinds, sheet
from pages.ui.controls import choose, number_box
from pages.ui.course import LESSONS
from pages.ui.exercise import TITLES, by_lesson, named
from pages.ui.words import plain

BY_STEM = {lesson.stem: lesson for lesson in LESSONS}
MOST_SHEETS = 12
MOST_FILES = 60


def paths():
    """A ready path, stop by stop, with links to exact screens."""
    st.markdown("""
    Each link opens the very screen, with the same numbers for everybody. Let the class
    guess **before** the picture is shown: the pages hold the answer back until then.
    """)
    name = choose("Path", list(PATHS), "teacher_path")
    for number, stops in enumerate(PATHS[name], 1):
        if len(PATHS[name]) > 1:
            st.subheader(f"Session {number}", anchor=False)
        at = 0
        for stop in stops:
            with st.container(border=True):
                screen_link(
                    BY_STEM[stop.lesson], stop.settings,
                    f"{at}–{at + stop.minutes} min: {BY_STEM[stop.lesson].name}",
                )
                st.markdown(
                    f"{stop.do}\n\n**Ask:** {stop.ask}\n\n"
                    f"**What goes wrong:** {stop.wrong}"
                )
            at += stop.minutes
        st.caption(f"{minutes_of(stops)} minutes, talk at each stop included; "
                   "what is left is reserve.")


def link_builder():
    """A link to a screen: the lesson, its settings, sections, hints, numbers."""
    st.markdown("""
    Set up a lesson in another tab just as you want it, and copy its address into the
    first box: all settings are taken over. Or choose a lesson and begin from there.
    """)
    pasted = st.text_input(
        "The address of a screen (may stay empty)", key="teacher_pasted"
    )
    lesson, settings = settings_in(pasted) if pasted else (None, {})
    if pasted and lesson is None:
        st.warning(f"{plain(pasted)} is not an address of this course.")
    if lesson is None:
        stem = choose(
            "Page", list(BY_STEM), "teacher_lesson", kind="list",
            format_func=lambda one: BY_STEM[one].name,
        )
        lesson = BY_STEM[stem]
    sections = sections_of(lesson)
    chosen = st.multiselect(
        "Sections that are open", list(sections), format_func=sections.get,
        key=f"teacher_open_{lesson.stem}",
    ) if sections else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers = number_box("Numbers of the exercise", 1, 9999, 1, "teacher_numbers",
                             width=200)
        hints = st.toggle("Hints", True, key="teacher_hints", bind="query-params")
        wide = st.toggle("Projector mode", key="teacher_wide", bind="query-params")
    settings = {
        **settings, **dict.fromkeys(chosen, "true"),
        **({"numbers": str(numbers)} if numbers != 1 else {}),
        **({} if hints else {"hints": "off"}),
        **({"projector": "on"} if wide else {}),
    }
    st.text_input("The link, to copy", whole_link(lesson, settings),
                  key=f"teacher_link_{hash(whole_link(lesson, settings))}")
    screen_link(lesson, settings, "Open it")


def worksheets():
    """Worksheets and their keys, to be printed."""
    with st.container(key="no_print_worksheets"):
        st.markdown("""
        The same number always prints the same sheet, so the key can be printed at any
        time. Print several sheets, and neighbours get different numbers.
        Print with your browser; only the sheets are printed.
        """)
        stems = st.multiselect(
            "Lessons", list(by_lesson()), ["queries_keys_values"],
            format_func=TITLES.get, key="teacher_stems",
        )
        if left_out := not_on_paper(stems):
            st.caption(left_out)
        offered = paper_kinds(stems)
        kinds = st.multiselect(
            "Exercises", offered, offered[:4], format_func=named,
            key=f"teacher_kinds_{'_'.join(stems)}",
        )
        with st.container(horizontal=True):
            seed = number_box("First sheet", 1, 9999, 1, "teacher_sheet", width=150)
            count = number_box("Sheets", 1, MOST_SHEETS, 1, "teacher_sheets", width=150)
        what = choose("Print", ["worksheets", "keys"], "teacher_print")
    if not kinds:
        st.info("Choose at least one exercise.")
        return
    with st.container(key="worksheet"):
        for place in range(count):
            sheet(kinds, min(seed + place, 9999), what == "keys", first=place == 0)


def results():
    """What a class has done, as tables and CSV; in memory only."""
    st.markdown("""
    Students save a file on the page *Exercises* and hand it in. Open the files here:
    they are read in memory, shown, and forgotten with this tab. Nothing is stored.
    """)
    files = st.file_uploader(
        "Files of students", "json", accept_multiple_files=True, key="teacher_files",
        max_upload_size=1,
    )
    if len(files) > MOST_FILES:
        st.warning(f"Only the first {MOST_FILES} files are read.")
    records, refused = read([(one.name, one.getvalue()) for one in files[:MOST_FILES]])
    for sentence in refused:
        st.warning(plain(sentence))
    if not records:
        return
    table = class_table(records)
    st.dataframe(table, hide_index=True, alt="What each student has done.")
    st.download_button(
        "Download CSV", table.to_csv(index=False), "class.csv", "text/csv",
        key="teacher_csv", on_click="ignore",
    )
    st.subheader("The twelve ideas", anchor=False)
    st.dataframe(idea_table(records), hide_index=True, alt="The class, idea by idea.")
    if len(tried := exercise_table(records)):
        st.subheader("Exercises", anchor=False)
        st.dataframe(tried, hide_index=True, alt="The class, exercise by exercise.")


def in_class():
    """Projector, pictures, printing, and thirty students at once."""
    st.markdown("""
    - **Projector.** `?projector=on` in the address of any page gives larger type and
      wide plots, and stays on while the tab is open.
    - **Pictures.** Under each picture, *Numbers* keeps it as SVG or PNG, on a light
      background and under its name, and its numbers as CSV.
    - **Handouts.** Print any lesson with your browser: menus and buttons stay away, and
      the page is dark on white in both themes. *Check* prints takeaways and glossary.
    - **Notebooks.** At the end of each lesson, *Exercise and notebook* gives its
      calculation as a notebook that needs NumPy alone;
      `python -m llm notebook queries_keys_values out.ipynb` writes the same file.
    - **No answers.** `?hints=off` takes the hints away from exercises.
    - **Nothing is collected.** What students do is kept in their own browser. They hand
      in a file only if they save one.
    """)
    screen_link(BY_STEM["attention"], {"projector": "on"},
                "Try the projector mode on the lesson Attention")
