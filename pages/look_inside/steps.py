"""Every step of the working, from the logits down to the words."""

import numpy as np
import streamlit as st

from llm.glassbox.layer_norm import EPSILON
from llm.glassbox.softmax import softmax
from llm.studies.attribution import (
    FEED_FORWARD,
    HEAD,
    PLACE,
    WORD,
    logit_attribution,
    read_by_head,
    score_attribution,
    trail,
    unit_attribution,
    value_attribution,
    written_by_units,
)
from pages.look_inside.charts import (
    amounts,
    dot_product_by_hand,
    probability_by_hand,
    read_data,
    reading_data,
    units_data,
)
from pages.look_inside.words import direct_and_all_told, proof_told, trail_told
from pages.ui.chart import show
from pages.ui.latex import score_by_hand
from pages.ui.models import tiny_llm
from pages.ui.words import numbered, plain, signed

MOST_PUSHED = 6


class Proof:
    """Every sum that was worked out again, held against the model's own number."""

    def __init__(self):
        self.differences = []

    def holds(self, ours, models):
        """Note how far a sum differs from what the model has there."""
        self.differences.append(abs(float(ours) - float(models)))


def picked(label, options, default, key, **more):
    """One of some options; the default holds until another is picked."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = None
    return st.selectbox(
        label, options, index=None, placeholder=str(default), key=key,
        bind="query-params", **more,
    ) or default


def every_step(run, word, other, asked, title, links):
    """From a probability down to the words, step by step, with one line of proof.

    Args:
        run: the `Trace`.
        word, other: the numbers of the words whose lead, and over which, it is about.
        asked: what is explained, in Markdown.
        title: the same, short.
        links: what each link brings, from `llm.studies.flow.answer_flow`.
    """
    proof = Proof()
    found = from_logits(run, word, other, asked, proof)
    drawn = reading_data(found)
    at_the_words = drawn["kind"].isin((WORD, PLACE)).any()
    st.markdown(
        f"**3 · What every part gave.** The last vector is what {len(found.parts)} "
        f"parts added, divided by its standard deviation in the last LayerNorm. With "
        f"that held, {asked} is a sum. What a part adds to it in this way is its "
        "**direct effect**. Magenta is a head, green a feed-forward layer"
        + (", blue the word and its position." if at_the_words else ".")
    )
    show(amounts(drawn, title, title.capitalize()), "parts")
    direct_and_all(run, found, links)
    ranked = np.argsort(-found.amounts, kind="stable")
    names = [found.parts[n].name for n in ranked]
    st.markdown("**4 · One of them opened.** What gave most comes first.")
    name = picked("Open this part", names, names[0], "look_part", width=260)
    part = next(one for one in found.parts if one.name == name)
    OPENED.get(part.kind, at_the_bottom)(run, found, part, asked, proof)
    st.markdown(f"**And so on.** From {part.name}, always following what gave most:")
    st.markdown(trail_told(trail(run, tiny_llm().weights, found, part), run, asked))
    st.caption(proof_told(proof.differences))


def direct_and_all(run, found, links):
    """Why what a head brings is another figure than its direct effect.

    Args:
        as `every_step`; found is the `Attribution` of what is asked.
    """
    number = found.strongest((HEAD,))
    if number is None:
        return
    part, names = found.parts[number], numbered(run.tokens)
    gave = np.prod(read_by_head(run, tiny_llm().weights, found, part), axis=0)
    key = int(gave.argmax())
    brings = links[part.layer, part.head, found.position, key]
    st.markdown(direct_and_all_told(part.name, names[key], gave[key], brings))


def from_logits(run, word, other, asked, proof):
    """The probability from the logits, and the logit as a dot product.

    Returns:
        The `Attribution` of what is asked.
    """
    llm, last = tiny_llm(), len(run.tokens) - 1
    weights, vocabulary = llm.weights, llm.tokenizer.vocabulary
    logits = run.logits[last].astype(float)
    runner_up = next(n for n in np.argsort(-logits, kind="stable") if n != word)
    st.markdown("**1 · The probability, from the logits.** The largest logit is taken "
                "off first, which changes no share.")
    st.latex(probability_by_hand(
        vocabulary[word], logits[word], logits, logits[runner_up]
    ))
    pair = [word, other]
    columns = weights.output_kernel[:, pair].astype(float)
    biases = weights.output_bias[pair].astype(float)
    direction, bias = columns[:, 0] - columns[:, 1], biases[0] - biases[1]
    total = float(run.final[last].astype(float) @ direction + bias)
    st.markdown(f"**2 · A dot product.** The last vector of {plain(run.tokens[last])} "
                f"times the learned numbers of the output table gives {asked}:")
    st.latex(dot_product_by_hand(
        run.tokens[last], [vocabulary[n] for n in pair], run.final[last], direction,
        bias, total,
    ))
    found = logit_attribution(run, weights, last, word, other)
    model = logits[word] - logits[other]
    proof.holds(softmax(logits)[word], llm.probabilities(run.tokens)[word])
    proof.holds(total, model)
    proof.holds(found.total, model)
    stream = run.blocks[-1].residual_after[last].astype(float)
    spread = np.sqrt(stream.var() + EPSILON)
    st.caption(f"The standard deviation of the last vector before LayerNorm is "
               f"{spread:.2f}; the next step divides by it.")
    return found


def open_head(run, found, part, asked, proof):
    """A head opened: which words it read, and then one of them.

    Args:
        run: the `Trace`.
        found: the `Attribution` of what is asked.
        part: the head, one of its parts.
        asked: what is explained.
        proof: a `Proof`.
    """
    llm, names = tiny_llm(), numbered(run.tokens)
    attention, effects = read_by_head(run, llm.weights, found, part)
    gave = attention * effects
    st.markdown(
        f"**{part.name.capitalize()}** divides its attention among the words. From "
        "each it takes *weight × value*; the picture says what that gave directly:"
    )
    data = read_data(run.tokens, attention, effects)
    show(amounts(data, "weight × what the value gives", f"What {part.name} gave"),
         "head_read")
    proof.holds(gave.sum(), found.amount_of(part))
    key = names.index(picked("A word that it read", names, names[int(gave.argmax())],
                             "look_key", width=260))
    st.markdown(
        f"Before block {part.layer + 1} the vector of {plain(run.tokens[key])} was "
        f"again a sum of parts. These gave what {part.name} took from it, "
        f"{signed(gave[key])}:"
    )
    value = value_attribution(run, llm.weights, found, part, key)
    what = f"what came from '{run.tokens[key]}'"
    show(amounts(reading_data(value, MOST_PUSHED), what, what), "value_parts")
    proof.holds(value.total, gave[key])
    weight_opened(run, part, found.position, key, proof)


def weight_opened(run, part, position, key, proof):
    """A weight opened: query · key, then which parts of the word made the match."""
    st.markdown(f"Why did it look at {plain(run.tokens[key])}? Query times key is the "
                "score; divided by √d it is the scaled score; then comes softmax:")
    st.latex(score_by_hand(run, part.layer, part.head, position, key))
    scores = run.blocks[part.layer].scores[part.head, position].astype(float)
    scores = scores[: position + 1]
    if key <= position:
        share = softmax(scores)[key]
        proof.holds(share, run.attention(part.layer, part.head)[position, key])
        match = score_attribution(run, tiny_llm().weights, part, position, key)
        st.markdown(f"That scaled score is once more a sum of what stood in "
                    f"{plain(run.tokens[key])}:")
        show(amounts(reading_data(match, MOST_PUSHED), "the scaled score",
                     "The scaled score"), "score_parts")
        proof.holds(match.total, scores[key])


def open_units(run, found, part, asked, proof):
    """A feed-forward layer opened: which units wrote, and why one of them fired.

    Args:
        run: the `Trace` of the text.
        found: the `Attribution` of the lead.
        part: the `Part` that is opened, a feed-forward layer.
        asked: what is explained, in words.
        proof: the `Proof` that collects the sums that must agree.
    """
    llm = tiny_llm()
    fired, effects = written_by_units(run, llm.weights, found, part)
    token = run.tokens[found.position]
    st.markdown(
        f"**{part.name.capitalize()}** has {len(fired)} inner units, and "
        f"{int((fired > 0).sum())} of them fired at {plain(token)}. "
        "Each writes a row of its own, as strongly as it fires:"
    )
    show(amounts(units_data(fired, effects), "activation × what its row gives",
                 f"What {part.name} gave"), "units_wrote")
    bias = next(one for one in found.parts
                if one.name == f"feed-forward bias {part.layer + 1}")
    proof.holds((fired * effects).sum() + found.amount_of(bias),
                found.amount_of(part) + found.amount_of(bias))
    best = int((fired * effects).argmax())
    options = [f"unit {unit + 1}" for unit in np.argsort(-abs(fired * effects))[:20]]
    unit = int(picked("A unit that fired", options, f"unit {best + 1}",
                      "look_unit_of_layer", width=260).split()[1]) - 1
    st.markdown(f"Why did unit {unit + 1} fire? Its pattern meets a vector that is a "
                "sum of parts too. Below zero, ReLU makes it 0.")
    reason = unit_attribution(run, llm.weights, found.position, part.layer, unit)
    what = "the unit before ReLU"
    show(amounts(reading_data(reason, MOST_PUSHED), what, what), "unit_parts")
    proof.holds(max(reason.total, 0.0), fired[unit])


def at_the_bottom(run, found, part, asked, proof):
    """A part that has nothing below it.

    Args:
        run: the `Trace` of the text.
        found: the `Attribution` of the lead.
        part: the `Part` that is opened: a row of a table, or a bias.
        asked: what is explained, in words.
        proof: the `Proof` that collects the sums that must agree.
    """
    token = run.tokens[found.position]
    said = {
        WORD: f"This is the row of {plain(token)} in the embedding table, as it was "
        "looked up. Nothing is below it: it was learned.",
        PLACE: f"This is row {found.position + run.dropped} of the position table: "
        f"where {plain(token)} stands. It was learned.",
    }.get(part.kind, "This was learned and is the same for every word and sentence.")
    st.markdown(f"**{part.name.capitalize()}** gave {signed(found.amount_of(part))} to "
                f"{asked}. {said}")


OPENED = {HEAD: open_head, FEED_FORWARD: open_units}
