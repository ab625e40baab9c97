"""Why: why was a new design needed?"""

import numpy as np
import streamlit as st

from llm.glassbox.attention import attention_weights
from llm.glassbox.lstm import lstm_states, lstm_step
from llm.models.parameters import count_parameters, total
from llm.studies.distance import SKILLS_WITH_A_SOURCE
from llm.studies.memory import (
    COLOURS,
    kept_shares,
    mean_distance,
    movement,
    reading_seconds,
    remembering,
    retained_share,
    story_to_remember,
    widest_links,
    work_of_attention,
    work_of_recurrence,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.arcs import arcs, arcs_data, links_table
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_data,
    training_table,
)
from pages.ui.charts.words import percent, strongest_links
from pages.ui.colours import KEYS, MODEL, QUIET
from pages.ui.controls import lstm_twin, record, tiny_llm, world
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.why.charts import (
    LSTM_COLOUR,
    NETWORKS,
    along_alt,
    along_data,
    along_table,
    along_words,
    chain,
    chain_alt,
    chain_data,
    grouped_bars,
    groups_alt,
    groups_data,
    groups_table,
)
from pages.why.measures import milliseconds, movement_as_it_grows

lesson(__file__)

LENGTH = 30  # words of the sentence that is talked about
MOST_OTHERS = 3  # as many as the stories have
LEAST = 0.05  # weaker arcs are not drawn
SHOWN = COLOURS[0]
PLACE = story_to_remember(SHOWN, 0).index(SHOWN)

EXAMPLES = {
    "binding": ("mia has a red kite . what does mia have ? a", "red"),
    "repetition": ("mia says : cup hat . the parrot says :", "cup"),
    "reference": (
        "the animal didn't cross the street because it was too tired . so the",
        "animal",
    ),
    "word order": ("dog bites man . who was bitten ?", "man"),
    "agreement": ("the keys to the old cabinet", "are"),
}


def tenths(share):
    """A share of one with a digit behind the point: `99.6%`."""
    return f"{100 * share:.1f}%"


st.markdown("""
In module 9 a **recurrent network** read a text one word after the other. After each
word it kept a **state**, a row of numbers, and handed it on to the next word. In 2017 a
design came that hands nothing on. Every word looks straight at the other words. That is
called **attention**. What is it good for?
""")
glossary("recurrent network", "state", "LSTM", "attention", "token")

st.header("Your guess first", anchor=False)
recurrence, attention = work_of_recurrence(LENGTH), work_of_attention(LENGTH)
right = f"{recurrence['path']} times and {attention['path']} time"
picked = pick_first(
    f"A sentence has {LENGTH} words. How often is what word 1 says handed on, until "
    f"word {LENGTH} has it: in a recurrent network, and with attention?",
    [f"{recurrence['path']} times and {recurrence['path']} times", right,
     "1 time and 1 time", f"1 time and {recurrence['path']} times"],
    key="why_guess",
)
if picked:
    st.markdown(
        ("Yes. " if picked == right else "Not quite. ")
        + f"A recurrent network hands it on {recurrence['path']} times, from each word "
        f"to the next. With attention word {LENGTH} looks straight at word 1: "
        f"{attention['path']} step, however long the sentence is."
    )

st.header("Two ways to read", anchor=False)
llm, lstm = tiny_llm(), lstm_twin()
num_parameters = {
    "LSTM": sum(array.size for array in vars(lstm).values()),
    "tiny LLM": total(count_parameters(llm.config)),
}
story = story_to_remember(SHOWN, 0)
st.markdown(f"""
Two networks read the same start of a story. The **LSTM twin** is a recurrent network
with {num_parameters["LSTM"]:,} parameters. The **tiny LLM** is a Transformer with
{num_parameters["tiny LLM"]:,}. Both learned from the same stories. Move the counter.
""")
steps = st.slider(
    "Steps taken one after the other", 0, len(story), 4, key="steps",
    bind="query-params",
)
st.markdown(f"**Recurrent:** {steps} of {len(story)} tokens are read.")
show(chain(len(story)), chain_data(story, steps), chain_alt(story, steps))
all_seen = len(story) if steps else 0
st.markdown(f"**Attention:** {all_seen} of {len(story)} tokens are read.")
links = widest_links(llm.trace(story)) if steps else np.zeros((len(story),) * 2)
last = np.where(np.arange(len(story))[:, None] == len(story) - 1, links, 0)
linked = arcs_data(last, story, least=LEAST)
show(
    arcs(tuple(story)),
    linked,
    f"Arcs from the last word: {strongest_links(last, story, causal=False)}"
    if steps else f"{len(story)} words, and no arcs before the first step.",
)
numbers(lambda: links_table(linked), "reading")
st.markdown(f"""
The chain needs {len(story)} steps, and each must wait for the one before. The arcs are
all there after one step, because no arc needs another. That makes one step for each of
the {llm.config.num_layers} layers, for any number of words. All words look at the same
time; drawn are the arcs of the last one. An arc is as wide as the strongest head makes
it. What a head is, is a later lesson.

The tiny LLM looks **left only**. It writes, and while it writes a word, what stands to
the right of it is not written yet. A network of this kind is called a **decoder**.
""")
show_source(lstm_states, attention_weights)

