"""What stands in the *Go deeper* sections of the lesson on the block."""

import time

import numpy as np
import pandas as pd
import streamlit as st

from llm.digits.experiment import EXAMPLE_ROW
from llm.digits.reader import digit_block
from llm.glassbox.layer_norm import EPSILON, layer_norm, standardised
from llm.models.config import ModelConfig
from llm.models.parameters import GPT_2_SMALL, GPT_3, count_parameters, total
from llm.models.shipped import load_record, load_twin
from llm.models.tiny_llm import ASSETS
from llm.models.twins import TWINS, twin_trace
from llm.studies.loss import exercises, logits_by_prefix
from llm.studies.stream import length, stream_lengths
from llm.studies.units import (
    direct_logit_effect,
    most_selective_units,
    top_words,
    words_that_fire,
)
from pages.block.charts import (
    shares_alt,
    shares_data,
    shares_of_parts,
    strips_alt,
    strips_data,
    vector_strips,
    word_bars,
    word_bars_alt,
    word_bars_data,
)
from pages.block.parts import shape
from pages.ui.chart import numbers, show
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_data,
    training_table,
)
from pages.ui.charts.words import percent
from pages.ui.colours import KEYS, MODEL, QUIET
from pages.ui.controls import sound_number, tiny_llm
from pages.ui.measures import activations
from pages.ui.models import digit_model
from pages.ui.words import counted as counted_things
from pages.ui.words import listed, plain

FACTORS = [0.1, 0.5, 1, 2, 10, 100]
MOST_BLOCKS, MOST_HEADS, WIDEST_HEAD = 200, 200, 256


def norm_by_hand(stream, norm):
    """LayerNorm on one vector, number by number, and on the same made longer.

    Args:
        stream: (embed_dim,)
        norm: a `NormWeights`.
    """
    factor = st.select_slider(
        "Multiply the vector by", FACTORS, value=1, key="norm_factor",
        bind="query-params",
    )
    vector = factor * stream.astype(float)
    result = layer_norm(vector, norm.scale, norm.shift)
    plainly = layer_norm(stream.astype(float), norm.scale, norm.shift)
    st.latex(
        rf"\mu = {vector.mean():.3f} \qquad \sigma^2 = {vector.var():.4f} \qquad "
        rf"\sqrt{{\sigma^2 + {EPSILON}}} = {np.sqrt(vector.var() + EPSILON):.3f}"
    )
    strips = strips_data({"comes in": vector, "goes out": result})
    show(vector_strips(2, 3.0), strips, strips_alt(strips))
    numbers(pd.DataFrame({
        "number": range(1, len(vector) + 1), "comes in": vector,
        "minus the mean": vector - vector.mean(),
        "divided by the standard deviation": standardised(vector),
        "γ": norm.scale, "β": norm.shift, "goes out": result,
    }).round(4), "layer_norm_steps")
    st.markdown(
        f"The size (norm) of this vector is {length(vector):.2f}, that of what comes "
        f"out {length(result):.2f}, and no number in it differs by more than "
        f"{np.abs(result - plainly).max():.3f} from what comes out at factor 1. What "
        f"is left of a difference comes from the {EPSILON}, which is there so that "
        "nothing is ever divided by zero."
    )


