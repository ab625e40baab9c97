"""From logits to one word in one picture, computed in the browser while sliders move.

Above, a row for each word: logit, divided by the temperature, and its share after
softmax, after top-k and after top-p. Below, the line from 0 to 1 on which a random
number falls. The maths is that of `llm/glassbox/sampling.py` in Vega's own language; a
test in a browser compares the two.
"""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.chart_sliders import Slider
from pages.ui.charts.bars import (
    MODEL_NAME,
    OTHERS,
    PERCENT,
    TRUTH_NAME,
    figure_in_vega,
)
from pages.ui.charts.sampler import running_sum, sampler_data, sampling_transforms
from pages.ui.colours import DRAW, MODEL, QUIET, TRUTH, WORDS
from pages.ui.words import percent

SETTINGS = "settings"  # the name of the three sliders in the chart
OFF = 0  # where the slider for top-k stands while it cuts nothing
SLIDERS = (
    Slider("T", "temperature", default=1.0, lowest=0.1, highest=2.0),
    Slider("k", "top_k", default=OFF, lowest=OFF, highest=25, step=1),
    Slider("p", "top_p", default=1.0, lowest=0.05, highest=1.0),
)
STAGES = {"softmax": "p", "top_k": "p_k", "top_p": "q"}  # and their columns
TEMPERATURE, K, P = (f"{SETTINGS}.{slider.field}[0]" for slider in SLIDERS)

# All places are in pixels, as expressions of Vega, because on a telephone there is
# room for one panel only: the last, from which the word is drawn.
NARROW = "width < 430"
AT_LOGIT, AT_DIVIDED, AT_BARS = 34, 78, 92
GAP, SHARE_WIDTH = 14, 48  # between two panels; for the figure behind a bar
PITCH = f"((width - {AT_BARS - GAP}) / ({NARROW} ? 1 : {len(STAGES)}))"
TRACK = f"({PITCH} - {GAP + SHARE_WIDTH})"
TOP, ROWS_HEIGHT = 18, 240  # where the rows begin, and how high they are together
LINE = TOP + ROWS_HEIGHT + 34  # where the line begins
HEIGHT = LINE + 52
PALE = "#8a93a133"


def choice(vocabulary, logits, truth, truth_now, rows, u, settings, stages, taken):
    """The way from logits to one word, with three sliders.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        truth: a dictionary from word to probability; empty where there is none.
        truth_now: the truth at the temperature of the sliders.
        rows: the words that get a row of their own, from top to bottom.
        u: the random number, in [0, 1).
        settings: a `Sampling`, as the sliders stand.
        stages: the probabilities after softmax, after top-k and after top-p, each
            (vocab_size,).
        taken: the word on which u fell.

    Returns:
        A `Chart` with the selection `SETTINGS`.
    """
    data = sampler_data(vocabulary, logits, truth)
    position = {word: number for number, word in enumerate([*rows, OTHERS])}
    words = [word if word in position else OTHERS for word in vocabulary]
    data["word"] = pd.Categorical(words, categories=list(position))
    data["position"] = data["word"].cat.codes
    return Chart(
        choice_spec(bool(truth)), data.assign(u=u),
        choice_said(vocabulary, stages[-1], settings, u, taken),
        partial(choice_table, vocabulary, logits, settings.temperature, stages,
                truth_now, rows),
    )


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
        table[f"after {name.replace('_', '-')}"] = probabilities
    table["truth at this temperature"] = [truth.get(w, 0.0) for w in vocabulary]
    shown = table.set_index("word").loc[list(rows)].reset_index()
    others = table[~table["word"].isin(rows)].sum(numeric_only=True)
    others[["logit", "÷ temperature"]] = None
    shown.loc[len(shown)] = [OTHERS, *others]
    return shown.round(5)


def choice_said(vocabulary, probabilities, settings, u, taken):
    """What the picture shows, in words.

    Args:
        probabilities: (vocab_size,), what is drawn from.
        settings: a `Sampling`.
        taken: the word on which u fell.
    """
    cuts = [f"top-k {settings.top_k}"] if settings.top_k else []
    cuts += [f"top-p {settings.top_p:g}"] if settings.top_p else []
    likeliest = np.argsort(-probabilities, kind="stable")[:4]
    said = ", ".join(
        f"'{vocabulary[number]}' {percent(probabilities[number])}"
        for number in likeliest if probabilities[number] > 0
    )
    left = int((probabilities > 0).sum())
    with_cuts = f" with {' and '.join(cuts)}" if cuts else ""
    are_left = "word is" if left == 1 else "words are"
    return (
        f"At temperature {settings.temperature:g}{with_cuts}, {left} {are_left} left: "
        f"{said}{' and others' if left > 4 else ''}. On the line, in "
        f"alphabetical order, the number {u:.4f} falls on '{taken}'."
    )