st.header("Memory that fades", anchor=False)
others = st.slider(
    "Other facts between the colour and the question", 0, MOST_OTHERS, 1, key="others",
    bind="query-params",
)
story = story_to_remember(SHOWN, others)
sentence(story[1:])
truth = world().next_word_probabilities(story)
read = remembering(llm, lstm, others)
moved = {name: movement(net["states"]) for name, net in read.items()}
along = along_data(story, moved)
st.markdown(f"""
Mia's colour is said early and asked for at the end. We put {len(COLOURS)} different
colours there, one after the other, and look how far the state behind each word moves,
in shares of its length.
""")
show(
    along_words(NETWORKS, "the state moves"),
    along,
    along_alt(along, "How far the state moves"),
)
numbers(lambda: along_table(along), "memory")
between = {name: shares[PLACE + 1:-1].mean() for name, shares in moved.items()}
at_end = {name: shares[-1] for name, shares in moved.items()}
st.markdown(f"""
The LSTM has to **carry** the colour through {len(story) - 1 - PLACE} words, whatever
else they say. Its state moves by {percent(between["LSTM"])} on average on the way and
by {percent(at_end["LSTM"])} at the end. (Part of its memory is hidden, and shows only
when it is needed.) The tiny LLM leaves the colour where it stands and **fetches** it
when it is asked for: its state moves by {percent(between["tiny LLM"])} on the way and
by {percent(at_end["tiny LLM"])} at the end. How sure are they now that it is `{SHOWN}`?
""")
with st.grid(3, min_column_width=150):
    for name, net in read.items():
        share = net["expected"][0][llm.tokenizer.ids[SHOWN]]
        st.metric(f"{SHOWN}: {name}", percent(share), border=True)
    st.metric(f"{SHOWN}: exact truth", percent(truth[SHOWN]), border=True)
st.markdown(
    "What moves is a distance between two states, divided by their length. Over all "
    "pairs of colours these are, at the last word:"
)
for name, net in read.items():
    apart = mean_distance(net["states"])[-1]
    st.latex(
        rf"\text{{{name}:}}\quad \frac{{\text{{distance}}}}{{\text{{length}}}}"
        rf" = \frac{{{apart:.3f}}}{{{apart / at_end[name]:.3f}}} = {at_end[name]:.3f}"
    )
grown = groups_data(
    [f"{count} facts" if count != 1 else "1 fact" for count in range(MOST_OTHERS + 1)],
    movement_as_it_grows(MOST_OTHERS),
    (MOST_OTHERS + 1) * [len(COLOURS)],
)
st.markdown("The same at the last word, for a story that grows:")
show(
    grouped_bars(NETWORKS, "other facts between colour and question",
                 "the last state moves", top=None),
    grown,
    groups_alt(grown, "How far the last state moves"),
)
numbers(lambda: groups_table(grown, "between").drop(columns="cases"), "growing")
show_source(mean_distance)

st.header("The price", anchor=False)
st.markdown(f"""
Nothing is free. A recurrent network puts each word together with one state: n times for
n words. Attention compares each word with each word. For {LENGTH} words:
""")
st.latex(
    rf"\text{{recurrent: }} n = {recurrence['pairs']} \qquad "
    rf"\text{{attention: }} n^2 = {LENGTH}^2 = {attention['pairs']}"
)
lengths = (1, 8, 16, 24, 32, 40, 48, 56, 64)
counted = training_data(**{
    "attention, each with each": [
        (n, work_of_attention(n)["pairs"]) for n in lengths],
    "attention, left only": [(n, work_of_attention(n)["seen"]) for n in lengths],
    "recurrent": [(n, work_of_recurrence(n)["pairs"]) for n in lengths],
})
COSTS = (("attention, each with each", MODEL), ("attention, left only", KEYS),
         ("recurrent", LSTM_COLOUR))
