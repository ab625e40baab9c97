"""What stands in the *Go deeper* sections of the lesson on the block."""

import time

import numpy as np
import pandas as pd
import streamlit as st

from llm.digits.experiment import EXAMPLE_ROW
from llm.digits.reader import digit_block
from llm.glassbox.layer_norm import EPSILON, layer_norm, standardised
from llm.glassbox.variants import Variant, variant_block
from llm.models.config import ModelConfig
from llm.models.parameters import GPT_2_SMALL, GPT_3, count_parameters, total
from llm.models.tiny_llm import TinyLLM
from llm.models.twins import TWINS, twin_trace
from llm.studies.loss import exercises, logits_by_prefix
from llm.studies.stream import stream_lengths
from llm.studies.units import (
    direct_logit_effect,
    top_words,
    words_that_fire,
)
from pages.block.charts import shared_out
from pages.block.measures import named_units
from pages.block.parts import shape
from pages.block.words import (
    norm_factor_in_words,
    norm_places_in_words,
    trainings_in_words,
)
from pages.ui.chart import offer_table, show
from pages.ui.charts.bars import bars
from pages.ui.charts.lines import lines
from pages.ui.charts.matrix import matrix
from pages.ui.charts.trainings import ends_picture
from pages.ui.colours import FEED_FORWARD, KEYS, MODEL, QUIET
from pages.ui.controls import choose, number_box
from pages.ui.frame import lesson_link
from pages.ui.measures import activations
from pages.ui.models import digit_model, retrained_twin, tiny_llm, trainings
from pages.ui.source import show_source
from pages.ui.words import counted as counted_things
from pages.ui.words import listed, percent, plain

FIRST_SHOWN = 1  # the second block, counted from 0
FACTORS = [0.1, 0.5, 1, 2, 10, 100]
MOST_BLOCKS, MOST_HEADS, WIDEST_HEAD = 200, 200, 256


def both_of_norm(run):
    """LayerNorm by hand, and what it changes where it stands.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    norm_by_hand(run)
    places_of_norm(run)


def norm_by_hand(run):
    """LayerNorm on one vector, number by number, and on the same made larger.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    st.markdown("""
    The vector of the last word that enters the first block, number by number: take off
    the mean μ, divide by the standard deviation σ, multiply by γ, add β. Then make the
    vector larger, and see what comes out.
    """)
    norm = tiny_llm().weights.blocks[0].attention_norm
    stream = run.blocks[0].residual_before[-1].astype(float)
    factor = choose("Multiply the vector by", FACTORS, "norm_factor", 1, kind="steps")
    vector = factor * stream
    result = layer_norm(vector, norm.scale, norm.shift)
    plainly = layer_norm(stream, norm.scale, norm.shift)
    st.latex(
        rf"\mu = {vector.mean():.3f} \qquad \sigma^2 = {vector.var():.4f} \qquad "
        rf"\sqrt{{\sigma^2 + {EPSILON}}} = {np.sqrt(vector.var() + EPSILON):.3f}"
    )
    show(strips({"comes in": vector, "goes out": result}, 3.0), "norm_strips")
    offer_table(pd.DataFrame({
        "number": range(1, len(vector) + 1), "comes in": vector,
        "minus the mean": vector - vector.mean(),
        "divided by the standard deviation": standardised(vector),
        "γ": norm.scale, "β": norm.shift, "goes out": result,
    }).round(4), "layer_norm_steps", "Every step")
    st.markdown(norm_factor_in_words(vector, result, plainly, EPSILON))
    show_source(layer_norm, standardised)