@cache
def choice_spec(with_truth):
    """How the way from logits to one word is drawn, with its three sliders.

    Data: as in `sampler_data`, with word, position (0 is on top) and u.
    """
    chart = alt.layer(*stages(with_truth), *line())
    chart = sampling_transforms(chart, TEMPERATURE, f"({K} || MAX_VALUE)", P)
    # In the order of the vocabulary the words lie side by side on the line.
    return spec_of(running_sum(chart, "q", "to", "number").properties(height=HEIGHT))


def sliders():
    """Temperature, top-k and top-p, drawn by the browser under the chart."""
    names = {"T": "Temperature ", "k": "Top-k (0: off) ", "p": "Top-p (1: off) "}
    return alt.selection_point(
        name=SETTINGS,
        fields=[*reversed(names)],  # Vega draws the last one first
        bind={
            one.field: alt.binding_range(
                min=one.lowest, max=one.highest, step=one.step, name=names[one.field]
            )
            for one in SLIDERS
        },
        value=[{one.field: one.default for one in SLIDERS}],
    )


def stages(with_truth):
    """The layers with the rows of words: two columns of figures, three of bars."""
    rows = alt.Chart().transform_aggregate(
        softmax="sum(p)", top_k="sum(p_k)", top_p="sum(q)", true_share="sum(t)",
        logit="max(logit)", position="min(position)", groupby=["word"],
    ).transform_calculate(divided=f"datum.logit / {TEMPERATURE}").encode(
        y=alt.Y("word:N").sort(field="position", op="min").title(None).scale(
            range=[TOP, TOP + ROWS_HEIGHT]
        ).axis(domain=False, ticks=False, labelOverlap=False, labelLimit=120)
    )
    columns = rows.transform_fold(list(STAGES), as_=["stage", "share"])
    columns = columns.transform_calculate(
        number=f"{NARROW} ? 0 : indexof({list(STAGES)}, datum.stage)",
    ).transform_filter(
        f"!({NARROW}) || datum.stage == 'top_p'"
    ).transform_calculate(
        start=f"{AT_BARS} + {PITCH} * datum.number"
    ).transform_calculate(
        end=f"datum.start + {TRACK} * datum.share", full=f"datum.start + {TRACK}",
        edge=f"datum.start + {TRACK} + {SHARE_WIDTH}",
        figure="datum.stage != 'softmax' && datum.softmax > 0 && datum.share == 0 "
        f"? 'cut' : {figure_in_vega('datum.share', PERCENT)}",
    )
    names = alt.Scale(domain=[MODEL_NAME, TRUTH_NAME], range=[MODEL, TRUTH])
    legend = alt.Legend(
        orient="top", title=None, symbolType="square", labelLimit=260,
        columns=alt.expr("width < 240 ? 1 : 2"),
    )
    colour = alt.Color("series:N").scale(names).legend(legend if with_truth else None)
    track = columns.mark_bar(
        height=17, color=PALE, cornerRadius=3, opacity=1, aria=False
    ).encode(x=pixels("start"), x2="full:Q")
    bars = columns.transform_calculate(series=f"'{MODEL_NAME}'").mark_bar(
        height=17, cornerRadius=3, opacity=1
    ).encode(x=pixels("start"), x2="end:Q", color=colour, tooltip=[
        alt.Tooltip("word:N", title="word"), alt.Tooltip("stage:N", title="after"),
        alt.Tooltip("share:Q", title="share", format=".3%"),
    ])
    figures = columns.mark_text(align="right", fontSize=12, aria=False).encode(
        x=pixels("edge"), text="figure:N"
    )
    layers = [track.add_params(sliders()), bars, figures, *logits(rows)]
    if with_truth:
        ticks = rows.transform_calculate(
            series=f"'{TRUTH_NAME}'", at=f"{AT_BARS} + {TRACK} * datum.true_share"
        )
        layers.append(ticks.mark_tick(thickness=3, height=23, opacity=1).encode(
            x=pixels("at"), color=colour, tooltip=[
                alt.Tooltip("word:N", title="word"),
                alt.Tooltip("true_share:Q", title=TRUTH_NAME, format=".3%"),
            ],
        ))
    return [*layers, *headings()]