show(
    training_curves(COSTS, "words", "pairs to compare", y_format=",d"),
    counted,
    training_alt(counted, "Pairs to compare", "words"),
)
numbers(lambda: training_table(counted, "words"), "price")
st.markdown(f"""
Looking left only saves about half: {attention["seen"]} pairs of {attention["pairs"]}.
Twice the words still make four times the pairs. That is why a large model can read only
so many words at once; the tiny LLM reads {llm.config.context_length} tokens.
""")
show_source(work_of_recurrence, work_of_attention)

st.markdown(f"""
**What to notice**

- Path: {recurrence["path"]} against {attention["path"]}. What is needed is one look
  away, and not {recurrence["path"]} rewritings.
- Waiting: {LENGTH} steps against 1. All words at once keeps a large computer busy, and
  that is how models could grow.
- Price: {recurrence["pairs"]} against {attention["pairs"]} pairs. Short path, many
  pairs.
- An LSTM can keep something for long. But it has to choose at each word what to keep,
  before it knows what will be asked. Attention looks back once it knows.
""")

if section := go_deeper("which skills suffer from distance", "why_skills"):
    with section:
        measured = record("distance")
        skill = st.segmented_control(
            "Skill", SKILLS_WITH_A_SOURCE, default=SKILLS_WITH_A_SOURCE[0],
            required=True, key="why_skill", bind="query-params",
        ) or SKILLS_WITH_A_SOURCE[0]
        before, answer = EXAMPLES[skill]
        sentence(before.split(), [answer], blank=False)
        found = measured["skills"][skill]
        groups = [f"{low}–{high}" for low, high in measured["distances"]]
        bars = groups_data(
            groups, {name: found[name] for name, _ in NETWORKS}, found["counts"])
        st.markdown(f"""
        On {measured["num_stories"]:,} fresh stories: how often is the right word the
        likeliest, by how many words back the word stands that decides it?
        """)
        show(
            grouped_bars(NETWORKS, "words back", "right"),
            bars,
            groups_alt(bars, f"How often {skill} is right, by words back"),
        )
        numbers(lambda: groups_table(bars, "words back"), "why_skill_numbers")
        near, far = bars["group"].iloc[0], bars["group"].iloc[-1]
        ends = {name: part["value"].iloc[[0, -1]].tolist()
                for name, part in bars.groupby("series", sort=False)}
        said = "; ".join(
            f"the {name} is right in {percent(first)} at {near} words back and in "
            f"{percent(last)} at {far}" for name, (first, last) in ends.items())
        st.markdown(f"{said[0].upper() + said[1:]}.")
        if min(bars["value"]) > 0.99:
            st.markdown("Both can do this skill from afar: it asks for one thing only, "
                        "and an LSTM can carry that.")
        elif ends["LSTM"][0] < 0.95:
            st.markdown("Looking something up among several is hard for this LSTM even "
                        "when it stands near.")
        st.caption("Where bars are missing, the stories never ask from that far.")