def strips(vectors, largest=None):
    """One strip a vector, one cell a number: orange below zero, blue above it.

    Args:
        vectors: a dictionary from what it is to a vector, (embed_dim,).
        largest: from here on, in both directions, colours get no stronger.
    """
    values = np.stack(list(vectors.values())).astype(float)
    told = "; ".join(f"{name} from {row.min():.2f} to {row.max():.2f}"
                     for name, row in zip(vectors, values, strict=True))
    width = values.shape[1]
    return matrix(
        values, vectors, range(1, width + 1), row_title="", what="number",
        column_title=f"the {width} numbers of the vector, from x₁ on", form=".2f",
        signed=True, largest=largest or float(np.ceil(abs(values).max())), cell=26,
        said=f"Vectors of {width} numbers: {told}.",
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
    one respond to? The model read {len(found.stories)} fresh stories,
    {found.counts.sum():,} words, and we noted when each unit fired. A unit has no name
    of its own; here its number is followed by the words at which it fires most. In each
    block the list begins with units that keep to few words; type a word to search it.
    """)
    layer, unit = unit_picker()
    st.markdown(
        f"Unit {unit + 1} of block {layer + 1} fires at "
        f"{percent(found.shares[layer, unit])} of all words. Most strongly, on "
        "average, at:"
    )
    words = top_words(found, layer, unit)
    show(bars(
        {vocabulary[word]: found.means[layer, unit, word] for word in words},
        "mean firing", f"unit {unit + 1}", colour=FEED_FORWARD, domain=None, form=".2f",
    ), "block_unit_words")
    st.markdown("Its strongest moments, each in a story of its own, up to that word:")
    st.markdown("\n".join(
        f"- {snippet(found.stories[story], at)}"
        for story, at in found.moments[layer, unit]
    ))
    effect = direct_logit_effect(llm.weights, layer, unit)
    likelier = np.argsort(-effect, kind="stable")[:5]
    st.markdown(
        "When it fires it makes other words likelier. Straight from here to the "
        f"output, these gain most: {listed(vocabulary[word] for word in likelier)}."
    )
    before = run.token_ids[-(llm.config.context_length - 1):]
    tried = words_that_fire(llm.weights, before, layer, unit)
    best = int(tried.argmax())
    st.markdown(
        f"And a search: we put each of the {len(vocabulary)} words next in your "
        "sentence. " + (
            f"{plain(vocabulary[best])} makes this unit fire most, with "
            f"{tried[best]:.2f}." if tried[best] > 0 else
            "None makes it fire here: what it responds to depends on the words "
            "before, too."
        )
    )
    show_source(top_words, words_that_fire, direct_logit_effect)


def snippet(story, at, before=12):
    """A story up to a word, its last words only; what is left out is marked."""
    first = max(0, at - before)
    return ("… " if first else "") + plain(" ".join(story[first : at + 1]))


def unit_picker():
    """Which unit: its layer and its number, both from 0."""
    units = named_units()
    first = next(name for name, (layer, _) in units.items() if layer == FIRST_SHOWN)
    return units[choose("Unit (block.number)", list(units), "block_unit", first,
                        kind="list", width=340)]


def parameter_table(parts):
    """Every part with its shapes; the last row is the sum."""
    rows = [
        (part.name, " + ".join("×".join(map(str, one)) for one in part.shapes),
         f"{part.each:,}", f"{part.times}", f"{part.total:,}")
        for part in parts
    ]
    rows.append(("together", "", "", "", f"{total(parts):,}"))
    return pd.DataFrame(rows, columns=["part", "shapes", "each", "times", "all"])


def counted_section(run):
    """The parameters of three models, and of one of the reader's own sizes.

    Args:
        run: the `Trace` of the reader's sentence; nothing here depends on it.
    """
    parts = count_parameters(tiny_llm().config)
    st.markdown("Part by part. The sum is what Keras counts in the same model.")
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
    show(shared_out({
        f"tiny LLM: {total(parts) / 1e3:.0f} thousand": parts,
        f"GPT-2 small: {total(small) / 1e6:.0f} million": small,
        f"GPT-3: {total(large) / 1e9:.0f} billion": large,
    }), "block_parameters")
    st.markdown("Choose sizes of your own, and see where billions come from:")
    own_sizes()
    show_source(count_parameters)


def own_sizes():
    """The number of parameters at sizes that the reader chooses."""
    config = tiny_llm().config
    with st.container(horizontal=True):
        num_layers, num_heads, head_dim = (
            number_box(label, 1, most, start, key, width=150)
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
        f"twice the width {times:.1f} times: a matrix has width × width numbers, so "
        "width counts squared."
    )


def places_of_norm(run):
    """How LayerNorm before or after each part shapes the stream.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    st.markdown("""
    LayerNorm can stand before each part or after it:

    - **Before** (pre-LayerNorm), `x + part(LayerNorm(x))`: GPT-2, GPT-3 and the
      tiny LLM.
    - **After** (post-LayerNorm), `LayerNorm(x + part(x))`: the paper of 2017, BERT
      and the digit model of the next lesson but one.

    Before: nothing stands in the way of the stream, so it can grow, and even a
    hundred blocks train stably. After: each sum is brought back to the same size, and
    deep stacks need a slow, careful start.

    Here are two twins of the tiny LLM, trained in the same way, which differ in
    nothing but the place of LayerNorm. The digit model has it after, too.
    """)
    name = "post-LayerNorm"
    pre, post = (
        twin_trace(retrained_twin(twin), TWINS[twin], run.token_ids)
        for twin in ("full", name)
    )
    digits = np.array([int(character) for character in EXAMPLE_ROW])
    sizes = {
        "before: one twin": stream_lengths(pre.blocks),
        "after: the other twin": stream_lengths(post.blocks),
        "after: the digit model": stream_lengths([digit_block(digit_model(), digits)]),
    }
    show(lines(
        {label: list(enumerate(found)) for label, found in sizes.items()},
        "additions so far", "size (norm), mean over the words",
        colours=dict(zip(sizes, (MODEL, KEYS, QUIET), strict=True)),
    ), "norm_places")
    st.markdown(norm_places_in_words(*sizes.values()))
    before, after = (trainings(one) for one in ("full", name))
    st.markdown(f"""
    Does the place matter for learning? Here are several such twins, trained for
    {before[0]["scores"][-1]["step"]:,} steps; every dot is one training.
    """)
    ends = {"before": excess_of(before), "after": excess_of(after)}
    show(ends_picture(ends), "norm_trainings")
    st.markdown(
        trainings_in_words(ends["before"], {"LayerNorm after": ends["after"]})
        + " In a network of three blocks both can be trained."
    )
    st.markdown("One function here does both; the digit model has run through it:")
    show_source(variant_block, Variant)


def without_parts(run):
    """What twins reach that were trained without a part.

    Args:
        run: the `Trace` of the reader's sentence; nothing here depends on it.
    """
    full = trainings("full")
    st.markdown(f"""
    We trained twins of the tiny LLM from the start, each without one part, for
    {full[0]["scores"][-1]["step"]:,} steps. Every dot is one training. As the toy world
    is known exactly, so is the lowest loss that any model can reach, the **exact
    floor**; the axis says how far above it a training ends.
    """)
    twins = {
        "no residual connections": excess_of(trainings("no residual")),
        "no LayerNorm": excess_of(trainings("no LayerNorm")),
        "one block": excess_of(trainings("one layer")),
    }
    show(ends_picture({"the full model": excess_of(full), **twins}), "block_twins")
    st.markdown(trainings_in_words(excess_of(full), twins))
    lesson_link("training", "Every twin and every skill: Training")


def excess_of(runs):
    """How far above the exact floor each training ends."""
    return [run["scores"][-1]["excess"] for run in runs]


def in_parallel(run):
    """One pass for all places, and a pass for each; the same logits.

    Args:
        run: the `Trace` of the reader's sentence.
    """
    st.markdown("""
    A recurrent network must read word 5 before word 6. In a Transformer no word waits
    for another: all go through a block together, and the mask keeps each from seeing
    what comes later. In **training** the whole text is known, so every position is an
    exercise, and one pass marks them all. Measured just now:
    """)
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
        "having read", "came", "its loss", "expected most",
    ])
    if rows:
        st.markdown(
            f"So this one sentence is {len(rows)} exercises at once. The mean of their "
            f"losses, {table['its loss'].mean():.2f}, is the loss of this sentence."
        )
    offer_table(table.round(3), "exercises", "Every exercise")
    st.markdown("""
    When **writing**, that is impossible. Which word comes sixth is not known before the
    fifth is drawn, and what the network says next depends on it. So it goes one by one;
    but the keys and values of earlier words can be kept.
    """)
    show_source(TinyLLM.logits, logits_by_prefix)


def timed(function, *args):
    """What a function gives, and the seconds that it took, the best of three."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        result = function(*args)
        seconds.append(time.perf_counter() - began)
    return result, min(seconds)
