"""Next token: what comes next, and how sure is it?"""

import streamlit as st

from llm.glassbox.sampling import draw, top_k, top_p
from llm.glassbox.softmax import softmax, softmax_with_temperature
from pages.ui.charts.bars import (
    at_temperature,
    bars_alt,
    bars_data,
    probability_bars,
    rows_of,
    temperature_bars,
    temperature_data,
)
from pages.ui.charts.draws import draw_lines, draws_alt, draws_data, draws_table
from pages.ui.charts.softmax import softmax_by_hand, softmax_table
from pages.ui.controls import (
    chart_temperature,
    seed_input,
    sentence_input,
    tiny_llm,
    top_k_input,
    top_p_input,
    truth_at,
    word_buttons,
    world,
    world_says,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, score_card, spread_first
from pages.ui.show import in_words, numbers, show, while_unchanged
from pages.ui.source import show_source
from pages.ui.writing import (
    back_to,
    keep_writing,
    num_written,
    start_again,
    story,
    writing_buttons,
)

lesson(__file__)

st.markdown("""
A language model never says a word straight away. It first gives **every** word that it
knows a probability to come next. Then one word is drawn by chance and written down, and
the same begins again, one word longer. That loop is all there is to writing.
""")
glossary("language model", "token", "probability", "logit", "softmax", "temperature")

st.subheader("Your guess first", anchor=False)
GUESSED = "the bird sang on the"
spread = spread_first(
    f"> {GUESSED} ___\n\nSpread 100 % over what you expect next.",
    ["roof", "fence", "branch", "chair"],
    key="guess",
)

llm = tiny_llm()
if spread:
    answer, said = world().next_word_probabilities(GUESSED.split()), llm.next_token(GUESSED)
    guessed = bars_data(said, answer, rows_of(said, answer, 5))
    show(probability_bars(), guessed, bars_alt(guessed, GUESSED))
    score_card(spread, said, answer)

st.subheader("Now watch it think", anchor=False)
tokens = sentence_input("the cat sat on the", on_change=start_again)
word_buttons(tokens, on_change=start_again)
picture = st.container()  # filled below, once the settings are known

with go_deeper("other ways to choose a word", "choosing"):
    st.markdown("""
    First comes the temperature. **Top-k** then keeps the k likeliest words, **top-p** the
    likeliest that together reach p. What is left is shared out anew, and one is drawn.
    """)
    k, p, seed = top_k_input(), top_p_input(), seed_input()
    go_on = st.toggle("Write on after `<end>`", key="go_on", bind="query-params")

temperature = chart_temperature()
number = num_written()
steps = [] if number == 0 else list(
    llm.steps(tokens, number, temperature, k, p, seed, stop_at_end=not go_on)
)
written = [step.token for step in steps]
ended = written[-1:] == ["<end>"] and not go_on
seen = tokens + (written[:-1] if ended else written)

with picture:
    story(tokens, written)
    truth = world_says(seen, on_back=back_to(tokens))
    logits = llm.next_logits(seen)
    plain_bars = llm.next_token(seen)
    rows = rows_of(plain_bars, truth)
    now = bars_data(
        llm.next_token(seen, temperature, k, p), truth_at(truth, temperature), rows
    )
    said = bars_alt(now, " ".join(seen) or "<start>", temperature)
    held_at, held_alt = while_unchanged("bars", (seen, k, p), (temperature, said))
    show(
        at_temperature(temperature_bars(bool(truth)), held_at),
        temperature_data(llm.tokenizer.vocabulary, logits, truth, rows, k, p),
        held_alt,
        key="bars",
        on_select="rerun",
    )
    in_words(said, "bars")
    running = writing_buttons(len(steps), ended)
    if steps:
        show(draw_lines(), draws_data(steps, llm.tokenizer.vocabulary), draws_alt(steps))
        numbers(draws_table(steps, tokens, world().next_word_probabilities), "draws")
    numbers(now[["word", "model", "truth"]], "next_token")

st.subheader("From numbers to probabilities", anchor=False)
st.markdown("""
The network itself gives each word a raw number, its **logit** z. **Softmax** makes
probabilities of them: take the exponential of each, then divide by their sum. The largest
logit is taken off first; that changes no share.
""")
st.latex(softmax_by_hand(llm.tokenizer.vocabulary, logits, temperature))
table = softmax_table(llm.tokenizer.vocabulary, logits, temperature, rows[:5])
st.dataframe(table, hide_index=True)
with st.container():
    show_source(softmax)

st.markdown("""
**What to notice**

- The bars are no opinion about the world; they are what is left of thousands of stories.
- Below temperature 1 the likely words gain, above 1 the unlikely ones. The order never
  changes.
- The same seed draws the same numbers. At another temperature they fall on other words.
""")

if section := go_deeper("how a word is drawn", "drawing"):
    with section:
        show_source(softmax_with_temperature, top_k, top_p, draw)

check_yourself(
    "`mat` has 41 %, `roof` has 4 %, and the model wrote `roof`. What happened?",
    {
        "The model made a mistake.": "It gave `roof` 4 %, and of 100 draws about 4 fall "
        "there. A model that never wrote it would be wrong.",
        "The number that was drawn fell on the stretch of `roof`.": "Words are drawn, "
        "not picked: each as often as its probability says.",
        "The temperature was too low.": "A lower temperature makes `roof` rarer still.",
    },
    answer="The number that was drawn fell on the stretch of `roof`.",
    key="next_token_check",
)
keep_writing(running)
