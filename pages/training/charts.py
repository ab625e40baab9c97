"""Pictures of a training run: its loss, its skills, one batch, and the gradient."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import DRAW, MODEL, QUIET, TRUTH

BATCHES, FRESH, FLOOR = (
    "each batch (smoothed)", "fresh stories", "the exact floor"
)
NOW = "now:Q"  # the step that the slider stands at, the same in every row
# Much happens early in a run, so steps are drawn closer together later.
STEPS = alt.Scale(type="sqrt", nice=False)


def steps_axis(x, title="steps of training"):
    return x.scale(STEPS).title(title).axis(format=",d", tickCount=6, grid=False)


def run_data(curve, scores, now):
    """One row a point, for `run_curves`.

    Args:
        curve: a list of (step, loss).
        scores: a list of records with `step`, `loss` and `floor`.
        now: the step that is looked at.
    """
    rows = [(step, loss, BATCHES) for step, loss in curve]
    rows += [(score["step"], score["loss"], FRESH) for score in scores]
    rows += [(score["step"], score["floor"], FLOOR) for score in scores]
    data = pd.DataFrame(rows, columns=["step", "loss", "series"])
    here = (data["series"] == FRESH) & (data["step"] == now)
    return data.assign(now=now, here=here)


def run_table(scores):
    """The kept steps as a table for readers."""
    names = {
        "step": "step", "loss": "loss on fresh stories", "floor": "exact floor",
        "excess": "above the floor",
    }
    table = pd.DataFrame([{new: score[old] for old, new in names.items()}
                          for score in scores])
    table["frequency: distance from the truth"] = [
        score["skills"]["frequency"]["divergence"] for score in scores
    ]
    return table.round(4)


def run_alt(score, last):
    """Where the run stands, in words."""
    return (
        f"Loss during the training. At step {score['step']:,} it is "
        f"{score['loss']:.3f} nats per token on fresh stories, {score['excess']:.3f} "
        f"above the exact floor of {score['floor']:.3f}; at the end, at step "
        f"{last['step']:,}, {last['excess']:.4f} above."
    )


@cache
def run_curves():
    """The loss over the steps, the exact floor, and a mark at the step looked at.

    Data: as in `run_data`.
    """
    names = [FRESH, BATCHES, FLOOR]
    colour = alt.Color("series:N").scale(
        domain=names, range=[MODEL, QUIET, TRUTH]
    ).legend(orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3,
             labelLimit=260, columns=2)
    base = alt.Chart().encode(
        x=steps_axis(alt.X("step:Q")),
        y=alt.Y("loss:Q").title("loss (nats per token)")
        .scale(type="log", nice=False, domainMin=0.6)
        .axis(values=[0.8, 1.5, 3, 6], labelOverlap=False),
        color=colour,
    )
    fresh, batches, floor = (
        base.transform_filter(f"datum.series == '{name}'") for name in names
    )
    layers = [
        rule_now(),
        batches.mark_line(strokeWidth=1),
        floor.mark_line(strokeWidth=2, strokeDash=[6, 4]),
        fresh.mark_line(strokeWidth=2.5),
        fresh.mark_point(filled=True, size=34, opacity=1).encode(tooltip=[
            alt.Tooltip("step:Q", format=",d"), alt.Tooltip("loss:Q", format=".4f")]),
        fresh.transform_filter("datum.here").mark_point(
            filled=True, size=150, opacity=1),
    ]
    return spec(alt.layer(*layers).properties(height=290))


def rule_now():
    """A line through the picture at the step that is looked at."""
    return alt.Chart().transform_aggregate(now="max(now)").mark_rule(
        color=DRAW, strokeWidth=2, opacity=1
    ).encode(x=steps_axis(alt.X(NOW)))


def skills_data(scores, order, now):
    """One row a skill and step, for `skill_curves`.

    Args:
        scores: a list of records with `step` and `skills`.
        order: the skills, from top to bottom.
        now: the step that is looked at.
    """
    rows = [
        (score["step"], place, skill, score["skills"][skill]["accuracy"])
        for place, skill in enumerate(order) for score in scores
    ]
    data = pd.DataFrame(rows, columns=["step", "place", "skill", "accuracy"])
    return data.assign(now=now, here=data["step"] == now, end=data["step"].max())


def skills_table(data):
    """The skills as a table for readers: one row a skill, one column a step."""
    table = data.pivot(index="skill", columns="step", values="accuracy")
    table = table.loc[data["skill"].unique()].round(4).reset_index()
    return table.rename(columns=lambda name: name if name == "skill" else f"{name:,}")


def skills_alt(data):
    """How far each skill is, in words."""
    here = data[data["here"]]
    said = [f"{row.skill} {percent(row.accuracy)}" for row in here.itertuples()]
    return (
        f"Share of right answers at step {here['step'].iloc[0]:,}, in the order in "
        f"which the skills arrived: {', '.join(said)}."
    )


@cache
def skill_curves(order):
    """A small curve for each skill, one below the other, from 0 to all right.

    Data: as in `skills_data`.

    Args:
        order: a tuple of the skills, from top to bottom.
    """
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
        middle="datum.ground + 0.3",
    ).encode(x=steps_axis(alt.X("step:Q")), detail="skill:N")
    area = base.mark_area(color=MODEL, opacity=0.3).encode(y=up("top:Q"), y2="ground:Q")
    line = base.mark_line(color=MODEL, strokeWidth=2).encode(y=up("top:Q"), tooltip=[
        alt.Tooltip("skill:N"), alt.Tooltip("step:Q", format=",d"),
        alt.Tooltip("accuracy:Q", title="right", format=".1%"),
    ])
    all_right = base.mark_line(color=QUIET, strokeDash=[2, 3], strokeWidth=1).encode(
        y=up("full:Q"))
    here = base.transform_filter("datum.here")
    point = here.mark_point(filled=True, color=MODEL, size=90, opacity=1).encode(
        y=up("top:Q"))
    # Beside the mark, on the side where there is room.
    early = "datum.now < 0.6 * datum.end"
    figure = here.mark_text(
        fontWeight="bold", fontSize=12,
        align=alt.expr(f"{early} ? 'left' : 'right'"), dx=alt.expr(f"{early} ? 9 : -9"),
    ).encode(y=up("middle:Q"), text=alt.Text("accuracy:Q", format=".0%"))
    layers = [area, all_right, line, rule_now(), point, figure]
    return spec(alt.layer(*layers).properties(height=44 * len(order)))


def jump_in_words(pair, skill):
    """How a skill came, in sentences that follow from its figures.

    Args:
        pair: two records, from `llm.studies.arrivals.biggest_jump`.
    """
    before, after = (score["skills"][skill]["accuracy"] for score in pair)
    first, second = (score["step"] for score in pair)
    fell = pair[0]["loss"] - pair[1]["loss"]
    said = (
        f"{skill[0].upper() + skill[1:]} stood at {percent(before)} at step {first:,} "
        f"and at {percent(after)} at step {second:,}. "
    )
    if after - before < 0.25:
        return said + "It grew little by little."
    return said + (
        "Look-up comes at once: two layers must work together for it, and half of it "
        f"is worth little. The loss fell by {fell:.2f} nats meanwhile, so it hardly "
        "shows: a skill decides only a few words of a story."
    )


def batch_data(tokens, losses, floor):
    """One row a token of a story, for `batch_bars`.

    Args:
        tokens: the words of a story, `<start>` first.
        losses: (num_tokens - 1,), the surprise at each word after the first.
        floor: (num_tokens - 1,), the surprise of one who knows the world.
    """
    return pd.DataFrame({
        "place": range(1, len(tokens)),
        "after": tokens[:-1],
        "next": tokens[1:],
        "label": [f"{place} {word}" for place, word in enumerate(tokens[1:], start=1)],
        "loss": losses,
        "floor": floor,
    })


def batch_table(data):
    """The tokens of a story as a table for readers."""
    return pd.DataFrame({
        "input": data["after"],
        "target": data["next"],
        "probability of the target": np.exp(-data["loss"]).round(5),
        "loss (nats)": data["loss"].round(4),
        "loss of one who knows the world": data["floor"].round(4),
    })


def batch_alt(data):
    """The tokens with the largest losses, in words."""
    worst = data.nlargest(3, "loss")
    said = [f"'{row.next}' {row.loss:.2f}" for row in worst.itertuples()]
    return (
        f"Loss of each of {len(data)} tokens; the mean is {data['loss'].mean():.3f} "
        f"nats, and {data['floor'].mean():.3f} for one who knows the world. The "
        f"largest: {', '.join(said)}."
    )


MODEL_LOSS, WORLD_LOSS = "the model", "one who knows the world"


@cache
def batch_bars():
    """A bar for the loss of each token, a tick for what nobody could avoid.

    Data: as in `batch_data`.
    """
    rows = alt.Chart().encode(
        y=alt.Y("label:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=120)
    )
    names = alt.Scale(domain=[MODEL_LOSS, WORLD_LOSS], range=[MODEL, TRUTH])
    colour = alt.Color("series:N").scale(names).legend(
        orient="top", title=None, symbolType="square")
    tooltip = [
        alt.Tooltip("after:N", title="input"), alt.Tooltip("next:N", title="target"),
        alt.Tooltip("loss:Q", format=".4f"),
        alt.Tooltip("floor:Q", title=WORLD_LOSS, format=".4f"),
    ]
    bars = rows.transform_calculate(series=f"'{MODEL_LOSS}'").mark_bar(
        height=13, cornerRadiusEnd=3, opacity=1
    ).encode(x=alt.X("loss:Q").title("loss (nats)"), color=colour, tooltip=tooltip)
    ticks = rows.transform_calculate(series=f"'{WORLD_LOSS}'").mark_tick(
        thickness=3, height=18, opacity=1
    ).encode(x="floor:Q", color=colour, tooltip=tooltip)
    figures = rows.transform_calculate(edge="max(datum.loss, datum.floor)").mark_text(
        align="left", dx=6, fontSize=11
    ).encode(x="edge:Q", text=alt.Text("loss:Q", format=".2f"))
    return spec(alt.layer(bars, ticks, figures).properties(height=alt.Step(20)))


def pushes_data(vocabulary, gradient, count=8):
    """One row a word, for `push_bars`: where a step moves its logit.

    Args:
        vocabulary: (vocab_size,) words.
        gradient: (vocab_size,), for the logits at one place.
        count: how many words, those that move most.
    """
    push = -np.asarray(gradient)
    chosen = np.argsort(-abs(push), kind="stable")[:count]
    chosen = chosen[np.argsort(-push[chosen], kind="stable")]
    return pd.DataFrame({
        "word": [vocabulary[number] for number in chosen],
        "push": push[chosen],
        "place": range(len(chosen)),
    })


def pushes_alt(data):
    """Where the logits are pushed, in words."""
    said = [f"'{row.word}' {row.push:+.3f}" for row in data.itertuples()]
    return f"Where a step pushes the logits: {', '.join(said)}."


@cache
def push_bars():
    """A bar to the right for words that become likelier, to the left for others.

    Data: as in `pushes_data`.
    """
    base = alt.Chart().transform_calculate(
        side="datum.push > 0 ? 'up' : 'down'",
        figure="format(datum.push, '+.3f')", right="max(datum.push, 0)",
    ).encode(y=alt.Y("word:N").sort(field="place", op="min").title(None).axis(
        domain=False, ticks=False, labelOverlap=False, labelLimit=120))
    bars = base.mark_bar(height=15, opacity=1).encode(
        x=alt.X("push:Q").scale(domain=[-1, 1]).title(
            "right minus said: where a step pushes the logit"
        ).axis(format="+.1f", tickCount=5),
        color=alt.Color("side:N").scale(
            domain=["up", "down"], range=[MODEL, DRAW]).legend(None),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("push:Q", format="+.4f")],
    )
    figures = base.mark_text(align="left", dx=6, fontSize=11).encode(
        x="right:Q", text="figure:N")
    return spec(alt.layer(bars, figures).properties(height=alt.Step(22)))


def walk_data(distances, losses):
    """One row a distance, for `walk_curve`."""
    return pd.DataFrame({"distance": distances, "loss": losses})


def walk_alt(data):
    """How the loss changes on the way, in words."""
    here = data.loc[data["distance"].abs().idxmin()]
    lowest, first = data.loc[data["loss"].idxmin()], data.iloc[0]
    return (
        f"Loss of the batch when its output layer is moved along the gradient: "
        f"{here['loss']:.3f} where it stands, {first['loss']:.3f} uphill at "
        f"{first['distance']:g}, lowest {lowest['loss']:.3f} downhill at "
        f"{lowest['distance']:g}."
    )


@cache
def walk_curve():
    """The loss on the way up and down the gradient; a mark where the model stands.

    Data: as in `walk_data`.
    """
    base = alt.Chart().encode(
        x=alt.X("distance:Q").title("← uphill · distance walked · downhill →"),
        y=alt.Y("loss:Q").title("loss of the batch (nats)").scale(zero=False),
        tooltip=[alt.Tooltip("distance:Q", format=".2f"),
                 alt.Tooltip("loss:Q", format=".4f")],
    )
    here = base.transform_filter("datum.distance == 0")
    return spec(alt.layer(
        base.mark_line(color=MODEL, strokeWidth=2.5),
        here.mark_rule(color=DRAW, strokeWidth=2).encode(
            x="distance:Q", y=alt.Undefined, tooltip=alt.Undefined),
        here.mark_point(filled=True, size=120, color=MODEL, opacity=1),
    ).properties(height=230))