def units_section(run):
    """Pick an inner unit, and see what it fires for and what it says.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    llm, found = tiny_llm(), activations()
    vocabulary = llm.tokenizer.vocabulary
    st.markdown(f"""
    Each feed-forward layer has {llm.config.feed_forward_dim} inner **units**. What does
    one look for? The model read {len(found.stories)} fresh stories, which are
    {found.counts.sum():,} words, and we noted when each unit fired. The list begins
    with units that keep to few words.
    """)
    layer, unit = unit_picker(found)
    st.markdown(
        f"Unit {unit + 1} of block {layer + 1} fires at "
        f"{percent(float(found.shares[layer, unit]))} of all words. Most strongly, on "
        "average, at:"
    )
    words = top_words(found, layer, unit)
    bars = word_bars_data(
        [vocabulary[word] for word in words],
        [float(found.means[layer, unit, word]) for word in words],
    )
    show(word_bars("mean firing"), bars, word_bars_alt(bars, "Mean firing"))
    numbers(pd.DataFrame({
        "word": bars["word"], "mean firing": bars["value"].round(3),
        "times read": [int(found.counts[word]) for word in words],
    }), "block_unit")
    st.markdown("Its strongest moments, each in a story of its own, up to that word:")
    st.markdown("\n".join(
        f"- {plain(' '.join(found.stories[story][: at + 1]))}"
        for story, at in found.moments[layer, unit]
    ))
    likelier = np.argsort(
        -direct_logit_effect(llm.weights, layer, unit), kind="stable"
    )[:5]
    st.markdown(
        "When it fires it makes other words likelier. Straight from here to the "
        f"logits, these gain most: {listed(vocabulary[word] for word in likelier)}."
    )
    before = run.token_ids[-(llm.config.context_length - 1):]
    tried = words_that_fire(llm.weights, before, layer, unit)
    best = int(tried.argmax())
    st.markdown(
        f"And a search: we put each of the {len(vocabulary)} words next in your "
        "sentence. " + (
            f"{plain(vocabulary[best])} makes this unit fire most, with "
            f"{tried[best]:.2f}." if tried[best] > 0 else "None makes this unit fire."
        )
    )


def unit_picker(found):
    """Which unit: its layer and its number, both from 0."""
    config = tiny_llm().config
    with st.container(horizontal=True, vertical_alignment="bottom"):
        block = st.selectbox(
            "Block", list(range(1, config.num_layers + 1)),
            index=min(1, config.num_layers - 1), key="block_unit_layer",
            bind="query-params", width=120,
        )
        special = most_selective_units(found, block - 1, config.feed_forward_dim)
        unit = st.selectbox(
            "Unit", [number + 1 for number in special], key="block_unit",
            bind="query-params", width=150,
        )
    return block - 1, (unit or special[0] + 1) - 1


def parameter_table(parts):
    """Every part with its shapes; the last row is the sum."""
    rows = [
        (part.name, " + ".join("×".join(map(str, one)) for one in part.shapes),
         f"{part.each:,}", f"{part.times}", f"{part.total:,}")
        for part in parts
    ]
    rows.append(("together", "", "", "", f"{total(parts):,}"))
    return pd.DataFrame(rows, columns=["part", "shapes", "each", "times", "all"])


def counted_section(parts):
    """The parameters of three models, and of one of the reader's own sizes.

    Args:
        parts: those of the tiny LLM, from `count_parameters`.
    """
    st.dataframe(
        parameter_table(parts), hide_index=True,
        alt=f"Parameters of the tiny LLM by part; {total(parts):,} together.",
    )
    small, large = map(count_parameters, (GPT_2_SMALL, GPT_3))
    st.markdown(f"""
    The same function, given the published sizes of GPT-2 small (2019:
    {GPT_2_SMALL.num_layers} blocks, width {GPT_2_SMALL.embed_dim}) and of GPT-3 (2020:
    {GPT_3.num_layers} blocks, width {GPT_3.embed_dim:,}), counts {total(small):,} and
    {total(large):,}. Both read their logits out with the embedding table itself, so
    they have no second table.
    """)
    models = {
        f"tiny LLM: {total(parts) / 1e3:.0f} thousand": parts,
        f"GPT-2 small: {total(small) / 1e6:.0f} million": small,
        f"GPT-3: {total(large) / 1e9:.0f} billion": large,
    }
    data = shares_data(models)
    show(shares_of_parts(tuple(models)), data, shares_alt(data))
    numbers(data.drop(columns="order").round(4), "block_parameters")
    st.markdown("Choose sizes of your own, and see where billions come from:")
    own_sizes()


def own_sizes():
    """The number of parameters at sizes that the reader chooses."""
    config = tiny_llm().config
    with st.container(horizontal=True):
        num_layers, num_heads, head_dim = (
            int(sound_number(
                st.number_input(label, 1, most, start, key=key, width=150,
                                bind="query-params"), start, 1, most))
            for label, most, start, key in (
                ("Blocks", MOST_BLOCKS, config.num_layers, "own_blocks"),
                ("Heads", MOST_HEADS, config.num_heads, "own_heads"),
                ("Width of a head", WIDEST_HEAD, config.head_dim, "own_head_dim"),
            )
        )
    width = num_heads * head_dim

    def counted(num_layers, width):
        return total(count_parameters(ModelConfig(
            config.vocab_size, config.context_length, width, 1, num_layers, 4 * width
        )))

    times = counted(num_layers, 2 * width) / counted(num_layers, width)
    twice = counted(2 * num_layers, width) / counted(num_layers, width)
    blocks = counted_things(num_layers, "block")
    st.metric(f"Parameters with {blocks} of width {width:,}",
              f"{counted(num_layers, width):,}", border=True)
    st.markdown(
        f"From here, twice the blocks would make {twice:.1f} times as many parameters, "
        f"twice the width {times:.1f} times: a kernel has width × width numbers, so "
        "width counts squared."
    )


def places_of_norm(run):
    """How LayerNorm before or after each part shapes the stream.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    digits = np.array([int(character) for character in EXAMPLE_ROW])
    lines = {"before: the tiny LLM": stream_lengths(run.blocks)}
    if (ASSETS / "twins.npz").exists():
        name = "post-LayerNorm"
        twin = twin_trace(load_twin(name), TWINS[name], run.token_ids)
        lines["after: its twin"] = stream_lengths(twin.blocks)
    lines["after: the digit model"] = stream_lengths(
        [digit_block(digit_model(), digits)]
    )
    data = training_data(**{
        name: list(enumerate(lengths)) for name, lengths in lines.items()
    })
    colours = tuple(zip(lines, (MODEL, KEYS, QUIET), strict=False))
    where = "additions so far"
    show(training_curves(colours, where, "size (norm), mean over the words"), data,
         training_alt(data, "Mean size of the vectors", where))
    numbers(training_table(data, where), "norm_places")
    st.markdown(
        "The tiny LLM and its twin read your sentence, the digit model a row of "
        f"digits. Before: from {lines['before: the tiny LLM'][0]:.1f} to "
        f"{lines['before: the tiny LLM'][-1]:.1f}. After: "
        f"{lines['after: the digit model'][1]:.1f}, then "
        f"{lines['after: the digit model'][2]:.1f}."
    )
    if (ASSETS / "twins.json").exists():
        st.markdown(twins_compared())


