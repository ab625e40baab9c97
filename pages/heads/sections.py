"""The *Go deeper* sections of the lesson on heads.

Each takes the `Trace` of the sentence on the page and the name of the chosen head.
"""

import numpy as np
import pandas as pd
import streamlit as st

from llm.glassbox.heads import (
    head_contributions,
    join_heads,
    project_from_heads,
    project_to_heads,
    split_heads,
)
from llm.studies.roles import (
    LEAST_SCORE,
    LEAST_TIMES_EVEN,
    ROLES,
    answers_of,
    first_token,
    look_up,
    previous_word,
    role_scores,
    same_word,
    scores_in,
    typed,
)
from llm.studies.symmetry import query_slopes, with_equal_heads
from pages.heads.measures import cuts_of_heads, roles_of_heads
from pages.heads.words import (
    copies_in_words,
    first_token_in_words,
    roles_in_words,
    two_ways_in_words,
)
from pages.ui.chart import offer_table, show
from pages.ui.charts.bars import bars
from pages.ui.charts.matrix import matrix
from pages.ui.colours import MODEL, QUIET
from pages.ui.frame import lesson_link
from pages.ui.latex import sum_of_heads_by_hand
from pages.ui.models import tiny_llm
from pages.ui.source import show_source

STORY = "<start> tom has a red ball . mia has a blue kite . mia 's kite is blue ."


def roles_by_measurement(trace, picked):
    """Which head does what, and how that was found out."""
    llm, roles = tiny_llm(), roles_of_heads()
    names = llm.head_names()
    st.markdown(f"""
    A **role** says at which earlier words a head of that kind would look: its targets.
    On {roles.num_stories:,} fresh stories we measured how much of its attention each
    head really gives to the targets, over all words that have one.
    """)
    show(
        matrix(roles.shares, names, roles.names, row_title="head", column_title="role",
               what="share of attention that follows a role", form=".2f", cell=28),
        "roles",
    )
    st.markdown(roles_in_words(ROLES, roles.record, roles.of, roles.shares))
    st.markdown(f"""
    The share of each role is a mean over different words, so the shares of a head do
    not add up to 1.
    A head gets the name of a role if its share is at least {LEAST_SCORE}, and at least
    {LEAST_TIMES_EVEN:g} times what it would be if the head looked at everything alike.
    We chose both bounds, and the higher one counts.

    {in_this_sentence(trace, picked)}

    A network that writes must know a word *before* it stands there. So the link to the
    subject is measured at the word before the verb, and look-up where the answer is
    due. The pronoun `it` is special: the word that decides what it means comes only
    after it, and a decoder cannot see it yet.
    """)
    lesson_link("attention", "A network that looks both ways can")
    offer_table(roles_measured(roles.record, roles.shares, names), "roles_measured")
    show_source(previous_word, same_word, first_token, look_up, answers_of, role_scores)


def in_this_sentence(trace, picked):
    """How far the chosen head follows each role in the sentence on the page."""
    layer, head = tiny_llm().head_at(picked)
    here = scores_in(trace.attention(layer, head), typed(trace.tokens))
    told = [f"*{role}* {share:.2f}" for role, share in here.items()
            if np.isfinite(share)]
    return (
        f"In your sentence, head {picked} gives these shares: {', '.join(told)}."
        if told else "No role has a target in your sentence."
    )


def roles_measured(record, shares, names):
    """How each role was measured, as a table for readers."""
    return pd.DataFrame({
        "role": list(record),
        "measured over (words)": [found["count"] for found in record.values()],
        "a head that looks at everything alike": [
            found["even"] for found in record.values()],
        "best head": [names[best] for best in shares.argmax(axis=0)],
        "its share": shares.max(axis=0),
    })


def every_cut(trace, picked):
    """How often each skill is right without each head."""
    cuts, names = cuts_of_heads(), tiny_llm().head_names()
    st.markdown(f"""
    Each head was cut out by itself, and the model was asked about {cuts.num_stories:,}
    fresh stories. The colour shows what is *lost*; below zero, the skill got better
    without the head. Who guesses between `is` and `are` is right in about half of the
    cases, so *agreement* cannot lose much more than the other half.
    """)
    show(
        matrix(cuts.whole - cuts.without, names, cuts.skills, row_title="without head",
               column_title="skill", what="lost accuracy", form=".2f", cell=28,
               signed=True),
        "cuts",
    )
    st.caption(
        "The skill *frequency*, to give several words their shares, is left out: there "
        "no answer counts as wrong."
    )


