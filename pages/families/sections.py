"""What the lesson on the families shows: blanks, turns of the loop, a question."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.models.encoder_twin import MASK
from llm.models.parameters import GPT_3, count_parameters, total
from llm.models.shipped import load_record
from llm.models.tokenizer import split
from llm.studies.families import (
    BOTH,
    DECODER,
    ENCODER,
    KEYS,
    QUERIES,
    READ,
    SIZE,
    VALUES,
    WRITTEN,
    blank_truth,
    cross_attention,
    family_mask,
    patches,
    small_picture,
)
from llm.training.batches import rows_read, share_filled
from pages.families.charts import (
    blank_alt,
    blank_bars,
    blank_data,
    loop_alt,
    loop_data,
    mask_alt,
    mask_data,
    mask_map,
    mask_table,
    with_gaps,
    writing_loop,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.matrix import heatmap, heatmap_data
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import MODEL
from pages.ui.colours import VALUES as TEAL
from pages.ui.controls import (
    encoder_twin,
    last_that_fit,
    sound_number,
    tiny_llm,
    world,
    write_into,
)
from pages.ui.words import listed, places_that_agree, plain

TWIN, LLM = "encoder twin, both sides", "tiny LLM, left side only"
SENTENCE = "the animal didn't cross the street because the animal was too tired ."
COPIED = "mia has a blue kite . mia 's kite is"
HIDDEN = 8  # in that sentence: the second `animal`
FIRST_TURN_AFTER = "mia has a"
SEED, MOST_TURNS = 3, 30
QUESTIONS = (
    "what is the capital of france ?", "can the king fly ?", "what does tom have ?",
)
PATCH_SIZES = (16, 8, 4)


def hidden_word(tokens):
    """Which word of a sentence is hidden; its place, counted from 0.

    Args:
        tokens: the words, at least one.
    """
    names = numbered(tokens)
    chosen = st.selectbox(
        "Hide this word", names, index=min(HIDDEN, len(names) - 1), key="hidden_word",
        bind="query-params", width=200,
    )
    return names.index(chosen) if chosen in names else min(HIDDEN, len(names) - 1)


def shown_mask(family, tokens, place):
    """The mask of a family on a sentence, and how much it allows.

    Args:
        family: one of `llm.studies.families.FAMILIES`.
        tokens: the words.
        place: that of the hidden word. With both halves, the words before it are the
            text that is read, the others the text that is written.
    """
    num_read = place if family == BOTH else 0
    mask = family_mask(family, len(tokens), num_read)
    words = [*tokens[:place], "___", *tokens[place + 1:]]
    data = mask_data(mask, words, num_read, place)
    show(mask_map(len(tokens)), data, mask_alt(data, family))
    numbers(mask_table(data), "family_mask")
    st.markdown(WHAT_FOR[family])


WHAT_FOR = {
    ENCODER: "**Encoder**: nothing is forbidden. Every word looks at every word, so "
    "each is understood from both sides. But it cannot continue a text: it was never "
    "asked what comes next. Good at *reading*: finding, classifying, comparing, "
    "filling in.",
    DECODER: "**Decoder**: nobody looks ahead. So every place can be trained to say "
    "what comes next, and that is all one needs to *write*. ChatGPT, Claude and the "
    "tiny LLM are decoders.",
    BOTH: "**Encoder-decoder**: one text is read from both sides, another is written "
    "from left to right, and each word of the second looks **across** at the whole of "
    "the first. Here the words before the blank count as read, the others as written. "
    "Good at turning one text into *another*: translating, summarising.",
}


def both_fills(tokens, place):
    """The same blank, filled by the encoder twin and by the tiny LLM.

    Args:
        tokens: the words.
        place: that of the hidden word.
    """
    before, after = list(tokens[:place]), list(tokens[place + 1:])
    sentence([*before, "___", *after], blank=False)
    twin = encoder_twin().answers([*before, MASK, *after], place + 1)
    both_sides = blank_truth(world(), before, after)
    left = world().next_word_probabilities(before)
    columns = st.columns(2)
    for column, name, colour, said, truth in (
        (columns[0], TWIN, TEAL, twin, both_sides),
        (columns[1], LLM, MODEL, tiny_llm().next_token(before), left),
    ):
        data = blank_data(said, truth)
        with column:
            show(blank_bars(name, colour), data, blank_alt(data, name))
            numbers(
                data.drop(columns="place").round(5), f"fills_{name.split()[0]}",
            )
    hidden = tokens[place]
    if not both_sides:
        st.caption("The toy world would never say this sentence, whatever stood in the "
                   "blank. So there is no truth to compare with.")
        return
    st.markdown(
        f"{plain(hidden)} was hidden. Knowing both sides, its exact probability is "
        f"{percent(both_sides.get(hidden, 0.0))}; knowing the left side only, "
        f"{percent(left.get(hidden, 0.0))}. The encoder twin says "
        f"{percent(twin[hidden])}, the tiny LLM "
        f"{percent(tiny_llm().next_token(before)[hidden])}."
    )


def guess_answered(guess):
    """What the tiny LLM says at the blank of the first sentence, after a guess."""
    before = SENTENCE.split()[:HIDDEN]
    said = tiny_llm().next_token(before)
    animal, street = said["animal"], said["street"]
    if max(animal, street) > 0.8:
        right = "`animal`, nearly surely" if animal > street else (
            "`street`, nearly surely")
    elif animal + street > 0.8:
        right = "Both, each about as likely"
    else:
        right = "Neither"
    truth = world().next_word_probabilities(before)
    return (
        f"**{'Yes' if guess == right else 'No'}**: `animal` {percent(animal)}, "
        f"`street` {percent(street)}. Reading from the left, it has not come to `was "
        "too tired` yet, so it cannot know the reason. That is no fault: in the toy "
        f"world itself the chances here are {percent(truth['animal'])} and "
        f"{percent(truth['street'])}. Its two-sided twin reads the end as well, and "
        f"gives `animal` {percent(twin_says('animal'))}."
    )


def twin_says(word):
    """What the encoder twin gives a word in the blank of the first sentence."""
    words = SENTENCE.split()
    blanked = [*words[:HIDDEN], MASK, *words[HIDDEN + 1:]]
    return encoder_twin().answers(blanked, HIDDEN + 1)[word]


def turn_by(number):
    """A callback: so many turns more, or fewer."""
    turns = st.session_state.get("turns", 1) + number
    st.session_state["turns"] = min(max(turns, 1), MOST_TURNS)


def writing_turns():
    """The loop in which the tiny LLM writes, at the turn that the reader is at."""
    buttons = st.container(horizontal=True)
    turns = st.slider("Turns", 1, MOST_TURNS, key="turns", bind="query-params")
    turns = int(sound_number(turns, 1, 1, MOST_TURNS))
    llm = tiny_llm()
    steps = list(llm.steps(FIRST_TURN_AFTER, turns, seed=SEED))
    over = steps[-1].token == "<end>"
    with buttons:
        st.button("One more turn", type="primary", key="one_more_turn",
                  on_click=turn_by, args=(1,),
                  disabled=over or turns >= MOST_TURNS)
        st.button("Undo", key="one_turn_back", on_click=turn_by, args=(-1,),
                  disabled=turns < 2)
    written = [step.token for step in steps]
    sentence(FIRST_TURN_AFTER.split(), written, blank=not over)
    data = loop_data(stations(steps[-1], llm.tokenizer.vocabulary))
    show(writing_loop(), data, loop_alt(data))
    numbers(data[["heading", "text"]], "writing_loop")
    if over:
        st.caption("It drew `<end>`: the story is over, and so is the loop.")
    return steps


def stations(step, vocabulary):
    """One turn of the loop as four boxes: read, logits, draw, write.

    Args:
        step: a `llm.models.tiny_llm.Step`.
        vocabulary: (vocab_size,) words.
    """
    best = np.argsort(-step.logits, kind="stable")[:2]
    likeliest = ", ".join(
        f"'{vocabulary[word]}' {percent(float(step.probabilities[word]))}"
        for word in best
    )
    read = step.window.tokens
    return [
        ("1 read", [f"{len(read)} words, the last:", f"… {' '.join(read[-2:])}"]),
        ("2 compute", [f"{len(step.logits)} logits, the largest:",
                       f"'{vocabulary[best[0]]}' {step.logits[best[0]]:.1f}"]),
        ("3 draw", [likeliest, f"{step.u:.2f} falls on:", f"'{step.token}'"]),
        ("4 write", [f"+ '{step.token}'", "and again"]),
    ]


def made_larger():
    """The tiny LLM beside GPT-3, as a Markdown table."""
    config = tiny_llm().config
    schedule = load_record()["training"]["schedule"]
    tokens = rows_read(schedule) * config.context_length * filled_share()
    ours = total(count_parameters(config))
    theirs = total(count_parameters(GPT_3))
    return f"""
