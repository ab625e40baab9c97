"""The sampler in Vega's own language, so that bars move while a slider is dragged.

The maths is that of `llm/glassbox/sampling.py`; a test in a browser compares the two.
"""

import numpy as np
import pandas as pd


def sampler_data(vocabulary, logits, truth=None):
    """One row a word of the vocabulary, for `sampling_transforms`.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        truth: a dictionary from word to probability, or None.

    Returns:
        A DataFrame with columns token, logit, behind (the likeliest), rank, number and
        truth.
    """
    data = pd.DataFrame({"token": vocabulary, "logit": np.asarray(logits, float)})
    data["behind"] = data["logit"] - data["logit"].max()
    data["rank"] = data["logit"].rank(method="first", ascending=False).astype("int16")
    data["number"] = np.arange(len(data), dtype="int16")
    data["truth"] = [(truth or {}).get(word, 0.0) for word in vocabulary]
    return data


def sampling_transforms(chart, temperature, top_k, top_p):
    """Give each word its probability after softmax, after top-k and after top-p.

    Data: as in `sampler_data`.

    Args:
        chart: a chart of Altair.
        temperature, top_k, top_p: expressions of Vega, a parameter of the chart or a
            column. A top-k as large as the vocabulary and a top-p of 1 cut nothing.

    Returns:
        The chart with the columns p (after softmax), p_k (after top-k), q (after
        top-p) and t (the truth at this temperature).
    """
    chart = chart.transform_calculate(
        power=f"exp(datum.behind / {temperature})",
        # The truth at this temperature, or the model would be called wrong unfairly.
        true_power=f"datum.truth > 0 ? pow(datum.truth, 1 / {temperature}) : 0",
    )
    chart = shares(chart, "power", "p").transform_calculate(
        within_k=f"datum.rank <= {top_k} ? datum.p : 0"
    )
    chart = running_sum(shares(chart, "within_k", "p_k"), "p_k", "reached", "rank")
    chart = chart.transform_calculate(
        within_p=f"{top_p} >= 1 || datum.reached - datum.p_k < {top_p} - 1e-9 "
        "? datum.p_k : 0"
    )
    return shares(shares(chart, "within_p", "q"), "true_power", "t")


def shares(chart, field, name):
    """Divide a column by its sum."""
    return chart.transform_joinaggregate(
        **{f"total_{name}": f"sum({field})"}
    ).transform_calculate(
        **{name: f"datum.total_{name} > 0 ? datum.{field} / datum.total_{name} : 0"}
    )


def running_sum(chart, field, name, order):
    """Add up a column from the first row to this one."""
    import altair as alt

    return chart.transform_window(
        **{name: f"sum({field})"}, sort=[alt.SortField(order)], frame=[None, 0],
        ignorePeers=True,
    )
