"""Heads: why several at once?"""

import numpy as np
import streamlit as st

from llm.glassbox.ablation import NO_ABLATION, Ablation
from llm.glassbox.heads import (
    head_contributions,
    join_heads,
    project_from_heads,
    project_to_heads,
    split_heads,
)
from llm.glassbox.softmax import softmax
from llm.studies.roles import (
    LEAST_SCORE,
    LEAST_TIMES_EVEN,
    ROLES,
    answers_of,
    first_token,
    look_up,
    previous_word,
    role_scores,
    roles_of,
    same_word,
    scores_in,
    typed,
)
from pages.heads.charts import (
    accuracies_at_the_end,
    amounts_data,
    best_alt,
    cut_in_words,
    cuts_in_words,
    falls_alt,
    first_token_in_words,
    glance_alt,
    glance_data,
    glance_table,
    learned_in_words,
    one_against_four,
    roles_in_words,
    roles_measured,
    score_table,
    table_data,
    wide,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.bars import bars_alt, bars_data, bars_table, probability_bars
from pages.ui.charts.curves import amount_bars, amounts_alt
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_data,
    training_table,
)
from pages.ui.charts.matrix import (
    heatmap,
    heatmap_alt,
    heatmap_data,
    small_multiples,
)
from pages.ui.colours import MODEL, QUERIES, QUIET
from pages.ui.controls import record, sentence_input, tiny_llm, world, write_into
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.latex import joined_by_hand, sum_of_heads_by_hand
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

START = "the key behind the doors"
OTHERS = {
    "Whose kite?": "tom has a red ball . mia has a blue kite . mia 's",
    "Who was tired?": "the animal didn't cross the street because it was too tired . "
    "so the",
    "A parrot": "mia says : cup hat fox . the parrot says : cup",
}
MOST_TOKENS = 24  # more could not be read in a dozen small pictures

llm, found = tiny_llm(), record("heads")
config, vocabulary = llm.config, llm.tokenizer.vocabulary
heads = {
    f"{layer + 1}.{head + 1}": (layer, head)
    for layer in range(config.num_layers)
    for head in range(config.num_heads)
}
names = list(heads)
num_stories, roles = found["num_stories"], found["roles"]
role_names = list(roles)
role_of = {name: roles_of(roles, *place) for name, place in heads.items()}
scores = np.array([roles[role]["heads"] for role in roles])
scores = scores.reshape(len(roles), len(heads)).T
skills = list(found["skills"]["whole"])
whole = np.array([found["skills"]["whole"][skill] for skill in skills])
without = np.array([
    [found["skills"]["without"][layer][head][skill] for skill in skills]
    for layer, head in heads.values()
])

st.markdown(f"""
For each word, one head shares out one whole of attention. But a word may need several
things at once: what stands just before it, where it was said earlier, to whom it
belongs. So several **heads** look at the same time, each with queries, keys and values
of its own. The tiny LLM has {config.num_layers} layers of {config.num_heads} heads.
Nobody told any of them what to look for.
""")
glossary("attention head", "attention", "query", "key", "value")

st.header("Your guess first", anchor=False)
guess = pick_first(
    f"We cut out one of the {len(heads)} heads, so that it adds nothing any more. The "
    "others stay as they are. What happens to the skills of the model?",
    [
        "None falls, whichever head it is",
        "It depends on the head",
        "All fall, whichever head it is",
    ],
    key="guess_cut",
)
if guess:
    st.markdown(
        f"Each head was cut by itself, and {num_stories:,} fresh stories were asked. "
        f" {cuts_in_words(names, skills, whole, without)}"
    )
    rows = ["nothing cut", *(f"without {name}" for name in names)]
    values = np.vstack([whole, without])
    show(
        score_table(len(rows), len(skills), "what is cut", "accuracy of each skill"),
        table_data(values, rows, skills),
        falls_alt(values, rows, skills),
    )
    numbers(wide(values, rows, skills, "cut"), "cuts")
    st.caption(
        "1.2 is the second head of the first layer. Frequency is not here: where "
        "nothing is certain, nothing is right or wrong."
    )

