"""From logits to one word in one picture, computed in the browser while sliders move.

Above, a row for each word: logit, divided by the temperature, and its share after
softmax, after top-k and after top-p. Below, the line from 0 to 1 on which a random
number falls. The maths is that of `llm/glassbox/sampling.py` in Vega's own language; a
test in a browser compares the two.
"""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.bars import MODEL_NAME, OTHERS, TRUTH_NAME, shares
from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import DRAW, MODEL, QUIET, TRUTH, WORDS

SETTINGS = "settings"  # the name of the three sliders in the chart
ALL = 25  # the slider for top-k ends here, and then it keeps every word
STAGES = ("softmax", "top-k", "top-p")
PANEL = 1.16  # from one panel to the next, in widths of a panel
LEFT, RIGHT = -0.95, 2 * PANEL + 1  # room for two columns of figures on the left
TOP, ROWS_HEIGHT = 18, 260  # where the rows begin, and how high they are together
LINE = TOP + ROWS_HEIGHT + 34  # where the line begins
HEIGHT = LINE + 52
PALE = "#8a93a133"
TEMPERATURE, K, P = (f"{SETTINGS}.{name}[0]" for name in ("T", "k", "p"))


def choice_data(vocabulary, logits, truth, rows, u):
    """One row a word of the vocabulary, for `choice_chart`.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        truth: a dictionary from word to probability, or None.
        rows: the words that get a row of their own, from top to bottom.
        u: the random number, in [0, 1).
    """
    place = {word: number for number, word in enumerate([*rows, OTHERS])}
    data = pd.DataFrame({"token": vocabulary, "logit": np.asarray(logits, float)})
    data["behind"] = data["logit"] - data["logit"].max()
    data["truth"] = [(truth or {}).get(word, 0.0) for word in vocabulary]
    data["rank"] = data["logit"].rank(method="first", ascending=False).astype("int16")
    data["number"] = np.arange(len(data), dtype="int16")
    words = [word if word in place else OTHERS for word in vocabulary]
    data["word"] = pd.Categorical(words, categories=list(place))
    data["place"] = data["word"].cat.codes
    return data.assign(u=u)


def choice_table(vocabulary, logits, temperature, stages, truth, rows):
    """Every step from a logit to a share, for readers.

    Args:
        stages: the probabilities after softmax, after top-k and after top-p, each
            (vocab_size,).
        truth: a dictionary from word to the truth at this temperature.
    """
    table = pd.DataFrame({"word": vocabulary, "logit": logits})
    table["÷ temperature"] = table["logit"] / temperature
    for name, probabilities in zip(STAGES, stages, strict=True):
        table[f"after {name}"] = probabilities
    table["truth at this temperature"] = [truth.get(w, 0.0) for w in vocabulary]
    shown = table.set_index("word").loc[list(rows)].reset_index()
    others = table[~table["word"].isin(rows)].sum(numeric_only=True)
    others[["logit", "÷ temperature"]] = None
    shown.loc[len(shown)] = [OTHERS, *others]
    return shown.round(5)


def choice_alt(vocabulary, probabilities, settings, u, taken):
    """What the picture says, in words.

    Args:
        probabilities: (vocab_size,), what is drawn from.
        settings: temperature, top-k and top-p; None where nothing is cut.
        taken: the word on which u fell.
    """
    temperature, k, p = settings
    cuts = [f"top-k {k}"] if k else []
    cuts += [f"top-p {p:g}"] if p else []
    likeliest = np.argsort(-probabilities, kind="stable")[:4]
    said = ", ".join(
        f"'{vocabulary[number]}' {percent(probabilities[number])}"
        for number in likeliest if probabilities[number] > 0
    )
    left = int((probabilities > 0).sum())
    with_cuts = f" with {' and '.join(cuts)}" if cuts else ""
    are_left = "word is" if left == 1 else "words are"
    return (
        f"At temperature {temperature:g}{with_cuts}, {left} {are_left} left: {said}"
        f"{' and others' if left > 4 else ''}. The number {u:.4f} falls on '{taken}'."
    )


