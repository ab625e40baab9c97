"""Pictures of a training run: its loss, its skills, and the draws of its twins."""

from functools import cache

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.bars import PERCENT, figure_in_vega
from pages.ui.colours import DRAW, MODEL, QUERIES, QUIET, TRUTH
from pages.ui.words import percent

FRESH, FLOOR = "fresh stories", "exact floor"
THIS_TWIN, FULL_MODEL = "this twin", "the full model"
THE_MODEL, KNOWS = "the tiny LLM", "someone who knows the rules"
HARDEST = 7.5  # nats; the axis of the surprises ends here at every step


def run(scores, now):
    """The loss on fresh stories over the steps, down to the exact floor.

    Args:
        scores: a list of records with `step`, `loss` and `floor`.
        now: the record of the step that is looked at.
    """
    data = pd.DataFrame({
        "step": [score["step"] for score in scores],
        "loss": [score["loss"] for score in scores],
        "floor": [score["floor"] for score in scores],
        "now": now["step"],
    })
    said = (
        f"Loss during the training. At step {now['step']:,} it is {now['loss']:.3f} "
        f"nats per token on fresh stories, {now['excess']:.3f} above the exact floor "
        f"of {now['floor']:.3f}; at the last step, {scores[-1]['step']:,}, it is "
        f"{scores[-1]['excess']:.4f} above."
    )
    return Chart(run_spec(), data, said, lambda: run_table(scores))


def run_table(scores):
    """The kept steps as a table for readers."""
    return pd.DataFrame([{
        "step": score["step"], "loss on fresh stories": score["loss"],
        "exact floor": score["floor"], "above the floor": score["excess"],
    } for score in scores]).round(4)


def steps_axis(x, count=6):
    """Steps of a training: closer together later, because much happens early."""
    import altair as alt

    return x.scale(alt.Scale(type="sqrt", nice=False)).title(
        "step (square-root scale)"
    ).axis(format=",d", tickCount=count, grid=False, labelOverlap=True)


def rule_now():
    """A line through the picture at the step that is looked at."""
    import altair as alt

    return alt.Chart().transform_aggregate(now="max(now)").mark_rule(
        color=DRAW, strokeWidth=2, opacity=1
    ).encode(x=steps_axis(alt.X("now:Q"), 3))


@cache
def run_spec():
    """How the loss is drawn. Data: step, loss, floor, now."""
    import altair as alt

    names = alt.Scale(domain=[FRESH, FLOOR], range=[MODEL, TRUTH])

    def line(field, name):
        return alt.Chart().transform_calculate(series=f"'{name}'").encode(
            x=steps_axis(alt.X("step:Q"), 3),
            y=alt.Y(f"{field}:Q").title("loss in nats (logarithmic scale)")
            .scale(type="log", nice=False, domainMin=0.7)
            .axis(values=[0.8, 1.5, 3, 6], labelOverlap=False),
            color=alt.Color("series:N").scale(names).legend(
                orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3),
            tooltip=[alt.Tooltip("step:Q", format=",d"),
                     alt.Tooltip("loss:Q", format=".4f"),
                     alt.Tooltip("floor:Q", title=FLOOR, format=".4f")],
        )

    fresh = line("loss", FRESH)
    layers = [
        rule_now(),
        line("floor", FLOOR).mark_line(strokeWidth=2, strokeDash=[6, 4]),
        fresh.mark_line(strokeWidth=2.5),
        fresh.mark_point(filled=True, size=34, opacity=1),
        fresh.transform_filter("datum.step == datum.now").mark_point(
            filled=True, size=150, opacity=1),
    ]
    return spec_of(alt.layer(*layers).properties(height=220))


def skills_over_steps(scores, order, now, chances, guess=None):
    """A small curve for each skill, one below the other, from none to all right.

    Args:
        scores: a list of records with `step` and `skills`.
        order: the skills, from top to bottom.
        now: the step that is looked at.
        chances: from skill to what guessing gets, where that is known.
        guess: the skill that the student named as the last to come; None for none.
    """
    rows = [
        (score["step"], place, skill, score["skills"][skill]["accuracy"],
         chances.get(skill, np.nan))
        for place, skill in enumerate(order) for score in scores
    ]
    data = pd.DataFrame(rows, columns=["step", "place", "skill", "accuracy", "chance"])
    data = data.assign(now=now, here=data["step"] == now, end=data["step"].max(),
                       guessed=data["skill"] == guess)
    here = data[data["here"]]
    told = [f"{row.skill} {percent(row.accuracy)}" for row in here.itertuples()]
    guessing = "; ".join(
        f"guessing gets {percent(share)} of {skill}" for skill, share in chances.items()
    )
    said = (
        f"Share of right answers at step {now:,}, in the order in which the skills "
        f"arrived: {', '.join(told)}." + (f" Of these, {guessing}." if guessing else "")
        + (f" Your guess for the last one: {guess}." if guess else "")
    )
    return Chart(skills_spec(tuple(order)), data, said, lambda: skills_table(data))


