"""The text to learn from, the sizes, and the training."""

import streamlit as st

from llm.own_text.measures import longest_copy, pair_loss, pairs_of
from llm.own_text.record import story
from llm.own_text.text import (
    LEAST_CHARACTERS,
    MOST_BYTES,
    MOST_CHARACTERS,
    BadText,
    decoded,
    own_text,
)
from llm.own_text.training import CONTEXTS, LAYERS, STEPS, WIDTHS, Plan, TextRun
from pages.ui.chart import show
from pages.ui.controls import choose
from pages.ui.live_training import is_on
from pages.ui.progress import Setting, keep_settings
from pages.your_text.charts import loss_curves
from pages.your_text.samples import timeline
from pages.your_text.words import progress_in_words, warnings_about

KEY = "own_model"  # of the training, in the session and in the address
UTF_8 = "UTF-8"


UNITS = ("characters", "words")
USUAL = Plan()
# From the key of a slider to its lowest, highest and usual value, and its step.
WRITING = {
    "own_temperature": (0.1, 2.0, 0.8, 0.05),
    "own_count": (20, 400, 200, 20),
    "own_seed": (0, 100, 1, 1),
}
NAMED = {"own_temperature": "temperature", "own_seed": "seed"}  # in the address


def within(lowest, highest):
    """A function from a value to whether it is a number between two."""
    def allowed(value):
        return not isinstance(value, (str, bool)) and lowest <= value <= highest
    return allowed


SETTINGS = [
    Setting("own_unit", UNITS[0], UNITS.__contains__),
    Setting("own_width", USUAL.embed_dim, WIDTHS.__contains__),
    Setting("own_layers", USUAL.num_layers, LAYERS.__contains__),
    Setting("own_context", USUAL.context_length, CONTEXTS.__contains__),
    Setting("own_steps", USUAL.num_steps, within(*STEPS)),
    *(Setting(key, usual, within(lowest, highest), NAMED.get(key, ""))
      for key, (lowest, highest, usual, _) in WRITING.items()),
]


def keep_own_settings():
    """Keep unit, sizes and how it writes in this browser; the text is not kept."""
    keep_settings(SETTINGS)


def text_input(run):
    """A box for the text, and a place to upload a file into it.

    Args:
        run: the `TextRun` of this student, whose text comes back after a reload; None
            if there is none.

    Returns:
        What stands in the box.
    """
    st.session_state.setdefault("own_words", run.text.source if run else story())
    # No most characters: what is too long is cut with a word, and not dropped.
    text = st.text_area(
        "The text to learn from", key="own_words", height=150, persist_state="session",
        on_change=forget_file,
        help=f"At least {LEAST_CHARACTERS} characters; the first {MOST_CHARACTERS:,} "
        "count. It stays in this session: nothing is stored, and nothing is sent on.",
    )
    st.file_uploader(
        f"Or a file: plain text, at most {MOST_BYTES / 1e6:.0f} MB",
        key="own_file", on_change=take_file, max_upload_size=1,
    )
    if st.context.is_embedded:
        st.caption(
            "This page stands in a frame of another site, where a browser may refuse "
            "an upload. Then paste your text into the box, or open the page by itself "
            "(*Link to this screen*, at the end)."
        )
    if said := st.session_state.get("own_file_said"):
        st.warning(said)
    return text or ""


def forget_file():
    """A callback: the text was edited, so nothing is to be said of a file."""
    st.session_state["own_file_said"] = None


def take_file():
    """A callback: put an uploaded file into the box, or say what is wrong with it."""
    file, st.session_state["own_file_said"] = st.session_state.get("own_file"), None
    if file is None:
        return
    try:
        text, encoding = decoded(file.getvalue())
    except BadText as problem:
        st.session_state["own_file_said"] = (
            f"{problem} The text in the box is still the one before."
        )
        return
    st.session_state["own_words"] = text
    if encoding != UTF_8:
        st.session_state["own_file_said"] = (
            f"The file was read as {encoding}. If its letters look wrong, save it as "
            "UTF-8 and upload it again."
        )


@st.cache_resource(show_spinner=False, max_entries=64)
def studied(text, unit):
    """A text made ready to learn from, an `OwnText`."""
    return own_text(text, unit)


@st.cache_data(show_spinner=False, max_entries=64)
def pairs_loss(text, unit):
    """The loss of counting pairs on the kept-back end; None if nothing is known."""
    return pair_loss(studied(text, unit))


@st.cache_data(show_spinner=False, max_entries=16)
def counted_pairs(text, unit):
    """How likely each token follows each other token, by counting."""
    return pairs_of(studied(text, unit))


@st.cache_data(show_spinner=False, max_entries=64)
def natural_copy(text, unit):
    """The longest stretch that the kept-back end shares with the rest, in tokens."""
    ready = studied(text, unit)
    return longest_copy(ready.validation, ready.training)[1]


def studied_or_none(typed, unit):
    """A text made ready to learn from; None, with a sentence, if it teaches nothing."""
    try:
        text = studied(typed, unit)
    except BadText as problem:
        st.warning(str(problem))
        return None
    for sentence in warnings_about(text, typed):
        st.warning(sentence)
    return text


def plan_input():
    """Sliders for the size of the model and the length of its training."""
    choose("Width of the vectors", WIDTHS, "own_width", USUAL.embed_dim, "steps")
    choose("Layers", LAYERS, "own_layers", USUAL.num_layers, "steps")
    choose("Tokens it sees at once", CONTEXTS, "own_context", USUAL.context_length,
           "steps")
    st.slider("Steps", *STEPS, USUAL.num_steps, 100, key="own_steps",
              bind="query-params")


def chosen_plan():
    """The sizes as the sliders stand now, a `Plan`."""
    return Plan(
        embed_dim=st.session_state.get("own_width") or USUAL.embed_dim,
        num_layers=st.session_state.get("own_layers") or USUAL.num_layers,
        context_length=st.session_state.get("own_context") or USUAL.context_length,
        num_steps=st.session_state.get("own_steps") or USUAL.num_steps,
    )


def new_run():
    """A training on what is chosen at the moment of the click; None if it is unfit."""
    unit = st.session_state.get("own_unit") or "characters"
    try:
        return TextRun(studied(st.session_state["own_words"], unit), chosen_plan())
    except BadText:
        return None


class Live:
    """The picture of a training: a bar, its losses and what it wrote so far."""

    def __init__(self):
        self.bar, self.losses, self.samples = st.empty(), st.empty(), st.empty()
        self.num_drawn = 0

    def draw(self, run):
        """Show how far the run is."""
        text = run.text
        self.bar.progress(min(run.step / run.num_steps, 1.0), progress_in_words(run))
        chart = loss_curves(run, pairs_loss(text.source, text.unit))
        with self.losses.container():
            show(chart) if is_on(KEY) else show(chart, "own_losses")
        if len(run.samples) != self.num_drawn:
            self.num_drawn = len(run.samples)
            with self.samples.container():
                timeline(run)
