"""Go deeper: why scores are divided by √d, and what a trained head's matrices hold."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.glassbox.entropy import entropy
from llm.glassbox.heads import project_to_heads
from llm.studies.scaling import (
    DIMS,
    DIVISORS,
    mean_entropy,
    rows_of_weights,
    spread_of_dots,
    unit_spread,
)
from pages.queries_keys_values.measures import SENTENCE, sharpest_head
from pages.queries_keys_values.words import scale_said, trained_rows_said
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.charts.lines import lines
from pages.ui.charts.matrix import matrix
from pages.ui.colours import DRAW, MODEL, QUIET
from pages.ui.controls import choose
from pages.ui.models import checkpoints, tiny_llm, trainings
from pages.ui.source import show_source
from pages.ui.words import head_name


def scale_section(words):
    """Dot products of real rows, divided by nothing, by √d and by d.

    Args:
        words: the words that are looked at by `it`, each but once.
    """
    st.markdown("""
    A score adds up d products, one for each number of a query (d is `head_dim`). More
    numbers make larger sums. Softmax then gives nearly everything to one word, and a
    network whose choice is as hard as that may learn little about the others.
    Divide by d itself, and the opposite happens: all scores come close to 0, and the
    words get nearly the same.

    Here are real rows: those that the tiny LLM had **before its training**, brought to
    mean 0 and standard deviation 1. The first d numbers of `it` are the query, those of
    the other words of the sentence are the keys.
    """)
    d = choose("head_dim, the number of products in a score", DIMS, "qkv_dim", 16,
               kind="steps")
    by = choose("Divide by", DIVISORS, "qkv_divisor", "√d")
    vectors = unit_spread(checkpoints()[0].token_embeddings)
    ids = tiny_llm().tokenizer.ids
    keys = vectors[[ids[word] for word in words]]
    shares = rows_of_weights(vectors[[ids["it"]]], keys, d, DIVISORS[by])[0]
    show(bars(
        dict(zip(words, shares)), "attention weight", "it", form=".2f",
        said=f"What 'it' gives to each word, scores divided by {by}",
    ), "scale_row")
    spread = spread_of_dots(vectors, d)
    st.markdown(scale_said(
        entropy(shares), len(words), spread, spread / d ** DIVISORS[by]
    ))
    st.markdown("The same for every word as the query, on average:")
    show(lines(
        {f"by {name}": [(one, mean_entropy(vectors, keys, one, power)) for one in DIMS]
         for name, power in DIVISORS.items()},
        "head_dim", "mean entropy of a row (nats)", domain=(0, 2.6), log_x=True, at=d,
        colours={"by nothing": DRAW, "by √d": MODEL, "by d": QUIET},
    ), "scale_entropy")
    st.markdown(f"""
    Why the root? Each product is as often above zero as below, so most of the sum
    cancels. What is left spreads like √d. Measured over all pairs of {len(vectors)}
    words:
    """)
    spreads = np.array([spread_of_dots(vectors, one) for one in DIMS])
    st.dataframe(
        pd.DataFrame({
            "d": DIMS, "spread of scores": spreads.round(2),
            "√d": np.sqrt(DIMS).round(2),
            "divided by √d": (spreads / np.sqrt(DIMS)).round(2),
            "divided by d": (spreads / np.array(DIMS)).round(2),
        }),
        hide_index=True, alt="Spread of dot products by head_dim, beside √d.",
    )
    head, share = sharpest_head()
    ends = ([run["scores"][-1]["excess"] for run in trainings(name)]
            for name in ("full", "no scaling"))
    st.markdown(trained_rows_said(head_name(*head), SENTENCE[-1], share, *ends))
    show_source(rows_of_weights, spread_of_dots, entropy)


def kernels_section(name, layer, head):
    """The matrices that training found for one head.

    Args:
        name: of the head, in words.
    """
    attention = tiny_llm().weights.blocks[layer].attention
    kernels = {"query": attention.query_kernel, "key": attention.key_kernel,
               "value": attention.value_kernel}
    which = choose("Which matrix?", kernels, "qkv_kernel")
    kernel = kernels[which][:, head]
    rows, columns = kernel.shape
    st.markdown(f"""
    {name.capitalize()}: {rows} numbers go in (the rows), {columns} come out (the
    columns). Nobody chose these numbers, training did; and none of the {columns} that
    come out need have a meaning that one could name.
    """)
    largest = float(np.ceil(abs(kernel).max() * 10) / 10)
    show(matrix(
        kernel, range(1, rows + 1), range(1, columns + 1), row_title="in",
        column_title="out", what="weight", largest=largest, signed=True, form=".2f",
        figures=False, cell=9,
        said=f"The {which} matrix of {name}: {rows} by {columns} numbers from "
             f"{kernel.min():.2f} to {kernel.max():.2f}.",
    ), "qkv_kernel_numbers")
    show_source(project_to_heads)
