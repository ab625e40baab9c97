"""Trainings of several networks, each from several first draws: every one is shown."""

from functools import cache

import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.lines import lines
from pages.ui.colours import KEYS, MODEL, QUERIES, TRUTH
from pages.ui.words import counted, in_a_row, percent

BASELINE = "always yes"
# One colour a network, the same in every picture of them.
NETWORKS = {"Transformer": MODEL, "LSTM": KEYS, "SimpleRNN": QUERIES, BASELINE: TRUTH}
REACHED = 0.95  # from this share of right answers on a training counts as arrived
CLEARLY = 0.05  # a mean that lies higher by less is called as good


def epochs_picture(models, always_yes):
    """Test accuracy by epoch: the mean of the trainings as a line, each as dots.

    Args:
        models: a dictionary from network to its record, with `draws`.
        always_yes: the accuracy of always answering yes.
    """
    runs = {name: [draw["tests"] for draw in found["draws"]]
            for name, found in models.items()}
    last = max(len(tests) for draws in runs.values() for tests in draws)
    means = {
        name: [
            (epoch + 1, sum(tests[epoch] for tests in draws) / len(draws))
            for epoch in range(last)
        ]
        for name, draws in runs.items()
    }
    means[BASELINE] = [(1, always_yes), (last, always_yes)]
    dots = {
        name: [(epoch, right) for tests in draws for epoch, right in enumerate(tests,
        1)] for name, draws in runs.items()
    }
    return lines(
        means, "epoch", "right on test rows", colours=NETWORKS, dashed=(BASELINE,),
        dots=dots, domain=(0.4, 1), form="percent", points=False,
        said="Share of test rows answered correctly, the mean of all trainings",
    )


def runs_by_length(results):
    """The final accuracies of every training, by network and length.

    Args:
        results: a list of records with `model`, `length` and `accuracy`.
    """
    runs = {}
    for found in results:
        by_length = runs.setdefault(found["model"], {})
        by_length.setdefault(found["length"], []).append(found["accuracy"])
    return runs


def lengths_picture(results):
    """Test accuracy by the length of the rows: means as lines, trainings as dots.

    Args:
        results: a list of records with `model`, `length`, `accuracy` and
            `always_yes`.
    """
    runs = runs_by_length(results)
    means = {
        name: [(n, sum(s) / len(s)) for n, s in sorted(by_length.items())]
        for name, by_length in runs.items()
    }
    always = {found["length"]: found["always_yes"] for found in results}
    means[BASELINE] = sorted(always.items())
    dots = {
        name: [(n, share) for n, shares in by_length.items() for share in shares]
        for name, by_length in runs.items()
    }
    return lines(
        means, "digits in a row", "right on test rows", colours=NETWORKS,
        dashed=(BASELINE,), dots=dots, domain=(0.4, 1), form="percent",
        said="Right on test rows by length, the mean of all trainings",
    )


def reached_in_words(results):
    """How many trainings of each network got there, by length.

    Args:
        results: a list of records with `model`, `length` and `accuracy`.
    """
    told = []
    for name, by_length in runs_by_length(results).items():
        counts = ", ".join(
            f"{sum(share >= REACHED for share in shares)} of {len(shares)} at {length}"
            for length, shares in sorted(by_length.items())
        )
        told.append(f"**{name}**: {counts} digits")
    return (
        f"Trainings that ended with at least {percent(REACHED)} right: "
        + "; ".join(told) + "."
    )


def uneven_in_words(results):
    """Which networks did better on longer rows than on shorter ones, on average.

    Args:
        results: a list of records with `model`, `length` and `accuracy`.

    Returns:
        A sentence; empty if a longer row was nowhere clearly easier.
    """
    runs, told = runs_by_length(results), []
    for name, by_length in runs.items():
        means = {n: sum(s) / len(s) for n, s in sorted(by_length.items())}
        gains = {(short, long): means[long] - means[short]
                 for short in means for long in means if short < long}
        if gains and max(gains.values()) > CLEARLY:
            short, long = max(gains, key=gains.get)
            told.append(f"the {name} got {percent(means[short])} at {short} digits "
                        f"and {percent(means[long])} at {long}")
    if not told:
        return ""
    most = max(len(shares) for by_length in runs.values()
               for shares in by_length.values())
    return (
        f"A shorter row was not always easier here: on average {in_a_row(told)}. With "
        f"{counted(most, 'training')} of each, chance may decide. And the figures say "
        "how well a network learned the task, not only how far it can carry a digit."
    )


def arrivals_in_words(models):
    """Where each network's trainings end, and how early those that arrive get there.

    Args:
        models: a dictionary from network to its record, with `draws`.
    """
    told = []
    for name, found in models.items():
        ends = [draw["accuracy"] for draw in found["draws"]]
        firsts = [first_above(draw["tests"]) for draw in found["draws"]]
        firsts = [first for first in firsts if first is not None]
        span = percent(min(ends)) if min(ends) == max(ends) else (
            f"{percent(min(ends))} to {percent(max(ends))}"
        )
        when = "" if not firsts else f", from epoch {min(firsts)} on" if (
            min(firsts) == max(firsts)
        ) else f", between epoch {min(firsts)} and {max(firsts)}"
        told.append(
            f"- **{name}**: {len(firsts)} of {counted(len(ends), 'training')} got to "
            f"{percent(REACHED)}{when}. At the end: {span}."
        )
    return "\n".join(told)


def ends_picture(ends, first=QUERIES, others=MODEL):
    """How far above the exact floor each training ends: a dot for each.

    Args:
        ends: a dictionary from network to one number a training; the first is what the
            others are compared with.
        first, others: the colours of that network and of the others.
    """
    data = pd.DataFrame([
        (name, number, excess)
        for name, values in ends.items() for number, excess in enumerate(values, 1)
    ], columns=["network", "training", "excess"])
    told = "; ".join(f"{name}: {', '.join(f'{excess:.4f}' for excess in values)}"
                     for name, values in ends.items())
    return Chart(ends_spec(tuple(ends), first, others), data,
                 f"Nats above the exact floor at the end of each training. {told}.",
                 lambda: data)


@cache
def ends_spec(names, first, others):
    """How the ends are drawn. Data: network, training, excess."""
    import altair as alt

    chart = alt.Chart().mark_point(filled=True, size=110, opacity=0.75).encode(
        x=alt.X("excess:Q").title("loss above the exact floor").scale(zero=True),
        y=alt.Y("network:N").sort(list(names)).title(None).axis(
            grid=True, domain=False, ticks=False, labelLimit=220),
        color=alt.Color("network:N").scale(
            domain=list(names), range=[first] + [others] * (len(names) - 1)
        ).legend(None),
        tooltip=[
            alt.Tooltip("network:N"), alt.Tooltip("training:Q"),
            alt.Tooltip("excess:Q", title="nats above the floor", format=".4f"),
        ],
    )
    return spec_of(chart.properties(height=alt.Step(38)))


def first_above(tests):
    """The first epoch after which as many rows were right as count; None if none."""
    return next(
        (epoch for epoch, right in enumerate(tests, 1) if right >= REACHED), None
    )
