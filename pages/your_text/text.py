"""What the lesson on one's own text shows: the text, the training, the sizes."""

import re
from functools import cache

import streamlit as st

from llm.models.tiny_llm import ASSETS
from llm.own_text.measures import longest_copy, pair_loss
from llm.own_text.text import (
    LEAST_CHARACTERS,
    MOST_BYTES,
    MOST_CHARACTERS,
    VALIDATION_SHARE,
    BadText,
    decoded,
    own_text,
)
from llm.own_text.training import (
    CONTEXTS,
    LAYERS,
    STEPS,
    WIDTHS,
    Plan,
    TextRun,
)
from pages.ui.chart import show
from pages.ui.charts.lines import training_alt, training_curves, training_data
from pages.ui.colours import MODEL, QUIET, VALUES
from pages.ui.live_training import is_on
from pages.ui.words import listed
from pages.your_text.charts import seen

KEY = "text_training"
MOST_SECONDS = 110  # of one training: others may be waiting
LEARN, KEPT, PAIRS = "your text", "the kept-back end", "counting pairs"


@cache
def default_text():
    """A little story of our own, there from the start."""
    return (ASSETS / "own_text.txt").read_text(encoding="utf-8")


def text_input():
    """A box for the text, and a place to upload a file into it.

    Returns:
        What stands in the box.
    """
    st.session_state.setdefault("own_words", default_text())
    text = st.text_area(
        "The text to learn from", key="own_words", height=230,
        max_chars=MOST_CHARACTERS, persist_state="session",
    )
    st.file_uploader(
        f"Or a file: plain text, at most {MOST_BYTES / 1e6:.0f} MB",
        key="own_file", on_change=take_file, max_upload_size=1,
    )
    if problem := st.session_state.get("own_file_problem"):
        st.warning(problem)
    st.caption(
        f"At least {LEAST_CHARACTERS} characters; the first {MOST_CHARACTERS:,} count. "
        "It stays in this session: nothing is stored, and nothing is sent on."
    )
    return text or ""


def take_file():
    """A callback: put an uploaded file into the box, or say what is wrong with it."""
    file, st.session_state["own_file_problem"] = st.session_state.get("own_file"), None
    if file is None:
        return
    try:
        st.session_state["own_words"] = decoded(file.getvalue())[:MOST_CHARACTERS]
    except BadText as problem:
        st.session_state["own_file_problem"] = str(problem)


@st.cache_resource(show_spinner=False, max_entries=64)
def studied(text, unit):
    """A text made ready to learn from, and what can be known before.

    Returns:
        An `OwnText`, the loss of counting pairs, and the longest stretch that the
        kept-back end shares with the rest.
    """
    ready = own_text(text, unit)
    return ready, pair_loss(ready), longest_copy(ready.kept, ready.learn)[1]


def studied_or_none(text, unit):
    """The same; None, and a sentence on the page, if nothing can be learned from it."""
    try:
        return studied(text, unit)
    except BadText as problem:
        st.warning(str(problem))
        return None


def about(text):
    """The text in figures."""
    with st.grid(4, min_column_width=140):
        st.metric("Tokens to learn from", f"{len(text.learn):,}", border=True)
        st.metric("Different tokens", len(text.vocabulary) - 1, border=True)
        st.metric("Kept back", f"{len(text.kept):,}", border=True)
        st.metric("Known of these", f"{text.known.mean():.0%}", border=True)
    st.caption(
        f"The last {VALIDATION_SHARE:.0%} of the text are **kept back**: the model "
        "never learns from them. How well it guesses them says what it has understood "
        "beyond what it knows by heart."
    )


def plan_input():
    """The sizes of the model and the length of its training, a `Plan`."""
    usual = Plan()
    width = st.select_slider("Width of the vectors", WIDTHS, usual.embed_dim,
                             key="own_width", bind="query-params")
    layers = st.select_slider("Layers", LAYERS, usual.num_layers, key="own_layers",
                              bind="query-params")
    context = st.select_slider("Tokens it sees at once", CONTEXTS, usual.context_length,
                               key="own_context", bind="query-params")
    steps = st.slider("Steps", *STEPS, usual.num_steps, 100, key="own_steps",
                      bind="query-params")
    return Plan(embed_dim=width, num_layers=layers, context_length=context,
                num_steps=steps)


