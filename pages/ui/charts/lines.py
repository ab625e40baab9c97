"""Curves over steps: one line a series, and the levels that they are held against."""

from functools import cache, partial

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import MODEL, OTHERS, QUIET, TRUTH, WORDS
from pages.ui.words import percent

PERCENT = "percent"
FLOOR_NAME, CHANCE_NAME = "the exact floor", "chance"
NEAREST_LABELS = 16  # two names at the ends of lines stay this far apart, in pixels


def lines(
    curves,
    x_title,
    y_title,
    *,
    colours=None,
    dashed=(),
    dots=None,
    floor=None,
    floor_name=FLOOR_NAME,
    chance=None,
    at=None,
    domain=None,
    log_x=False,
    log_y=False,
    x_format=",d",
    form=".3~g",
    ends=False,
    points=True,
    height=260,
    said=None,
):
    """One line a series, with a legend on top or its name at its end.

    Args:
        curves: a dictionary from name to a list of (x, value).
        x_title, y_title: the axes; a logarithmic one says so behind its title.
        colours: a dictionary from name to colour; the colours of the course if None.
        dashed: names of series that are no training, but what to compare with.
        dots: the same as `curves` for single draws: a dot each and no line, in the
            colour of the line with the same name.
        floor: the value that nobody gets below, drawn as a rule; None for none.
        floor_name: what that value is called.
        chance: what guessing gets, drawn as a rule; None for none.
        at: the x that the page stands at, drawn as an upright rule; None for none.
        domain: lowest and highest value; None to fit the data.
        log_x, log_y: whether an axis is logarithmic.
        x_format, form: how numbers are written; `form` may be "percent".
        ends: whether each line is named at its end, without a legend.
        points: whether each point is drawn and can be pointed at.
        height: of the plot, in pixels.
        said: what the picture says in words before it follows the lines; the title of
            the upright axis if None.

    Returns:
        A `Chart` with a table.
    """
    names = list(curves)
    colours = colours or dict(zip(names, (MODEL, *OTHERS), strict=False))
    parts = [("line", name, *point) for name in curves for point in curves[name]]
    parts += [
        ("dot", name, *point) for name in dots or {} for point in (dots or {})[name]
    ]
    data = pd.DataFrame(parts, columns=["kind", "series", "x", "value"])
    levels = [("floor", floor_name, floor), ("chance", CHANCE_NAME, chance)]
    first = data["x"].min() if len(data) else 0
    rules = [(kind, name, first, level) for kind, name, level in levels
             if level is not None]
    if at is not None:
        rules.append(("at", "", at, np.nan))
    if ends:
        rules += names_at_ends(data, domain, height, log_y)
    every = [*data.itertuples(index=False, name=None), *rules]
    rows = pd.DataFrame(every, columns=data.columns)
    return Chart(
        lines_spec(
            tuple((name, colours.get(name, QUIET)) for name in names),
            f"{x_title} (logarithmic)" if log_x else x_title,
            f"{y_title} (logarithmic)" if log_y else y_title,
            tuple(name in dashed for name in names),
            tuple(domain) if domain else None,
            decades(data["x"]) if log_x else (), log_y, x_format, form, ends, points,
            height,
            bool(dots), frozenset(kind for kind, *_ in rules),
        ),
        rows,
        lines_said(data, x_title, said or y_title, form, floor, floor_name, chance),
        partial(lines_as_table, data, x_title),
    )


def decades(values):
    """Where a logarithmic axis is labelled: at 0, and at 1, 10 or 100 and so on."""
    largest = max(values.max(), 1) if len(values) else 1
    positive = values[values > 0]
    first = np.floor(np.log10(positive.min())) if len(positive) else 0
    powers = np.arange(first, np.floor(np.log10(largest)) + 1)
    return (0.0, *(10.0**powers).tolist())


def names_at_ends(data, domain, height, log_y):
    """Where each line is named: at its end, moved apart where two would touch.

    Returns:
        A list of ("end", name, x, value).
    """
    last = [
        (name, part["x"].iloc[-1], part["value"].iloc[-1])
        for name, part in data[data["kind"] == "line"].groupby("series", sort=False)
    ]
    if not last:
        return []
    there, back = (np.log, np.exp) if log_y else (np.array, np.array)
    low, high = domain or (data["value"].min(), data["value"].max())
    step = (there(high) - there(low)) / height * NEAREST_LABELS
    order = sorted(last, key=lambda one: one[2])
    placed, below = [], -np.inf
    for name, x, value in order:
        below = max(float(there(value)), below + step)
        placed.append(("end", name, x, float(back(below))))
    return placed


