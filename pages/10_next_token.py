"""Next token: what comes next, and how sure is it?"""

import streamlit as st

from llm.glassbox.sampling import draw, top_k, top_p
from llm.glassbox.softmax import softmax, softmax_with_temperature
from pages.next_token.charts import draws, softmax_table
from pages.next_token.words import expected_in_words, quiz, written_aloud
from pages.next_token.writing import (
    back_to,
    keep_writing,
    num_written,
    start_again,
    writing_buttons,
)
from pages.ui.announce import announce
from pages.ui.chart import offer_table, sentence, show
from pages.ui.chart_sliders import Slider, show_with_sliders, slider_values
from pages.ui.charts.bars import live_next_words, next_words, rows_of
from pages.ui.controls import (
    engine_input,
    seed_input,
    sentence_input,
    top_k_input,
    top_p_input,
    truth_at,
    word_buttons,
    world_says,
    write_into,
)
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.latex import softmax_by_hand
from pages.ui.models import tiny_llm, world
from pages.ui.predict_first import check_yourself, score_card, spread_first
from pages.ui.source import show_source

lesson(__file__)

GUESSED = "the bird sang on the"
CAT = "the cat sat on the"
BASELESS = "mia has a blue kite . mia 's kite is blue . mia 's drum is"

st.markdown("""
A language model never says a word straight away. It first gives **every** word it knows
a probability of coming next. Then one word is drawn at random and written down, and it
all starts over with a text one word longer. That loop is all there is to writing. Every
text begins with the token `<start>`, and `<end>` closes a story.
""")
llm = tiny_llm()
tokens = sentence_input(CAT, on_change=start_again)
chips = st.container()
picture = st.container()  # filled below, once all settings are known

glossary("language model", "probability", "logit", "softmax", "temperature", "seed",
         "surprise", "nat")

# These two run while closed too, because what they hold counts for the picture.
with go_deeper("other ways to choose a word", "choosing"):
    st.markdown("""
    First comes the temperature. **Top-k** then keeps the k likeliest words, **top-p**
    the likeliest that together reach p. What remains is rescaled to 100%, and one word
    is drawn.
    """)
    k, p, seed = top_k_input(), top_p_input(), seed_input()
    go_on = st.toggle(
        "Keep writing after the end of a story", key="go_on", bind="query-params"
    )
with go_deeper("the same weights in Keras", "engines"):
    st.markdown("""
    The model was trained with Keras. What runs here is the *glass box*: the same
    weights in a few lines of NumPy that you can read. Switch, and compare all logits.
    """)
    engine = engine_input()
    engines = st.container()

at = slider_values("bars", "temperature", [Slider("T", "temperature", 1.0, 0.1, 2.0)])
temperature = at["T"]
number = num_written()
sampling = {"temperature": temperature, "top_k": k, "top_p": p}
steps = llm.steps(tokens, max(number, 1), seed, not go_on, engine, **sampling)
steps = list(steps)[:number]
written = [step.token for step in steps]
ended = written[-1:] == ["<end>"] and not go_on
seen = tokens + (written[:-1] if ended else written)
vocabulary, logits = llm.tokenizer.vocabulary, llm.next_logits(seen, engine)

with chips:
    word_buttons(seen, on_change=start_again)
with picture:
    sentence(tokens, written, blank=not ended)
    truth = world_says(seen, on_back=back_to(tokens))
    now = llm.next_token(seen, **sampling)
    bars = live_next_words(
        vocabulary, logits, truth, now, truth_at(truth, temperature),
        rows_of(llm.next_token(seen), truth), k, p,
        said=expected_in_words(seen, temperature, bool(truth)),
    )
    show_with_sliders(bars, "next_token", "bars", "temperature", at,
                      (tokens, number, k, p, seed, bool(truth)))
    running = writing_buttons(len(steps), ended)
    announce(written_aloud(steps))
    if ended:
        st.caption("The story has ended. The bars show how its end was chosen.")
    if steps:
        mean_surprise = sum(step.surprise for step in steps) / len(steps)
        st.markdown(f"""
        Each word was **drawn**: a random number fell on its stretch. Mean surprise of
        the {"words" if len(steps) > 1 else "word"}: {mean_surprise:.2f} nats.
        """)
        show(draws(steps, vocabulary, tokens, world().next_word_probabilities), "draws")

if engine == "keras":
    ids = llm.window(seen).token_ids
    apart = abs(llm.logits(ids) - llm.logits(ids, "keras")).max()
    engines.metric(
        f"Largest difference between all {len(ids)} × {len(vocabulary)} logits",
        f"{apart:.1e}",
    )

st.header("Now you", anchor=False)
st.markdown("How does this go on? Share out 100% among the words.")
sentence(GUESSED.split())
spread = spread_first(["roof", "fence", "branch", "chair"], key="guess")
if spread:
    answer = world().next_word_probabilities(GUESSED.split())
    said = llm.next_token(GUESSED)
    show(next_words(said, answer, guess=spread, words=5,
                    said=f"After '{GUESSED}' the tiny LLM expects"), "guess")
    score_card(spread, said, answer)

st.header("From numbers to probabilities", anchor=False)
st.markdown("""
At the end the **output layer** (the *unembedding*) multiplies the vector of the last
word by a column of weights for each token: one dot product, one raw number, its
**logit** z. **Softmax** turns logits into probabilities: take the exponential of each,
then divide by their sum. The largest logit is subtracted first, which changes no share.
With the numbers of the first picture:
""")
st.latex(softmax_by_hand(vocabulary, logits, temperature))
by_hand = softmax_table(vocabulary, logits, temperature, rows_of(now, truth))
offer_table(by_hand, "softmax", "Every step from logit to probability")
show_source(softmax)

st.markdown("""
**What to notice**

- No table of counts is stored anywhere. The bars are computed from weights, so the
  model can also continue texts that it has never read.
- Below temperature 1 the likely words gain, above 1 the unlikely ones. The ranking of
  the words never changes.
- The same seed draws the same numbers. At another temperature they may fall on other
  words.
- Surprise, −ln of the probability, adds up over a text. Training made it small.
""")

if section := go_deeper("the code that draws a word", "drawing"):
    with section:
        st.markdown("In this order, from the logits to one token:")
        show_source(softmax_with_temperature, top_k, top_p, draw)

if section := go_deeper("when it makes things up", "made_up"):
    with section:
        st.markdown("""
        Nothing forces a model to know that it does not know. Mia has a kite and no
        drum, and the toy world would never ask about a drum. The model answers all the
        same: a **hallucination**.
        """)
        sentence(BASELESS.split())
        baseless = llm.next_token(BASELESS)
        show(next_words(baseless, words=4,
                        said=f"After '{BASELESS}' the tiny LLM expects"), "baseless")
        st.button(
            "Put this start into the box",
            on_click=write_into,
            args=("start", BASELESS.split(), start_again),
        )

question, options, answer = quiz(llm.next_token(CAT),
                                 world().next_word_probabilities(CAT.split()))
check_yourself(question, options, answer, key="next_token_check")
work_it_out("odds", tokens)
keep_writing(running)