def how_they_become_different(trace, picked):
    """Two heads that begin alike stay alike: shown by their gradients."""
    llm = tiny_llm()
    ids = llm.tokenizer.ids_of(STORY.split())
    layer, head = llm.head_at(picked)
    other = (head + 1) % llm.config.num_heads
    equal = with_equal_heads(llm.weights, layer, head, other)
    pairs = [query_slopes(equal, layer, one, ids) for one in (head, other)]
    apart = [
        query_slopes(with_equal_heads(llm.weights, layer, head, head), layer, one, ids)
        for one in (head, other)
    ]
    st.markdown(f"""
    Because their first weights are **random**. Nothing else tells heads apart: all see
    the same vectors, and all are moved by the same loss.

    Here is the test. We give head {layer + 1}.{other + 1} exactly the weights of head
    {picked}, and ask in which direction training would move four of their query
    weights: the gradient of the loss of one story.
    """)
    table = pd.DataFrame({
        "weight": range(1, len(pairs[0]) + 1),
        f"head {picked}": pairs[0],
        f"its copy, {layer + 1}.{other + 1}": pairs[1],
        f"{picked}, as trained": apart[0],
        f"{layer + 1}.{other + 1}, as trained": apart[1],
    })
    st.dataframe(
        # Adding zero takes the minus from what is zero once it is rounded.
        table.map(lambda value: f"{round(value, 6) + 0.0:.6f}"
                  if isinstance(value, float) else value),
        hide_index=True,
        alt="Gradients of two heads with equal weights, and as trained.",
    )
    st.markdown(f"""
    {copies_in_words(np.abs(pairs[0] - pairs[1]).max())}
    So every step would move both alike, and they would stay equal for ever. As trained,
    the two heads get different gradients, and so they go different ways.
    """)
    show_source(with_equal_heads, query_slopes)


def all_of_the_vector(trace, picked):
    """A head reads all numbers of a word, not a slice of them."""
    llm = tiny_llm()
    layer, head = llm.head_at(picked)
    learned, config = llm.weights.blocks[layer].attention, llm.config
    vectors, size = trace.blocks[layer].attention_input, config.head_dim
    slice_of = slice(head * size, (head + 1) * size)
    sliced = np.zeros_like(vectors)
    sliced[:, slice_of] = vectors[:, slice_of]
    kernel, bias = learned.query_kernel, learned.query_bias
    full = project_to_heads(vectors, kernel, bias)[head]
    reduced = project_to_heads(sliced, kernel, bias)[head]
    lost = np.linalg.norm(full - reduced) / np.linalg.norm(full)
    st.markdown(f"""
    Yes. It is often drawn as if the {config.embed_dim} numbers of a word were cut into
    {config.num_heads} slices, one for each head. What is cut is the *result*. The query
    of each head is a product of **all** {config.embed_dim} numbers with a matrix of
    {config.embed_dim} × {size}. In that of head {picked},
    {int((kernel[:, head] == 0).sum())} of {kernel[:, head].size:,} weights are zero.

    The test: keep numbers {slice_of.start + 1} to {slice_of.stop} only, the slice that
    head {picked} would get, and set all others to zero. If a slice were all that it
    reads, its queries would stay as they are. In truth they change by {lost:.0%} of
    their size.
    """)
    show_source(project_to_heads)


def first_token_rest(trace, picked):
    """Why attention rests on `<start>`, and what is taken from there."""
    llm, roles = tiny_llm(), roles_of_heads()
    names = llm.head_names()
    on_first = roles.shares[:, roles.names.index("first token")]
    even = roles.record["first token"]["even"]
    st.markdown(f"""
    Softmax always gives away the whole of a row, even where a head has found nothing
    that it wants. Then the attention must rest somewhere, and the first token, here
    `<start>`, is the only one that every word can see. In large models this is strong:
    many heads rest there most of the time. Here, over {roles.num_stories:,} stories:
    """)
    show(
        bars(dict(zip(names, on_first.tolist(), strict=True)),
             "attention on the first token", "this head", form=".2f", what="head",
             colour={name: MODEL if share > 2 * even else QUIET
                     for name, share in zip(names, on_first, strict=True)}),
        "first_token",
    )
    most = int(on_first.argmax())
    layer, head = llm.head_at(names[most])
    taken = head_contributions(
        trace.blocks[layer].values, llm.weights.blocks[layer].attention.output_kernel
    )[head]
    st.markdown(first_token_in_words(
        names, on_first, even, most, np.linalg.norm(taken, axis=-1)
    ))


def one_matrix_or_several(trace, picked):
    """Joined and mixed, or mixed each by itself and added: the same."""
    llm = tiny_llm()
    layer, _ = llm.head_at(picked)
    learned, config = llm.weights.blocks[layer].attention, llm.config
    block = trace.blocks[layer]
    vectors = block.attention_input
    together = project_to_heads(vectors, learned.query_kernel, learned.query_bias)
    apart = np.stack([
        vectors @ learned.query_kernel[:, number] + learned.query_bias[number]
        for number in range(config.num_heads)
    ])
    joined = project_from_heads(
        block.head_outputs, learned.output_kernel, learned.output_bias
    )
    parts = head_contributions(block.head_outputs, learned.output_kernel)
    summed = parts.sum(axis=0) + learned.output_bias
    column = int(abs(joined[-1]).argmax())
    st.markdown(f"""
    Books show both, and they are the same. Put {config.num_heads} matrices of
    {config.embed_dim} × {config.head_dim} side by side, and you have one of
    {config.embed_dim} × {config.num_heads * config.head_dim}: multiply once, and cut
    the result. With your sentence, in layer {layer + 1}, {two_ways_in_words(
        abs(together - apart).max(), abs(joined - summed).max())}

    Seen from the heads, the layer is therefore a **sum**: each head adds a part of its
    own. For the last token, the one of its {config.embed_dim} numbers that is farthest
    from zero:
    """)
    st.latex(sum_of_heads_by_hand(
        parts[:, -1, column], learned.output_bias[column]
    ))
    show_source(
        project_to_heads, split_heads, join_heads, project_from_heads,
        head_contributions,
    )
