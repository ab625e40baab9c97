"""First and last: can it connect the first word with the last?"""

import numpy as np
import streamlit as st

from llm.digits.experiment import (
    MODELS,
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
from pages.first_and_last.charts import (
    digit_strips,
    strips_alt,
    strips_data,
    strips_table,
)
from pages.first_and_last.live import train_here
from pages.first_and_last.training import (
    COLOURS,
    YES,
    digits_input,
    ends_buttons,
    example_table,
    experiment_input,
    length_curves,
    shipped_averages,
    shipped_curves,
    shipped_model,
)
from pages.ui.chart import numbers, show
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_table,
)
from pages.ui.charts.words import percent
from pages.ui.controls import choose
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.live_training import room
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

st.markdown(f"""
A network reads 30 digits and is asked one thing: **is the last the same as the first?**
For you it is a glance. A recurrent network must carry the first digit through 28 others
before it can compare. A Transformer can look from one end to the other in one step.

{example_table()}
""")
glossary("SimpleRNN", "LSTM", "epoch", "accuracy", "attention", "baseline")

record = load_record("first_and_last")
shipped, always = record["models"], record["always_yes"]
rnn = shipped["SimpleRNN"]["accuracy"]
st.header("Your guess first", anchor=False)
guess = pick_first(
    f"After 8,000 such rows, seen 30 times over, a SimpleRNN answers "
    f"{rnn * 100:.0f} of 100 new rows rightly. How much of the task has it learned?",
    ["About half of it", "A little", "Nothing at all"],
    key="first_and_last_guess",
)
if guess:
    right = guess == "Nothing at all"
    st.markdown(
        f"{'Yes: nothing.' if right else 'Nothing, in fact.'} Of the test rows "
        f"{percent(always)} have the answer yes. A network that always says yes, and "
        f"reads no digit, is right on {always:.4f} of them; the SimpleRNN on "
        f"{rnn:.4f}. "
        "An accuracy means nothing until one knows what can be had for free."
    )

st.header("Three networks, the same rows", anchor=False)
with st.grid(4, min_column_width=140):
    for name in MODELS:
        st.metric(name, f"{shipped[name]['accuracy']:.4f}", border=True)
    st.metric("Always yes", f"{always:.4f}", border=True)
curves = shipped_curves()
show(
    training_curves(COLOURS, "epoch", "share of test rows right", (0.4, 1.0), (YES,)),
    curves,
    training_alt(curves, "Share of test rows answered rightly", "epoch"),
)
numbers(training_table(curves, "epoch"), "first_and_last")
st.caption(
    "Trained with `python -m llm train --what first_and_last`: the course's experiment "
    "exactly, with "
    + ", ".join(f"{shipped[name]['parameters']:,} ({name})" for name in MODELS)
    + " parameters."
)

st.header("Now train it yourself", anchor=False)
name = choose("Which network?", MODELS, "network")
with go_deeper("other sizes", "sizes"):
    st.markdown("What you choose here counts for the next training.")
    experiment = experiment_input()
run, watch_the_training = train_here(experiment, name)

st.header("Where does it look?", anchor=False)
weights, whose = shipped_model(), "the shipped model"
has_own = run is not None and run.weights and run.name == "Transformer"
with room(has_own):
    if has_own:
        whose = st.segmented_control(
            "Whose model?", ["the shipped model", "the one you trained"],
            default="the one you trained", required=True, key="whose",
        ) or whose
if whose != "the shipped model":
    weights = digit_weights(run.weights)
length = len(weights.position_embeddings)
st.markdown(
    "Type digits of your own. Below is the answer, and where each head looks from the "
    "first place and from the last."
)
digits = digits_input(length)
if digits:
    ends_buttons(digits)
    attention, same = read_digits(np.array([digits]), weights)
    says = "yes" if same[0] > 0.5 else "no"
    is_right = (says == "yes") == (digits[0] == digits[-1])
    ends = attention[0][:, :, [0, -1]].sum(axis=-1).mean(axis=-1)
    st.markdown(
        f"**{says.capitalize()}**, says {whose}: the same with a probability of "
        f"{percent(float(same[0]))}. That is {'right' if is_right else 'wrong'}."
    )
    st.markdown(
        "Of its attention, averaged over all places, the two ends get "
        + ", ".join(f"{percent(float(share))} in head {number}"
                    for number, share in enumerate(ends, start=1)) + "."
    )
    for place_from, title in ((0, "first"), (length - 1, "last")):
        strips = strips_data(attention[0], place_from, digits)
        st.markdown(
            f"From the **{title}** place, which holds {digits[place_from]}, "
            "each head looks at:"
        )
        show(digit_strips(attention.shape[1], length), strips,
             strips_alt(strips, place_from + 1))
        numbers(strips_table(strips), f"from_the_{title}")