def new_run(text, plan):
    """A training that ends by itself after a while."""
    return TextRun(text, plan, MOST_SECONDS)


class Live:
    """The picture of a training: a bar, its losses and what the model writes now."""

    def __init__(self):
        self.bar, self.losses, self.sample = st.empty(), st.empty(), st.empty()
        self.drawn = None

    def draw(self, run):
        """Show how far the run is."""
        step = run.curve[-1][0] if run.curve else 0
        self.bar.progress(
            min(step / run.plan.num_steps, 1.0),
            f"Step {step:,} of {run.plan.num_steps:,}, {run.seconds:.0f} s, "
            f"{run.num_parameters:,} parameters",
        )
        with self.losses:
            data = loss_data(run)
            words = ("The loss, step by step, live." if is_on(KEY)
                     else training_alt(data, "Loss in nats a token"))
            show(LOSSES, data, words)
        if run.samples and run.samples[-1] != self.drawn:
            self.drawn = written_at, sample = run.samples[-1]
            with self.sample.container(border=True):
                st.caption(f"What it writes after {written_at:,} steps")
                as_written(sample)


LOSSES = training_curves(
    ((LEARN, QUIET), (KEPT, MODEL), (PAIRS, VALUES)),
    "step", "loss (nats a token)", None, (PAIRS,), points=False, height=260,
)


def loss_data(run):
    """The curves of a run, for a chart or a table."""
    last = run.plan.num_steps  # so the picture has its full width from the start
    by_pairs = studied_loss(run)
    return training_data(**{
        LEARN: run.curve, KEPT: run.kept, PAIRS: [(0, by_pairs), (last, by_pairs)],
    })


def studied_loss(run):
    """The loss of counting pairs on the text of a run; counted once."""
    if not hasattr(run, "pair_loss"):
        run.pair_loss = pair_loss(run.text)
    return run.pair_loss


def start_input(text):
    """The start that one's own model is to go on from.

    Args:
        text: the `OwnText` that it learned from.

    Returns:
        Its known tokens as numbers, at least one.
    """
    st.session_state.setdefault("own_start", usual_start(text))
    typed = st.text_input("Start", key="own_start", max_chars=200,
                          persist_state="session")
    known, unknown = text.encode(typed or "")
    if unknown:
        st.warning(
            f"Your text has no {listed(map(seen, unknown[:4]))}, so your model cannot "
            f"read {'it' if len(unknown) == 1 else 'them'}: left out here."
        )
    if not known:
        st.caption("Without a start, it goes on where the kept-back end begins.")
        known = text.kept[:1].tolist()
    return known


def usual_start(text):
    """A start that nobody has to think of: the first words that are kept back."""
    return text.decode(text.kept[: 16 if text.unit == "characters" else 4]).strip()


def write_input():
    """How to write on: temperature, number of tokens, seed."""
    with st.grid(3, min_column_width=180):
        temperature = st.slider("Temperature", 0.1, 2.0, 0.8, 0.05,
                                key="own_temperature", bind="query-params")
        count = st.slider("Tokens to write", 20, 400, 200, 20, key="own_count",
                          bind="query-params")
        seed = st.number_input("Seed", 0, 999_999, 1, key="own_seed",
                               bind="query-params")
    return temperature, count, int(seed or 0)


def in_bold(text, token_ids, start, length):
    """Written tokens as Markdown, one stretch of them in bold; nothing else acts."""
    parts = (token_ids[:start], token_ids[start : start + length],
             token_ids[start + length :])
    before, bold, after = (marked(text.decode(part)) for part in parts)
    gap = " " if text.unit == "words" else ""
    outer = bold[: len(bold) - len(bold.lstrip())], bold[len(bold.rstrip()) :]
    bold = f"{outer[0]}**{bold.strip()}**{outer[1]}" if bold.strip() else bold
    return f"{before}{gap}{bold}{gap}{after}"


def marked(text):
    """A text inside Markdown, where some characters would act; line ends stay."""
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
    return escaped.replace("\n", "  \n")


def as_written(text):
    """A text as it is, line by line; nothing in it can act as Markdown."""
    st.text(text or " ")
