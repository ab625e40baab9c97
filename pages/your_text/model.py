"""One's own model after its training: asked, looked into, taken home."""

from functools import partial

import numpy as np
import streamlit as st

from llm.glassbox.sampling import with_temperature
from llm.own_text.export import exported
from llm.own_text.measures import longest_copy, made_up
from llm.own_text.own_model import write_by_pairs
from pages.ui.chart import show
from pages.ui.charts.matrix import matrix
from pages.ui.controls import (
    choose,
    choose_position,
    slider_input,
)
from pages.ui.deeper import go_deeper
from pages.ui.kept_runs import MINUTES
from pages.ui.source import show_source
from pages.ui.words import numbered
from pages.ui.written import written
from pages.your_text.charts import next_token_bars
from pages.your_text.samples import show_samples
from pages.your_text.text import WRITING, counted_pairs, natural_copy
from pages.your_text.words import by_heart, cannot_read, made_up_in_words, seen

BEST, LAST = "at its best", "at the end"
MOST_LOOKED_AT = 16  # tokens in the picture of attention
MOST_IN_START = 200  # characters
AROUND = 60  # tokens shown before and after the place of a copied stretch


def model_input(run):
    """The model as it was at the end or at its best, an `OwnModel`."""
    if run.best is None or run.best[0] == run.last[0]:
        return run.model()
    which = choose("As it was", [LAST, BEST], "own_which")
    st.caption(
        f"*{BEST.capitalize()}* means: best on the kept-back end. A short text teaches "
        "too little to write well, so even then it may read badly, and what reads "
        f"fluently *{LAST}* may be copied."
    )
    return run.model(best=which == BEST)


def start_input(model):
    """The start that one's own model is to continue.

    Returns:
        Its known tokens as numbers, at least one.
    """
    text = model.text
    if st.session_state.get("own_start_of") is not text:  # a start for each text
        st.session_state["own_start_of"] = text
        st.session_state["own_start"] = usual_start(text)
    typed = st.text_input("Start of a text", key="own_start", persist_state="session")
    known, unknown = text.encode((typed or "")[:MOST_IN_START])
    if unknown:
        st.warning(cannot_read(unknown))
    if len(typed or "") > MOST_IN_START:
        st.caption(f"The first {MOST_IN_START} characters count.")
    if not known:
        st.caption("Without a start, it begins where the kept-back end does.")
        known = text.validation[text.known][:1].tolist() or [0]
    return known


def usual_start(text):
    """A start that nobody has to think of: the first tokens that are kept back."""
    known = text.validation[text.known]
    return text.decode(known[: 16 if text.unit == "characters" else 4]).strip()


def writing_input():
    """Temperature, number of tokens, and seed, in a section that may stay closed."""
    with go_deeper("how it writes", "own_writing"):
        temperature = slider_input(
            "Temperature", *WRITING["own_temperature"], "own_temperature", "temperature"
        )
        count = st.slider("Tokens to write", *WRITING["own_count"], key="own_count",
                          bind="query-params")
        seed = slider_input("Seed", *WRITING["own_seed"], "own_seed", "seed")
    return temperature, count, seed


def ask(model, place):
    """What the model expects next, and what it writes.

    Args:
        model: an `OwnModel`.
        place: a container for the start and the text, above the settings.

    Returns:
        The tokens of the start and of what was written, as numbers.
    """
    text = model.text
    with place:
        start = start_input(model)
    temperature, count, seed = writing_input()
    tokens = model.write(start, count, temperature, seed)
    first, length, _ = longest_copy(tokens, text.training)
    gap = " " if text.unit == "words" else ""
    before = [text.decode(tokens[:end]) for end in (first, first + length)]
    with place:
        with st.container(border=True, key="own_written"):
            written(text.decode(tokens), tuple(map(len, before)),
                    text.decode(start) + gap)
        by_model = with_temperature(model.next_logits(start), temperature)
        pairs = counted_pairs(text.source, text.unit)[start[-1]]
        by_pairs = with_temperature(np.log(pairs), temperature)
        bars = next_token_bars(text.vocabulary, by_model, by_pairs, text.decode(start))
        natural = natural_copy(text.source, text.unit)
        st.markdown(by_heart(text, length, natural))
        st.markdown(made_up_in_words(made_up(tokens, text), text.unit))
        show(bars, "own_next_token")
    return start, tokens


def what_counting_writes(text, start):
    """What the simplest language model writes after the same start."""
    pairs = counted_pairs(text.source, text.unit)
    with st.container(border=True, key="own_pairs_written"):
        written(text.decode(write_by_pairs(pairs, start[-1], 120, seed=1)))


def take_home(run, model):
    """The model as a file, with all that is needed to use it."""
    st.download_button(
        "Download my model",
        partial(exported, run, best=model.step != run.last[0]),
        file_name=f"my_model_{model.step}_steps.zip", mime="application/zip",
        on_click="ignore", key="own_download", icon=":material/download:",
    )
    st.caption(
        f"A zip with the model after {model.step:,} steps, its vocabulary, and a short "
        'script: `python write_text.py "your start"` writes what it writes here. This '
        f"page keeps your model for {MINUTES} minutes, even if you reload it; the file "
        "keeps it for good."
    )


def where_it_looks(model, start):
    """The attention of a head of one's own choice on the start."""
    if section := go_deeper("where it looks", "own_attention"):
        with section:
            blocks = model.weights.blocks
            num_heads = blocks[0].attention.query_kernel.shape[1]
            layer = choose_position("Layer", range(1, len(blocks) + 1), "own_layer",
                                    kind="segments", name="layer")
            head = choose_position("Head", range(1, num_heads + 1), "own_head",
                                   kind="segments", name="head")
            shown = start[-MOST_LOOKED_AT:]
            weights = model.look(shown).attention(layer, head)
            names = [seen(model.text.vocabulary[number])[:12] for number in shown]
            show(matrix(weights, numbered(names), hidden="later"), "own_attention_map")


def every_sample(run):
    """All that was written on the way."""
    if section := go_deeper("everything it wrote on the way", "own_samples"):
        with section:
            samples = [(step, run.text.decode(ids)) for step, ids in run.samples]
            show_samples(samples, run.text)


def where_it_is_from(text, tokens):
    """The copied stretch at its place in the text."""
    if section := go_deeper("where the copied stretch comes from", "own_source"):
        with section:
            _, length, place = longest_copy(tokens, text.training)
            begin = max(0, place - AROUND)
            around = text.training[begin : place + length + AROUND].tolist()
            before = text.decode(around[: place - begin])
            end = len(text.decode(around[: place - begin + length]))
            with st.container(border=True):
                written(text.decode(around), (len(before), end))
            show_source(longest_copy, made_up)
