"""Matrices of coloured cells: nothing looks like the page, and the most stands out."""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import (
    HEAT,
    HEAT_BELOW,
    OPPOSITE_TEXT,
    OPPOSITE_TEXT_FROM,
    QUIET,
    WORDS,
)
from pages.ui.words import numbered, percent

FIGURES_UP_TO = 16  # in a larger matrix the figures in the cells would be too small
LEAST_LABELLED = 14  # lower rows have no room for a name each
LABELS_UP_TO = 24  # of more columns every eighth is named
PERCENT = "percent"
BELOW, ABOVE = "below zero", "above zero"


def matrix(
    values,
    rows,
    columns=None,
    *,
    row_title="looks",
    column_title="at",
    what="attention weight",
    hidden=None,
    largest=1.0,
    signed=False,
    form=PERCENT,
    figures=None,
    colour=HEAT,
    cell=None,
    said=None,
):
    """A cell for each pair, the more opaque, the more there is.

    Args:
        values: (num_rows, num_columns)
        rows, columns: labels; the columns are those of the rows if None. Labels that
            repeat are numbered.
        row_title, column_title: titles of the axes, which read as a sentence: `it`
            looks at `animal`.
        what: what a cell says, for tooltip and table.
        hidden: "later" for what a causal mask hides, or booleans like `values`.
        largest: the value from which on a cell has its full colour.
        signed: whether values may be below zero; those have another colour, and the
            legend says so.
        form: "percent", or how figures are written, as ".2f".
        figures: whether each cell carries its figure; None where there is room.
        colour: of the cells (above zero); one for each theme, see `colours.py`.
        cell: the height of a cell in pixels; None to fit.
        said: what the picture shows, in words; None for the strongest cells.

    Returns:
        A `Chart` with a table.
    """
    values = np.asarray(values, float)
    num_rows, num_columns = values.shape
    hidden = hidden_cells(hidden, values.shape)
    left = labels_of(rows)
    top = left if columns is None else labels_of(columns)
    row, column = (index.ravel() for index in np.indices(values.shape))
    data = pd.DataFrame({
        "from": np.array(left, object)[row],
        "to": np.array(top, object)[column],
        "row": row.astype("int16"),
        "column": column.astype("int16"),
        "value": values.ravel().astype("float32"),
        "hidden": hidden.ravel(),
    })
    if figures is None:
        figures = max(num_rows, num_columns) <= FIGURES_UP_TO
    return Chart(
        matrix_spec(num_rows, num_columns, row_title, column_title, what,
                    float(largest), signed, form, figures, colour, cell),
        data,
        said or matrix_said(data, row_title, column_title, what, form),
        partial(matrix_as_table, data, row_title, column_title, what),
    )


def labels_of(labels):
    """Labels as text, numbered if one repeats, because each must stand but once."""
    labels = [str(label) for label in labels]
    return labels if len(set(labels)) == len(labels) else numbered(labels)


def hidden_cells(hidden, shape):
    """Booleans of the given shape: True where nothing may be seen."""
    if hidden is None:
        return np.zeros(shape, bool)
    if isinstance(hidden, str):  # "later"
        return np.triu(np.ones(shape, bool), 1)
    return np.broadcast_to(np.asarray(hidden, bool), shape)


def matrix_said(data, row_title, column_title, what, form, count=3):
    """The strongest cells, in words; what is hidden is said."""
    seen = data[~data["hidden"]]
    strongest = seen.reindex(seen["value"].abs().sort_values(
        ascending=False, kind="stable").index)[:count]
    write = percent if form == PERCENT else lambda value: format(float(value), form)
    told = [f"'{one['from']}' {row_title} {column_title} '{one['to']}', "
            f"{write(one['value'])}" for one in strongest.to_dict("records")]
    size = f"{data['row'].max() + 1} × {data['column'].max() + 1}"
    later = " Hidden cells are empty." if data["hidden"].any() else ""
    return f"{what[0].upper()}{what[1:]}, {size}. Most: {'; '.join(told)}.{later}"


