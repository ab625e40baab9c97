"""Queries, keys, values: how does a network decide how much attention to pay?"""

import numpy as np
import pandas as pd
import streamlit as st

from llm.glassbox.attention import attention_scores, blend, causal_mask
from llm.glassbox.entropy import entropy
from llm.glassbox.heads import project_to_heads
from llm.glassbox.softmax import softmax
from llm.studies.by_hand import (
    COLUMNS,
    MATRICES,
    TABLE,
    WORDS,
    by_hand,
    four_steps,
)
from llm.studies.links import SO_THE, because
from llm.studies.scaling import (
    DIMS,
    DIVISORS,
    mean_entropy,
    rows_of_weights,
    spread_of_dots,
    unit_spread,
)
from pages.attention.sections import head_name
from pages.queries_keys_values.charts import (
    at_query,
    four_steps_chart,
    steps_alt,
    steps_data,
    steps_table,
)
from pages.queries_keys_values.row import row_bars, row_bars_alt, row_bars_data
from pages.queries_keys_values.tables import Tables
from pages.queries_keys_values.words import row_verdict
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.curves import curves_alt, curves_data, line_curves
from pages.ui.charts.matrix import heatmap, heatmap_data
from pages.ui.charts.sums import blended, dot_product, scaling, weight
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import DRAW, MODEL, QUIET
from pages.ui.controls import checkpoints, tiny_llm
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.measures import links_in_sentence
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

HAND, TRAINED = "by hand", "trained"
SENTENCE = (*because("animal", "cross", "street", "tired"), *SO_THE)

st.markdown("""
Looking something up in a library takes three things. You have a question, the
**query**. Every book has a label on its back, the **key**. And you take home what is
inside, the **value**.

Attention is such a look-up in which every word does all three. Its query is compared
with the keys of all words; where they fit, it takes more of the value. All three are
rows of numbers, and the whole thing takes four steps: **score, scale, softmax, blend**.
""")
glossary("query", "key", "value", "softmax", "attention weight")

st.header("Your guess first", anchor=False)
st.markdown("""
Four words with four numbers each. A score is high where two rows have large numbers in
the same places. Here each row is query, key and value at once.
""")
hand = Tables("table", {"words": TABLE, **MATRICES})
table = hand.editor("words", WORDS, COLUMNS, "word")
undo_place = st.container()
guess = pick_first(
    "Which words get most of the attention of `it`?",
    ["the and sat", "cat and itself", "all four alike", "only itself"],
    key="qkv_guess",
)
if guess:
    row = four_steps(*by_hand(table)).weights[WORDS.index("it")]
    st.success(
        f"You said: {guess}. It gives "
        + ", ".join(f"{percent(float(w))} to `{word}`" for word, w in zip(WORDS, row))
        + "."
    )

st.header("Four steps", anchor=False)
mode = st.segmented_control(
    "Which words?", [HAND, TRAINED], default=HAND, required=True, key="qkv_mode",
    bind="query-params",
) or HAND
labels = list(WORDS) if mode == HAND else numbered(SENTENCE)
default = "it" if mode == HAND else labels[-1]
chosen = st.pills(
    "The word that looks", labels, default=default, required=True,
    key=f"qkv_word_{'hand' if mode == HAND else 'trained'}", bind="query-params",
) or default
row = labels.index(chosen) if chosen in labels else labels.index(default)
picture = st.container()  # filled below, once the matrices are known

with go_deeper("why three matrices, and not one?", "matrices"):
    st.markdown("""
    With the bare rows a word can attend by **likeness** only: `it` to what is like
    `it`, and most words to themselves. And every score is the same both ways. But `it`
    does not look for another `it`; it looks for what it stands for.

    So a network learns three matrices. The first turns a word's row into what it
    **looks for** (queries), the second into what it **can be found by** (keys), the
    third into what it **hands over** (values). One matrix for queries and keys would
    leave all scores the same both ways; and what makes a word worth finding need not be
    what it has to say, so values get their own.
    """)
    with_matrices = st.toggle(
        "Use three matrices by hand", key="qkv_matrices", bind="query-params"
    )
    matrices = None
    if with_matrices:
        for name in MATRICES:
            st.markdown(f"The matrix of the **{name}**: a row for each number that "
                        "comes in, a column for each that goes out.")
            hand.editor(name, COLUMNS, [f"to {column}" for column in COLUMNS], "from")
        matrices = {name: hand[name] for name in MATRICES}
    plain_steps = four_steps(*by_hand(table))
    hand_steps = four_steps(*by_hand(table, matrices))
    it, cat = WORDS.index("it"), WORDS.index("cat")
    st.markdown(
        f"Without matrices `it` scores `cat` as `cat` scores `it`: "
        f"{plain_steps.dots[it, cat]:.2f} and {plain_steps.dots[cat, it]:.2f}."
        + (
            f" With these matrices: {hand_steps.dots[it, cat]:.2f} and "
            f"{hand_steps.dots[cat, it]:.2f}; `it` gives "
            f"{percent(float(hand_steps.weights[it, cat]))} to `cat` and "
            f"{percent(float(hand_steps.weights[it, it]))} to itself."
            if with_matrices else ""
        )
    )