if section := go_deeper("the same task with longer and longer rows", "why_lengths"):
    with section:
        sweep = record("lengths")
        names = list(dict.fromkeys(run["model"] for run in sweep["results"]))
        curves = {
            name: [(run["length"], run["accuracy"]) for run in sweep["results"]
                   if run["model"] == name]
            for name in names
        }
        always = "always the same answer"
        curves[always] = [
            (run["length"], max(run["always_yes"], 1 - run["always_yes"]))
            for run in sweep["results"] if run["model"] == names[0]
        ]
        budget = sweep["budget"]
        st.markdown(f"""
        The task is one you know: is the first digit of a row the same as the last?
        Three networks of the same width learn it for rows of several lengths, each from
        {budget["num_rows"]:,} rows, {budget["epochs"]} times over. The dashed line is
        the score of someone who always gives the same answer and has learned nothing.
        """)
        accuracies = training_data(**curves)
        colours = {"Transformer": MODEL, "LSTM": LSTM_COLOUR, "SimpleRNN": KEYS}
        show(
            training_curves(
                (*((name, colours[name]) for name in names), (always, QUIET)),
                "digits in a row", "right on test rows", y_format=".0%",
                dashed=(always,),
            ),
            accuracies,
            training_alt(accuracies, "Right on test rows", "length"),
        )
        numbers(
            lambda: training_table(accuracies, "digits in a row"), "why_lengths_numbers"
        )
        learned = {
            name: max((length for length, share in points if share >= 0.95), default=0)
            for name, points in curves.items() if name in names
        }
        st.markdown(
            "The longest rows of which at least 95% are answered rightly: "
            + ", ".join(
                f"{name} {length} digits" if length else f"{name} none"
                for name, length in learned.items())
            + "."
        )
        longer = record("first_and_last")
        told = ", ".join(f"{name} {tenths(run['accuracy'])}"
                         for name, run in longer["models"].items())
        st.markdown(f"""
        Where all stay at the dashed line, {budget["epochs"]} times over were too few.
        After {longer["experiment"]["epochs"]} times with more, smaller steps, rows of
        {longer["experiment"]["length"]} digits are answered so: {told}.
        """)
        lesson_link("first_and_last", "Train these networks yourself")

if section := go_deeper("where the memory of an LSTM goes", "why_gates"):
    with section:
        kept = kept_shares(lstm, llm.tokenizer.ids_of(story))
        left = retained_share(kept, PLACE)
        best = int(left[-1].argmax())
        st.markdown(f"""
        At each word an LSTM multiplies every number in its memory by a **forget gate**,
        a number between 0 and 1. What was stored at `{SHOWN}` is therefore multiplied
        {len(left) - 1} times by the end. Here is the product, on average over all
        {left.shape[1]} numbers of the memory and for the one that keeps most.
        """)
        gates = {"average": left.mean(axis=1), "the best keeper": left[:, best]}
        data = along_data(story[PLACE:], gates)
        show(
            along_words((("average", QUIET), ("the best keeper", LSTM_COLOUR)),
                        "left of what was stored", 1.0),
            data,
            along_alt(data, f"What is left of what was stored at '{SHOWN}'"),
        )
        numbers(lambda: along_table(data), "why_gates_numbers")
        factors = kept[PLACE + 1:, best]
        st.latex(
            " \\cdot ".join(f"{factor:.4f}" for factor in factors[:3])
            + (r" \cdots " if len(factors) > 3 else "")
            + f" = {left[-1, best]:.3f}"
        )
        st.markdown(f"""
        On average {tenths(left[-1].mean())} is left, in the best keeper
        {tenths(left[-1, best])}. So some numbers can be kept for long, and that is
        what the LSTM was invented for. But there are only {left.shape[1]} of them for
        all that may be asked for, however long the text.

        Learning goes the same way backwards: the hint that the colour mattered comes
        back through the same product. With attention the hint has one step to go.
        """)
        show_source(lstm_step, kept_shares, retained_share)

if section := go_deeper("how long it takes", "why_time"):
    with section:
        ids = llm.tokenizer.ids_of(story)
        times = training_data(**milliseconds(tuple(ids)))
        st.markdown("""
        This server, NumPy, one layer of each; the words of the story, over and over. It
        is an aside: another computer gives other figures, and a computer that does many
        things at once gives quite others.
        """)
        show(
            training_curves(
                (("attention", MODEL), ("LSTM", LSTM_COLOUR)), "words",
                "milliseconds"),
            times,
            training_alt(times, "Milliseconds", "words"),
        )
        numbers(lambda: training_table(times, "words"), "why_time_numbers")
        show_source(reading_seconds)

check_yourself(
    "A text becomes ten times as long. What happens with attention?",
    {
        "The path stays 1, and there are 100 times as many pairs.": "Each word still "
        "looks straight at each other word, and 10 × 10 = 100.",
        "The path becomes ten times as long.": "That is what happens in a recurrent "
        "network. With attention any two words are one step apart.",
        "The path stays 1, and there are 10 times as many pairs.": "Each of ten times "
        "as many words looks at ten times as many words.",
        "Nothing changes.": "The path stays 1, but all the pairs must be compared.",
    },
    answer="The path stays 1, and there are 100 times as many pairs.",
    key="why_check",
)
