"""The *Go deeper* sections of the lesson on the families; each runs only while open."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.models.parameters import GPT_3, count_parameters, total
from llm.models.tokenizer import split
from llm.studies.families import (
    KEYS,
    QUERIES,
    READ,
    SIZE,
    VALUES,
    WRITTEN,
    cross_attention,
    patches,
    small_picture,
)
from llm.training.batches import rows_of, share_filled
from pages.families.charts import with_gaps
from pages.families.words import across_in_words, unknown_in_words
from pages.ui.chart import offer_table, sentence, show
from pages.ui.charts.matrix import matrix
from pages.ui.controls import (
    at_most,
    choose,
    last_that_fit,
    number_box,
    write_into,
)
from pages.ui.frame import lesson_link
from pages.ui.models import record, tiny_llm, world
from pages.ui.source import show_source
from pages.ui.words import percent, places_that_agree, plain

SEED = 3
QUESTIONS = (
    "what is the capital of france ?", "can the king fly ?", "what does tom have ?",
)
PATCH_SIZES = (16, 8, 4)
MOST_ASKED = 300  # characters


def made_larger():
    """The tiny LLM beside GPT-3, as a table."""
    config = tiny_llm().config
    rows = rows_of(record("tiny_llm")["training"]["schedule"])
    tokens = rows * config.context_length * filled_share()
    ours = total(count_parameters(config))
    theirs = total(count_parameters(GPT_3))
    st.markdown(f"""
| size | the tiny LLM | GPT-3 (2020) |
|---|---|---|
| tokens it knows | {config.vocab_size:,} | {GPT_3.vocab_size:,} |
| sees at once | {config.context_length} | {GPT_3.context_length:,} |
| blocks, width | {config.num_layers}, {config.embed_dim} | {GPT_3.num_layers}, \
{GPT_3.embed_dim:,} |
| heads in each block | {config.num_heads} | {GPT_3.num_heads} |
| parameters | {ours:,} | {theirs / 1e9:.0f} billion |
| tokens read in training | about {tokens / 1e6:.0f} million | 300 billion |

GPT-3 has about {round(theirs / ours, -4):,.0f} times as many parameters. The plan is
the same: decoder blocks, one on another. Details differ: another activation function
(GELU), a second kind of attention that looks less far, in every other block, and one
table for reading words in and out.
""")


@st.cache_data(show_spinner=False)
def filled_share():
    """The share of the places of a training row that hold a token, measured."""
    return share_filled(world(), tiny_llm().config.context_length)


def ask_anything():
    """A question to the tiny LLM, and an honest look at what comes back."""
    st.markdown("""
    It has read nothing but the stories of the toy world. It has had neither
    instructions nor feedback. Ask it anything:
    """)
    text = st.text_input("Ask the tiny LLM", QUESTIONS[0], key="ask",
                         validate=at_most(MOST_ASKED), bind="query-params")
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
        st.warning(
            f"{unknown_in_words(unknown)} A large model cuts what it does not know "
            "into pieces; this one knows whole words only, and cannot even read that. "
            + ("Here it goes on from the words before." if tokens[0] != unknown[0]
               else "As no known word stands before, it begins a story here.")
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
        "it has no story to go by. It does not say *I do not know*: it has no way "
        "to. It goes on drawing one word after the other."
    )
    lesson_link("next_token", "More on making things up: Next token")


def cross_attention_by_hand():
    """One text reading another, with numbers that a pencil can check."""
    st.markdown("""
    In an encoder-decoder, each block of the decoder has a second attention. Its
    **queries** come from the text that is being written, its **keys and values** from
    the text that was read: **cross-attention**. Nothing else about it is new. Here a
    German sentence was read. The vectors are chosen by hand, so that you can check each
    step with a pencil; what follows from them is computed.
    """)
    written = choose("The word that looks", WRITTEN, "looking_word", WRITTEN[1])
    at = WRITTEN.index(written)
    st.markdown("Its query, two numbers; change them:")
    with st.container(horizontal=True):
        query = np.array([
            number_box(label, -5.0, 5.0, float(QUERIES[at, number]),
                       f"query_{written}_{number}", step=0.5, width=150)
            for number, label in enumerate(("asks for a being", "asks for a deed"))
        ])
    queries = QUERIES.copy()
    queries[at] = query
    found = cross_attention(queries, KEYS, VALUES)
    best = int(found.attention_weights[at].argmax())
    show(matrix(
        found.attention_weights, WRITTEN, READ, row_title="written",
        column_title="read", said="Cross-attention: " + "; ".join(
            f"'{word}' gives {percent(row.max())} to '{READ[row.argmax()]}'"
            for word, row in zip(WRITTEN, found.attention_weights, strict=True)) + ".",
    ), "cross_weights")
    offer_table(pd.DataFrame({
        "read": READ,
        "key": [str(key.tolist()) for key in KEYS],
        "value": [str(value.tolist()) for value in VALUES],
        "scaled score": found.scores[at].round(3),
        "weight": found.attention_weights[at].round(3),
    }), "cross_attention", "Every step")
    # As many digits as a pencil needs to come to the same result.
    weights = found.attention_weights[at]
    digits = places_that_agree(lambda given: given @ VALUES, weights)
    st.latex(
        rf"\begin{{aligned}} \text{{scaled score}} &= \frac{{{query[0]:g} \cdot "
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
    st.markdown(across_in_words(written, READ, weights))
    show_source(cross_attention)


def picture_in_patches():
    """Our own small picture, cut into as many patches as the reader wants."""
    st.markdown(f"""
    A Transformer does not know what a word is. It gets a row of vectors. Whatever can
    be cut into a row of pieces can be read by one. Here is a picture of {SIZE} × {SIZE}
    pixels:
    """)
    size = choose("Side of a patch, in pixels", PATCH_SIZES, "patch_size", 8)
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
    offer_table(pd.DataFrame({
        "side of a patch": PATCH_SIZES,
        "tokens": [(SIZE // one) ** 2 for one in PATCH_SIZES],
        "numbers in each": [3 * one**2 for one in PATCH_SIZES],
        "pairs": [(SIZE // one) ** 4 for one in PATCH_SIZES],
    }), "patch_sizes", "All sizes")
    st.markdown(f"""
    - **Pictures**: the Vision Transformer (2020) cuts 224 × 224 pixels into patches of
      16 × 16, which makes {(224 // 16) ** 2} tokens.
    - **Sound**: Whisper (2022) reads half a minute of speech as 1,500 tokens, each of a
      fiftieth of a second.
    - **Proteins**: a protein is a chain of 20 kinds of amino acids, so it is a text
      with 20 letters. AlphaFold 2 (2020) uses attention to tell how it folds.
    - **Mixtures**: patches and words in one row. That is how a chat model looks at your
      photograph (GPT-4 in 2023, Claude 3 in 2024).
    """)
    show_source(small_picture, patches)
