"""What tests of pages share: opening, finding and pressing, in the reader's words."""

import io
import json
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
from streamlit.testing.v1 import AppTest

from pages.ui.course import LESSONS, PAGES

ENTRY = PAGES.parent / "streamlit_app.py"
TEXTS = ("markdown", "latex", "caption", "text", "success", "info", "warning", "error")


def lesson_called(stem):
    """The lesson of this name, as `attention`."""
    return next(lesson for lesson in LESSONS if lesson.stem == stem)


def opened(lesson, **address):
    """A lesson as it stands when its link is the first thing that a reader opens.

    The router is left out at first, as on a fresh server, and must step in by itself.

    Args:
        lesson: one of `LESSONS`.
        address: what stands behind the question mark.
    """
    app = AppTest.from_file(str(ENTRY), default_timeout=180)
    for name, value in address.items():
        app.query_params[name] = value
    return go_to(app, lesson) if lesson.number else app.run()


def go_to(app, lesson):
    """Go to another lesson in the same session."""
    return app.switch_page(f"pages/{lesson.file}").run()


def open_all(app):
    """Open every section of a page, those inside others too; their keys."""
    opened = []
    while True:
        sections = [*app.get("expander"), *app.get("popover")]
        closed = [s.key for s in sections if s.key and s.key not in opened]
        if not closed:
            return opened
        for key in closed:
            app.session_state[key] = True
        opened += closed
        app.run()


def find(app, kind, key):
    """The widget of a kind with this key, if it is still on the page."""
    return next((widget for widget in app.get(kind) if widget.key == key), None)


def press(app, key):
    """Press a button."""
    return app.get_by_key(key).click().run()


def let_go(app, key, selection, **values):
    """What the browser reports when a slider in a chart is let go.

    Args:
        key: the key of the chart.
        selection: the name of the chart's selection.
        values: from each field of the selection to its value.
    """
    app.session_state[key] = {"selection": {selection: [values]}}
    return app.run()


def said(app):
    """Everything that the page says in sentences and formulas, in one string."""
    return "\n".join(part.value for kind in TEXTS for part in app.get(kind))


def sentence(app, start):
    """The first text of the page that begins with these words."""
    texts = [part.value for kind in TEXTS for part in app.get(kind)]
    found = next((text for text in texts if text.startswith(start)), None)
    assert found is not None, f"nothing on the page begins with {start!r}"
    return found


def metric(app, label):
    """The figure under this label."""
    found = {one.label: one.value for one in app.metric}
    assert label in found, f"no figure is called {label!r}: {list(found)}"
    return found[label]


@dataclass(frozen=True)
class Picture:
    """A chart as the browser gets it.

    Attributes:
        proto: the message that carries it.
    """

    proto: object

    @property
    def alt(self):
        """What it shows, in words."""
        return self.proto.alt

    @cached_property
    def spec(self):
        """The Vega-Lite specification, a dictionary."""
        return json.loads(self.proto.spec)

    @cached_property
    def rows(self):
        """The numbers behind it, a DataFrame."""
        (table,) = self.proto.datasets
        return pa.ipc.open_stream(io.BytesIO(table.data.data)).read_pandas()


def pictures(app):
    """All charts of a page, from above."""
    return [Picture(chart.proto) for chart in app.get("vega_lite_chart")]


def picture(app, words):
    """The first chart whose alternative text holds these words.

    Never by its number on the page: a picture more must not break a test.
    """
    there = pictures(app)
    found = next((one for one in there if words in one.alt), None)
    assert found, f"no picture says {words!r}: {[one.alt[:60] for one in there]}"
    return found


CLOSED = ("expander", "popover", "dialog")
CONTROLS = (
    "radio", "slider", "select_slider", "text_input", "text_area", "number_input",
    "selectbox", "button_group", "toggle", "checkbox", "chat_input",
)  # fmt: skip


def open_part(app):
    """What a student meets without opening anything, for `minutes_for`.

    Controls of one kind beside each other count as one, as four boxes of a guess.

    Returns:
        How many words, pictures and controls.
    """
    words, charts, controls = 0, 0, 0
    blocks = [app.main]
    while blocks:
        before = None
        for part in blocks.pop().children.values():
            if hasattr(part, "children"):
                if part.type not in CLOSED:
                    blocks.append(part)
            elif part.type in TEXTS:
                words += len(part.value.split()) if part.type != "latex" else 0
            elif part.type == "vega_lite_chart":
                charts += 1
            elif part.type in CONTROLS and part.type != before:
                controls += 1
                words += sum(len(str(o).split()) for o in getattr(part, "options", ()))
            before = part.type
    return words, charts, controls
