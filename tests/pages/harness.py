"""What tests of pages share: opening, finding and pressing, in the reader's words."""

import io
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property

import pyarrow as pa
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_runner
from streamlit.testing.v1 import AppTest

from pages.ui.course import LESSONS, PAGES

# After every run Streamlit walks through all objects there are, TensorFlow's too. Once
# Keras is loaded it also clears Keras's session, which walks through them again: that
# was 19 of 20 seconds of such a test. Here nobody waits for what that would free.
config.set_option("runner.postScriptGC", False)
script_runner._clean_problem_modules = lambda: None
# A server looks once through all packages for components; AppTest before each run.
manifest_scanner.scan_component_manifests = cache(
    manifest_scanner.scan_component_manifests
)

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


def guess_all(app):
    """Answer every guess, for some lessons show the rest only then."""
    while guesses := [one for one in app.radio if is_guess(one) and not one.value]:
        guesses[0].set_value(guesses[0].options[0]).run()
    return app


def is_guess(radio):
    """Whether a choice is a guess, and not a control or a question at the end."""
    return "guess" in (radio.key or "")


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


def sent(app):
    """Everything of the lesson that goes to the browser, as bytes."""
    parts = (getattr(part, "proto", None) for part in app.main)
    return b"\n".join(part.SerializeToString() for part in parts if part is not None)


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


def words_in(text):
    """How many words are in a text in Markdown."""
    for hidden in (r"```.*?```", r"\$\$.*?\$\$", r"\$[^$\n]+\$", r"\]\([^)]*\)"):
        text = re.sub(hidden, " ", text, flags=re.DOTALL)
    return len(re.findall(r"\w+(?:['’.,\-]\w+)*", text))


CLOSED = ("expander", "popover", "dialog")
CONTROLS = (
    "radio", "slider", "select_slider", "text_input", "text_area", "number_input",
    "selectbox", "button_group", "toggle", "checkbox", "chat_input",
)  # fmt: skip


def open_part(app):
    """What a student meets without opening anything, for `minutes_for` and the budgets.

    Words are those of running text, headings, lists, labels and options in sight; no
    axis, no cell of a table, no formula and no code. Controls of one kind beside each
    other count as one, as four boxes of a guess.

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
                words += words_in(part.value) if part.type != "latex" else 0
            elif part.type == "vega_lite_chart":
                charts += 1
            elif part.type in CONTROLS and part.type != before:
                controls += 1
                seen = [part.label, *(getattr(part, "options", ()))]
                words += sum(words_in(str(text)) for text in seen)
            before = part.type
    return words, charts, controls