def skills_table(data):
    """The skills as a table for readers: one row a skill, one column a step."""
    table = data.pivot(index="skill", columns="step", values="accuracy")
    table = table.loc[data["skill"].unique()].round(4).reset_index()
    return table.rename(columns=lambda name: name if name == "skill" else f"{name:,}")


@cache
def skills_spec(order):
    """How the skills are drawn. Data: step, place, skill, accuracy, chance, now, here,
    end, guessed.

    Args:
        order: a tuple of the skills, from top to bottom.
    """
    import altair as alt

    upwards = order[::-1]
    names = "[" + ",".join(f"'{skill}'" for skill in upwards) + "]"

    def up(field):
        # The same scale and axis for every layer, or they would be merged wrongly.
        return alt.Y(field).title(None).scale(
            domain=[-0.1, len(order)], nice=False, zero=False
        ).axis(
            values=[place + 0.4 for place in range(len(order))],
            labelExpr=f"{names}[floor(datum.value)]",
            domain=False, ticks=False, grid=False, labelOverlap=False, labelLimit=120,
        )

    base = alt.Chart().transform_calculate(
        ground=f"{len(order) - 1} - datum.place"
    ).transform_calculate(
        top="datum.ground + 0.8 * datum.accuracy", full="datum.ground + 0.8",
        guessing="datum.ground + 0.8 * datum.chance", middle="datum.ground + 0.3",
    ).encode(x=steps_axis(alt.X("step:Q")), detail="skill:N")
    area = base.mark_area(color=MODEL, opacity=0.3).encode(y=up("top:Q"), y2="ground:Q")
    line = base.mark_line(color=MODEL, strokeWidth=2).encode(y=up("top:Q"), tooltip=[
        alt.Tooltip("skill:N"), alt.Tooltip("step:Q", format=",d"),
        alt.Tooltip("accuracy:Q", title="right", format=".1%"),
    ])
    all_right = base.mark_line(color=QUIET, strokeDash=[2, 3], strokeWidth=1).encode(
        y=up("full:Q"))
    chance = base.transform_filter("isValid(datum.chance)")
    guessing = chance.mark_line(
        color=QUERIES, strokeDash=[5, 3], strokeWidth=1.5
    ).encode(y=up("guessing:Q"))
    # Beside the mark, on the side where there is room.
    early = "datum.now < 0.6 * datum.end"
    named = chance.transform_filter("datum.step == datum.end").mark_text(
        align="right", baseline="top", dx=alt.expr(f"{early} ? 0 : -52"), dy=3,
        fontSize=12,
    ).encode(y=up("guessing:Q"), text=alt.value("guessing"))
    here = base.transform_filter("datum.here")
    point = here.mark_point(filled=True, color=MODEL, size=70, opacity=1).encode(
        y=up("top:Q"))
    figure = here.transform_calculate(
        figure=figure_in_vega("datum.accuracy", PERCENT)
    ).mark_text(
        fontWeight="bold", fontSize=12.5,
        align=alt.expr(f"{early} ? 'left' : 'right'"), dx=alt.expr(f"{early} ? 9 : -9"),
    ).encode(y=up("middle:Q"), text="figure:N")
    guess = base.transform_filter("datum.guessed && datum.step == datum.end").mark_text(
        align="left", fontSize=12, dx=6
    ).encode(x=alt.value("width"), y=up("middle:Q"), text=alt.value("◇ your guess"))
    layers = [area, all_right, guessing, named, line, rule_now(), point, figure, guess]
    return spec_of(alt.layer(*layers).properties(height=30 * len(order)))


def story_losses(words, losses, least):
    """The surprise at each word of a story, and what nobody could avoid.

    Args:
        words: (num_tokens,), the targets.
        losses: (num_tokens,), of the model.
        least: (num_tokens,), of someone who knows the rules.
    """
    data = pd.DataFrame({
        "position": range(1, len(words) + 1),
        "label": [f"{place} {word}" for place, word in enumerate(words, start=1)],
        "loss": losses, "least": least,
    })
    worst = ", ".join(
        f"'{row.label}' {row.loss:.2f}" for row in data.nlargest(3, "loss").itertuples()
    )
    said = (
        f"Surprise at each of {len(data)} words: {data['loss'].mean():.3f} nats on "
        f"average, and {data['least'].mean():.3f} for {KNOWS}. The largest: {worst}."
    )
    table = data.rename(columns={
        "label": "target", "loss": "surprise (nats)", "least": KNOWS})
    return Chart(story_spec(), data, said, lambda: table.round(4))


