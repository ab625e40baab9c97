"""Bars for the probabilities of the next word, the model's beside the truth."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import MODEL, TRUTH

MODEL_NAME, TRUTH_NAME = "the tiny LLM", "the exact truth"
OTHERS = "all other words"
ROW_HEIGHT = 27


def rows_of(model, truth=None, words=9):
    """The words that get a bar of their own, the model's likeliest on top.

    Args:
        model: a dictionary from every word to its probability.
        truth: the same for the truth; empty or None where there is none.
        words: how many.
    """
    truth = truth or {}
    weight = {word: max(p, truth.get(word, 0.0)) for word, p in model.items()}
    shown = sorted(weight, key=weight.get, reverse=True)[:words]
    return sorted(shown, key=model.get, reverse=True)


def bars_data(model, truth=None, rows=None):
    """A row for each shown word and one for all others, for `probability_bars`.

    Args:
        model, truth: as in `rows_of`.
        rows: the shown words, if not those of `rows_of`.

    Returns:
        A DataFrame with columns word, model, truth, place; both shares add up to one.
    """
    rows = rows or rows_of(model, truth)
    data = pd.DataFrame({"word": rows, "model": [model[word] for word in rows]})
    data["truth"] = [(truth or {}).get(word, 0.0) for word in rows]
    if len(model) > len(rows):
        rest = (1 - data[["model", "truth"]].sum()).clip(lower=0)
        data.loc[len(data)] = [OTHERS, rest["model"], rest["truth"]]
    if not truth:
        data["truth"] = float("nan")
    return data.assign(place=range(len(data)))


def bars_table(data):
    """The bars as a table for readers."""
    table = data.rename(columns={"model": MODEL_NAME, "truth": TRUTH_NAME})
    return table.drop(columns="place").round(6)


def bars_alt(data, start, temperature=None):
    """What the bars say, in words."""
    said = [
        f"'{row.word}' {percent(row.model)}"
        + ("" if pd.isna(row.truth) else f" (truth {percent(row.truth)})")
        for row in data.itertuples()
        if row.model >= 0.005 or row.truth >= 0.005
    ]
    at = "" if temperature is None else f"At temperature {temperature:g}, "
    after = f"{at}after '{start}' the tiny LLM expects: {', '.join(said)}."
    return after[0].upper() + after[1:]


@cache
def probability_bars(with_truth=True):
    """One bar a word; a tick marks the truth.

    Data: word, model, truth (both shares of one), place (0 is on top).
    """
    return spec(layers("model", "truth", with_truth))


@cache
def temperature_bars(with_truth=True):
    """The same bars, computed in the browser, with a slider for the temperature.

    Data: one row for each word of the vocabulary, see `temperature_data`. The maths is
    that of `llm/glassbox/sampling.py`, in Vega's own language; a test in a browser
    compares the two.
    """
    slider = alt.binding_range(
        min=0.1, max=2.0, step=0.05, name="Temperature "
    )
    temperature = alt.selection_point(
        name="temperature", fields=["T"], bind=slider, value=[{"T": 1.0}]
    )
    chart = layers("share", "true_share", with_truth, temperature)
    chart = chart.transform_calculate(
        power=f"exp(datum.logit / {T})",
        # The truth at this temperature, or the model would be called wrong unfairly.
        true_power=f"datum.truth > 0 ? pow(datum.truth, 1 / {T}) : 0",
    )
    chart = shares(chart, "power", "p").transform_calculate(
        within_k="datum.rank <= datum.top_k ? datum.p : 0"
    )
    chart = shares(chart, "within_k", "p_k").transform_window(
        reached="sum(p_k)",
        sort=[alt.SortField("rank")],
        frame=[None, 0],
        ignorePeers=True,
    )
    chart = chart.transform_calculate(
        within_p="datum.reached - datum.p_k < datum.top_p - 1e-9 ? datum.p_k : 0"
    )
    chart = shares(shares(chart, "within_p", "q"), "true_power", "t")
    chart = chart.transform_aggregate(
        share="sum(q)", true_share="sum(t)", place="min(place)", groupby=["word"]
    )
    return spec(chart)


T = "temperature.T[0]"


def shares(chart, field, name):
    """Divide a column by its sum."""
    return chart.transform_joinaggregate(
        **{f"total_{name}": f"sum({field})"}
    ).transform_calculate(**{name: f"datum.{field} / datum.total_{name}"})


def at_temperature(drawn, temperature):
    """The same chart with its slider standing at this temperature."""
    params = [
        {**param, "value": [{"T": temperature}]}
        if param["name"] == "temperature"
        else param
        for param in drawn["params"]
    ]
    return {**drawn, "params": params}


def temperature_data(vocabulary, logits, truth, rows, top_k=None, top_p=None):
    """One row a word for `temperature_bars`.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        truth: a dictionary from word to probability, or None.
        rows: the words that get a bar of their own, from top to bottom.
        top_k, top_p: how the choice is cut; None cuts nothing.
    """
    place = {word: number for number, word in enumerate([*rows, OTHERS])}
    data = pd.DataFrame({"logit": logits - logits.max()})
    data["truth"] = [(truth or {}).get(word, 0.0) for word in vocabulary]
    data["rank"] = data["logit"].rank(method="first", ascending=False).astype("int16")
    words = [word if word in place else OTHERS for word in vocabulary]
    data["word"] = pd.Categorical(words, categories=list(place))
    data["place"] = data["word"].cat.codes
    data["top_k"] = np.int16(top_k or len(data))
    data["top_p"] = top_p or 1.0
    return data


def layers(model, truth, with_truth, *params):
    """Bars, ticks and figures on the same rows."""
    rows = alt.Chart().encode(
        y=alt.Y("word:N")
        .sort(field="place", op="min")
        .title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140)
    )
    share = alt.Scale(domain=[0, 1])
    names = alt.Scale(domain=[MODEL_NAME, TRUTH_NAME], range=[MODEL, TRUTH])
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    tooltip = [
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip(f"{model}:Q", title=MODEL_NAME, format=".2%"),
    ]
    if with_truth:
        tooltip.append(alt.Tooltip(f"{truth}:Q", title=TRUTH_NAME, format=".2%"))
    def colour(name):
        # A column of its own, because only a column may have a scale and a legend.
        return rows.transform_calculate(series=f"'{name}'").encode(
            color=alt.Color("series:N").scale(names).legend(
                legend if with_truth else None
            )
        )

    bars = colour(MODEL_NAME).mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        x=alt.X(f"{model}:Q").scale(share).title("probability").axis(
            format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]
        ),
        tooltip=tooltip,
    )
    # Beside whichever reaches further, so that no tick stands in the figure.
    end = f"max(datum['{model}'], datum['{truth}'] || 0)" if with_truth else (
        f"datum['{model}']"
    )
    figures = rows.transform_calculate(end=end).mark_text(
        align="left", dx=6, fontSize=12
    ).encode(
        x=alt.X("end:Q"),
        text=alt.Text(f"{model}:Q", format=".1%"),
    )
    marks = [bars.add_params(*params), figures]
    if with_truth:
        marks.append(
            colour(TRUTH_NAME).mark_tick(thickness=3, height=23, opacity=1).encode(
                x=alt.X(f"{truth}:Q"), tooltip=tooltip
            )
        )
    return alt.layer(*marks).properties(height=alt.Step(ROW_HEIGHT))
