"""Next token: what comes next, and how sure is it?"""

import streamlit as st

from llm.glassbox.sampling import draw, top_k, top_p
from llm.glassbox.softmax import softmax, softmax_with_temperature
from pages.next_token.charts import draw_lines, draws_alt, draws_data, draws_table
from pages.next_token.writing import (
    back_to,
    keep_writing,
    num_written,
    start_again,
    writing_buttons,
)
from pages.ui.chart import in_words, numbers, sentence, show, while_unchanged
from pages.ui.charts.bars import (
    at_temperature,
    bars_alt,
    bars_data,
    bars_table,
    probability_bars,
    rows_of,
    temperature_bars,
    temperature_data,
)
from pages.ui.charts.softmax import softmax_by_hand, softmax_table
from pages.ui.controls import (
    chart_temperature,
    engine_input,
    seed_input,
    sentence_input,
    tiny_llm,
    top_k_input,
    top_p_input,
    truth_at,
    word_buttons,
    world,
    world_says,
    write_into,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, score_card, spread_first
from pages.ui.source import show_source

lesson(__file__)

GUESSED = "the bird sang on the"
BASELESS = "mia has a blue kite . mia 's kite is blue . mia 's drum is"

st.markdown("""
A language model never says a word straight away. It first gives **every** word that it
knows a probability to come next. Then one word is drawn by chance and written down, and
the same begins again, one word longer. That loop is all there is to writing.
""")
glossary("language model", "token", "probability", "logit", "softmax", "temperature")

st.header("Your guess first", anchor=False)
st.markdown("How does it go on? Spread 100% over the words.")
sentence(GUESSED.split())
spread = spread_first(["roof", "fence", "branch", "chair"], key="guess")
llm = tiny_llm()
if spread:
    answer = world().next_word_probabilities(GUESSED.split())
    said = llm.next_token(GUESSED)
    guessed = bars_data(said, answer, rows_of(said, answer, words=5))
    show(probability_bars(), guessed, bars_alt(guessed, GUESSED))
    score_card(spread, said, answer)

st.header("Now watch it think", anchor=False)
tokens = sentence_input("the cat sat on the", on_change=start_again)
word_buttons(tokens, on_change=start_again)
picture = st.container()  # filled below, once all settings are known

# These two run while closed too, because what they hold counts for the picture.
with go_deeper("other ways to choose a word", "choosing"):
    st.markdown("""
    First comes the temperature. **Top-k** then keeps the k likeliest words, **top-p**
    the likeliest that together reach p. What is left is shared out anew, and one is
    drawn.
    """)
    k, p, seed = top_k_input(), top_p_input(), seed_input()
    go_on = st.toggle(
        "Write on after the end of a story", key="go_on", bind="query-params"
    )
with go_deeper("the same weights in Keras", "engines"):
    st.markdown("""
    The model was trained with Keras. What runs here is the *glass box*: the same
    weights in a few lines of NumPy that you can read. Switch, and compare all logits.
    """)
    engine = engine_input()
    engines = st.container()

temperature = chart_temperature()
number = num_written()
sampling = {"temperature": temperature, "top_k": k, "top_p": p}
steps = llm.steps(tokens, max(number, 1), seed, not go_on, engine, **sampling)
steps = list(steps)[:number]
written = [step.token for step in steps]
ended = written[-1:] == ["<end>"] and not go_on
seen = tokens + (written[:-1] if ended else written)
vocabulary, logits = llm.tokenizer.vocabulary, llm.next_logits(seen, engine)

with picture:
    sentence(tokens, written, blank=not ended)
    truth = world_says(seen, on_back=back_to(tokens))
    rows = rows_of(llm.next_token(seen), truth)
    bars = bars_data(
        llm.next_token(seen, **sampling), truth_at(truth, temperature), rows
    )
    in_all_words = bars_alt(bars, " ".join(seen) or "<start>", temperature)
    # While only the slider in the chart moves, the chart must be given the same again.
    start_at, alt = while_unchanged(
        "bars", (tokens, number, k, p, seed, bool(truth)), (temperature, in_all_words)
    )
    show(
        at_temperature(temperature_bars(bool(truth)), start_at),
        temperature_data(vocabulary, logits, truth, rows, k, p),
        alt,
        key="bars",
        on_select="rerun",
    )
    in_words(in_all_words, "bars")
    numbers(bars_table(bars), "next_token")
    running = writing_buttons(len(steps), ended)
    if ended:
        st.caption("The story has ended. The bars show how its end was chosen.")
    if steps:
        mean_surprise = sum(step.surprise for step in steps) / len(steps)
        st.markdown(f"""
        Each word was **drawn**: a random number fell on its stretch. Mean surprise of
        the {"words" if len(steps) > 1 else "word"}: {mean_surprise:.2f} nats.
        """)
        show(draw_lines(), draws_data(steps, vocabulary), draws_alt(steps))
        all_draws = draws_table(steps, tokens, world().next_word_probabilities)
        numbers(all_draws, "draws", "Every word with its surprise, as a table")

if engine == "keras":
    ids = llm.window(seen).token_ids
    apart = abs(llm.logits(ids) - llm.logits(ids, "keras")).max()
    engines.metric(
        f"Largest difference between all {len(ids)} × {len(vocabulary)} logits",
        f"{apart:.1e}",
    )

st.header("From numbers to probabilities", anchor=False)
st.markdown("""
The network gives each word a raw number, its **logit** z. **Softmax** makes them into
probabilities: take the exponential of each, then divide by their sum. The largest logit
is taken off first; that changes no share. With the numbers of the picture above:
""")
st.latex(softmax_by_hand(vocabulary, logits, temperature))
by_hand = softmax_table(vocabulary, logits, temperature, rows)
numbers(by_hand, "softmax", "Every step from logit to probability, as a table")
show_source(softmax)

st.markdown("""
**What to notice**

- The bars are counts that became weights: what thousands of stories left behind.
- Below temperature 1 the likely words gain, above 1 the unlikely ones. The order of the
  words never changes.
- The same seed draws the same numbers. At another temperature they fall on other words.
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
        same, in perfect grammar: a **hallucination**.
        """)
        sentence(BASELESS.split())
        baseless = llm.next_token(BASELESS)
        best = bars_data(baseless, None, rows_of(baseless, words=4))
        show(probability_bars(False), best, bars_alt(best, BASELESS))
        st.button(
            "Put this start into the box",
            on_click=write_into,
            args=("start", BASELESS.split(), start_again),
        )

check_yourself(
    "`mat` has 41%, `roof` has 4%, and the model wrote `roof`. What happened?",
    {
        "The model made a mistake.": "Of 100 draws about 4 fall on `roof`, and that is "
        "right: the world itself says `roof` in 4% of these stories.",
        "The number that was drawn fell on the stretch of `roof`.": "Words are drawn, "
        "not picked: each as often as its probability says.",
        "The temperature was too low.": "A lower temperature makes `roof` rarer still.",
        "The seed was wrong.": "No seed is right or wrong. It only fixes which numbers "
        "are drawn, so that you see the same again.",
    },
    answer="The number that was drawn fell on the stretch of `roof`.",
    key="next_token_check",
)
keep_writing(running)