def in_figures(value):
    """A value of a line as it is read out: three figures, and no powers of ten."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def lines_said(data, x_title, said, form, floor, floor_name, chance):
    """Where every line begins and ends, in words."""
    drawn = data[data["kind"] == "line"]
    if drawn.empty:
        return f"{said}: nothing measured yet."
    write = percent if form == PERCENT else in_figures
    told = []
    for name, part in drawn.groupby("series", sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        told.append(
            f"{name} from {write(first['value'])} to {write(last['value'])} at "
            f"{x_title} {last['x']:,g}"
        )
    if floor is not None:
        told.append(f"{floor_name} {write(floor)}")
    if chance is not None:
        told.append(f"{CHANCE_NAME} {write(chance)}")
    return f"{said[0].upper()}{said[1:]}: {'; '.join(told)}."


def lines_as_table(data, x_title):
    """The lines as a table for readers: one row a step, one column a line."""
    drawn = data[data["kind"] == "line"]
    table = drawn.pivot_table(index="x", columns="series", values="value", sort=False)
    table.columns.name = None
    return table.round(4).rename_axis(x_title).sort_index().reset_index()


@cache
def lines_spec(colours, x_title, y_title, dashed, domain, log_marks, log_y, x_format,
               form, ends, points, height, with_dots, rules):
    """How the lines are drawn.

    Args:
        log_marks: where a logarithmic axis is labelled, from 0; none if it is linear.

    Data: kind ("line", "dot", "floor", "chance", "at" or "end"), series, x, value.
    """
    import altair as alt

    names = [name for name, _ in colours]
    x_scale = (
        # Up to the first mark nearly linear, so that 0 is on the axis too.
        alt.Scale(type="symlog", constant=log_marks[1], nice=False)
        if log_marks else alt.Scale(nice=False, zero=False)
    )
    x_axis = {"values": list(log_marks)} if log_marks else {"tickCount": 5}
    y_scale = alt.Scale(type="log" if log_y else "linear",
                        **({"domain": list(domain)} if domain else {"zero": False}))
    y_axis = alt.Axis(format="%" if form == PERCENT else form, tickCount=5)
    colour = alt.Color("series:N").scale(
        domain=names, range=[colour for _, colour in colours]
    ).legend(None if ends or len(names) == 1 else alt.Legend(
        orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3,
        labelLimit=260, columns=alt.expr("width < 420 ? 1 : 3"),
    ))
    base = alt.Chart().encode(
        x=alt.X("x:Q").title(x_title).scale(x_scale)
        .axis(format=x_format, grid=False, labelOverlap=True, **x_axis),
        y=alt.Y("value:Q").title(y_title).scale(y_scale).axis(y_axis),
    )

    def only(kind):
        return base.transform_filter(f"datum.kind == '{kind}'")

    layers = [only("line").mark_line(strokeWidth=2.5).encode(
        color=colour,
        strokeDash=alt.StrokeDash("series:N").scale(
            domain=names, range=[[5, 4] if dash else [1, 0] for dash in dashed]
        ).legend(None),
    )]
    tooltip = [
        alt.Tooltip("series:N", title="curve"),
        alt.Tooltip("x:Q", title=x_title, format=x_format),
        alt.Tooltip("value:Q", title=y_title,
                    format=".1%" if form == PERCENT else ".4~g"),
    ]
    if with_dots:
        layers.append(only("dot").mark_point(
            filled=True, size=40, opacity=0.55
        ).encode(color=colour, tooltip=tooltip))
    if points:
        layers.append(only("line").mark_point(
            filled=True, size=34, opacity=1
        ).encode(color=colour, tooltip=tooltip))
    for kind, shade in (("floor", TRUTH), ("chance", QUIET)):
        if kind in rules:
            level = only(kind)
            layers += [
                level.mark_rule(color=shade, strokeDash=[5, 4], strokeWidth=2)
                .encode(x=alt.value(0), x2=alt.value("width")),
                level.mark_text(align="left", baseline="bottom", dx=4, dy=-4)
                .encode(x=alt.value(0), text="series:N"),
            ]
    if "at" in rules:
        layers.append(only("at").mark_rule(color=WORDS, strokeWidth=1.5).encode(
            y=alt.value(0), y2=alt.value("height")
        ))
    if ends:
        layers.append(only("end").mark_text(
            align="left", dx=8, fontWeight="bold", fontSize=12.5
        ).encode(text="series:N"))
    return spec_of(alt.layer(*layers).properties(height=height))
