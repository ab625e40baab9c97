"""The steps of softmax as a table; its formula lives in `pages/ui/latex.py`."""

import numpy as np
import pandas as pd

from pages.ui.charts.bars import OTHERS
from pages.ui.latex import latex_word, softmax_by_hand  # noqa: F401


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
