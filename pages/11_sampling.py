"""Sampling: how does it choose a word?"""

import streamlit as st

from llm.glassbox.sampling import Sampling, draw, top_k, top_p, with_temperature
from llm.studies.sampling import counts, random_numbers
from pages.sampling.charts import OFF, SETTINGS, SLIDERS, choice
from pages.sampling.count_charts import counts_chart, counts_data
from pages.sampling.sections import (
    likeliest_or_drawn,
    temperature_and_truth,
    what_cuts_leave,
)
from pages.sampling.words import (
    after_cuts_by_hand,
    counts_in_words,
    draws_in_words,
    guesses,
)
from pages.ui.announce import announce
from pages.ui.chart import show
from pages.ui.chart_sliders import show_with_sliders, slider_values
from pages.ui.charts.bars import rows_of
from pages.ui.controls import (
    Counter,
    seed_input,
    sentence_input,
    truth_at,
    word_buttons,
    world_says,
)
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.latex import softmax_by_hand
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import percent

lesson(__file__)

START = "the cat sat on the"
ASKED = 1000  # draws that the guess is about
draws = Counter("draws", lowest=1, highest=10_000, default=1)

st.markdown("""
The network gives every word a number, but a text needs **one** word. Choosing it is
called **sampling**. The network plays no part in it: this is a short piece of
arithmetic and a random number.

In each row, the **logit** is divided by the **temperature** T. **Softmax** gives every
word a share. **Top-k** keeps the k likeliest words, **top-p** the likeliest that
together reach p; what is kept is rescaled to 100%. On the line, words stand in
alphabetical order. The one on which a random number falls is written. **Drag the
sliders.**
""")
picture = st.container()  # filled below, once the start is known
draw_place = st.container(
    horizontal=True, vertical_alignment="bottom", key="draw_buttons"
)
drawn_now = st.container()
glossary("logit", "softmax", "temperature", "top-k", "top-p", "seed")
tokens = sentence_input(START, key="sampling_start")
word_buttons(tokens, key="sampling_start")
truth = world_says(tokens, key="sampling_start")

at = slider_values("choice", SETTINGS, SLIDERS)
settings = Sampling(
    temperature=at["T"],
    top_k=int(at["k"]) if at["k"] != OFF else None,
    top_p=at["p"] if at["p"] < 1 else None,
)
llm = tiny_llm()
vocabulary = llm.tokenizer.vocabulary
logits = llm.next_logits(tokens)
softened = with_temperature(logits, settings.temperature)
after_k = top_k(softened, settings.top_k) if settings.top_k else softened
after_p = top_p(after_k, settings.top_p) if settings.top_p else after_k
rows = rows_of(llm.next_token(tokens), truth)

st.markdown("Softmax with these numbers in it, for the likeliest word:")
st.latex(softmax_by_hand(vocabulary, logits, settings.temperature))
if settings.top_k or settings.top_p:
    best, kept = int(after_p.argmax()), softened[after_p > 0].sum()
    st.markdown(
        f"After the cuts {percent(kept)} of everything is left. Each share is divided "
        "by that, so that together they are 1 again:"
    )
    st.latex(after_cuts_by_hand(vocabulary[best], softened[best], kept, after_p[best]))
show_source(with_temperature, top_k, top_p, draw)

st.header("Draw again and again", anchor=False)
said = llm.next_token(START)
favourite = next(iter(said))
replies, answer, shares = guesses(favourite, said[favourite], ASKED)
guess = pick_first(
    f"Uncut, at temperature 1, `{favourite}` has {said[favourite]:.1%} after "
    f"`{START}`. In {ASKED:,} draws, how often does it come?",
    replies, answer, key="sampling_guess",
)
shown = guessed(guess, "sampling_guess")
if shown and not st.session_state.get("draws_asked"):
    st.session_state["draws_asked"] = True
    draws.go_to(max(draws.value(), ASKED))
with draw_place:
    draws.button("Draw once", add=1, type="primary")
    draws.button("Draw ten", add=10)
    draws.button("Draw a thousand", add=1000)
    draws.button("Start again", to=1)
    seed = seed_input("sampling_seed")
numbers = random_numbers(seed, draws.keep())
u = float(numbers[-1])
taken = vocabulary[draw(after_p, u)]
with picture:
    chart = choice(vocabulary, logits, truth, truth_at(truth, settings.temperature),
                   rows, u, settings, (softened, after_k, after_p), taken)
    show_with_sliders(chart, "sampling", "choice", SETTINGS, at, (tokens, u))
drawn_now.markdown(draws_in_words(len(numbers), seed, u, taken))
announce(f"{taken} drawn")
if shown:
    drawn = counts(after_p, numbers)
    if tokens != START.split() or settings != Sampling():
        st.caption("These draws follow the start and the settings chosen above.")
    asked_here = guess and tokens == START.split() and settings == Sampling()
    show(
        counts_chart(vocabulary, after_p, drawn, rows,
                     (favourite, *shares[guess]) if asked_here else None),
        "draws",
    )
    st.caption(counts_in_words(counts_data(vocabulary, after_p, drawn, rows)))

st.markdown("""
**What to notice**

- The network never chooses. It ends with a share for every word; the rest is a random
  number.
- Below temperature 1 the likely words gain, above 1 the unlikely ones. The ranking of
  the words never changes. The truth is shown at the same temperature, to be fair.
- A word that is cut cannot come, however often you draw. A low temperature makes
  unlikely words rare.
""")

if section := go_deeper("always the likeliest, or drawn?", "greedy"):
    with section:
        likeliest_or_drawn(tokens, seed, settings)
if section := go_deeper("what temperature does to truth", "sweep"):
    with section:
        temperature_and_truth()
if section := go_deeper("cutting nothing, everything, or one", "cuts"):
    with section:
        what_cuts_leave(vocabulary, softened)

check_yourself(
    "With top-k at 1, what does the temperature change?",
    {
        "It makes the text more varied.": "Only one word is left to draw from, at any "
        "temperature.",
        "Nothing: the likeliest word is always taken.": "Temperature never changes the "
        "order of the words: the likeliest stays the likeliest, and it alone is kept.",
        "It decides which word is the likeliest.": "Dividing all logits by the same "
        "number leaves their order as it is.",
    },
    answer="Nothing: the likeliest word is always taken.",
    key="sampling_check",
)
work_it_out("reach", tokens)
