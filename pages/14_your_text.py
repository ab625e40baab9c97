"""Your text: can it learn from your own text?"""

import streamlit as st

from llm.models.pairs import pair_probabilities
from llm.own_text.measures import validation_loss
from llm.own_text.own_model import OwnModel
from llm.own_text.text import own_text, windows
from llm.own_text.training import compiled
from pages.ui.controls import choose
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.live_training import (
    before_the_first,
    current_run,
    is_on,
    keep_training,
    room,
    training_buttons,
)
from pages.ui.predict_first import check_yourself, pick_first, verdict
from pages.ui.source import show_source
from pages.ui.tell import tell
from pages.your_text.model import (
    ask,
    every_sample,
    model_input,
    take_home,
    what_counting_writes,
    where_it_is_from,
    where_it_looks,
)
from pages.your_text.samples import timeline
from pages.your_text.text import (
    KEY,
    UNITS,
    Live,
    chosen_plan,
    keep_own_settings,
    new_run,
    pairs_loss,
    plan_input,
    studied_or_none,
    text_input,
)
from pages.your_text.words import (
    FALLS,
    RISES,
    STAYS,
    about,
    about_the_guess,
    against_counting,
    is_old,
    what_happened,
    which_text,
)

USUAL_SECONDS = 40

lesson(__file__)
run = current_run(KEY)
keep_own_settings()

st.markdown("""
A language model knows only what its text has taught it. Here you choose the text. A
small Transformer, with the same parts as the tiny LLM, learns from it while you watch,
and then it is yours. This is what one wrote while it learned a story about a snail;
what it copied is shaded:
""")
timeline()
glossary("overfitting", "bigram")

st.header("Your text", anchor=False)
typed = text_input(run)
unit = choose("What is one token?", UNITS, "own_unit",
              run.text.unit if run else None)
text = studied_or_none(typed, unit)
if text:
    st.caption(about(text))

st.header("Your guess first", anchor=False)
guess = pick_first(
    "The model sees the same text again and again, and its loss on that text falls and "
    "falls. And its loss on the kept-back end?",
    [FALLS, RISES, STAYS],
    key="own_guess",
)
if guess and run is None:
    st.caption("Now train, and watch the blue line.")

st.header("Train it", anchor=False)
with go_deeper("the size of the model", "own_sizes"):
    st.markdown("What you choose here counts for the next training.")
    plan_input()
training_buttons(KEY, "Train on this text", new_run, disabled=not text)
place, live = st.container(), Live()
if run is None:
    with place:
        before_the_first(USUAL_SECONDS)
else:
    if is_old(run, text, chosen_plan()):
        place.info(f"What stands below is from {which_text(run)}. *Train anew* takes "
                   "what you chose now.")
    if run.curve:
        live.draw(run)

trained = run is not None and run.last is not None and not is_on(KEY)
with room(trained):
    if trained:
        by_pairs = pairs_loss(run.text.source, run.text.unit)
        if guess and run.losses:
            verdict(*about_the_guess(guess, run))
        st.markdown(what_happened(run))
        tell(against_counting(run, by_pairs))
        st.header("Your own model", anchor=False)
        model = model_input(run)
        start, tokens = ask(model, st.container())
        take_home(run, model)
        every_sample(run)
        where_it_is_from(model.text, tokens)
        where_it_looks(model, start)
        if section := go_deeper("what counting pairs writes", "own_pairs"):
            with section:
                what_counting_writes(run.text, start)

st.markdown("""
**What to notice**

- First it finds which tokens are common, then which follow which, then whole words, and
  at last whole sentences: by heart.
- A large language model reads more text than it can learn by heart, so it must find
  what many texts have in common. It still learns some passages by heart, above all
  those that are often repeated. On a text as short as this, that is the rule.
- What is not in the text cannot be learned from it. Ask your model about anything else.
""")
lesson_link("training", "How the tiny LLM learned, step by step")

if section := go_deeper("the code of the training", "own_code"):
    with section:
        st.markdown("""
        How the text is cut, the batches, the set-up, the loss on what is kept back, and
        the counting. The network itself is `build_model` of
        `llm/training/model.py`, the same as the tiny LLM's.
        """)
        show_source(own_text, windows, compiled, validation_loss, pair_probabilities,
                    OwnModel.write)

LOSS, KEPT_BACK, ONCE = 0.2, 3.4, 2.3
check_yourself(
    f"Suppose the loss on the text is {LOSS} at the end, and {KEPT_BACK} on the "
    f"kept-back end, where it once was {ONCE}. Which model would you let write about "
    "something new?",
    {
        f"The last one: {LOSS} is far better than anything before.": f"{LOSS} is what "
        "it scores on sentences that it knows by heart. On others it is worse now.",
        "The model as it was when the kept-back loss was lowest.": "That loss says how "
        "good it is on text that it has never seen, and this is what you want from it.",
        "The first one, it has no prejudices.": "It has no knowledge either: it gives "
        "every token about the same probability.",
    },
    answer="The model as it was when the kept-back loss was lowest.",
    key="own_check",
)
work_it_out("copied_stretch", notebook_of=(typed,))
keep_training(KEY, place, live.draw)