with undo_place:
    hand.buttons()

if mode == HAND:
    tokens, mask, steps = WORDS, None, hand_steps
else:
    llm = tiny_llm()
    layer, head = links_in_sentence(SENTENCE, "actor").head
    traced = llm.trace(SENTENCE)
    tokens, mask = traced.tokens, causal_mask(len(SENTENCE))
    steps = four_steps(
        *traced.queries_and_keys(layer, head), traced.values(layer, head), mask
    )
head_dim = steps.queries.shape[1]
divisor = f"√{head_dim} = {np.sqrt(head_dim):g}"

with picture:
    if mode == TRAINED:
        st.markdown(f"""
        This is {head_name(layer, head)} of the tiny LLM, the one that you met in the
        last lesson, on its sentence. From each word's row of {llm.config.embed_dim}
        numbers its three learned matrices make a query, a key and a value of {head_dim}
        numbers: {llm.config.embed_dim} → {head_dim}. They are trained, so they cannot
        be edited here.
        """)
        sentence(SENTENCE[1:])
    elif with_matrices:
        st.markdown("Queries, keys and values come from your three matrices, below.")
    show(
        at_query(four_steps_chart(len(tokens), head_dim), tokens, row, divisor),
        steps_data(steps, mask), steps_alt(steps, tokens, row),
    )
    st.caption(
        "Point at the strip of words to look at another one. "
        + ("A word must not look at later ones: their places are grey. "
           if mask is not None else "")
        + "In the blend each row is one number of the values; orange is below zero."
    )
    numbers(steps_table(steps, tokens, row), "four_steps")

    scores = steps.scores[row]
    others = np.where(np.arange(len(tokens)) == row, -np.inf, scores)
    key = int(others.argmax()) if np.isfinite(others).any() else row
    pair, short = (tokens[row], tokens[key]), mode == HAND
    st.markdown(
        f"With these numbers, `{pair[0]}` looks at `{pair[1]}`. (Powers of large "
        "scores are written with the largest taken off; that changes no share.)"
    )
    st.latex(dot_product(steps.queries[row], steps.keys[key], pair, short))
    st.latex(scaling(steps.dots[row, key], head_dim, short=short))
    st.latex(weight(scores, tokens, key, pair[0]))
    dim = int(abs(steps.output[row]).argmax())
    st.latex(blended(steps.weights[row], steps.values, tokens, dim))
    st.markdown(row_verdict(steps.weights[row], tokens, row))

show_source(attention_scores, softmax, blend)

st.markdown("""
**What to notice**

- Steps 1 to 3 say how much; only step 4 takes something. The output is a mixture of
  values.
- Scores may be any numbers. Softmax makes them into shares: none below 0, together 1.
- In the first table, without matrices, `it` gives as much to itself as to `cat`:
  likeness is all that counts.
- Every word does this at the same time; nobody waits for anybody.
""")
st.caption(
    "By hand, the row of `it` reads .17 .33 .17 .33. This is the course's figure; the "
    "table is a small one of ours that gives it."
)