@cache
def story_spec():
    """How the surprises are drawn. Data: position, label, loss, least."""
    import altair as alt

    names = alt.Scale(domain=[THE_MODEL, KNOWS], range=[MODEL, TRUTH])
    narrow = "width < 420"  # no room for a figure above each word

    def marks(field, name):
        return alt.Chart().transform_calculate(series=f"'{name}'").encode(
            x=alt.X("label:N").sort(field="position", op="min").title(None).axis(
                labelAngle=-90, ticks=False, labelOverlap=False,
                labelFontSize=alt.expr(f"{narrow} ? 9 : 12")),
            # The same at every step, so that bars of two steps can be compared.
            y=alt.Y(f"{field}:Q").title("surprise in nats").scale(
                domain=[0, HARDEST], clamp=True),
            color=alt.Color("series:N").scale(names).legend(
                orient="top", title=None, symbolType="square", labelLimit=260,
                columns=alt.expr("width < 300 ? 1 : 2")),
            tooltip=[
                alt.Tooltip("label:N", title="target"),
                alt.Tooltip("loss:Q", title=THE_MODEL, format=".4f"),
                alt.Tooltip("least:Q", title=KNOWS, format=".4f"),
            ],
        )

    bars = marks("loss", THE_MODEL)
    figures = bars.mark_text(
        baseline="bottom", dy=-3, fontSize=12,
        text=alt.expr(f"{narrow} ? '' : format(datum.loss, '.1f')"),
    ).encode(
        y=alt.Y("highest:Q"), color=alt.Undefined
    ).transform_calculate(highest="max(datum.loss, datum.least)")
    return spec_of(alt.layer(
        bars.mark_bar(width=alt.RelativeBandSize(0.75), cornerRadiusEnd=3, opacity=1),
        marks("least", KNOWS).mark_tick(
            thickness=3, width=alt.RelativeBandSize(1), opacity=1), figures,
    ).properties(height=220))


def draws(rows, title, said, form=".3f", log=False, table=None):
    """A dot for each training, so that chance can be seen.

    Args:
        rows: a list of (thing, name of the network, values of its trainings), from top
            to bottom.
        title: what is measured.
        said: what the picture says in words before the numbers.
        form: how a value is written.
        log: whether the axis is logarithmic.
        table: a function that makes another table for readers.
    """
    data = pd.DataFrame([
        (thing, network, training, value)
        for thing, network, values in rows
        for training, value in enumerate(values, start=1)
    ], columns=["thing", "network", "training", "value"])
    told = "; ".join(
        f"{thing}, {network}: {', '.join(format(value, form) for value in values)}"
        for thing, network, values in rows
    )
    things = tuple(dict.fromkeys(thing for thing, *_ in rows))
    networks = tuple(dict.fromkeys(network for _, network, _ in rows))
    return Chart(draws_spec(things, networks, title, form, log), data,
                 f"{said}, a dot for each training. {told}.",
                 table or (lambda: data))


@cache
def draws_spec(things, networks, title, form, log):
    """How the trainings are drawn. Data: thing, network, training, value."""
    import altair as alt

    title = f"{title} (logarithmic)" if log else title
    colours = {THIS_TWIN: MODEL, FULL_MODEL: QUERIES}
    chart = alt.Chart().mark_point(filled=True, size=90, opacity=0.75).encode(
        x=alt.X("value:Q").title(title)
        .axis(format=form, tickCount=5, labelOverlap=True)
        .scale(**({"type": "log"} if log else {"domain": [0, 1]} if "%" in form
                  else {"zero": True})),
        y=alt.Y("thing:N").sort(list(things)).title(None).axis(
            grid=True, labelLimit=150, ticks=False, domain=False),
        yOffset=alt.YOffset("network:N").scale(domain=list(networks)),
        color=alt.Color("network:N").scale(
            domain=list(networks), range=[colours.get(name, MODEL) for name in networks]
        ).legend(None if len(networks) == 1 else alt.Legend(orient="top", title=None)),
        tooltip=[
            alt.Tooltip("thing:N", title="row"), alt.Tooltip("network:N"),
            alt.Tooltip("training:Q"), alt.Tooltip("value:Q", format=form),
        ],
    )
    return spec_of(chart.properties(height=max(90, 34 * len(things))))


def walk(distances, losses):
    """The loss of the story on the way up and down the gradient."""
    data = pd.DataFrame({"distance": distances, "loss": losses})
    here = data.loc[data["distance"].abs().idxmin()]
    lowest, first = data.loc[data["loss"].idxmin()], data.iloc[0]
    said = (
        f"Loss of the story when the output layer is moved along the gradient: "
        f"{here['loss']:.3f} where it stands, {first['loss']:.3f} uphill at "
        f"{first['distance']:g}, lowest {lowest['loss']:.3f} downhill at "
        f"{lowest['distance']:g}."
    )
    return Chart(walk_spec(), data, said, lambda: data.round(4))


@cache
def walk_spec():
    """How the walk is drawn, with a mark where the model stands."""
    import altair as alt

    base = alt.Chart().encode(
        x=alt.X("distance:Q").title("← uphill · distance walked · downhill →"),
        y=alt.Y("loss:Q").title("loss of the story (nats)").scale(zero=False),
        tooltip=[alt.Tooltip("distance:Q", format=".2f"),
                 alt.Tooltip("loss:Q", format=".4f")],
    )
    here = base.transform_filter("datum.distance == 0")
    return spec_of(alt.layer(
        base.mark_line(color=MODEL, strokeWidth=2.5),
        here.mark_rule(color=DRAW, strokeWidth=2).encode(
            x="distance:Q", y=alt.Undefined, tooltip=alt.Undefined),
        here.mark_point(filled=True, size=120, color=MODEL, opacity=1),
    ).properties(height=230))