st.header("All heads at a glance", anchor=False)
tokens = sentence_input(START, key="heads_text")
with st.container(horizontal=True, gap="xsmall"):
    for label, text in {"The key": START, **OTHERS}.items():
        st.button(
            label, key=f"heads_{label}", on_click=write_into,
            args=("heads_text", text.split()),
        )
if len(tokens) >= MOST_TOKENS:
    st.info(
        f"These pictures have room for {MOST_TOKENS} tokens, `<start>` among them. Of "
        f"yours, the last {MOST_TOKENS - 1} are read."
    )
    tokens = tokens[-MOST_TOKENS + 1 :]
trace = llm.trace(tokens)
seen = trace.tokens
attention = np.concatenate([block.attention_weights for block in trace.blocks])
short = {role.name: role.short for role in ROLES}
headings = [" ".join([name, *map(short.get, role_of[name][:1])]) for name in names]
glance = glance_data(attention, headings, seen, config.num_heads)
show(
    small_multiples(len(heads), len(seen), config.num_heads),
    glance,
    glance_alt(attention, headings, seen),
)
numbers(glance_table(glance), "all_heads", "Every link of every head, as a table")
st.markdown(f"""
One row of pictures is one layer. In a picture, each row is a word that looks, each
column one that is looked at, both in the order of the sentence; dark is much. The words
in the headings are **roles**, and they were measured on {num_stories:,} fresh stories:
how much of its attention does the head give to the words at which a head of that kind
would look?
""")
show(
    score_table(len(heads), len(roles), "head", "attention that follows a role"),
    table_data(scores, names, role_names),
    best_alt(scores, names, role_names, "How far each head follows each role"),
)
numbers(wide(scores, names, role_names, "head"), "roles")
st.markdown(roles_in_words(ROLES, role_of, scores))

st.header("One head closely", anchor=False)
best = names[scores[:, role_names.index("verb → subject")].argmax()]
picked = st.pills(
    "Head (layer.head)", names, default=best, required=True, key="head",
    bind="query-params",
) or best
place, (layer, head) = names.index(picked), heads[picked]
show(
    heatmap(len(seen)),
    heatmap_data(attention[place], seen),
    heatmap_alt(attention[place], seen, what=f"Head {picked}"),
)
numbers(
    wide(attention[place], seen, [f"{n} {t}" for n, t in enumerate(seen, 1)], "looks"),
    "one_head_links",
)
here = scores_in(attention[place], typed(seen))
strongest = sorted(zip(scores[place], role_names), reverse=True)[:3]
st.markdown(
    f"Of the attention of head {picked}, over {num_stories:,} stories, "
    + ", ".join(
        f"{score:.2f} follows *{role}*"
        + (f" ({here[role]:.2f} in this sentence)" if np.isfinite(here[role]) else "")
        for score, role in strongest
    )
    + "."
)
cut = st.toggle(f"Cut head {picked} out", key="cut", bind="query-params")
sentence(tokens)
cuts = Ablation(heads={(layer, head)}) if cut else NO_ABLATION
before = softmax(trace.logits[-1].astype(float))
said = softmax(llm.trace(tokens, cuts).logits[-1].astype(float))
truth = world().next_word_probabilities(tokens)
bars = bars_data(dict(zip(vocabulary, said.tolist(), strict=True)), truth)
show(
    probability_bars(bool(truth)),
    bars,
    (f"With head {picked} cut out. " if cut else "")
    + bars_alt(bars, " ".join(tokens) or "<start>"),
)
numbers(bars_table(bars), "heads_next")
if cut:
    st.markdown(
        cut_in_words(picked, vocabulary, before, said, skills, whole, without[place])
    )

