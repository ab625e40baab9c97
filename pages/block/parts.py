"""What the lesson on the block says about each part, with the numbers that it holds."""

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from llm.glassbox import block, feed_forward, layer_norm, model, positions
from llm.glassbox.softmax import softmax
from llm.studies.stream import (
    ATTENTION,
    EMBEDDING,
    FEED_FORWARD,
    LOGITS,
    NORM,
    POSITION,
)
from pages.block.measures import name_of
from pages.ui.latex import latex_word
from pages.ui.models import tiny_llm
from pages.ui.words import in_a_row, numbered, percent, places_that_agree, plain

SHOWN_UNITS = 5


@dataclass(frozen=True)
class Explained:
    """One part at work on one token.

    Attributes:
        what: what it does, in a few words.
        formula: in LaTeX, with these numbers.
        shapes: what goes in and out, for the whole sentence.
        vectors: a dictionary from name to vector, to be drawn.
        functions: what ran.
        units: a dictionary from the inner units that fire most to how strongly.
    """

    what: str
    formula: str
    shapes: str
    vectors: dict
    functions: tuple
    units: dict = field(default_factory=dict)


def pick_in_chart(labels):
    """A callback: the word and the part that were clicked go into their lists.

    Args:
        labels: the names of all words; `<start>` stands first and is not followed,
            unless it is alone.
    """

    def take():
        picked = st.session_state["columns"]["selection"].get("part")
        if picked:
            st.session_state["block_part"] = picked[0]["name"]
            column = int(picked[0]["column"])
            if column or len(labels) == 1:
                st.session_state["block_word"] = labels[column]

    return take


def explained(step, run, place):
    """One part of the way up, an `Explained`.

    Args:
        step: a `llm.studies.stream.Step`.
        run: the `Trace` that it comes from.
        place: which token, counted from 0.
    """
    return EXPLAIN[step.kind](step, run, place)


def of_embedding(step, run, place):
    number = int(run.token_ids[place])
    table = tiny_llm().weights.token_embeddings
    return Explained(
        f"The word is looked up: row {number} of the embedding table is its vector. "
        f"Wherever {plain(run.tokens[place])} stands, it begins as this row.",
        rf"x = E_{{{number}}} = {row(step.output)}",
        f"table {shape(table)}; in {len(run.tokens)} numbers, out "
        f"{shape(run.embeddings)}",
        {"the row": step.output},
        (model.trace,),
    )


def of_position(step, run, place):
    return Explained(
        f"The position is looked up too: this is position {place}, counted from 0, so "
        f"row {place} of the position table is **added**. From here on the vector "
        "tells where its word stands.",
        in_two_lines(rf"x \leftarrow x + p_{{{place}}}", step),
        f"in and out {shape(run.embeddings)}",
        before_and_after(step),
        (positions.learned_positions,),
    )


def of_norm(step, run, place):
    norm = norm_of(step)
    before = step.before.astype(float)
    centred = before - before.mean()
    spread = np.sqrt((centred**2).mean() + layer_norm.EPSILON)
    given = before[0], before.mean(), spread, norm.scale[0], norm.shift[0]
    digits = places_that_agree(
        lambda x, mean, wide, scale, shift: (x - mean) / wide * scale + shift, *given)
    first, mean, wide, scale, shift = (signed(number, digits) for number in given)
    return Explained(
        "The stream is not changed. But before a part reads it, the vector is brought "
        "to **mean 0 and standard deviation 1**, then each of its numbers is stretched "
        "by γ and shifted by β, which were learned. So a part always meets vectors of "
        "about the same size.",
        rf"\begin{{aligned}} &\frac{{x_1 - \mu}}{{\sqrt{{\sigma^2 + 0.001}}}}"
        rf"\,\gamma_1 + \beta_1 \\"
        rf" &= \frac{{{first} - {mean}}}{{{wide}}}\cdot {scale} + {shift}"
        rf" = {step.output[0]:.2f} \end{{aligned}}",
        f"in and out {shape(run.embeddings)}",
        {"what comes in": step.before, "what the part reads": step.output},
        (layer_norm.layer_norm, layer_norm.standardised),
    )


def norm_of(step):
    """The `NormWeights` of a LayerNorm on the way up."""
    weights = tiny_llm().weights
    if step.layer is None:
        return weights.final_norm
    found = weights.blocks[step.layer]
    first = step.name.endswith(NORM)
    return found.attention_norm if first else found.feed_forward_norm


