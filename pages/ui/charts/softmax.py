"""Softmax with these very numbers in it."""

import numpy as np
import pandas as pd

from pages.ui.charts.bars import OTHERS


def softmax_table(vocabulary, logits, temperature, rows):
    """Every step from a logit to a probability.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        rows: the words that get a row of their own; all others share one.

    Returns:
        A DataFrame, one row a word.
    """
    logits = np.asarray(logits, np.float64)
    divided = (logits - logits.max()) / temperature
    table = pd.DataFrame({
        "word": vocabulary,
        "logit": logits,
        "minus the largest, ÷ temperature": divided,
        "exponential": np.exp(divided),
    })
    table["share of the sum"] = table["exponential"] / table["exponential"].sum()
    shown = table.set_index("word").loc[list(rows)].reset_index()
    others = table[~table["word"].isin(rows)]
    shown.loc[len(shown)] = [
        OTHERS, None, None, others["exponential"].sum(),
        others["share of the sum"].sum(),
    ]
    return shown


def softmax_by_hand(vocabulary, logits, temperature):
    """The formula for the likeliest word, with its numbers, in LaTeX."""
    logits = np.asarray(logits, np.float64)
    best = int(logits.argmax())
    total = np.exp((logits - logits[best]) / temperature).sum()
    second = int(np.argsort(-logits, kind="stable")[1])
    word = rf"\text{{{latex_word(vocabulary[best])}}}"
    # The largest logit is taken off already, as the code does it.
    top = f"e^{{0 / {temperature:g}}}"
    runner_up = f"e^{{{logits[second] - logits[best]:.2f} / {temperature:g}}}"
    return (
        r"\begin{aligned}"
        rf"P({word}) &= \frac{{e^{{z_{word} / T}}}}{{\sum_w e^{{z_w / T}}}} \\[0.6em]"
        rf"&= \frac{{{top}}}{{{top} + {runner_up} + \dots}} \\[0.6em]"
        rf"&= \frac{{1}}{{{total:.3f}}} = {1 / total:.3f}"
        r"\end{aligned}"
    )


def latex_word(word):
    """A word of the vocabulary inside a formula, where some characters would act."""
    return word.replace("<", r"\textless ").replace(">", r"\textgreater ")