st.header("How the heads come together", anchor=False)
block, learned = trace.blocks[layer], llm.weights.blocks[layer].attention
st.markdown(f"""
Each head of layer {layer + 1} hands over {config.head_dim} numbers for each of the
{len(seen)} tokens. They are put side by side, {config.num_heads} × {config.head_dim} =
{config.num_heads * config.head_dim}, and one more matrix, W, mixes them:
""")
st.latex(joined_by_hand(config, len(seen)))
joined = project_from_heads(
    block.head_outputs, learned.output_kernel, learned.output_bias
)
parts = head_contributions(block.head_outputs, learned.output_kernel)
column = int(abs(joined[-1]).argmax())
st.markdown(f"""
Seen from the heads this is a **sum**: each adds a part of its own to the stream of the
word. For the last token, and for number {column + 1} of {config.embed_dim}:
""")
st.latex(
    sum_of_heads_by_hand(
        parts[:, -1, column], learned.output_bias[column], joined[-1, column]
    )
)
show_source(join_heads, project_from_heads)

st.markdown(f"""
**What to notice**

- Each word shares out its attention in as many ways as there are heads. What no single
  way could bring home, their sum can.
- {learned_in_words(names, role_of, scores, role_names, skills, whole, without)}
- Later layers read what earlier heads wrote. So a head is often only half of a trick:
  without it, another head looks in the wrong place.
- Where a head looks is no proof of what it is good for. Cutting it out is a better one.
""")

if section := go_deeper("how the roles are measured", "measured"):
    with section:
        st.markdown(f"""
        Each role names targets: for a word, the earlier words at which a head of that
        kind would look. The score is the mean attention that really goes there, over
        all words that have a target. We call it the head's role from a score of
        {LEAST_SCORE} on, if that is also {LEAST_TIMES_EVEN:g} times what looking at
        everything alike would reach. Both bounds are ours; others would give some names
        more or fewer.

        A network that writes must know a word *before* it stands there. So the link to
        the subject is measured at the word before the verb, and the look-up where the
        answer is due. `it` is special: in `the animal didn't cross the street because
        it was too tired`, the word that decides comes only after `it`, and a network
        that looks left only cannot know it yet. So it is measured twice: at `it`, and
        where the noun is due.
        """)
        lesson_link("attention", "A network that looks both ways does it at once")
        st.dataframe(
            roles_measured(roles, scores, names), hide_index=True,
            alt="For every role: over how many words it was measured, the score of a "
            "head that looks at everything alike, and the best head with its score.",
        )
        show_source(
            previous_word, same_word, first_token, look_up, answers_of, role_scores
        )

if section := go_deeper("does every head get all of the vector?", "whole_vector"):
    with section:
        vectors, size = block.attention_input, config.head_dim
        slice_of = slice(head * size, (head + 1) * size)
        sliced = np.zeros_like(vectors)
        sliced[:, slice_of] = vectors[:, slice_of]
        kernel, bias = learned.query_kernel, learned.query_bias
        full = project_to_heads(vectors, kernel, bias)[head]
        reduced = project_to_heads(sliced, kernel, bias)[head]
        lost = np.linalg.norm(full - reduced) / np.linalg.norm(full)
        st.markdown(f"""
        Yes. It is often drawn as if the {config.embed_dim} numbers of a word were cut
        into {config.num_heads} slices, one a head. What is cut is the *result*. The
        query of each head is a product of **all** {config.embed_dim} numbers with a
        matrix of {config.embed_dim} × {size}. In that of head {picked},
        {int((kernel[:, head] == 0).sum())} of {kernel[:, head].size:,} weights are
        zero.

        The test: keep numbers {slice_of.start + 1} to {slice_of.stop} only, the slice
        that head {picked} would get, and set all others to zero. If a slice were all
        that it reads, its queries would stay as they are. In truth they change by
        {lost:.0%} of their length.
        """)
        show_source(project_to_heads)