def twins_compared():
    """One sentence on two twins that differ in the place of LayerNorm only."""
    twins = load_record("twins")["twins"]
    before, after = (twins[name]["scores"][-1]["excess"]
                     for name in ("full", "post-LayerNorm"))
    better = "before" if before < after else "after"
    return (
        "Two twins of the tiny LLM, the same but for the place of LayerNorm and "
        f"trained for the same {twins['full']['scores'][-1]['step']:,} steps: before, "
        f"the loss ended {before:.4f} nats above the exact floor; after, {after:.4f}. "
        f"With only three blocks both can be trained, and *{better}* did better here. "
        "But this is one run of each; begun from other random numbers, the order may "
        "change."
    )


def in_parallel(run):
    """One pass for all places, and a pass for each; the same logits.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    llm = tiny_llm()
    ids, tokens = [int(number) for number in run.token_ids], list(run.tokens)
    together, once = timed(llm.logits, ids)
    apart, many = timed(logits_by_prefix, llm, ids)
    count = len(ids)
    with st.grid(3, min_column_width=170):
        st.metric("One pass over all words", f"{1000 * once:.1f} ms",
                  f"{count} rows of work", delta_color="off", delta_arrow="off",
                  border=True)
        st.metric("A pass for each beginning", f"{1000 * many:.1f} ms",
                  f"{count * (count + 1) // 2} rows of work", delta_color="off",
                  delta_arrow="off", border=True)
        st.metric("Largest difference of the logits",
                  f"{np.abs(together - apart).max():.0e}", f"of {shape(together)}",
                  delta_color="off", delta_arrow="off", border=True)
    rows = exercises(together, tokens, llm.tokenizer.vocabulary)
    table = pd.DataFrame(rows, columns=[
        "having read", "came", "surprise (nats)", "expected most",
    ])
    if rows:
        st.markdown(
            f"So this one sentence is {len(rows)} exercises at once. Their mean "
            f"surprise, {table['surprise (nats)'].mean():.2f} nats, is the loss of "
            "this sentence."
        )
    numbers(table.round(3), "exercises", "Every exercise, as a table")


def timed(function, *args):
    """What a function gives, and the seconds that it took, the best of three."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        result = function(*args)
        seconds.append(time.perf_counter() - began)
    return result, min(seconds)
