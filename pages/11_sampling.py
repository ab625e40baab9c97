"""Sampling: how does it choose a word?"""

from functools import partial

import numpy as np
import streamlit as st

from llm.glassbox.sampling import cut, draw, greedy, top_k, top_p, with_temperature
from llm.studies.sampling import counts, deviation, judge, write_story
from pages.sampling.charts import (
    ALL,
    SETTINGS,
    choice_alt,
    choice_chart,
    choice_data,
    choice_table,
)
from pages.sampling.counts import (
    count_bars,
    counts_alt,
    counts_data,
    counts_in_words,
    counts_table,
)
from pages.sampling.number_of_draws import draw_buttons, num_draws, number_input
from pages.sampling.verdicts import (
    cuts_table,
    stories_in_words,
    stories_list,
    sweep_data,
    sweep_in_words,
    sweep_table,
)
from pages.ui.chart import in_words, numbers, sentence, show, while_unchanged
from pages.ui.chart_sliders import Slider, slider_values, standing_at
from pages.ui.charts.bars import rows_of
from pages.ui.charts.curves import curves_alt, curves_data, line_curves
from pages.ui.charts.softmax import latex_word, softmax_by_hand
from pages.ui.charts.words import percent
from pages.ui.colours import KEYS, MODEL
from pages.ui.controls import (
    record,
    seed_input,
    sentence_input,
    tiny_llm,
    truth_at,
    word_buttons,
    world,
    world_says,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.ui.words import plain

lesson(__file__)

GUESSED = "the cat sat on the"
SLIDERS = [
    Slider("T", "T", default=1.0, lowest=0.1, highest=2.0),
    Slider("k", "k", default=ALL, lowest=1, highest=ALL),
    Slider("p", "p", default=1.0, lowest=0.05, highest=1.0),
]
FIVE = range(5)

st.markdown("""
The network ends with a number for every word. But a text needs **one** word. Choosing
it is called **sampling**, and it is not done by the network at all: it is a short piece
of arithmetic, and a random number.
""")
glossary("logit", "softmax", "temperature", "top-k", "top-p", "seed")

st.header("Your guess first", anchor=False)
sentence(GUESSED.split())
llm = tiny_llm()
vocabulary = llm.tokenizer.vocabulary
said = llm.next_token(GUESSED)
favourite = next(iter(said))
likely = said[favourite]
guess = pick_first(
    f"The tiny LLM gives `{favourite}` {percent(likely)}. It draws a word for this "
    f"blank 1,000 times. How often does `{favourite}` come?",
    [
        "1,000 times: it is the likeliest",
        f"exactly {1000 * likely:.0f} times",
        f"about {1000 * likely:.0f} times, more or less",
        "nobody can say anything about that",
    ],
    key="sampling_guess",
)
if guess:
    drawn = draw(
        llm.probabilities(GUESSED), np.random.default_rng(1).random(1000)
    )
    came = int((drawn == llm.tokenizer.ids[favourite]).sum())
    spread = deviation(likely, 1000)
    st.markdown(
        f"It was drawn just now, 1,000 times: `{favourite}` came **{came:,} times**. "
        f"Expected are {1000 * likely:.1f}, and chance moves the count by about "
        rf"$\sqrt{{1000 \cdot {likely:.3f} \cdot {1 - likely:.3f}}} = {spread:.1f}$ "
        "either way. So: about, more or less, and we can even say how much."
    )

st.header("From logits to one word", anchor=False)
st.markdown("""
Read each row from left to right. The **logit** is divided by the **temperature** T.
**Softmax** makes shares of all words. **Top-k** keeps the k likeliest, **top-p** the
likeliest that together reach p; after each cut the rest is shared out anew. Then a
number between 0 and 1 is drawn: the red line. **Drag the sliders.**
""")
tokens = sentence_input(GUESSED, key="sampling_start")
word_buttons(tokens, key="sampling_start")
picture = st.container()  # filled below, once the draws are known

at = slider_values("choice", SETTINGS, SLIDERS)
temperature, p = at["T"], at["p"] if at["p"] < 1 else None
k = int(at["k"]) if at["k"] < ALL else None

st.header("Draw again and again", anchor=False)
draw_buttons()
with st.grid(2, min_column_width=200):
    number_input()
    seed = seed_input("sampling_seed")
numbers_drawn = np.random.default_rng(seed).random(num_draws())
number, u = len(numbers_drawn), float(numbers_drawn[-1])

logits = llm.next_logits(tokens)
softened = with_temperature(logits, temperature)
after_k = top_k(softened, k) if k else softened
after_p = top_p(after_k, p) if p else after_k
taken = vocabulary[draw(after_p, u)]

with picture:
    truth = world_says(tokens, key="sampling_start")
    rows = rows_of(llm.next_token(tokens), truth)
    in_all_words = choice_alt(vocabulary, after_p, (temperature, k, p), u, taken)
    # While only the sliders move, the chart must be given the same again.
    start_at, alt = while_unchanged("choice", (tokens, u), (at, in_all_words))
    show(
        standing_at(choice_chart(bool(truth)), SETTINGS, start_at),
        choice_data(vocabulary, logits, truth, rows, u),
        alt,
        key="choice",
        on_select="rerun",
    )
    in_words(in_all_words, "choice")
    numbers(
        partial(
            choice_table, vocabulary, logits, temperature,
            (softened, after_k, after_p), truth_at(truth, temperature), rows,
        ),
        "sampling",
        "Every step from logit to share, as a table",
    )
    st.markdown("Softmax with these numbers in it, for the likeliest word:")
    st.latex(softmax_by_hand(vocabulary, logits, temperature))
    if k or p:
        best, kept = int(after_p.argmax()), float(softened[after_p > 0].sum())
        name = rf"\text{{{latex_word(vocabulary[best])}}}"
        st.markdown(
            f"After the cuts, {percent(kept)} of everything is left. Each share is "
            "divided by that, so that together they are 1 again:"
        )
        st.latex(rf"{name}: \frac{{{softened[best]:.3f}}}{{{kept:.3f}}}"
                 rf" = {after_p[best]:.3f}")

times = "one draw" if number == 1 else f"{number:,} draws"
st.markdown(
    f"**{times[0].upper() + times[1:]}**, all from seed {seed}. The last number was "
    f"{u:.4f} and fell on {plain(taken)}."
)
drawn = counts(after_p, numbers_drawn)
counted = counts_data(vocabulary, after_p, drawn, rows)
show(count_bars(), counted, counts_alt(counted))
st.caption(counts_in_words(counted))
numbers(
    partial(counts_table, counted), "draws",
    "Counts, expected and deviation, as a table",
)
show_source(draw)

st.markdown("""
**What to notice**

- The network never chooses. Its last word is a list of shares; the rest is a number
  drawn by chance.
- Below temperature 1 the likely words gain, above 1 the unlikely ones. The order of the
  words never changes, and the truth is shown at the same temperature, to be fair.
- Cut words are gone for good: however often you draw, they cannot come. A temperature
  only makes them rare.
- Few draws say little. With a thousand, the counts come close to the shares, and how
  close is no secret either.
""")

if section := go_deeper("always the likeliest, or by chance?", "greedy"):
    with section:
        st.markdown("""
        Always taking the likeliest word is called **greedy**. Five stories each way, on
        from the start above: greedy on one side, the sliders as they stand on the
        other. The toy world reads every word and says whether it could have written it.
        """)
        boldest = [
            judge(world(), write_story(llm, tokens, seed + n, temperature=0))
            for n in FIVE
        ]
        sampled = [
            judge(world(), write_story(
                llm, tokens, seed + n, temperature=temperature, top_k=k, top_p=p))
            for n in FIVE
        ]
        for name, verdicts in (("Greedy", boldest), ("Sampled", sampled)):
            st.markdown(stories_in_words(name, verdicts))
            st.markdown(stories_list(verdicts, len(tokens)))
        st.caption(
            "Greedy writing has no chance in it, so five times it is the same. And it "
            "is no better judge: the likeliest next word need not begin the likeliest "
            "story."
        )
        show_source(greedy, judge)

if section := go_deeper("what temperature does to truth", "sweep"):
    with section:
        found = record("sweep")
        st.markdown(f"""
        At each of these temperatures the tiny LLM wrote {found["stories"]:,} stories
        from nothing, without any cut. The world judged every one: could it have written
        it, from the first word to the last?
        """)
        curve = curves_data(*sweep_data(found))
        show(
            line_curves(
                (("possible", MODEL), ("different", KEYS)), "temperature",
                "share of stories", y_domain=(0, 1), y_format="%",
            ),
            curve,
            curves_alt(curve, "Share of stories by temperature"),
        )
        st.markdown(sweep_in_words(found))
        numbers(sweep_table(found), "sweep")

if section := go_deeper("cutting nothing, everything, or one", "cuts"):
    with section:
        st.markdown("""
        What the two cuts leave of the words above, at the temperature of the slider.
        Can everything be cut away? No: the likeliest word always stays, because the
        word that *reaches* p is kept too.
        """)
        settings = [(None, None), (None, 1.0), (None, 0.9), (None, 0.05), (1, None),
                    (3, None), (3, 0.9), (len(vocabulary), None)]
        left = [cut(softened, *setting) for setting in settings]
        st.dataframe(
            cuts_table(vocabulary, softened, settings, left), hide_index=True,
            alt="What several settings of top-k and top-p leave over.",
        )
        show_source(cut, top_k, top_p)

if section := go_deeper("the code of every step", "sampling_code"):
    with section:
        st.markdown("In this order, from the logits to one word:")
        show_source(with_temperature, top_k, top_p, draw)

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