def matrix_as_table(data, row_title, column_title, what):
    """The cells as a table for readers: one row a cell; hidden ones are left out."""
    seen = data[~data["hidden"]]
    names = {"from": row_title, "to": column_title, "value": what}
    return seen[list(names)].rename(columns=names).round(4)


@cache
def matrix_spec(num_rows, num_columns, row_title, column_title, what, largest, signed,
                form, figures, colour, cell):
    """How a matrix is drawn.

    Data: from, to, row, column, value, hidden.
    """
    cell = cell or max(18, min(44, 420 // num_rows))
    named = every_eighth("x") if num_columns > LABELS_UP_TO else {}
    rows_named = every_eighth("y") if cell < LEAST_LABELLED else {}
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "labelLimit": 110,
            "labelFlush": False, "grid": False, "labelFontSize": 12.5}
    base = alt.Chart().encode(
        x=alt.X("to:N").sort(field="column", op="min").title(column_title)
        .axis(orient="top", labelAngle=-45 if num_columns <= LABELS_UP_TO else 0,
              **axis, **named),
        y=alt.Y("from:N").sort(field="row", op="min").title(row_title)
        .axis(**axis, **rows_named),
    )
    layers = [
        base.transform_filter("datum.hidden").mark_rect(
            color=QUIET, opacity=0.16, strokeWidth=0),
        *heat(base.transform_filter("!datum.hidden"), largest, signed, colour, [
            alt.Tooltip("from:N", title=row_title),
            alt.Tooltip("to:N", title=column_title),
            alt.Tooltip("value:Q", title=what,
                        format=".1%" if form == PERCENT else ".3f"),
        ]),
    ]
    if figures:
        seen = base.transform_filter("!datum.hidden")
        layers.append(cell_figures(seen, largest, form, num_columns))
    return spec_of(alt.layer(*layers).properties(height=cell * num_rows))


def every_eighth(axis):
    """Name the first row or column, and then every eighth: the rest would overlap."""
    number = f"indexof(domain('{axis}'), datum.value)"
    return {"labelExpr": f"{number} % 8 == 0 ? datum.label : ''"}


def heat(cells, largest=1.0, signed=False, colour=HEAT, tooltip=()):
    """Cells whose opacity is their share of the largest; a frame keeps empty ones seen.

    Args:
        cells: a chart with x and y, and a column `value`.
    """
    drawn = cells.transform_calculate(
        strength=f"min(abs(datum.value) / {largest}, 1)",
        side=f"datum.value < 0 ? '{BELOW}' : '{ABOVE}'",
    )
    strength = alt.FillOpacity("strength:Q").scale(
        domain=[0, 1], range=[0, 1]).legend(None)
    frame = {"stroke": QUIET, "strokeWidth": 0.6, "strokeOpacity": 0.45, "opacity": 1}
    if not signed:
        return [drawn.mark_rect(fill=colour, **frame).encode(
            fillOpacity=strength, tooltip=list(tooltip))]
    return [drawn.mark_rect(**frame).encode(
        fillOpacity=strength, tooltip=list(tooltip),
        fill=alt.Fill("side:N").scale(
            domain=[BELOW, ABOVE], range=[HEAT_BELOW, colour]
        ).legend(orient="bottom", title=None, symbolType="square",
                 symbolStrokeWidth=0),
    )]


def cell_figures(seen, largest, form, num_columns):
    """The figure in each cell, of the page's colour on pale cells, else the opposite.

    On a telephone the cells are too narrow for figures, and there are none.
    """
    value = "datum.value"
    # Of nothing, and of what rounds to nothing, the empty cell says enough.
    short = (
        f"{value} < 0.005 ? '' : {value} >= 0.995 && {value} < 0.999999 ? '>99%' : "
        f"format({value}, '.0%')"
        if form == PERCENT
        else f"replace(format({value}, '{form}'), '-', '−')"
    )
    strong = f"abs({value}) / {largest} > {OPPOSITE_TEXT_FROM}"
    return seen.mark_text(
        fontSize=12, text=alt.expr(f"width > {30 * num_columns} ? {short} : ''")
    ).encode(color=alt.condition(
        strong, alt.value(OPPOSITE_TEXT), alt.value(WORDS)))