@cache
def choice_chart(with_truth=True):
    """The picture as a whole, with its three sliders.

    Data: as in `choice_data`.
    """
    chart = alt.layer(*stages(with_truth), *line())
    chart = chart.transform_calculate(
        power=f"exp(datum.behind / {TEMPERATURE})",
        # The truth at this temperature, or the model would be called wrong unfairly.
        true_power=f"datum.truth > 0 ? pow(datum.truth, 1 / {TEMPERATURE}) : 0",
    )
    chart = shares(chart, "power", "p").transform_calculate(
        within_k=f"{K} >= {ALL} || datum.rank <= {K} ? datum.p : 0"
    )
    chart = running_sum(shares(chart, "within_k", "p_k"), "p_k", "reached", "rank")
    chart = chart.transform_calculate(
        within_p=f"{P} >= 1 || datum.reached - datum.p_k < {P} - 1e-9 ? datum.p_k : 0"
    )
    chart = shares(shares(chart, "within_p", "q"), "true_power", "t")
    # In the order of the vocabulary the words lie side by side on the line.
    chart = running_sum(chart, "q", "to", "number")
    return spec(chart.properties(
        height=HEIGHT,
        # The height is that of the rows and the line; a legend comes on top of it.
        autosize={"type": "fit-x", "contains": "padding"},
        usermeta={"embedOptions": {"renderer": "svg"}},
    ))


def running_sum(chart, field, name, order):
    """Add up a column from the first row to this one."""
    return chart.transform_window(
        **{name: f"sum({field})"}, sort=[alt.SortField(order)], frame=[None, 0],
        ignorePeers=True,
    )


def sliders():
    """Temperature, top-k and top-p, drawn by the browser under the chart."""
    return alt.selection_point(
        name=SETTINGS,
        fields=["p", "k", "T"],  # Vega draws the last one first
        bind={
            "T": alt.binding_range(min=0.1, max=2, step=0.05, name="Temperature "),
            "k": alt.binding_range(
                min=1, max=ALL, step=1, name=f"Top-k ({ALL}: all words) "),
            "p": alt.binding_range(
                min=0.05, max=1, step=0.05, name="Top-p (1: all words) "),
        },
        value=[{"T": 1.0, "k": ALL, "p": 1.0}],
    )


def stages(with_truth):
    """The layers with the rows of words: two columns of figures, three of bars."""
    rows = alt.Chart().transform_aggregate(
        softmax="sum(p)", top_k="sum(p_k)", top_p="sum(q)", true_share="sum(t)",
        logit="max(logit)", place="min(place)", groupby=["word"],
    ).transform_calculate(divided=f"datum.logit / {TEMPERATURE}").encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None).scale(
            range=[TOP, TOP + ROWS_HEIGHT]
        ).axis(domain=False, ticks=False, labelOverlap=False, labelLimit=120)
    )
    columns = rows.transform_fold(
        ["softmax", "top_k", "top_p"], as_=["stage", "share"]
    ).transform_calculate(
        start=f"{PANEL} * indexof(['softmax', 'top_k', 'top_p'], datum.stage)",
    ).transform_calculate(
        end="datum.start + datum.share", full="datum.start + 1",
        gone="datum.stage != 'softmax' && datum.softmax > 0 && datum.share == 0",
    )
    x = alt.X("start:Q").scale(domain=[LEFT, RIGHT], nice=False).axis(None)
    names = alt.Scale(domain=[MODEL_NAME, TRUTH_NAME], range=[MODEL, TRUTH])
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    colour = alt.Color("series:N").scale(names).legend(legend if with_truth else None)
    track = columns.mark_bar(
        height=17, color=PALE, cornerRadius=3, opacity=1, aria=False
    ).encode(
        x=x, x2="full:Q")
    bars = columns.transform_calculate(series=f"'{MODEL_NAME}'").mark_bar(
        height=17, cornerRadius=3, opacity=1
    ).encode(x=x, x2="end:Q", color=colour, tooltip=[
        alt.Tooltip("word:N", title="word"), alt.Tooltip("stage:N", title="after"),
        alt.Tooltip("share:Q", title="share", format=".3%"),
    ])
    layers = [track.add_params(sliders()), bars, *figures(columns), *logits(rows)]
    if with_truth:
        layers.append(rows.transform_calculate(
            series=f"'{TRUTH_NAME}'").mark_tick(thickness=3, height=23, opacity=1)
            .encode(x=alt.X("true_share:Q"), color=colour, tooltip=[
                alt.Tooltip("word:N", title="word"),
                alt.Tooltip("true_share:Q", title=TRUTH_NAME, format=".3%"),
            ]))
    return [*layers, *headings()]


def figures(columns):
    """The share beside each bar, or inside where it is long; `cut` where it is gone."""
    # On a telephone the panels are too narrow for figures, but not for `cut`.
    beside = "datum.gone ? 'cut' : width > 430 ? format(datum.share, '.1%') : ''"
    return [
        columns.transform_filter("datum.share < 0.62").mark_text(
            align="left", dx=5, fontSize=12, text=alt.expr(beside), aria=False
        ).encode(x="end:Q"),
        columns.transform_filter("datum.share >= 0.62").mark_text(
            align="right", dx=-6, fontSize=12, aria=False
        ).encode(
            x="end:Q", text=alt.Text("share:Q", format=".0%"),
            color=alt.value("white"),
        ),
    ]


