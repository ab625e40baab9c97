"""First and last: can it connect the first word with the last?"""

import numpy as np
import streamlit as st

from llm.digits.experiment import (
    MODELS,
    Experiment,
    build_recurrent,
    build_transformer,
    compiled,
    make_rows,
    shuffled_batches,
)
from llm.digits.reader import (
    digit_weights,
    parameter_table,
    read_digits,
)
from llm.glassbox.block import multi_head_attention
from llm.models.shipped import load_record
from pages.first_and_last.charts import digit_strips
from pages.first_and_last.live import train_here
from pages.first_and_last.training import (
    digits_input,
    ends_buttons,
    example_table,
    experiment_input,
    shipped_averages,
    shipped_model,
)
from pages.first_and_last.words import (
    answer_in_words,
    ends_in_words,
    how_much,
    recurrent_in_words,
    replies,
)
from pages.ui.chart import show
from pages.ui.charts.trainings import (
    arrivals_in_words,
    epochs_picture,
    lengths_picture,
    reached_in_words,
    uneven_in_words,
)
from pages.ui.controls import choose
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.live_training import room
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.tell import tell
from pages.ui.words import percent

lesson(__file__)

record = load_record("first_and_last")
shipped, always = record["models"], record["always_yes"]
OURS = "our trained model"
st.markdown(f"""
A network reads {record["experiment"]["length"]} digits and is asked one thing: **is the
last the same as the first?** A recurrent network must carry the first digit through all
the others before it can compare. A Transformer can look from one end to the other in
one step.

{example_table()}
""")
glossary("SimpleRNN", "LSTM", "epoch", "accuracy", "baseline")

rnn = shipped["SimpleRNN"]["accuracy"]
guess = pick_first(
    f"After {record['experiment']['num_rows']:,} such rows, seen "
    f"{record['experiment']['epochs']} times over, one SimpleRNN answers "
    f"{percent(rnn)} of new rows correctly. Always answering yes is right for "
    f"{percent(always)} of them. How much of the task has it learned?",
    replies(rnn, always), answer=how_much(rnn, always), key="first_and_last_guess",
    horizontal=True,
)
if guessed(guess, "first_and_last_guess"):
    st.header("Three networks, the same rows", anchor=False)
    show(epochs_picture(shipped, always), "first_and_last")
    st.markdown(arrivals_in_words(shipped))
    st.caption(
        "Rows and settings of your course. Every dot is one test of one training; "
        "a network's trainings differ in first weights and row order. "
        + ", ".join(f"{name} {shipped[name]['parameters']:,}" for name in MODELS)
        + " parameters."
    )

st.header("Now train it yourself", anchor=False)
row = st.container(horizontal=True, vertical_alignment="bottom")
with row:
    name = choose("Which network?", MODELS, "network")
with go_deeper("other sizes", "sizes"):
    st.markdown("What you choose here counts for the next training.")
    experiment = experiment_input()
run, watch_the_training = train_here(experiment, name, row)

st.header("Where does it look?", anchor=False)
weights, whose = shipped_model(), OURS
has_own = run is not None and run.weights and run.name == "Transformer"
with room(has_own):
    if has_own:
        whose = st.segmented_control(
            "Whose model?", [OURS, "the one you trained"],
            default="the one you trained", required=True, key="whose",
        ) or whose
if whose != OURS:
    weights = digit_weights(run.weights)
length = len(weights.position_embeddings)
digits = digits_input(length)
if digits:
    ends_buttons(digits)
    attention, same = read_digits(np.array([digits]), weights)
    st.markdown(answer_in_words(float(same[0]), digits, whose))
    st.markdown(ends_in_words(attention[0]))
    show(digit_strips(attention[0], digits), "where_it_looks")

show_source(make_rows, build_transformer, compiled)

st.markdown(f"""
**What to notice**

- For a long time nothing happens. Such a **plateau** is normal. Then the Transformer
  learns the task within a few epochs.
- {recurrent_in_words(shipped)}
""")