def pixels(field):
    """A column of places in pixels, counted from the left end of the plot."""
    return alt.X(f"{field}:Q").scale(None).axis(None)


def logits(rows):
    """The two columns of figures; all other words together have none."""
    single = rows.transform_filter(f"datum.word != '{OTHERS}'")
    return [
        single.transform_calculate(at=str(at)).mark_text(
            align="right", fontSize=12, aria=False
        ).encode(x=pixels("at"), text=alt.Text(f"{field}:Q", format=".1f"))
        for at, field in ((AT_LOGIT, "logit"), (AT_DIVIDED, "divided"))
    ]


def headings():
    """What each column shows, above the first row."""
    names = alt.Chart().transform_aggregate(all="count()").transform_calculate(
        column=f"sequence({2 + len(STAGES)})",
    ).transform_flatten(["column"]).transform_calculate(
        at=f"[{AT_LOGIT}, {AT_DIVIDED}][datum.column] "
        f"|| {AT_BARS} + {PITCH} * (datum.column - 2)",
        name=f"['logit', '÷ T', {NARROW} ? 'share' : 'softmax', 'top-k', 'top-p']"
        "[datum.column]",
    ).transform_filter(f"!({NARROW}) || datum.column < 3")
    return [
        names.transform_filter(test).mark_text(
            align=side, baseline="bottom", fontWeight="bold", fontSize=12, aria=False,
        ).encode(x=pixels("at"), y=alt.value(TOP - 2), text="name:N")
        for side, test in (("right", "datum.column < 2"), ("left", "datum.column >= 2"))
    ]


def line():
    """The layers of the line from 0 to 1: each word's stretch, and the number drawn."""
    words = alt.Chart().transform_filter("datum.q > 0").transform_calculate(
        start="width * (datum.to - datum.q)", end="width * datum.to",
        middle="width * (datum.to - datum.q / 2)", drawn="width * datum.u",
        from_="datum.to - datum.q",
        hit="datum.u >= datum.to - datum.q && datum.u < datum.to",
    )
    # Hundreds of hair-thin stretches, each with an outline, would be one thick line.
    outline = alt.expr("width * datum.q > 3 ? 0.6 : 0")
    stretch = words.mark_rect(stroke=QUIET, strokeWidth=outline, opacity=1).encode(
        x=pixels("start"), x2="end:Q", y=alt.value(LINE), y2=alt.value(LINE + 28),
        color=alt.condition("datum.hit", alt.value(MODEL), alt.value(PALE)),
        tooltip=[
            alt.Tooltip("token:N", title="word"),
            alt.Tooltip("from_:Q", title="from", format=".4f"),
            alt.Tooltip("to:Q", title="to", format=".4f"),
        ],
    )
    fits = "width * datum.q > 7 * length(datum.token) + 4 ? datum.token : ''"
    named = words.mark_text(fontSize=12, text=alt.expr(fits), aria=False).encode(
        x=pixels("middle"), y=alt.value(LINE + 14),
        color=alt.condition("datum.hit", alt.value("white"), alt.value(WORDS)),
    )
    hit = words.transform_filter("datum.hit").transform_calculate(
        said="format(datum.u, '.4f') + ' falls on ' + datum.token"
    )
    rule = hit.mark_rule(strokeWidth=3, opacity=1).encode(
        x=pixels("drawn"), y=alt.value(LINE - 6), y2=alt.value(LINE + 34),
        color=alt.value(DRAW),
    )
    said = [
        hit.transform_filter(test).mark_text(
            align=side, baseline="bottom", dx=shift, fontWeight="bold", fontSize=12
        ).encode(
            x=pixels("drawn"), y=alt.value(LINE - 8), text="said:N",
            color=alt.value(DRAW),
        )
        for side, shift, test in (
            ("left", -3, "datum.u < 0.5"), ("right", 3, "datum.u >= 0.5"))
    ]
    return [stretch, named, *scale_marks(), rule, *said]


def scale_marks():
    """The figures under the line."""
    marks = alt.Chart().transform_aggregate(all="count()").transform_calculate(
        number="[0, 0.2, 0.4, 0.6, 0.8, 1]"
    ).transform_flatten(["number"]).transform_calculate(at="width * datum.number")
    return [
        marks.transform_filter(test).mark_text(
            align=side, baseline="top", fontSize=12, aria=False
        ).encode(x=pixels("at"), y=alt.value(LINE + 36), text="number:N")
        for side, test in (
            ("left", "datum.number == 0"), ("right", "datum.number == 1"),
            ("center", "datum.number > 0 && datum.number < 1"),
        )
    ]