if section := go_deeper("why do so many heads look at the first token?", "sink"):
    with section:
        on_first = scores[:, role_names.index("first token")]
        even = roles["first token"]["even"]
        st.markdown(f"""
        Softmax always gives away the whole of a row, even where a head has found
        nothing that it wants. Then the attention must rest somewhere, and the first
        token, here `<start>`, is the only one that every word can see. If a head takes
        little from it, resting there does no harm. In large models this is strong: many
        heads rest there most of the time. Here, over {num_stories:,} stories:
        """)
        firsts = amounts_data(names, on_first)
        colours = tuple(
            (name, MODEL if share > 2 * even else QUIET)
            for name, share in zip(names, on_first, strict=True)
        )
        title = "attention on the first token"
        show(amount_bars(colours, title, (0, 1)), firsts, amounts_alt(firsts, title))
        most = int(on_first.argmax())
        its_layer, number = heads[names[most]]
        taken = head_contributions(
            trace.blocks[its_layer].values,
            llm.weights.blocks[its_layer].attention.output_kernel,
        )[number]
        st.markdown(first_token_in_words(
            names, on_first, even, most, np.linalg.norm(taken, axis=-1)
        ))

if section := go_deeper("one wide matrix, or one for each head?", "split"):
    with section:
        vectors = block.attention_input
        together = project_to_heads(vectors, learned.query_kernel, learned.query_bias)
        apart = np.stack([
            vectors @ learned.query_kernel[:, number] + learned.query_bias[number]
            for number in range(config.num_heads)
        ])
        summed = parts.sum(axis=0) + learned.output_bias
        st.markdown(f"""
        You will find both in books, and they are the same. Put {config.num_heads}
        matrices of {config.embed_dim} × {config.head_dim} side by side, and you have
        one of {config.embed_dim} × {config.num_heads * config.head_dim}: multiply once,
        and cut the result. With your sentence, in layer {layer + 1}, the two ways
        differ by {abs(together - apart).max():.1g} at most. It is the same on the way
        out: to join and then mix, or to mix each by itself and add, differ by
        {abs(joined - summed).max():.1g} at most. What is left is rounding.
        """)
        show_source(project_to_heads, split_heads, head_contributions)

if section := go_deeper("one head against several, trained anew", "one_head"):
    with section:
        twins = record("twins")["twins"]
        several, one = twins["full"], twins["one head"]
        st.markdown(f"""
        The same network, trained twice in the same way for
        {several["scores"][-1]["step"]:,} steps: with {config.num_heads} heads of
        {config.head_dim} numbers in each layer ({several["parameters"]:,} weights
        in all), and with a single one of {config.embed_dim}
        ({one["parameters"]:,}).
        """)
        pair = {f"{config.num_heads} heads": several, "one head": one}
        curves = training_data(**{
            name: [(score["step"], score["excess"]) for score in twin["scores"]]
            for name, twin in pair.items()
        })
        title = "excess over the exact floor, nats"
        colours = tuple(zip(pair, (MODEL, QUERIES), strict=True))
        show(
            training_curves(colours, "steps", title), curves,
            training_alt(curves, title),
        )
        numbers(training_table(curves, "steps"), "one_head")
        ends = accuracies_at_the_end(pair, skills)
        show(
            score_table(2, len(skills), "network", "accuracy of each skill"),
            table_data(ends, list(pair), skills),
            best_alt(ends, list(pair), skills, "Accuracy at the end"),
        )
        numbers(wide(ends, list(pair), skills, "network"), "one_head_skills")
        st.markdown(one_against_four(skills, ends, several, one))

check_yourself(
    f"A layer is {config.embed_dim} numbers wide. Why {config.num_heads} heads of "
    f"{config.head_dim}, and not one of {config.embed_dim}?",
    {
        "It makes the network larger.": "The matrices hold just as many weights: "
        f"{config.num_heads} × {config.head_dim} = {config.embed_dim}.",
        "Each word can share out its attention in several ways at once.": "One head "
        "has one row of shares for a word, and they add up to one. What it gives to "
        "the word before, it cannot give to the owner.",
        "Each head reads only its own slice of the vector, which is simpler.": "Every "
        "head reads the whole vector. Only the results are narrow.",
        "So that each head can be told what to look for.": "Nobody tells them. "
        "Training found what they do, and we had to measure it.",
    },
    answer="Each word can share out its attention in several ways at once.",
    key="heads_check",
)
