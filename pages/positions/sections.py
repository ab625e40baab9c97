"""The *Go deeper* sections of the lesson on positions; each takes the tiny LLM."""

from dataclasses import replace

import numpy as np
import streamlit as st

from llm.glassbox.positions import learned_positions, sinusoidal_positions
from llm.models.parameters import count_parameters, total
from llm.studies.order import (
    moved_along,
    overlaps,
    share_on_start,
    similarity_by_distance,
    untouched_positions,
    wavelengths,
)
from pages.positions.charts import skill_dots
from pages.positions.measures import (
    BITTEN,
    NO_POSITIONS,
    probability_by_position,
    skills_by_draw,
    trained_positions,
)
from pages.positions.words import counting_in_words, lost_in_words, lowest_in_words
from pages.ui.chart import show
from pages.ui.charts.lines import lines
from pages.ui.colours import MODEL, QUERIES, QUIET, VALUES
from pages.ui.models import retrained_twin, trainings
from pages.ui.source import show_source
from pages.ui.words import counted

MOST_DOGS = 30
SHOWN_POSITION = 5  # of the waves written out


def decoder_counts(llm):
    """What a causal mask knows of the order, and how a head counts by it."""
    skills = skills_by_draw()
    without, with_them = (len(trainings(name)) for name in (NO_POSITIONS, "full"))
    st.markdown(f"""
    A decoder looks to the left only: its **causal mask** lets the second word see two
    words and the third word three. So even without positions a word can find out how
    many came before it. We trained {counted(without, "decoder")} without positions and
    {with_them} with them, from different first weights. How often is each right? Every
    dot is one training.
    """)
    show(skill_dots(skills), "skills_without_positions")
    st.markdown(lost_in_words(skills))
    st.markdown("""
    How does it count? It reads `dog dog dog dog …`. All dogs come in as the same
    numbers, so nothing but their number can tell them apart. How much attention does
    each give to `<start>` in the first layer?
    """)
    shares = share_on_start(
        retrained_twin(NO_POSITIONS), llm.tokenizer.ids["dog"], MOST_DOGS
    )
    best = int(shares[0].argmax())
    head, even = f"head {best + 1}", "all words alike"
    show(
        lines(
            {
                head: list(enumerate(shares[:, best], start=1)),
                even: [(n, 1 / (n + 1)) for n in range(1, MOST_DOGS + 1)],
            },
            "which dog", "attention to <start>", colours={head: MODEL, even: QUIET},
            dashed=(even,), form="percent",
        ),
        "counting",
    )
    st.markdown(counting_in_words(-np.diff(shares[:, best])))
    show_source(share_on_start)


def waves_by_hand(llm):
    """One pair of columns, written out, and the wavelengths of all."""
    context_length, embed_dim = llm.weights.position_embeddings.shape
    waves, lengths = sinusoidal_positions(context_length, embed_dim), wavelengths(
        embed_dim
    )
    pair = st.slider(
        "Pair of columns", 1, len(lengths), 4, key="pair", bind="query-params"
    )
    column = 2 * (pair - 1)
    sine, cosine = f"column {column + 1} (sine)", f"column {column + 2} (cosine)"
    show(
        lines(
            {
                sine: list(enumerate(waves[:, column])),
                cosine: list(enumerate(waves[:, column + 1])),
            },
            "position", "value", colours={sine: MODEL, cosine: VALUES}, domain=(-1, 1),
            points=False,
            said=f"A sine and a cosine, one wave in {lengths[pair - 1]:.1f} positions",
        ),
        "waves",
    )
    divisor = 10000 ** (column / embed_dim)
    st.latex(
        rf"\sin\frac{{{SHOWN_POSITION}}}{{10000^{{{column}/{embed_dim}}}}}"
        rf" = \sin\frac{{{SHOWN_POSITION}}}{{{divisor:.4g}}}"
        rf" = {waves[SHOWN_POSITION, column]:.3f}"
        rf" \qquad \text{{at position {SHOWN_POSITION}}}"
    )
    st.markdown(f"""
    One wave of this pair is {lengths[pair - 1]:,.1f} positions long. The shortest of
    all is {lengths[0]:.1f} long, the longest {lengths[-1]:,.0f}. The fast columns tell
    neighbours apart; the slow ones tell the beginning of a text from its end.
    """)
    show_source(sinusoidal_positions)