if section := go_deeper("why divide by √d, and not by d?", "scale"):
    with section:
        st.markdown("""
        A score adds up d products, one for each number of a head (d is `head_dim`).
        More numbers, larger sums: softmax then gives nearly all to one word, and a
        network whose choice is that hard learns nothing more about the others. Divide
        by d itself, and the opposite happens: all scores come close to 0, and every
        word gets the same.

        Look at real rows, those that the tiny LLM had **before its training**, brought
        to mean 0 and spread 1. The first d numbers of `it` are the query, those of the
        other words of the sentence the keys.
        """)
        d = st.select_slider(
            "head_dim, the number of products in a score", DIMS, value=16,
            key="qkv_dim", bind="query-params",
        )
        by = st.segmented_control(
            "Divide by", list(DIVISORS), default="√d", required=True,
            key="qkv_divisor", bind="query-params",
        ) or "√d"
        ids = tiny_llm().tokenizer.ids
        vectors = unit_spread(checkpoints()[0].token_embeddings)
        others = [one for one in dict.fromkeys(SENTENCE[1:]) if one != "it"]
        keys = vectors[[ids[word] for word in others]]
        query = vectors[[ids["it"]]]
        shares = rows_of_weights(query, keys, d, DIVISORS[by])[0]
        bars = row_bars_data(shares, others)
        show(row_bars(), bars, row_bars_alt(bars, "it"))
        spread = spread_of_dots(vectors, d)
        with st.grid(4, min_column_width=140):
            st.metric("Entropy (nats)", f"{entropy(shares):.2f}", border=True,
                      help="Of the row; 0 if one word gets all.")
            st.metric("Most that it can be", f"{np.log(len(others)):.2f}", border=True)
            st.metric("Spread of scores", f"{spread / d ** DIVISORS[by]:.2f}",
                      border=True, help="Over all pairs of words, after dividing.")
            st.metric("Before dividing", f"{spread:.2f}", border=True)
        numbers(bars.rename(columns={"share": "attention weight"}), "scale_row")
        st.markdown("The same for every word as the query, on average:")
        curves = curves_data(DIMS, {
            f"by {name}": [mean_entropy(vectors, keys, one, power) for one in DIMS]
            for name, power in DIVISORS.items()
        })
        colours = (("by nothing", DRAW), ("by √d", MODEL), ("by d", QUIET))
        show(
            line_curves(colours, "head_dim", "mean entropy of a row (nats)", log_x=True,
                        y_domain=(0, 2.6)),
            curves, curves_alt(curves, "Mean entropy of a row"),
        )
        st.markdown(f"""
        Why the root? Each product is as often above zero as below, so most of the sum
        cancels. What is left spreads like √d; measured over all pairs of
        {len(vectors)} words:
        """)
        spreads = [spread_of_dots(vectors, one) for one in DIMS]
        st.dataframe(
            pd.DataFrame({
                "d": DIMS, "spread of scores": np.round(spreads, 2),
                "√d": np.round(np.sqrt(DIMS), 2),
                "divided by √d": np.round(spreads / np.sqrt(DIMS), 2),
                "divided by d": np.round(spreads / np.array(DIMS), 2),
            }),
            hide_index=True, alt="Spread of dot products by head_dim, beside √d.",
        )
        show_source(rows_of_weights, spread_of_dots, entropy)

if section := go_deeper("the three matrices of a trained head", "kernels"):
    with section:
        llm = tiny_llm()
        layer, head = links_in_sentence(SENTENCE, "actor").head
        attention = llm.weights.blocks[layer].attention
        names = {"query": attention.query_kernel, "key": attention.key_kernel,
                 "value": attention.value_kernel}
        which = st.segmented_control(
            "Which matrix?", list(names), default="query", required=True,
            key="qkv_kernel", bind="query-params",
        ) or "query"
        kernel = names[which][:, head]
        st.markdown(f"""
        {head_name(layer, head).capitalize()}: {kernel.shape[0]} numbers go in (the
        rows), {kernel.shape[1]} come out (the columns). Nobody chose them; training
        did.
        """)
        cells = heatmap_data(
            kernel, range(1, kernel.shape[0] + 1), False,
            [f"{n + 1}" for n in range(kernel.shape[1])],
        )
        cells["from"] = [f"{n + 1}" for n in cells["row"]]
        largest = float(np.ceil(abs(kernel).max() * 10) / 10)
        show(
            heatmap(*kernel.shape, around_zero=largest, rows="in", columns="out"),
            cells,
            f"The {which} matrix of {head_name(layer, head)}, {kernel.shape[0]} by "
            f"{kernel.shape[1]} numbers from {kernel.min():.2f} to {kernel.max():.2f}.",
        )
        numbers(cells[["from", "to", "value"]], "qkv_kernel_numbers")
        traced = llm.trace(SENTENCE)
        block = traced.blocks[layer]
        project_to_heads(
            block.attention_input, attention.query_kernel, attention.query_bias
        )
        show_source(project_to_heads)

lesson_link("heads", "One head asks one kind of question. Why several?")
check_yourself(
    "Two words have exactly the same key and different values. A third word looks at "
    "both. What does it do?",
    {
        "It gives both the same weight.": "The weight comes from query and key alone; "
        "the values only say what is then taken.",
        "It gives more to the one with the larger value.": "Values play no part in "
        "steps 1 to 3. They come in when the blend is made.",
        "It takes the same from both.": "The weights are the same, and the values are "
        "not: so it takes different things in the same proportion.",
    },
    answer="It gives both the same weight.",
    key="qkv_check",
)
