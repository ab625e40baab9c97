"""Your text: can it learn from your own text?"""

import streamlit as st

from llm.models.pairs import pair_probabilities
from llm.own_text.measures import pairs_of, validation_loss
from llm.own_text.own_model import OwnModel, write_by_pairs
from llm.own_text.text import own_text, windows
from llm.own_text.training import compiled
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.live_training import (
    current_run,
    is_on,
    keep_training,
    room,
    training_buttons,
)
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.your_text.model import (
    against_pairs,
    ask,
    by_heart_or_made_up,
    model_input,
    take_home,
    what_happened,
    where_it_is_from,
    where_it_looks,
)
from pages.your_text.text import (
    KEY,
    Live,
    about,
    as_written,
    new_run,
    plan_input,
    studied_or_none,
    text_input,
)

lesson(__file__)

st.markdown("""
All that a language model knows, it knows from its text. Here you choose the text. A
small Transformer with the same parts as the tiny LLM learns from it while you watch, in
about a minute. Afterwards it is yours: ask it, look into it, take it home.
""")
glossary("language model", "token", "loss", "overfitting", "bigram", "temperature")

st.header("The text", anchor=False)
words = text_input()
unit = st.segmented_control(
    "What is one token?", ["characters", "words"], default="characters", required=True,
    key="own_unit", bind="query-params",
) or "characters"
found = studied_or_none(words, unit)
if found:
    text, by_pairs, natural_copy = found
    about(text)
    st.markdown(
        "The simplest language model only counts which token follows which. From your "
        "text it writes:"
    )
    with st.container(border=True):
        pairs = pairs_of(text)
        as_written(text.decode(write_by_pairs(pairs, int(text.kept[0]), 120, seed=1)))

st.header("Your guess first", anchor=False)
guess = pick_first(
    "The model sees the same text again and again, and its loss on that text falls and "
    "falls. And its loss on the kept-back end?",
    ["It falls just as far", "It falls, then it rises again", "It stays where it was"],
    key="own_guess",
)
st.caption(
    "Now train, and watch the blue line." if guess
    else "Then train, and see whether you were right."
)

st.header("Train it", anchor=False)
with go_deeper("the size of the model", "own_sizes"):
    st.markdown("""
    What you choose here counts for the next training. A training ends by itself after
    two minutes at the latest, because others may be waiting.
    """)
    plan = plan_input()
training_buttons(KEY, "Train on this text", new_run, found and found[0], plan,
                 disabled=not found)
run = current_run(KEY)
place, live = st.container(), Live()
if run is None:
    place.caption(
        "The first training loads TensorFlow and takes some seconds longer. Closing "
        "the tab or leaving the lesson stops a training."
    )
elif run.curve:
    live.draw(run)

trained = run is not None and run.last is not None and not is_on(KEY)
with room(trained):
    if trained:
        what_happened(run, guess)
        st.header("Your own model", anchor=False)
        model = model_input(run)
        start, written = ask(model)
        by_heart_or_made_up(model.text, written)
        st.header("Against counting pairs", anchor=False)
        against_pairs(run, start)
        st.header("Take it home", anchor=False)
        take_home(run)
        where_it_looks(model, start)
        where_it_is_from(model.text, written)

st.markdown("""
**What to notice**

- First it finds which tokens are common, then which follow which, then whole words, and
  at last whole sentences: by heart.
- A large language model has more text than it can learn by heart. So it must find what
  many texts have in common. Here it is the other way round.
- What is not in the text cannot be learned from it. Ask your model about anything else.
""")
lesson_link("training", "How the tiny LLM learned without learning by heart")

if section := go_deeper("the code of the training", "own_code"):
    with section:
        st.markdown("""
        How the text is cut, the batches, the set-up, the loss on what is kept back, and
        the counting. The network itself is `build_model` of
        `llm/training/model.py`, the same as the tiny LLM's.
        """)
        show_source(own_text, windows, compiled, validation_loss, pair_probabilities,
                    OwnModel.write)

check_yourself(
    "Suppose the loss on the text is 0.2 at the end, and 3.4 on the kept-back end, "
    "where it once was 2.3. Which model would you let write about something new?",
    {
        "The last one: 0.2 is far better than anything before.": "0.2 is what it "
        "scores on sentences that it knows by heart. On others it is worse now.",
        "The one from where the kept-back loss was lowest.": "That loss says how good "
        "it is on text that it has never seen, and this is what you want from it.",
        "The first one, it has no prejudices.": "It has no knowledge either: it gives "
        "every token about the same probability.",
    },
    answer="The one from where the kept-back loss was lowest.",
    key="own_check",
)
keep_training(KEY, place, live.draw)
