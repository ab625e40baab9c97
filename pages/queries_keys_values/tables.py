"""Tables of numbers that a reader may change, with undo, reset and their address."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.studies.by_hand import (
    COLUMNS,
    LARGEST,
    MATRICES,
    NARROW,
    WORDS,
    as_text,
    first_fault,
    from_text,
    number_in,
)
from pages.ui.words import plain

MOST_UNDO = 50
MOST_CHARACTERS = 8  # in one entry


class Tables:
    """Some tables that are changed and undone together.

    Args:
        key: their name in the session and, with each table's own, in the address.
        defaults: a dictionary from name to array.
    """

    def __init__(self, key, defaults):
        self.key, self.defaults = key, defaults
        if key not in st.session_state:
            given = {
                name: from_text(st.query_params.get(f"{key}_{name}", ""), table.shape)
                for name, table in defaults.items()
            }
            now = {
                name: defaults[name] if given[name] is None else given[name]
                for name in defaults
            }
            st.session_state[key] = {
                "now": now, "before": [], "version": 0, "shown": {},
            }
        self.state = st.session_state[key]
        self.write_address()

    def __getitem__(self, name):
        return self.state["now"][name]

    def chosen(self, names):
        """Some of the tables, as a dictionary by name."""
        return {name: self[name] for name in names}

    def write_address(self):
        """Keep each table that was changed in the address."""
        for name, default in self.defaults.items():
            place = f"{self.key}_{name}"
            if not np.array_equal(self[name], default):
                if st.query_params.get(place) != as_text(self[name]):
                    st.query_params[place] = as_text(self[name])
            elif place in st.query_params:
                del st.query_params[place]

    def change(self, name, table):
        """Take over a new table, and remember the old one."""
        if not np.array_equal(table, self[name]):
            before = self.state["before"]
            before.append(self.state["now"])
            del before[:-MOST_UNDO]
            self.state["now"] = {**self.state["now"], name: table}
            self.write_address()

    def undo(self):
        """A callback: the tables as they were before the last change."""
        if self.state["before"]:
            self.state["now"] = self.state["before"].pop()
        self.state["version"] += 1

    def reset(self):
        """A callback: the tables as they were at first; this can be undone."""
        self.state["before"].append(self.state["now"])
        self.state["now"] = dict(self.defaults)
        self.state["version"] += 1

    def editor(self, name, rows, columns, corner=""):
        """Show one table to be changed; says in one sentence what is not sound.

        Args:
            name: which of the tables.
            rows, columns: their names.
            corner: the heading of the names of the rows.

        Returns:
            The table as it counts: the last sound one.
        """
        key = f"{self.key}_{name}_{self.state['version']}"
        # A table that was not on the page begins anew from what holds now.
        if key not in st.session_state or name not in self.state["shown"]:
            self.state["shown"][name] = self[name]
        shown = pd.DataFrame(
            [[f"{number:g}" for number in line] for line in self.state["shown"][name]],
            rows, columns,
        )
        shown.index.name = corner
        narrow = columns == NARROW  # three matrices stand side by side
        # As text: a column of numbers would change what lies beyond its bounds, and
        # read a comma in its own way, without a word (measured).
        boxes = {
            column: st.column_config.TextColumn(
                column.split()[-1] if narrow else column,
                width=64 if narrow else None, max_chars=MOST_CHARACTERS,
            )
            for column in columns
        }
        edited = st.data_editor(
            shown, key=key, num_rows="fixed", column_config=boxes,
        )
        entries = edited.to_numpy(object).tolist()
        fault = first_fault(entries)
        if fault:
            row, column, what = fault
            st.warning(
                f"The number of {plain(rows[row])} under {plain(columns[column])} "
                f"{what}. Until it is a number from {-LARGEST:g} to {LARGEST:g}, the "
                "last sound table counts."
            )
        else:
            numbers = [[number_in(entry) for entry in line] for line in entries]
            self.change(name, np.array(numbers))
        return self[name]

    def buttons(self):
        """Undo and reset, for all tables together."""
        unchanged = all(
            np.array_equal(self[name], table) for name, table in self.defaults.items()
        )
        with st.container(horizontal=True, key=f"{self.key}_buttons"):
            st.button(
                "Undo", key=f"{self.key}_undo", on_click=self.undo,
                disabled=not self.state["before"], icon=":material/undo:",
            )
            st.button(
                "Reset", key=f"{self.key}_reset", on_click=self.reset,
                disabled=unchanged, icon=":material/restart_alt:",
            )


def edit(tables, with_matrices):
    """The tables of the lesson, to be changed.

    Args:
        tables: a `Tables` with the rows of the words and the three matrices.
        with_matrices: whether the matrices are used now.
    """
    tables.editor("words", WORDS, COLUMNS, "word")
    if with_matrices:
        st.markdown(
            "Each matrix has a line for each number that goes in and a column for each "
            "that comes out."
        )
        for name, place in zip(MATRICES, st.columns(len(MATRICES)), strict=True):
            with place:
                st.markdown(f"**{name}**")
                tables.editor(name, COLUMNS, NARROW)
    tables.buttons()
