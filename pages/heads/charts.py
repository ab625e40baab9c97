"""Pictures of heads: all at a glance, their roles, and what falls without one."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.matrix import GAP, HEADING, figures_on, heatmap_data, scale_of
from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import QUIET
from pages.ui.words import plain

CLEAR_FALL = 0.05  # a skill that loses less accuracy than this is called unharmed
FIRST_TOLD = 4  # the words before have so few to look at that their links say little


def glance_data(weights, names, tokens, columns=4):
    """One row a cell of every head, and one a heading, for `small_multiples`.

    Args:
        weights: (num_panels, num_tokens, num_tokens), nothing on later words.
        names: a heading for each panel.
        columns: panels beside each other.
    """
    size, count = len(tokens), len(names)
    rows, places = np.tril_indices(size)
    labels, panel = np.array(numbered(tokens)), np.arange(count)
    left = panel % columns * (size + GAP)
    top = panel // columns * (size + HEADING)
    cells = pd.DataFrame({
        "panel": np.repeat(names, len(rows)),
        "from": np.tile(labels[rows], count),
        "to": np.tile(labels[places], count),
        "value": weights[:, rows, places].ravel().astype("float32").round(4),
        "x": (left[:, None] + places).ravel(),
        "y": (top[:, None] + rows).ravel(),
        "heading": False,
    })
    headings = pd.DataFrame({
        "panel": names, "from": "", "to": "", "value": np.float32(0), "x": left,
        "y": top - 0.6, "heading": True,
    })
    return pd.concat([cells, headings], ignore_index=True)


def glance_alt(weights, names, tokens):
    """The strongest link of every head, in words; that of a word to itself left out."""
    labels, said = numbered(tokens), []
    for name, panel in zip(names, weights, strict=True):
        links = np.tril(panel, k=-1)
        links[: min(FIRST_TOLD, len(tokens) - 1)] = 0
        row, column = np.unravel_index(links.argmax(), links.shape)
        said.append(
            f"{name}: '{labels[row]}' gives {percent(links[row, column])} to "
            f"'{labels[column]}'"
        )
    return f"{len(names)} heads, the strongest link of each. {'; '.join(said)}."


def table_data(values, rows, columns):
    """One row a cell, for `score_table`: names down the side and along the top.

    Args:
        values: (num_rows, num_columns)
    """
    data = heatmap_data(values, rows, causal=False, columns=columns)
    return data.assign(**{"from": np.repeat(rows, len(columns))})


@cache
def score_table(num_rows, num_columns, rows, columns):
    """Scores from 0 to 1 as coloured cells with their figures.

    Data: as in `table_data`.

    Args:
        rows, columns: titles of the axes.
    """
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "labelLimit": 130,
            "labelFlush": False, "grid": False}
    base = alt.Chart().encode(
        x=alt.X("to:N").sort(field="column", op="min").title(columns)
        .axis(orient="top", labelAngle=-45, **axis),
        y=alt.Y("from:N").sort(field="row", op="min").title(rows).axis(**axis),
    )
    cells = base.mark_rect(opacity=1, stroke=QUIET, strokeWidth=0.4).encode(
        color=alt.Color("value:Q").scale(scale_of(0)).legend(None),
        tooltip=[
            alt.Tooltip("from:N", title=rows),
            alt.Tooltip("to:N", title=columns),
            alt.Tooltip("value:Q", title="score", format=".3f"),
        ],
    )
    # Twelve a column fit on a telephone too, so these figures always show.
    figures = figures_on(base, 0, num_columns)
    return spec(alt.layer(cells, *figures).properties(height=alt.Step(24)))


def wide(values, rows, columns, first):
    """The same scores as a table for readers, one line a row."""
    table = pd.DataFrame(np.asarray(values).round(4), columns=columns)
    table.insert(0, first, rows)
    return table


def best_alt(values, rows, columns, what):
    """The largest score of every column, in words."""
    values = np.asarray(values)
    said = [
        f"{column}: {rows[values[:, place].argmax()]} with {values[:, place].max():.2f}"
        for place, column in enumerate(columns)
    ]
    return f"{what}. Highest for {'; '.join(said)}."


def falls_alt(values, rows, columns):
    """The worst fall of every skill, in words; the first row is the whole model."""
    values = np.asarray(values)
    said = [
        f"{column} from {values[0, place]:.2f} to {values[1:, place].min():.2f} "
        f"{rows[1 + values[1:, place].argmin()]}"
        for place, column in enumerate(columns)
    ]
    return f"Accuracy of each skill. The worst single cuts: {'; '.join(said)}."


def amounts_data(names, values):
    """One row a name, for `amount_bars`."""
    return pd.DataFrame({"name": list(names), "value": np.asarray(values, float)})


def falls_of(skills, whole, without):
    """Which skills fall clearly with a head cut out, in words."""
    falls = [
        f"*{skill}* falls from {before:.2f} to {after:.2f}"
        for skill, before, after in zip(skills, whole, without, strict=True)
        if before - after > CLEAR_FALL
    ]
    return ", ".join(falls) or "no skill falls clearly"


def cut_in_words(name, vocabulary, before, after, skills, whole, without):
    """What a cut changes: the likeliest word here, and the skills in many stories.

    Args:
        before, after: (vocab_size,) probabilities of the next word.
        whole, without: (num_skills,) accuracies.
    """
    top, now = int(before.argmax()), int(after.argmax())
    said = (
        f"Without head {name}, {plain(vocabulary[top])} goes from "
        f"{percent(before[top])} to {percent(after[top])}"
    )
    if now != top:
        said += f", and {plain(vocabulary[now])} leads with {percent(after[now])}"
    return f"{said}. Over many stories, {falls_of(skills, whole, without)}."


def cuts_in_words(names, skills, whole, without):
    """What the single cuts do to all skills, in words."""
    falls = whole - without
    clear = (falls > CLEAR_FALL).sum(axis=1)
    row, column = np.unravel_index(falls.argmax(), falls.shape)
    if not clear.any():
        return "No single cut takes any skill down clearly: others make up for it."
    spared = (clear == 0).sum()
    said = (
        f"It depends on the head. {spared} of {len(names)} can go, and no skill loses "
        f"more than {CLEAR_FALL:.0%} of its answers: others make up for them. "
        if spared else "Every cut takes some skill down. "
    )
    return said + (
        f"Without head {names[clear.argmax()]}, {clear.max()} of {len(skills)} skills "
        f"fall. The deepest fall: without {names[row]}, **{skills[column]}** goes from "
        f"{whole[column]:.2f} to {without[row, column]:.2f}."
    )


def roles_in_words(roles, role_of, scores):
    """Which heads have which role, as a list; and which have none.

    Args:
        roles: `Role`s, in the order of the columns of `scores`.
        role_of: a dictionary from head to the names of its roles.
        scores: (num_heads, num_roles)
    """
    lines = []
    for role, column in zip(roles, scores.T, strict=True):
        having = [name for name, mine in role_of.items() if role.name in mine]
        lines.append(
            f"- **{role.name}**, {role.example}: " + (
                f"{', '.join(having)}." if having else
                f"no head makes this its job; the best score is {column.max():.2f}."
            )
        )
    nameless = [name for name, mine in role_of.items() if not mine]
    if nameless:
        lines.append(
            f"\nNo role in this list says much about {', '.join(nameless)}. In large "
            "models too, most heads do a mixture of things that has no name."
        )
    return "\n".join(lines)


def learned_in_words(names, role_of, scores, role_names, skills, whole, without):
    """Two findings that roles and cuts give only together, in words."""
    best = int(scores[:, role_names.index("verb → subject")].argmax())
    skill = skills.index("agreement")
    deepest = int((whole - without).max(axis=1).argmax())
    mine = role_of[names[deepest]]
    return (
        f"Head {names[best]} follows the link from verb to subject most; without it "
        f"agreement goes from {whole[skill]:.2f} to {without[best, skill]:.2f}. The "
        f"head that is missed most, {names[deepest]}, has "
        + (f"the plain role *{mine[0]}*." if mine else "no role in our list at all.")
    )


def first_token_in_words(names, shares, even, most, lengths):
    """How much attention rests on the first token, and what is taken from there.

    Args:
        shares: (num_heads,) of the attention.
        even: the share if everything were looked at alike.
        most: the head that rests there most.
        lengths: (num_tokens,) of what this head would write if it looked at one token.
    """
    resting = (shares > 2 * even).sum()
    said = (
        f"{resting} of {len(names)} heads give it more than twice what looking at "
        f"everything alike would ({even:.2f}). {names[most]} rests there most. "
    )
    if len(lengths) == 1:
        return said
    ratio = lengths[0] / lengths[1:].mean()
    return said + (
        f"What this head would take from `<start>` is {ratio:.2f} times as long as "
        "what it would take from one of your words, on average: "
        + ("to rest there costs little." if ratio < 0.75 else
           "not nothing, so it brings something home from there too, the same for all.")
    )


def accuracies_at_the_end(twins, skills):
    """The last scores of some trainings, (num_twins, num_skills)."""
    return np.array([
        [twin["scores"][-1]["skills"][skill]["accuracy"] for skill in skills]
        for twin in twins.values()
    ])


def glance_table(data):
    """Every link of every head as a table for readers."""
    links = data.loc[~data["heading"], ["panel", "from", "to", "value"]]
    return links.rename(columns={
        "panel": "head", "from": "looks", "to": "at", "value": "attention"
    })


def one_against_four(skills, ends, four, one):
    """What a single head loses or gains, as a few sentences."""
    excess = [twin["scores"][-1]["excess"] for twin in (four, one)]
    apart = ends[0] - ends[1]
    worse = [skill for skill, gap in zip(skills, apart) if gap > CLEAR_FALL]
    better = [skill for skill, gap in zip(skills, apart) if gap < -CLEAR_FALL]
    said = (
        f"At the end the excess is {excess[0]:.4f} with several heads and "
        f"{excess[1]:.4f} with one. "
    )
    if worse:
        said += f"One head is clearly worse at {', '.join(worse)}. "
    if better:
        said += f"One head is clearly better at {', '.join(better)}. "
    if not worse and not better:
        said += (
            "No skill ends clearly apart. Several heads are what large models use, but "
            "in a world this small one way a layer of sharing out attention is enough."
        )
    return said


def roles_measured(roles, scores, heads):
    """How each role was measured, as a table for readers."""
    return pd.DataFrame({
        "role": list(roles),
        "measured over (words)": [found["count"] for found in roles.values()],
        "an even head": [found["even"] for found in roles.values()],
        "best head": [heads[best] for best in scores.argmax(axis=0)],
        "its score": scores.max(axis=0),
    })
