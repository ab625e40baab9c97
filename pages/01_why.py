"""Why: why was a new design needed?"""

import streamlit as st

from llm.models.parameters import count_parameters, total
from llm.models.shipped import load_record
from llm.studies.memory import (
    COLOURS,
    OTHER_FACTS,
    story_to_remember,
    work_of_attention,
    work_of_recurrence,
)
from pages.ui.chart import show
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import lstm_twin, tiny_llm, world
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.words import percent
from pages.why.charts import two_ways
from pages.why.measures import reading, sure_by_colour
from pages.why.sections import (
    how_long_it_takes,
    longer_rows,
    memory_of_an_lstm,
    skills_by_distance,
    the_price,
)
from pages.why.words import (
    faded,
    fetched_in_words,
    how_it_fades,
    needed_in_words,
    replies,
    stories_in_words,
)

lesson(__file__)

LENGTH = 30  # words of the sentence that is talked about
SHOWN = COLOURS[0]

llm, lstm = tiny_llm(), lstm_twin()
st.markdown("""
A **recurrent network** reads a text one word after the other. After each word it hands
on a **state**, a row of numbers: all that it remembers. **Attention** carries no state.
Each word looks straight at the other words. Here a recurrent network, an LSTM,
and a Transformer, the tiny LLM, are asked for the colour of Mia's kite.
""")
picture = st.container()
shares = sure_by_colour()
guess = pick_first(
    f"Now another fact comes in between: `{OTHER_FACTS[0]}` How sure is the LSTM then "
    f"of the kite's colour, on average over {len(shares)} colours?",
    replies(shares), answer=faded(shares), key="why_guess",
)
others = 0
if guessed(guess, "why_guess"):
    others = st.slider(
        "Other facts between the colour and the question", 0, len(OTHER_FACTS), 1,
        key="others", bind="query-params",
    )
story = story_to_remember(SHOWN, others)
now = reading(others)
with picture:
    show(two_ways(story, now.path, now.sure_along), "two_ways")
    with st.grid(3, min_column_width=200):
        for name, share in now.sure[-1].items():
            st.metric(f"{SHOWN}: {name}", percent(share), border=True)
        truth = world().next_word_probabilities(story)[SHOWN]
        st.metric(f"{SHOWN}: exact truth", percent(truth), border=True)
if others:
    st.markdown(how_it_fades(now.sure, now.instead, SHOWN, now.rivals))
glossary("recurrent network", "state", "LSTM", "attention", "attention head", "token")

st.header("Carry, or fetch", anchor=False)
stories_read = [
    found["stories"]
    for found in (load_record("lstm"), load_record("tiny_llm")["training"])
]
parameters = {
    "LSTM": sum(array.size for array in vars(lstm).values()),
    "tiny LLM": total(count_parameters(llm.config)),
}
recurrence, attention = work_of_recurrence(LENGTH), work_of_attention(LENGTH)
st.markdown(f"""
The LSTM must **carry** the colour through every word in between, in one state that it
shares with all other facts. It has to choose what to keep before it knows what will be
asked. The tiny LLM leaves the colour where it stands and **fetches** it when the
question comes. {fetched_in_words(story, now.path)}
{needed_in_words(story, now.needed, SHOWN)}

Both are much the same size ({parameters["LSTM"]:,} and {parameters["tiny LLM"]:,}
parameters) and {stories_in_words(*stories_read)} This is one training of each,
and the two also differ in their learning rate and in how much some words counted. So
chance and these choices may play a part.

In a sentence of {LENGTH} words, the information in word 1 is passed along
{recurrence["path"]} times in a recurrent network before word {LENGTH} has it. With
attention {attention["path"]} look joins any two words, however far apart. A question
may need several looks, one after the other.
""")

st.header("All words at once", anchor=False)
st.markdown(f"""
A recurrent network must wait: it cannot read word {LENGTH} before word {LENGTH - 1}.
With attention no word waits for another, so the whole text is read **in parallel**.
That suits **GPUs**, chips that do thousands of multiplications at the same time, and it
made it possible to train networks with billions of parameters. It holds for reading and
for training. *Writing* still goes one word after the other, because each word depends
on the one that was written before it.

Attention itself came in 2014, as an addition to recurrent networks. In 2017 a team at
Google dropped the recurrence altogether, in a paper called “Attention Is All You Need”,
and named the new design the **Transformer**.

Nothing is free. A recurrent network takes one step per word. Attention compares each
word with each word. For {LENGTH} words:
""")
st.latex(
    rf"\begin{{aligned}}\text{{steps: }} n &= {recurrence['pairs']} \\"
    rf"\text{{pairs: }} n^2 &= {LENGTH}^2 = {attention['pairs']}\end{{aligned}}"
)
st.markdown("""
A step is more work than a pair: it multiplies by a whole matrix. So attention pays its
price in long texts, where the pairs are many.
""")
glossary("GPU", "Transformer")

st.markdown(f"""
**What to notice**

- From word 1 to word {LENGTH}: {recurrence["path"]} hand-overs against
  {attention["path"]} look.
- Waiting: {LENGTH} steps, one per word, against {attention["steps"]} per layer.
- The price: twice the words make twice the steps, but four times the pairs.
""")

deeper_sections((
    ("what is hard: distance, or other facts?", "why_skills", skills_by_distance),
    ("longer and longer rows, trained several times", "why_lengths", longer_rows),
    ("where the memory of an LSTM goes", "why_gates", memory_of_an_lstm),
    ("the price, word by word", "why_price", the_price),
    ("how long it takes on this computer", "why_time", how_long_it_takes),
), story)

MORE = 10
ALL_PAIRS = f"The path stays 1, and there are {MORE**2} times as many pairs."
check_yourself(
    "A text becomes ten times as long. What happens with attention?",
    {
        "The path becomes ten times as long.": "That is what happens in a recurrent "
        "network. With attention one look joins any two words.",
        f"The path stays 1, and there are {MORE} times as many pairs.": "Each of ten "
        "times as many words looks at ten times as many words.",
        ALL_PAIRS: "Each word still looks straight at each other word, and "
        f"{MORE} × {MORE} = {MORE**2}.",
        "Nothing changes.": "The path stays 1, but all the pairs must be compared.",
    },
    answer=ALL_PAIRS,
    key="why_check",
)
work_it_out("steps_between", story[1:])