| size | the tiny LLM | GPT-3 (2020) |
|---|---|---|
| words or pieces of words it knows | {config.vocab_size:,} | {GPT_3.vocab_size:,} |
| sees at once | {config.context_length} | {GPT_3.context_length:,} |
| blocks, width | {config.num_layers}, {config.embed_dim} | {GPT_3.num_layers}, \
{GPT_3.embed_dim:,} |
| parameters | {ours:,} | {theirs / 1e9:.0f} billion |
| tokens read in training | about {tokens / 1e6:.0f} million | 300 billion |

GPT-3 has about {round(theirs / ours, -4):,.0f} times as many parameters. The plan is
the same: decoder blocks, one on another. Details differ: another activation function
(GELU), a second kind of attention that looks less far, in every other block, and one
table for reading words in and out.
"""


@st.cache_data(show_spinner=False)
def filled_share():
    """The share of the places of a training row that hold a token, measured."""
    return share_filled(world(), tiny_llm().config.context_length)


def training_compared():
    """How the training of the encoder twin differs, in a few sentences."""
    ours, twins = (rows_read(load_record(name)["training"]["schedule"])
                   for name in ("tiny_llm", "encoder"))
    before = COPIED.split()
    copied = encoder_twin().answers([*before, MASK, "."], len(before) + 1)["blue"]
    return (
        "The comparison is not quite fair: the tiny LLM read "
        f"{ours / twins:.0f} times as many rows of text, and the twin was trained "
        "mainly on stories with an `it`, where it was asked for hidden words and for "
        "what `it` stands for. It was hardly trained to copy, and so it copies badly: "
        f"after `{COPIED}` it gives `blue` {percent(copied)}, the tiny LLM "
        f"{percent(tiny_llm().next_token(before)['blue'])}. Its missing mask forbids "
        "nothing here."
    )


def ask_anything():
    """A question to the tiny LLM, and an honest look at what comes back."""
    text = st.text_input("Ask the tiny LLM", QUESTIONS[0], max_chars=300, key="ask",
                         bind="query-params")
    with st.container(horizontal=True, key="ask_examples"):
        for number, question in enumerate(QUESTIONS):
            st.button(question, key=f"ask_{number}", on_click=write_into,
                      args=("ask", question.split()))
    tokens = [token for token in split(text or "") if token != "<start>"]
    if not tokens:
        st.info("Type a question; an empty one has no answer.")
        return
    tokenizer = tiny_llm().tokenizer
    unknown = tokenizer.unknown(tokens)
    if unknown:
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        st.warning(
            f"It has never met {listed(unknown[:5])}{more}. A large model cuts what it "
            "does not know into pieces; this one knows whole words only, and cannot "
            "even read it. Here it goes on from the words before the first of "
            "them."
        )
        tokens = tokens[: tokens.index(unknown[0])]
    tokens = last_that_fit(tokens)
    written = list(tiny_llm().generate(tokens, 14, seed=SEED))
    sentence(tokens, written, blank=False)
    impossible = world().first_impossible(tokens)
    if impossible is None:
        st.markdown(
            "So far this could stand in one of its stories. It does not *answer* you, "
            "it continues as such a story would. Whether that is true it cannot know."
        )
        return
    so_far = " ".join(tokens[:impossible])
    st.markdown(
        f"The toy world would never say {plain(tokens[impossible])} "
        f"{f'after {plain(so_far)}' if so_far else 'at the start'}. So from there on "
        "nothing it has learned helps. It does not say *I do not know*: it has no way "
        "to. It goes on drawing one word after the other."
    )


def cross_attention_by_hand():
    """One text reading another, with numbers that a pencil can check."""
    written = st.segmented_control(
        "The word that looks", WRITTEN, default=WRITTEN[1], required=True,
        key="looking_word", bind="query-params",
    ) or WRITTEN[1]
    at = WRITTEN.index(written)
    st.markdown("Its query, two numbers; change them:")
    with st.container(horizontal=True):
        query = np.array([
            sound_number(st.number_input(
                label, -5.0, 5.0, float(QUERIES[at, number]), 0.5, width=150,
                key=f"query_{written}_{number}", bind="query-params",
            ), QUERIES[at, number], -5.0, 5.0)
            for number, label in enumerate(("asks for a being", "asks for a deed"))
        ])
    queries = QUERIES.copy()
    queries[at] = query
    found = cross_attention(queries, KEYS, VALUES)
    spec = heatmap(len(WRITTEN), len(READ), rows="written", columns="read")
    spec = {**spec, "height": 230}  # its labels stand inside this height
    data = heatmap_data(found.attention_weights, WRITTEN, causal=False, columns=READ)
    best = int(found.attention_weights[at].argmax())
    show(spec, data, "Cross-attention: " + "; ".join(
        f"'{word}' gives {percent(float(row.max()))} to '{READ[row.argmax()]}'"
        for word, row in zip(WRITTEN, found.attention_weights, strict=True)) + ".")
    numbers(
        pd.DataFrame(
            {
                "read": READ,
                "key": [str(key.tolist()) for key in KEYS],
                "value": [str(value.tolist()) for value in VALUES],
                "score": found.scores[at].round(3),
                "weight": found.attention_weights[at].round(3),
            }
        ),
        "cross_attention",
    )
    # As many digits as a pencil needs to come to the same result.
    weights = found.attention_weights[at]
    digits = places_that_agree(lambda given: given @ VALUES, weights)
    st.latex(
        rf"\begin{{aligned}} \text{{score}} &= \frac{{{query[0]:g} \cdot "
        rf"{KEYS[best, 0]:g} + {query[1]:g} \cdot {KEYS[best, 1]:g}}}{{\sqrt{{2}}}} = "
        rf"{found.scores[at, best]:.2f} \\ \text{{weight}} &= "
        rf"{found.attention_weights[at, best]:.{digits}f} \end{{aligned}}"
    )
    blended = " + ".join(
        rf"{weight:.{digits}f}\begin{{pmatrix}}{value[0]:g}\\{value[1]:g}\end{{pmatrix}}"
        for weight, value in zip(weights, VALUES, strict=True)
    )
    out = found.outputs[at]
    st.latex(
        rf"\begin{{aligned}} &{blended} \\ &= \begin{{pmatrix}}{out[0]:.2f}\\"
        rf"{out[1]:.2f}\end{{pmatrix}} \end{{aligned}}"
    )
    most = np.flatnonzero(np.isclose(weights, weights.max()))
    if len(most) > 1:
        st.markdown(f"{plain(written)} takes equally much from "
                    f"{listed(READ[number] for number in most)}.")
        return
    st.markdown(
        f"{plain(written)} takes most from {plain(READ[best])}. In this way a "
        "translator knows which word it is at, although the two languages need not "
        "keep the same order."
    )


def picture_in_patches():
    """Our own small picture, cut into as many patches as the reader wants."""
    size = st.segmented_control(
        "Side of a patch, in pixels", PATCH_SIZES, default=8, required=True,
        key="patch_size", bind="query-params",
    ) or 8
    rows = patches(small_picture(), size)
    across = SIZE // size
    st.image(
        with_gaps(rows, size, across, zoom=9, gap=6),
        caption=f"Cut into {len(rows)} patches",
        alt=f"A house under the sun, cut into {across} by {across} patches.",
    )
    in_line = min(16, len(rows))
    st.image(
        with_gaps(rows, size, in_line, zoom=600 // (size * in_line), gap=6),
        caption="The same patches as the network gets them: one after the other",
        alt=f"The {len(rows)} patches in reading order, {in_line} in a line.",
    )
    st.markdown(
        f"{len(rows)} patches are {len(rows)} tokens. Each is {rows.shape[1]} numbers "
        f"({size} × {size} pixels, three colours); one learned kernel turns them into "
        "a vector as wide as the network, a position is added, and from there on it is "
        f"the Transformer that you know. Attention compares {len(rows)}² = "
        f"{len(rows) ** 2:,} pairs; with patches half as wide it would be "
        f"{(4 * len(rows)) ** 2:,}."
    )
    numbers(pd.DataFrame({
        "side of a patch": PATCH_SIZES,
        "tokens": [(SIZE // one) ** 2 for one in PATCH_SIZES],
        "numbers in each": [3 * one**2 for one in PATCH_SIZES],
        "pairs": [(SIZE // one) ** 4 for one in PATCH_SIZES],
    }), "patch_sizes", "All sizes, as a table")