def of_attention(step, run, place):
    found = run.blocks[step.layer]
    heads, labels = found.attention_weights[:, place], numbered(run.tokens)
    looks = in_a_row(
        f"head {number} mostly at {plain(labels[share.argmax()])} "
        f"({percent(share.max())})"
        for number, share in enumerate(heads, start=1)
    )
    return Explained(
        f"The word **looks around**: {looks}. What the heads bring back is joined and "
        "added. Nowhere else does anything pass from one word to another.",
        in_two_lines(
            r"x \leftarrow x + \text{attention}(\text{LayerNorm}(x))", step
        ),
        f"queries, keys and values {shape(found.queries)}, weights "
        f"{shape(found.attention_weights)}, out {shape(found.attention_output)}",
        before_and_after(step),
        (block.attention_sublayer, block.multi_head_attention),
    )


def of_feed_forward(step, run, place):
    found = run.blocks[step.layer]
    fired = found.hidden[place]
    best = int(fired.argmax())
    learned = tiny_llm().weights.blocks[step.layer].feed_forward
    match = found.feed_forward_input[place] @ learned.hidden_kernel[:, best]
    bias = learned.hidden_bias[best]
    digits = places_that_agree(np.add, match, bias)
    strongest = [int(unit) for unit in np.argsort(-fired, kind="stable")[:SHOWN_UNITS]
                 if fired[unit] > 0]
    return Explained(
        f"The word **works alone**. {len(fired)} inner **units** each respond to one "
        f"direction in its vector, and {(fired > 0).sum()} of them fire here, unit "
        f"{best + 1} most of all. A unit that fires adds its own row of numbers "
        "to the stream; the others add nothing.",
        rf"\begin{{aligned}} h_{{{best + 1}}} &= \max(0,\; v \cdot k_{{{best + 1}}} "
        rf"+ b_{{{best + 1}}}) \\ &= \max(0,\; {signed(match, digits)} + "
        rf"{signed(bias, digits)}) = {fired[best]:.2f} \\"
        rf" x &\leftarrow x + hW + b \\ {first_number(step)} \end{{aligned}}",
        f"in {shape(found.feed_forward_input)}, units {shape(found.hidden)}, out "
        f"{shape(found.feed_forward_output)}",
        before_and_after(step),
        (feed_forward.project_up, feed_forward.relu, feed_forward.project_down),
        {name_of(step.layer, unit): float(fired[unit]) for unit in strongest},
    )


def of_logits(step, run, place):
    best = int(step.output.argmax())
    word = tiny_llm().tokenizer.vocabulary[best]
    weights = tiny_llm().weights
    match = step.before @ weights.output_kernel[:, best]
    share = float(softmax(step.output)[best])
    bias = weights.output_bias[best]
    digits = places_that_agree(np.add, match, bias)
    name = rf"\text{{{latex_word(word)}}}"
    return Explained(
        f"Every one of the {len(step.output)} words has a column of the output table. "
        "The better the vector fits a column, the larger that word's **logit**; "
        f"softmax turns that of {plain(word)} into {percent(share)}.",
        rf"\begin{{aligned}} z_{{{name}}} &= v \cdot W_{{{name}}} + b_{{{name}}} \\"
        rf" &= {signed(match, digits)} + {signed(bias, digits)}"
        rf" = {step.output[best]:.2f} \end{{aligned}}",
        f"in {shape(run.final)}, out {shape(run.logits)}",
        {"what is read out": step.before},
        (model.read_out,),
    )


EXPLAIN = {
    EMBEDDING: of_embedding, POSITION: of_position, NORM: of_norm,
    ATTENTION: of_attention, FEED_FORWARD: of_feed_forward, LOGITS: of_logits,
}


def before_and_after(step):
    """The vectors of a part that adds to the stream."""
    return {"before": step.before, "what it adds": step.output, "after": step.stream}


def first_number(step):
    """The addition of the first of all numbers, as a line of an aligned formula."""
    given = step.before[0], step.output[0]
    before, added = (signed(one, places_that_agree(np.add, *given)) for one in given)
    return rf"x_1 &= {before} + {added} = {step.stream[0]:.2f}"


def in_two_lines(formula, step):
    """A formula, and below it the same for the first number."""
    return (r"\begin{aligned} " + formula.replace(r"x \leftarrow", r"x &\leftarrow", 1)
            + r" \\ " + first_number(step) + r" \end{aligned}")


def signed(number, digits=2):
    """A number inside a formula; a negative one in brackets."""
    shown = f"{number:.{digits}f}"
    return f"({shown})" if shown.startswith("-") else shown


def row(vector, count=4):
    """The first numbers of a vector, in LaTeX."""
    shown = ",\\; ".join(f"{number:.2f}" for number in vector[:count])
    return rf"({shown},\; \dots)"


def shape(array):
    """The shape of an array, as `12 × 64`."""
    return " × ".join(str(size) for size in np.shape(array))
