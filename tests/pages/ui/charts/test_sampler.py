"""The sampler of the browser, computed here step by step as Vega does it."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from llm.glassbox.sampling import top_k, top_p, with_temperature
from pages.ui.charts.sampler import sampler_data, sampling_transforms


def steps(temperature, k, p):
    """The transformations, in order."""
    chart = sampling_transforms(alt.Chart().mark_bar(), temperature, k, p)
    return json.loads(chart.to_json())["transform"]


def computed(data, transforms):
    """What Vega computes: the few kinds of steps that the sampler uses."""
    data = data.copy()
    for step in transforms:
        if "calculate" in step:
            data[step["as"]] = [value_of(step["calculate"], row)
                                for row in data.to_dict("records")]
        elif "joinaggregate" in step:
            (one,) = step["joinaggregate"]
            data[one["as"]] = data[one["field"]].sum()
        else:
            (one,) = step["window"]
            order = data[step["sort"][0]["field"]].sort_values().index
            data[one["as"]] = data.loc[order, one["field"]].cumsum()
    return data


def value_of(expression, row):
    """An expression of Vega as Python: `a ? b : c` is the only difference."""
    named = expression.replace("datum.", "").replace("||", " or ")
    if "?" in named:
        asked, rest = named.split("?", 1)
        yes, no = rest.split(":", 1)
        named = f"({yes}) if ({asked}) else ({no})"
    return eval(named, {"exp": np.exp, "pow": pow}, dict(row))


@pytest.mark.parametrize("temperature", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("k", [1, 3, 12])
@pytest.mark.parametrize("p", [0.05, 0.6, 0.95, 1.0])
def test_it_is_the_sampler_of_the_glass_box(temperature, k, p):
    logits = np.random.default_rng(0).normal(scale=3, size=12)
    data = sampler_data([str(n) for n in range(12)], logits)
    shown = computed(data, steps(temperature, k, p))
    expected = top_p(top_k(with_temperature(logits, temperature), k), p)
    np.testing.assert_allclose(shown["q"], expected, atol=1e-9)


def test_at_top_p_1_nothing_is_cut_even_where_the_rest_is_tiny():
    logits = np.array([40.0, 0.0, -1.0])
    shown = computed(sampler_data(list("abc"), logits), steps(0.5, 3, 1.0))
    assert (shown["q"] > 0).all()


def test_the_truth_is_sharpened_like_the_model():
    data = sampler_data(list("ab"), np.array([0.0, 0.0]), {"a": 0.8, "b": 0.2})
    shown = computed(data, steps(0.5, 2, 1.0))
    np.testing.assert_allclose(shown["t"], [16 / 17, 1 / 17])


def test_without_a_truth_there_is_none():
    shown = computed(sampler_data(list("ab"), np.zeros(2)), steps(1.0, 2, 1.0))
    assert isinstance(shown, pd.DataFrame)
    assert (shown["t"] == 0).all()