if section := go_deeper("where it looks on average", "average"):
    with section:
        st.markdown("""
        The mean over many test rows, once for the answer yes and once for no. Where
        both pictures agree, a head's mean does not depend on the answer. It can still
        hand over the answer, because its *values* differ.
        """)
        for word, mean in shipped_averages().items():
            st.markdown(f"Right answer **{word}**:")
            show(digit_strips(mean), f"average_{word}")
        show_source(read_digits)

if section := go_deeper("longer and longer rows", "longer"):
    with section:
        lengths = load_record("lengths")
        budget = lengths["budget"]
        st.markdown(f"""
        Each network was trained anew for each length, all with the same budget:
        {budget["num_rows"]:,} rows, {budget["epochs"]} epochs, {budget["batch_size"]}
        rows a step, {budget["steps"]:,} steps.
        """)
        show(lengths_picture(lengths["results"]), "lengths")
        st.caption(
            "A training ends early once two epochs in a row get all test rows right; "
            f"those at {record['experiment']['length']} digits, the course's "
            "own, all ran to the end."
        )
        st.markdown(reached_in_words(lengths["results"]))
        tell(uneven_in_words(lengths["results"]))

if section := go_deeper("why does x appear twice?", "twice"):
    with section:
        st.markdown("""
        `layers.MultiHeadAttention(...)(x, x)`: the first x asks, the second is looked
        at. Queries are made from the first, keys and values from the second. Here both
        are the same row of digits, so every position looks at its own row:
        **self**-attention. A translator gives two different things: the words written
        so far ask, and the sentence to be translated is looked at. That is
        cross-attention, and the code is the same.
        """)
        show_source(multi_head_attention)
        lesson_link("families", "More on cross-attention: the families of Transformers")

table = parameter_table(shipped_model())
num_parameters = sum(count for _, _, count in table)
if section := go_deeper(f"all {num_parameters:,} parameters", "parameters"):
    with section:
        st.table(
            {
                "Part": [part for part, _, _ in table] + ["**All**"],
                "Shape": [shape for _, shape, _ in table] + [""],
                "Parameters": [f"{count:,}" for _, _, count in table]
                + [f"**{num_parameters:,}**"],
            }
        )
        made = Experiment(**record["experiment"])
        together = made.num_heads * made.head_dim
        st.markdown(
            f"Each head is {made.head_dim} wide, and {made.num_heads} of them make "
            f"{together}. The vectors are {made.embed_dim} wide. That is allowed: the "
            f"last projection brings {together} back to {made.embed_dim}. The listing "
            "of your course keeps the positions in a layer of its own, "
            "`PositionEmbedding`; here they are an ordinary embedding, with the "
            "same numbers to learn. LayerNorm "
            "stands *after* each sum, as in “Attention Is All You Need” (2017); the "
            "tiny LLM has it before."
        )

if section := go_deeper("the recurrent networks and the batches", "recurrent"):
    with section:
        show_source(build_recurrent, shuffled_batches)

RIGHT, EMAILS = 90, 100
check_yourself(
    f"A spam filter is right on {RIGHT} of {EMAILS} emails. Is it any good?",
    {
        f"Yes, {RIGHT / EMAILS:.0%} is a lot.": f"If {RIGHT} of {EMAILS} emails are "
        "not spam, always answering “no spam” is right as often, without reading one.",
        "It depends on how many of the emails are spam.": "First ask what the "
        "baseline gets, as the line “always yes” shows here. Only what lies above "
        "it was learned.",
        "No, only 100% is good.": "Few tasks allow 100%. What counts is how far it "
        "is above the baseline, and below what is possible at all.",
    },
    answer="It depends on how many of the emails are spam.",
    key="first_and_last_check",
)
work_it_out("above_baseline", notebook_of=list(map(str, digits or ())))
watch_the_training()