def logits(rows):
    """The two columns of figures; all other words together have none."""
    single = rows.transform_filter(f"datum.word != '{OTHERS}'")
    return [
        single.transform_calculate(at=f"{place}").mark_text(
            align="right", fontSize=12, aria=False
        ).encode(x="at:Q", text=alt.Text(f"{field}:Q", format=".1f"))
        for place, field in ((-0.54, "logit"), (-0.08, "divided"))
    ]


def headings():
    """What each column shows, above the first row."""
    names = alt.Chart().transform_aggregate(all="count()").transform_calculate(
        at=f"[-0.54, -0.08, 0, {PANEL}, {2 * PANEL}]",
        name="['logit', '÷ T', 'softmax', 'top-k', 'top-p']",
    ).transform_flatten(["at", "name"])
    return [
        names.transform_filter(test).mark_text(
            align=side, baseline="bottom", fontWeight="bold", fontSize=12,
            aria=False,
        ).encode(x="at:Q", y=alt.value(TOP - 2), text="name:N")
        for side, test in (("right", "datum.at < 0"), ("left", "datum.at >= 0"))
    ]


def on_line(expression):
    """A number from 0 to 1 as a place in the picture, which is wider."""
    return f"{LEFT} + ({expression}) * {RIGHT - LEFT}"


def line():
    """The layers of the line from 0 to 1: each word's stretch, and the number drawn."""
    words = alt.Chart().transform_filter("datum.q > 0").transform_calculate(
        start=on_line("datum.to - datum.q"), end=on_line("datum.to"),
        middle=on_line("datum.to - datum.q / 2"), drawn=on_line("datum.u"),
        from_="datum.to - datum.q",
        hit="datum.u >= datum.to - datum.q && datum.u < datum.to",
    )
    # Hundreds of hair-thin stretches, each with an outline, would be one thick line.
    outline = alt.expr("width * datum.q > 3 ? 0.6 : 0")
    stretch = words.mark_rect(stroke=QUIET, strokeWidth=outline, opacity=1).encode(
        x="start:Q", x2="end:Q", y=alt.value(LINE), y2=alt.value(LINE + 28),
        color=alt.condition("datum.hit", alt.value(MODEL), alt.value(PALE)),
        tooltip=[
            alt.Tooltip("token:N", title="word"),
            alt.Tooltip("from_:Q", title="from", format=".4f"),
            alt.Tooltip("to:Q", title="to", format=".4f"),
        ],
    )
    fits = "width * datum.q > 7 * length(datum.token) + 4 ? datum.token : ''"
    named = words.mark_text(fontSize=11, text=alt.expr(fits), aria=False).encode(
        x="middle:Q", y=alt.value(LINE + 14),
        color=alt.condition("datum.hit", alt.value("white"), alt.value(WORDS)),
    )
    hit = words.transform_filter("datum.hit").transform_calculate(
        said="format(datum.u, '.4f') + ' falls on ' + datum.token"
    )
    rule = hit.mark_rule(strokeWidth=3, opacity=1).encode(
        x="drawn:Q", y=alt.value(LINE - 6), y2=alt.value(LINE + 34),
        color=alt.value(DRAW),
    )
    said = [
        hit.transform_filter(test).mark_text(
            align=side, baseline="bottom", dx=shift, fontWeight="bold", fontSize=12
        ).encode(
            x="drawn:Q", y=alt.value(LINE - 8), text="said:N", color=alt.value(DRAW)
        )
        for side, shift, test in (
            ("left", -3, "datum.u < 0.5"), ("right", 3, "datum.u >= 0.5"))
    ]
    return [stretch, named, *scale_marks(), rule, *said]


def scale_marks():
    """The figures under the line."""
    marks = alt.Chart().transform_aggregate(all="count()").transform_calculate(
        number="[0, 0.2, 0.4, 0.6, 0.8, 1]"
    ).transform_flatten(["number"]).transform_calculate(at=on_line("datum.number"))
    return [
        marks.transform_filter(test).mark_text(
            align=side, baseline="top", fontSize=11, aria=False
        ).encode(x="at:Q", y=alt.value(LINE + 36), text="number:N")
        for side, test in (
            ("left", "datum.number == 0"), ("right", "datum.number == 1"),
            ("center", "datum.number > 0 && datum.number < 1"),
        )
    ]
