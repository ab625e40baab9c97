"""Your text: can it learn from your own text?"""

from functools import partial

import numpy as np
import streamlit as st

from llm.glassbox.sampling import with_temperature
from llm.own_text.export import exported
from llm.own_text.measures import kept_back_loss, longest_copy, made_up, pairs_of
from llm.own_text.own_model import OwnModel, write_by_pairs
from llm.own_text.text import own_text, windows
from llm.own_text.training import compiled
from llm.pairs import pair_probabilities
from pages.ui.charts.heatmap import heatmap, heatmap_alt, heatmap_data
from pages.ui.charts.own_text import (
    own_bars,
    own_bars_alt,
    own_bars_data,
    own_bars_table,
    seen,
)
from pages.ui.charts.training import training_table
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.own_text import (
    KEY,
    Live,
    about,
    as_written,
    in_bold,
    loss_data,
    new_run,
    plan_input,
    start_input,
    studied_loss,
    studied_or_none,
    text_input,
    write_input,
)
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.show import numbers, show
from pages.ui.source import show_source
from pages.ui.text import listed
from pages.ui.training import current_run, is_on, keep_training, training_buttons

lesson(__file__)

st.markdown("""
All that a language model knows, it knows from its text. Here you choose the text. A
small Transformer with the same parts as the tiny LLM learns from it while you watch, in
about a minute. Afterwards it is yours: ask it, look into it, take it home.
""")
glossary("language model", "token", "loss", "overfitting", "bigram", "temperature")

st.subheader("The text", anchor=False)
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

st.subheader("Your guess first", anchor=False)
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

st.subheader("Train it", anchor=False)
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
else:
    live.draw(run)

if run and run.last and not is_on(KEY):
    best_step, best_loss = min(run.kept, key=lambda point: point[1])
    last_step, last_loss = run.kept[-1]
    pair_figure = studied_loss(run)
    numbers(training_table(loss_data(run), "step"), "own_losses")
    if guess:
        turned = last_loss > best_loss + 0.1
        st.markdown(
            f"You guessed: {guess.lower()}. On the kept-back end the loss was lowest "
            f"at step {best_step:,} ({best_loss:.2f}) and is {last_loss:.2f} at step "
            f"{last_step:,}. "
            + ("From there on it learnt by heart: what helps on the text it sees hurts "
               "on the text it does not see. That is **overfitting**." if turned else
               "It has not turned upwards yet; with more steps or less text it would.")
        )

    st.subheader("Your own model", anchor=False)
    which = st.segmented_control(
        "As it was", ["at the end", "at its best"], default="at the end",
        required=True, key="own_which", bind="query-params",
    ) or "at the end"
    model = run.model(best=which == "at its best")
    learnt, pairs = model.text, pairs_of(model.text)
    st.caption(f"After {model.step:,} steps. “At its best” means on the kept-back end.")
    start = start_input(learnt)
    temperature, count, seed = write_input()
    probabilities = with_temperature(model.next_logits(start), temperature)
    next_by_pairs = with_temperature(np.log(pairs[start[-1]]), temperature)
    bars = own_bars_data(learnt.vocabulary, probabilities, next_by_pairs)
    show(own_bars(), bars, own_bars_alt(bars, learnt.decode(start)))
    numbers(own_bars_table(bars), "own_next_token")

    written = model.write(start, count, temperature, seed)
    first, length, source = longest_copy(written, learnt.learn)
    with st.container(border=True, key="own_written"):
        st.markdown(in_bold(learnt, written, first, length))
    st.markdown(f"""
    **By heart**: the longest stretch that stands in your text word for word is in bold:
    {length} {learnt.unit}. The kept-back end, which you or somebody wrote, shares at
    most {longest_copy(learnt.kept, learnt.learn)[1]} with the rest.
    """)
    new = made_up(written, learnt)
    kind = "words" if learnt.unit == "characters" else "pairs of words"
    st.markdown(
        f"**Made up**: {len(new)} {kind} that stand nowhere in what it learnt from"
        + (f", as {listed(new[:5])}." if new else ".")
    )

    st.subheader("Against counting pairs", anchor=False)
    with st.grid(4, min_column_width=140):
        st.metric("Counting pairs", f"{pair_figure:.2f}", border=True)
        st.metric("Your model at its best", f"{best_loss:.2f}", border=True)
        st.metric("Your model at the end", f"{last_loss:.2f}", border=True)
        st.metric("All tokens alike", f"{np.log(len(learnt.vocabulary)):.2f}",
                  border=True)
    st.caption(
        "Loss on the kept-back end, in nats a token, on the same tokens for all; lower "
        "is better. Counting gets a fair chance: a little is added to every count, and "
        "how much is chosen so that it does best here. Your model's best step is "
        "chosen in the same way."
    )
    with st.container(border=True):
        st.caption("Counting pairs, with the same start, temperature and seed:")
        as_written(learnt.decode(
            write_by_pairs(pairs, start[-1], count, temperature, seed)
        ))

    st.subheader("Take it home", anchor=False)
    st.markdown("""
    One zip: the model as a `.keras` file, its vocabulary, and a short script that loads
    both and writes text. `python write_text.py "your start"` is all.
    """)
    arrays = (run.best if which == "at its best" else run.last)[1]
    st.download_button(
        "Download my model", partial(exported, arrays, run.config, learnt),
        file_name="my_model.zip", mime="application/zip", on_click="ignore",
        key="own_download", icon=":material/download:",
    )

    if section := go_deeper("where it looks", "own_attention"):
        with section:
            layer = st.segmented_control(
                "Layer", range(1, run.config.num_layers + 1), default=1, required=True,
                key="own_layer",
            ) or 1
            head = st.segmented_control(
                "Head", range(1, run.config.num_heads + 1), default=1, required=True,
                key="own_head",
            ) or 1
            shown = start[-16:]
            weights = model.look(shown).attention(layer - 1, head - 1)
            labels = [seen(learnt.vocabulary[number])[:12] for number in shown]
            show(heatmap(len(shown)), heatmap_data(weights, labels),
                 heatmap_alt(weights, labels))

    if section := go_deeper("where the copied stretch comes from", "own_source"):
        with section:
            around = learnt.learn[max(0, source - 60) : source + length + 60]
            st.markdown("It stands in your text here, in bold:")
            begin = min(source, 60)
            st.markdown("… " + in_bold(learnt, around.tolist(), begin, length) + " …")
            show_source(longest_copy, made_up)

st.markdown("""
**What to notice**

- First it finds which tokens are common, then which follow which, then whole words, and
  at last whole sentences: by heart.
- A large language model has more text than it can learn by heart. So it must find what
  many texts have in common. Here it is the other way round.
- What is not in the text cannot be learnt from it. Ask your model about anything else.
""")
lesson_link("training", "How the tiny LLM learnt without learning by heart")

if section := go_deeper("the code of the training", "own_code"):
    with section:
        st.markdown("""
        How the text is cut, the batches, the set-up, the loss on what is kept back, and
        the counting. The network itself is `build_model` of `llm/model.py`, the same as
        the tiny LLM's.
        """)
        show_source(own_text, windows, compiled, kept_back_loss, pair_probabilities,
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