def near_positions(llm):
    """How alike the rows of two positions are, by their distance."""
    table = llm.weights.position_embeddings
    trained = table[~untouched_positions(table)]
    alike = {
        "waves": similarity_by_distance(sinusoidal_positions(*table.shape))[0],
        "learned": similarity_by_distance(trained)[0],
    }
    most = min(map(len, alike.values())) - 8
    st.markdown("""
    Dot products say how alike two rows are, here scaled so that a row with itself has
    1 on average. With waves it depends on the distance alone, wherever the two stand.
    With learned rows it differs from pair to pair, and this is the mean.
    """)
    show(
        lines(
            {name: list(enumerate(mean[:most])) for name, mean in alike.items()},
            "positions apart", "dot product",
            colours={"waves": QUERIES, "learned": MODEL},
        ),
        "similar",
    )
    show_source(similarity_by_distance)


def why_add(llm):
    """What appending would cost, and whether a sum can be taken apart."""
    words, table = llm.weights.token_embeddings, llm.weights.position_embeddings
    trained = table[~untouched_positions(table)]
    cosines = abs(overlaps(words, trained)).mean()
    width = llm.config.embed_dim
    wide = replace(llm.config, embed_dim=2 * width)
    # Word and position would keep a table each of today's width.
    saved = width * (llm.config.vocab_size + llm.config.context_length)
    appended = total(count_parameters(wide)) - saved
    dog, man = (words[llm.tokenizer.ids[word]] for word in ("dog", "man"))
    one, three = table[1], table[3]
    st.markdown(f"""
    One could append the {width} numbers of the position to the {width} of the word.
    Then all vectors would be twice as wide: {appended:,} parameters instead of
    {total(count_parameters(llm.config)):,}, even if the feed-forward layers keep their
    {llm.config.feed_forward_dim} inner units. Adding costs nothing but the table.

    But can the network take the sum apart again? In {width} dimensions there is room.
    The rows of words and of positions point in nearly independent directions: the
    cosine between a row of one table and a row of the other has an average size of
    {cosines:.2f}. Two directions drawn at random would have
    {np.sqrt(2 / (np.pi * width)):.2f}.

    And the dot product of two sums keeps all four parts. Here they are for `dog` at
    position 1 and `man` at position 3, before any matrix is applied:
    """)
    parts = [float(f"{a @ b:.2f}") for a in (dog, one) for b in (man, three)]
    st.latex(
        r"\begin{aligned}(e_{dog} + p_1)\cdot(e_{man} + p_3)"
        r" &= \underbrace{e_{dog}\cdot e_{man}}_{" + f"{parts[0]:.2f}" + "}"
        r" + \underbrace{e_{dog}\cdot p_3}_{" + f"{parts[1]:.2f}" + r"} \\"
        r" &+ \underbrace{p_1\cdot e_{man}}_{" + f"{parts[2]:.2f}" + "}"
        r" + \underbrace{p_1\cdot p_3}_{" + f"{parts[3]:.2f}" + "}"
        rf" = {sum(parts):.2f}\end{{aligned}}"
    )
    show_source(overlaps)


def beyond_the_last(llm):
    """Why a table ends, and what a network does at positions that it never met."""
    last = len(llm.weights.position_embeddings)
    try:
        learned_positions(llm.weights.position_embeddings, last + 1)
    except ValueError as refused:
        st.markdown(f"The tiny LLM has {last} rows. Asked for one more, its code says:")
        st.warning(str(refused))
    st.markdown(f"""
    So it reads the last {last} tokens and forgets what came before them. Waves can be
    computed for any position. But does a network know what to do at a position that it
    never met? Two decoders read `{BITTEN}` with its first token at position 0, then at
    later and later positions. How likely is `man`?
    """)
    ids = tuple(llm.tokenizer.ids_of(["<start>", *BITTEN.split()]))
    man = llm.tokenizer.ids["man"]
    curves = {
        "learned": probability_by_position("full", ids, man, last),
        "waves": probability_by_position("sinusoidal positions", ids, man, 2 * last),
    }
    show(
        lines(curves, "position of the first token", "probability of man",
              colours={"learned": MODEL, "waves": QUERIES}, domain=(0, 1),
              form="percent"),
        "beyond",
    )
    st.markdown(f"""
    {lowest_in_words(curves, len(ids), trained_positions())} From position {last} on
    there are no learned rows at all. These are two trainings, one of each kind, so they
    do not compare the kinds.

    Today's large models turn queries and keys by an angle that grows with the position
    (**rotary positions**), so that only the distance counts, and they are trained on
    very long texts.
    """)
    show_source(moved_along)
