"""Positions: how does it know the order?"""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from llm.glassbox.positions import learned_positions, sinusoidal_positions
from llm.glassbox.softmax import softmax
from llm.models.parameters import count_parameters, total
from llm.models.twins import TWINS, twin_trace
from llm.studies.order import (
    change,
    first_positions,
    moved_along,
    new_order,
    outputs,
    overlaps,
    share_on_start,
    similarity_by_distance,
    untouched_places,
    wavelengths,
    without_positions,
)
from pages.positions.charts import (
    position_map,
    positions_alt,
    positions_data,
    positions_table,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_data,
    training_table,
)
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import MODEL, QUERIES, QUIET, VALUES
from pages.ui.controls import (
    encoder_twin,
    record,
    retrained_twin,
    sentence_input,
    tiny_llm,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.why.charts import (
    grouped_bars,
    groups_alt,
    groups_data,
    groups_table,
)
from pages.why.measures import probability_by_place

lesson(__file__)

BITES = "dog bites man"
BITTEN = "dog bites man . who was bitten ?"
WITH, WITHOUT = "with positions", "without positions"
BOTH = ((WITH, MODEL), (WITHOUT, QUIET))


def written(size):
    """A size as a decimal number: `3.71`, `0.00000095`."""
    return f"{size:.2f}" if size >= 0.01 else f"{size:.8f}"


def shuffle_again():
    """A callback: the next order."""
    st.session_state["order"] = int(st.session_state.get("order") or 0) + 1


st.markdown("""
`dog bites man` is no news. `man bites dog` is. The words are the same, and only the
order differs. A recurrent network meets the words one by one, so it knows the order.
Attention takes all words at once and compares each with each. Who came first?
""")
glossary("attention", "position", "encoder", "decoder")

st.header("Your guess first", anchor=False)
OPTIONS = ["The same numbers", "Slightly different numbers", "Quite different numbers"]
picked = pick_first(
    "A network reads both sentences. It looks at all words at once, to both sides, "
    "and is told nothing about places. What does it compute for the word `dog`?",
    OPTIONS,
    key="positions_guess",
)
if picked:
    st.markdown(
        ("Yes: " if picked == OPTIONS[0] else "It is: ")
        + "the same numbers. See for yourself, with any words and in any order."
    )

st.header("Shuffle the words", anchor=False)
twin, llm = encoder_twin(), tiny_llm()
words = sentence_input(BITES, key="words", label="Some words")
if len(words) < 2:
    st.info(f"Fewer than two words have no order. Here is `{BITES}` instead.")
    words = BITES.split()
with st.container(horizontal=True, vertical_alignment="bottom"):
    number = st.number_input(
        "Order", 0, 999, key="order", bind="query-params", width=150,
        help="0 turns the words round; every other number is a shuffle.",
    )
    st.button("Shuffle", type="primary", key="shuffle", on_click=shuffle_again,
              disabled=number == 999)
order = new_order(len(words) + 1, number)
shuffled = [words[place - 1] for place in order[1:]]
sentence(words, blank=False)
sentence(shuffled, blank=False)
token_ids = twin.tokenizer.ids_of(["<start>", *words])
found = {
    WITH: outputs(twin.weights, token_ids, order),
    WITHOUT: outputs(without_positions(twin.weights), token_ids, order),
}
changes = {name: change(*pair)[1:] for name, pair in found.items()}
bars = groups_data(numbered(words), changes, len(words) * [1])
st.markdown("""
Both orders went through the **encoder twin**, which looks in both directions, twice:
once as it is, and once with zeros for all its positions. How far does the output of
each word move when the order changes, in shares of its length?
""")
show(
    grouped_bars(BOTH, None, "the output moves", top=None,
                 angle=-90 if len(words) > 6 else 0),
    bars,
    groups_alt(bars, "How far the output of each word moves"),
)
numbers(
    lambda: pd.DataFrame({"word": numbered(words)} | {
        name: [f"{value:.2e}" for value in values] for name, values in changes.items()
    }),
    "shuffle_numbers",
)
largest = {name: abs(after - before).max() for name, (before, after) in found.items()}
with st.grid(2, min_column_width=200):
    for name, _ in BOTH:
        st.metric(f"Largest difference, {name}", written(largest[name]), border=True)
st.markdown(f"""
Without positions not one of the {found[WITHOUT][0][1:].size} numbers differs by more
than the rounding of the computer. Each word meets the same words, and a sum does not
ask in which order it is added up. The network reads a bag of words.
""")
show_source(without_positions, outputs)

st.header("Add the place to the word", anchor=False)
st.markdown("""
The cure is simple. There is a second table, with one row for each **place**. The row of
the word and the row of the place are added, number by number. Here are the first three
numbers of `dog`, from the tables of the tiny LLM. Place 0 belongs to `<start>`.
""")
words_table, table = llm.weights.token_embeddings, llm.weights.position_embeddings
first = words_table[llm.tokenizer.ids["dog"]]


def begin(row):
    """The first three numbers of a row, in LaTeX."""
    return r"(" + r",\; ".join(f"{value:.2f}" for value in row[:3]) + r",\; \dots)"


for place in (1, 3):
    at = learned_positions(table, place + 1)[place]
    st.latex(
        rf"\begin{{aligned}} e_{{dog}} &= {begin(first)} \\"
        rf" p_{place} &= {begin(at)} \\"
        rf" e_{{dog}} + p_{place} &= {begin(first + at)} \end{{aligned}}"
    )
st.markdown("""
So the same word comes in as other numbers at another place, and queries and keys can
ask for places: *the word before me*, *the first word*.
""")
show_source(learned_positions)

st.header("What the table looks like", anchor=False)
TABLES = {
    "learned": ("The learned positions of the tiny LLM", table),
    "before training": (
        "The positions before training", first_positions(*table.shape)),
    "waves": ("Sinusoidal positions", sinusoidal_positions(*table.shape)),
}
chosen = st.segmented_control(
    "Table", list(TABLES), default="learned", required=True, key="table",
    bind="query-params",
) or "learned"
name, shown = TABLES[chosen]
show(
    position_map(*shown.shape, float(np.ceil(10 * abs(shown).max()) / 10)),
    positions_data(shown),
    positions_alt(shown, name),
)
numbers(lambda: positions_table(shown), "positions_numbers")
untouched = int(untouched_places(table).sum())
st.markdown(f"""
There are two ways to fill such a table.

- **Learned**, as in the tiny LLM: rows of numbers that are trained like all others.
  They began as small waves here, a tenth as high, because look-up is then learned
  sooner.
- **Waves**, as in the paper of 2017: fast ones on the left, slow ones on the right,
  like the hands of a clock. Nothing is learned.

{untouched} of the {len(table)} learned rows stand exactly where they began: no story
was long enough to reach their places.
""")

st.header("A decoder can count", anchor=False)
NO = "no positions"
runs = record("twins")["twins"]
skills = {
    run: runs[run]["scores"][-1]["skills"] for run in ("full", NO)
}
names = [skill for skill, score in skills[NO].items() if score["accuracy"] is not None]
accuracy = {
    label: [skills[run][skill]["accuracy"] for skill in names]
    for label, run in ((WITH, "full"), (WITHOUT, NO))
}
scores = groups_data(names, accuracy, [skills[NO][skill]["count"] for skill in names])
st.markdown("""
In a decoder each word looks left only. The second word sees two words, the third sees
three. So the **mask** tells each word how many came before it, even without positions.
Two tiny LLMs were trained alike, one of them without positions. How often are they
right?
""")
show(
    grouped_bars(BOTH, None, "right", angle=-45),
    scores,
    groups_alt(scores, "How often each skill is right"),
)
numbers(lambda: groups_table(scores, "skill"), "skills_numbers")
lost = sorted(names, key=lambda one: skills[NO][one]["accuracy"]
              - skills["full"][one]["accuracy"])[:2]
asked = {"dog bites man": "man", "man bites dog": "dog"}
said = {}
for start, answer in asked.items():
    ids = llm.tokenizer.ids_of(["<start>", *f"{start} . who was bitten ?".split()])
    logits = twin_trace(retrained_twin(NO), TWINS[NO], ids).logits[-1]
    said[start] = softmax(logits)[llm.tokenizer.ids[answer]]
st.markdown(
    f"Word order: {percent(skills[NO]['word order']['accuracy'])} right without "
    "positions. "
    + " ".join(
        f"After `{start} . who was bitten ?` it says `{asked[start]}` with "
        f"{percent(share)}." for start, share in said.items())
    + " It loses most in "
    + " and ".join(
        f"**{one}** ({percent(skills['full'][one]['accuracy'])} with, "
        f"{percent(skills[NO][one]['accuracy'])} without)" for one in lost)
    + "."
)

st.markdown(f"""
**What to notice**

- Without positions the outputs differ by {written(largest[WITHOUT])} at most, and with
  them by {written(largest[WITH])}.
- It is the **pair** of word and place that goes in. Nothing else in a Transformer knows
  about places, but for the mask of a decoder.
- A position is added once, at the bottom. What to do with it, each layer learns.
""")

if section := go_deeper("waves, fast and slow", "positions_waves"):
    with section:
        waves = sinusoidal_positions(*table.shape)
        lengths = wavelengths(table.shape[1])
        pair = st.slider(
            "Pair of columns", 1, len(lengths), 4, key="pair", bind="query-params")
        column = 2 * (pair - 1)
        places = range(len(waves))
        SINE, COSINE = f"column {column + 1} (sine)", f"column {column + 2} (cosine)"
        drawn = training_data(**{
            SINE: list(zip(places, waves[:, column], strict=True)),
            COSINE: list(zip(places, waves[:, column + 1], strict=True)),
        })
        show(
            training_curves(((SINE, MODEL), (COSINE, VALUES)), "place",
                            "value", y_domain=(-1, 1), points=False),
            drawn,
            f"Columns {column + 1} and {column + 2}: a sine and a cosine, one wave in "
            f"{lengths[pair - 1]:.1f} places.",
        )
        numbers(lambda: training_table(drawn, "place"), "waves_numbers")
        st.latex(
            rf"\sin\frac{{5}}{{10000^{{{column}/{table.shape[1]}}}}}"
            rf" = \sin\frac{{5}}{{{10000 ** (column / table.shape[1]):.4g}}}"
            rf" = {waves[5, column]:.3f} \qquad \text{{at place 5}}"
        )
        st.markdown(f"""
        One wave takes {lengths[pair - 1]:,.1f} places. The fastest pair needs
        {lengths[0]:.1f} places, the slowest {lengths[-1]:,.0f}. Fast columns tell
        neighbours apart, slow ones tell the beginning from the end. Here is the length
        of the wave for each pair:
        """)
        POWER = "length of a wave, as a power of ten"
        speeds = training_data(**{
            POWER: list(enumerate(np.log10(lengths), start=1))})
        show(
            training_curves(((POWER, MODEL),), "pair of columns", "power of ten"),
            speeds,
            training_alt(speeds, POWER[0].upper() + POWER[1:], "pair"),
        )
        numbers(lambda: training_table(speeds, "pair").assign(places=lengths),
                "speeds_numbers")
        show_source(sinusoidal_positions)

if section := go_deeper("near places are alike", "positions_similar"):
    with section:
        kept = ~untouched_places(table)
        alike = {
            "waves": similarity_by_distance(sinusoidal_positions(*table.shape)),
            "learned": similarity_by_distance(table[kept]),
        }
        most = min(len(mean) for mean, _ in alike.values()) - 8
        curves = training_data(**{
            name: list(enumerate(mean[:most])) for name, (mean, _) in alike.items()})
        st.markdown("""
        The dot product of the rows of two places says how alike they are: 1 for a place
        and itself. With waves it depends on the distance alone, never on where one is.
        With learned rows it is an average over all places so far apart.
        """)
        show(
            training_curves((("waves", QUERIES), ("learned", MODEL)), "places apart",
                            "dot product"),
            curves,
            training_alt(curves, "Dot product of two places", "distance"),
        )
        numbers(lambda: training_table(curves, "places apart"), "similar_numbers")
        st.markdown(
            "Spread among pairs ten places apart: "
            + ", ".join(f"{name} {spread[10]:.2g}"
                        for name, (_, spread) in alike.items())
            + "."
        )
        show_source(similarity_by_distance)

if section := go_deeper("why add, and not append?", "positions_add"):
    with section:
        kept = ~untouched_places(table)
        cosines = abs(overlaps(words_table, table[kept])).mean()
        width = llm.config.embed_dim
        wide = replace(llm.config, embed_dim=2 * width)
        dog, man = (words_table[llm.tokenizer.ids[word]] for word in ("dog", "man"))
        one, three = table[1], table[3]
        st.markdown(f"""
        One could write the place's {width} numbers behind the word's {width}. Then all
        layers would be twice as wide: {total(count_parameters(wide)):,} parameters, and
        not {total(count_parameters(llm.config)):,}. Adding costs nothing but the table.

        But can the sum be taken apart again? In {width} dimensions there is room. Words
        and places point in nearly independent directions: the mean cosine between a row
        of one table and a row of the other is {cosines:.2f} in size. Two directions
        drawn by chance would have {np.sqrt(2 / (np.pi * width)):.2f}.

        And a dot product of two sums keeps all four parts, here for `dog` at place 1
        and `man` at place 3, before any matrix has been learned:
        """)
        st.latex(
            r"\begin{aligned}(e_{dog} + p_1)\cdot(e_{man} + p_3)"
            r" &= \underbrace{e_{dog}\cdot e_{man}}_{" + f"{dog @ man:.2f}" + "}"
            r" + \underbrace{e_{dog}\cdot p_3}_{" + f"{dog @ three:.2f}" + r"} \\"
            r" &+ \underbrace{p_1\cdot e_{man}}_{" + f"{one @ man:.2f}" + "}"
            r" + \underbrace{p_1\cdot p_3}_{" + f"{one @ three:.2f}" + "}"
            rf" = {(dog + one) @ (man + three):.2f}\end{{aligned}}"
        )
        show_source(overlaps)

if section := go_deeper("how a decoder counts without positions", "positions_count"):
    with section:
        MOST = 30
        shares = share_on_start(retrained_twin(NO), llm.tokenizer.ids["dog"], MOST)
        best = int(shares[0].argmax())
        st.markdown("""
        The twin without positions reads `dog dog dog dog …`. All dogs come in as the
        same numbers, and nothing but their number can tell them apart. How much
        attention does each give to `<start>`, in the first layer?
        """)
        HEAD, EVEN = f"head {best + 1}", "all words alike"
        counting = training_data(**{
            HEAD: list(enumerate(shares[:, best], start=1)),
            EVEN: [(n, 1 / (n + 1)) for n in range(1, MOST + 1)],
        })
        show(
            training_curves(((HEAD, MODEL), (EVEN, QUIET)), "which dog",
                            "attention to <start>", y_format=".0%", dashed=(EVEN,)),
            counting,
            training_alt(counting, "Attention to <start>", "dog"),
        )
        numbers(lambda: training_table(counting, "which dog"), "counting_numbers")
        falls = -np.diff(shares[:, best])
        st.markdown(f"""
        The more dogs stand before it, the smaller the share of `<start>`: a counter. It
        tells places apart well at the beginning and badly later on: from dog 2 to dog 3
        the share falls by {percent(falls[1])}, from dog 22 to dog 23 by
        {percent(falls[21])}. *The word just before* is hard to find in this way, and
        look-up needs it.
        """)
        show_source(share_on_start)

if section := go_deeper("what happens beyond the last position", "positions_beyond"):
    with section:
        last = len(table)
        try:
            learned_positions(table, last + 1)
        except ValueError as refused:
            st.markdown(f"The tiny LLM has {last} rows. Asked for one more, its code "
                        "says:")
            st.warning(str(refused))
        st.markdown(f"""
        So it reads the last {last} tokens and forgets what came before them. Waves can
        be computed for any place. But does a network know what to do at a place that it
        never met? Two twins, trained alike, read `{BITTEN}` with its first token at
        place 0, then at later and later places. How likely is `man`?
        """)
        ids = tuple(llm.tokenizer.ids_of(["<start>", *BITTEN.split()]))
        man = llm.tokenizer.ids["man"]
        elsewhere = {
            "learned": probability_by_place("full", ids, man, last),
            "waves": probability_by_place("sinusoidal positions", ids, man, 2 * last),
        }
        along = training_data(**elsewhere)
        show(
            training_curves((("learned", MODEL), ("waves", QUERIES)),
                            "place of the first token", "probability of man",
                            y_domain=(0, 1), y_format=".0%"),
            along,
            training_alt(along, "Probability of man", "place"),
        )
        numbers(lambda: training_table(along, "place"), "beyond_numbers")
        least = {name: min(points, key=lambda point: point[1])
                 for name, points in elsewhere.items()}
        st.markdown(
            "The lowest value: "
            + ", ".join(f"{name} {percent(share)} at place {place}"
                        for name, (place, share) in least.items())
            + f". From place {last} on no rows are learned at all. With waves, what "
            "was learned about a distance helps at other places too."
        )
        st.markdown("""
        In training the first token always stood at place 0. Large models of today turn
        queries and keys by an angle that grows with the place (**rotary positions**).
        Then only the distance counts. And they train on very long texts.
        """)
        show_source(moved_along)

check_yourself(
    "A two-sided network without positions fills the blank in `the [mask] saw the cat` "
    "and in `the cat saw the [mask]`. What is true?",
    {
        "It gives the same answer to both.": "For it both are the same bag of words: "
        "the, the, saw, cat and a blank.",
        "It gives the better answer to the first, because the blank comes early.":
        "Early and late do not exist for it.",
        "It gives different answers, because the blank has other neighbours.":
        "Neighbour is a word about places. It sees all words, and none is near.",
        "It cannot run at all.": "It runs. It only cannot know the order.",
    },
    answer="It gives the same answer to both.",
    key="positions_check",
)