st.header("The code", anchor=False)
st.markdown("""
The rows, the network and its setup, whole. Adam, binary cross-entropy, 30 epochs.
""")
show_source(make_rows, build_transformer, compiled)

st.markdown("""
**What to notice**

- For a long time nothing happens, then the Transformer learns the task within a few
  epochs: only when some head begins to look from end to end is there anything to gain.
- It is not only the ends that look at each other: in most heads *every* place looks at
  the two ends, because at the last step all places are averaged and each has a vote.
- The LSTM gets there too, later and less surely: its gates can hold a digit for 29
  steps. The SimpleRNN cannot. It learns some training rows by heart instead.
- The path from the first digit to the last is one step long in the Transformer and 29
  steps in a recurrent network. Every step can lose something.
- The price: every place is compared with every place, 30 × 30 pairs in each head.
""")

if section := go_deeper("where it looks on average", "average"):
    with section:
        st.markdown("""
        Over 500 test rows, those with the answer yes and those with no apart. A strip
        that is the same in both is habit; one that differs carries the answer.
        """)
        for word, mean in shipped_averages().items():
            for place_from, title in ((0, "first"), (mean.shape[-1] - 1, "last")):
                strips = strips_data(mean, place_from)
                st.markdown(f"Right answer **{word}**, from the **{title}** place:")
                show(digit_strips(len(mean), mean.shape[-1]), strips,
                     strips_alt(strips, place_from + 1))
        show_source(read_digits)

if section := go_deeper("longer and longer rows", "longer"):
    with section:
        lengths = load_record("lengths")
        budget, by_length = lengths["budget"], length_curves(lengths)
        st.markdown(f"""
        Each network was trained anew for each length, all with the same budget:
        {budget["num_rows"]:,} rows, {budget["epochs"]} epochs, {budget["batch_size"]}
        rows a step, {budget["steps"]:,} steps.
        """)
        show(
            training_curves(COLOURS, "digits in a row", "share of test rows right",
                            (0.4, 1.0), (YES,)),
            by_length,
            training_alt(by_length, "Share of test rows right", "length"),
        )
        numbers(training_table(by_length, "digits"), "lengths")

if section := go_deeper("why x stands there twice", "twice"):
    with section:
        st.markdown("""
        `layers.MultiHeadAttention(...)(x, x)`: the first x is what asks, the second is
        what is looked at. Queries are made from the first, keys and values from the
        second. Here both are the same row of digits, so every place looks at its own
        row: **self**-attention. A translator gives two different things: the words
        written so far ask, and the sentence to be translated is looked at. That is
        cross-attention, and the code is the same.
        """)
        show_source(multi_head_attention)
        lesson_link("families", "More on cross-attention: the families of Transformers")

if section := go_deeper("all 14,049 parameters", "parameters"):
    with section:
        table = parameter_table(shipped_model())
        st.table(
            {
                "Part": [part for part, _, _ in table] + ["**All**"],
                "Shape": [shape for _, shape, _ in table] + [""],
                "Parameters": [f"{count:,}" for _, _, count in table]
                + [f"**{sum(count for _, _, count in table):,}**"],
            }
        )
        st.markdown("""
        Each head is 16 wide, and four of them make 64, twice the width of the vectors.
        That is allowed: the last projection brings 64 back to 32. LayerNorm stands
        *after* each sum, as in the paper of 2017; the tiny LLM has it before.
        """)

if section := go_deeper("the recurrent networks and the batches", "recurrent"):
    with section:
        show_source(build_recurrent, shuffled_batches)

check_yourself(
    "A spam filter is right on 90 of 100 mails. Is it any good?",
    {
        "Yes, 90% is a lot.": "If 90 of 100 mails are no spam, always answering “no "
        "spam” is right as often, without reading one.",
        "It depends on how many of the mails are spam.": "First ask what the dullest "
        "answer gets, as the line “always yes” shows here. Only what lies above "
        "it was learned.",
        "No, only 100% is good.": "Few tasks allow 100%. What counts is how far it "
        "is above the dullest answer, and below what is possible at all.",
    },
    answer="It depends on how many of the mails are spam.",
    key="first_and_last_check",
)
watch_the_training()
