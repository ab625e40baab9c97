"""One's own model after its training: asked, compared, looked into, taken home."""

from functools import partial

import numpy as np
import streamlit as st

from llm.glassbox.sampling import with_temperature
from llm.own_text.export import exported
from llm.own_text.measures import longest_copy, made_up, pairs_of
from llm.own_text.own_model import write_by_pairs
from pages.ui.chart import numbers, show
from pages.ui.charts.lines import training_table
from pages.ui.charts.matrix import heatmap, heatmap_alt, heatmap_data
from pages.ui.deeper import go_deeper
from pages.ui.source import show_source
from pages.ui.words import listed
from pages.your_text.charts import (
    own_bars,
    own_bars_alt,
    own_bars_data,
    own_bars_table,
    seen,
)
from pages.your_text.text import (
    as_written,
    in_bold,
    loss_data,
    start_input,
    studied_loss,
    write_input,
)

BEST, LAST = "at its best", "at the end"
MOST_LOOKED_AT = 16  # tokens in the picture of attention


def what_happened(run, guess):
    """The losses in figures, and what became of the student's guess."""
    numbers(training_table(loss_data(run), "step"), "own_losses")
    (best_step, best), (last_step, last) = best_and_last(run)
    if not guess:
        return
    st.markdown(
        f"You guessed: *{guess.lower()}*. On the kept-back end the loss was lowest at "
        f"step {best_step:,} ({best:.2f}) and is {last:.2f} at step {last_step:,}. "
        + (
            "From there on it learned by heart: what helps on the text that it sees "
            "hurts on the text that it does not see. That is **overfitting**."
            if last > best + 0.1
            else "It has not turned upwards; with more steps it may."
        )
    )


def best_and_last(run):
    """The lowest and the last loss on the kept-back end, each as (step, loss)."""
    return min(run.kept, key=lambda point: point[1]), run.kept[-1]


def chosen_best():
    """Whether the student wants the model as it was at its best."""
    return st.session_state.get("own_which") == BEST


def model_input(run):
    """The model as it was at the end or at its best, an `OwnModel`."""
    st.segmented_control("As it was", [LAST, BEST], default=LAST, required=True,
                         key="own_which", bind="query-params")
    model = run.model(best=chosen_best())
    st.caption(
        f"After {model.step:,} steps. “{BEST.capitalize()}” is where the loss on the "
        "kept-back end was lowest."
    )
    return model


def ask(model):
    """What comes next, and what it writes.

    Returns:
        The tokens of the start and of what was written, as numbers.
    """
    text = model.text
    start = start_input(text)
    temperature, count, seed = write_input()
    by_model = with_temperature(model.next_logits(start), temperature)
    by_pairs = with_temperature(np.log(pairs_of(text)[start[-1]]), temperature)
    bars = own_bars_data(text.vocabulary, by_model, by_pairs)
    show(own_bars(), bars, own_bars_alt(bars, text.decode(start)))
    numbers(own_bars_table(bars), "own_next_token")
    return start, model.write(start, count, temperature, seed)


def by_heart_or_made_up(text, written):
    """What was written, with what it has from the text and what it has not."""
    first, length, _ = longest_copy(written, text.learn)
    with st.container(border=True, key="own_written"):
        st.markdown(in_bold(text, written, first, length))
    own = longest_copy(text.kept, text.learn)[1]
    st.markdown(f"""
    **By heart**: the longest stretch that stands word for word in what it learned from
    is in bold: {length} {text.unit}. The kept-back end, which no model wrote, shares
    at most {own} with the rest.
    """)
    new = made_up(written, text)
    kind = "words" if text.unit == "characters" else "pairs of words"
    st.markdown(
        f"**Made up**: {len(new)} {kind} that stand nowhere in what it learned from"
        + (f", as {listed(new[:5])}." if new else ".")
    )


def against_pairs(run, start):
    """The model and counting pairs on the same kept-back tokens, and side by side."""
    (_, best), (_, last) = best_and_last(run)
    alike = np.log(len(run.text.vocabulary))
    figures = {
        "Counting pairs": studied_loss(run), "Your model at its best": best,
        "Your model at the end": last, "All tokens alike": alike,
    }
    with st.grid(4, min_column_width=140):
        for name, loss in figures.items():
            st.metric(name, f"{loss:.2f}", border=True)
    st.caption(
        "Loss on the kept-back end, in nats a token, on the same tokens for all; lower "
        "is better. Counting gets a fair chance: a little is added to every count, and "
        "how much is chosen so that it does best here. Your model's best step is "
        "chosen in the same way."
    )
    with st.container(border=True):
        st.caption("What counting pairs writes after the same start:")
        written = write_by_pairs(pairs_of(run.text), start[-1], 120, seed=1)
        as_written(run.text.decode(written))


def take_home(run):
    """The model as a file, with all that is needed to use it."""
    st.markdown("""
    One zip: the model as a `.keras` file, its vocabulary, and a short script that loads
    both and writes text. `python write_text.py "your start"` is all.
    """)
    _, arrays = run.best if chosen_best() else run.last
    st.download_button(
        "Download my model", partial(exported, arrays, run.config, run.text),
        file_name="my_model.zip", mime="application/zip", on_click="ignore",
        key="own_download", icon=":material/download:",
    )


def where_it_looks(model, start):
    """The attention of a head of one's own choice on the start."""
    if section := go_deeper("where it looks", "own_attention"):
        with section:
            blocks = model.weights.blocks
            num_heads = blocks[0].attention.query_kernel.shape[1]
            layer = picked("Layer", len(blocks), "own_layer")
            head = picked("Head", num_heads, "own_head")
            shown = start[-MOST_LOOKED_AT:]
            weights = model.look(shown).attention(layer - 1, head - 1)
            names = [seen(model.text.vocabulary[number])[:12] for number in shown]
            show(heatmap(len(shown)), heatmap_data(weights, names),
                 heatmap_alt(weights, names))


def picked(label, count, key):
    """A number from 1 to `count`."""
    return st.segmented_control(
        label, range(1, count + 1), default=1, required=True, key=key
    ) or 1


def where_it_is_from(text, written):
    """The copied stretch at its place in the text."""
    if section := go_deeper("where the copied stretch comes from", "own_source"):
        with section:
            _, length, place = longest_copy(written, text.learn)
            begin = max(0, place - 60)
            around = text.learn[begin : place + length + 60].tolist()
            st.markdown("It stands in your text here, in bold:")
            st.markdown("… " + in_bold(text, around, place - begin, length) + " …")
            show_source(longest_copy, made_up)
