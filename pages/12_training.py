"""Training: how did it learn all this?"""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from llm.models.twins import TWINS
from llm.studies.arrivals import arrivals, biggest_jump, difference
from llm.studies.loss import (
    gradient_length,
    logit_gradient,
    losses_along,
    output_gradient,
    token_losses,
)
from llm.studies.sampling import judge, write_story
from pages.embeddings.charts import word_map
from pages.heads.charts import wide
from pages.sampling.verdicts import verdict_in_words
from pages.training.charts import (
    batch_alt,
    batch_bars,
    batch_data,
    batch_table,
    jump_in_words,
    push_bars,
    pushes_alt,
    pushes_data,
    run_alt,
    run_curves,
    run_data,
    run_table,
    skill_curves,
    skills_alt,
    skills_data,
    skills_table,
    walk_alt,
    walk_curve,
    walk_data,
)
from pages.training.checkpoints import head_that_finds, map_at, model_at
from pages.training.player import keep_playing, step_shown, step_slider
from pages.training.twins import (
    PEEKING,
    found_in_words,
    peeking_in_words,
    scores_unseen,
    table_row,
    twin_llm,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.bars import (
    bars_alt,
    bars_data,
    bars_table,
    probability_bars,
    rows_of,
)
from pages.ui.charts.compared import compared_alt, compared_bars, compared_data
from pages.ui.charts.lines import (
    training_alt,
    training_curves,
    training_data,
    training_table,
)
from pages.ui.charts.matrix import heatmap, heatmap_alt, heatmap_data
from pages.ui.charts.softmax import latex_word
from pages.ui.charts.words import numbered
from pages.ui.colours import MODEL, QUIET, TRUTH
from pages.ui.controls import (
    record,
    sentence_input,
    world,
    world_says,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

START = "tom has a red ball . mia has a blue kite . mia 's kite is"
ANSWER = "blue"
ATTENTION_HEIGHT = 18  # words in the picture of attention

training = record("tiny_llm")["training"]
scores, last = training["scores"], training["scores"][-1]
order = arrivals(scores)
steps = [score["step"] for score in scores]

st.markdown(f"""
At first every weight is a random number, and the model knows nothing. Then it reads
stories, guesses each next word, is told the right one, and every weight is moved a
little so that the right word gets likelier. That is one **step**. There were
{last["step"]:,} of them, and at some we kept all weights: here you can go back in time.
""")
glossary("loss", "training step", "gradient", "surprise", "nat")

st.header("Your guess first", anchor=False)
EXAMPLES = {
    "word order": "`dog bites man . who was bitten ?`",
    "agreement": "`the keys to the cabinet` → `are`",
    "reference": "`… because it was too wide . so the` → `street`",
    "binding": "`mia has a blue kite . mia 's kite is` → `blue`",
    "repetition": "`mia says : cup hat . the parrot says :` → `cup`",
    "order": "`monday , tuesday ,` → `wednesday`",
    "category": "`the dog` → `barks`",
}
st.markdown("Seven skills, and an example of each:")
st.markdown("\n".join(f"- **{skill}**: {EXAMPLES[skill]}" for skill in EXAMPLES))
guess = pick_first(
    "Which one does it learn last?", list(EXAMPLES), key="training_guess"
)
if guess:
    came = [skill for skill, step in order.items() if step is not None]
    never = [skill for skill, step in order.items() if step is None]
    latest = never or came[-1:]
    said = ", ".join(f"{skill} by step {order[skill]:,}" for skill in came)
    st.markdown(
        ("Yes. " if guess in latest else "Not that one. ")
        + f"Nine answers in ten were right like this: {said}."
        + (f" Never got there: {', '.join(never)}." if never else "")
    )

st.header("Back in time", anchor=False)
st.markdown("""
Move the slider, or let it play. Everything below shows the model as it was then.
""")
step = step_shown(steps)
step_slider(steps)
now = scores[steps.index(step)]
llm = model_at(step)

with st.container(horizontal=True):
    st.metric("Loss on fresh stories", f"{now['loss']:.3f}", border=True)
    st.metric("Above the exact floor", f"{now['excess']:.4f}", border=True)
    st.metric(
        "Frequency: distance from the truth",
        f"{now['skills']['frequency']['divergence']:.4f}", border=True,
    )
show(run_curves(), run_data(training["curve"], scores, step), run_alt(now, last))
st.caption(
    "The toy world's rules are known, so we know the least loss that anybody can have: "
    "what chance leaves open. All in nats per token. Frequency has no single right "
    "answer, so it is measured by its distance from the truth; all other skills by "
    "their right answers:"
)
numbers(partial(run_table, scores), "run", "The loss at every kept step, as a table")
skills = skills_data(scores, list(order), step)
show(skill_curves(tuple(order)), skills, skills_alt(skills))
numbers(
    partial(skills_table, skills), "skills_by_step",
    "Every skill at every step, as a table",
)

st.subheader("What it says", anchor=False)
tokens = sentence_input(START, key="training_start")
truth = world_says(tokens, key="training_start")
said = llm.next_token(tokens)
bars = bars_data(said, truth, rows_of(said, truth, words=6))
show(probability_bars(bool(truth)), bars, bars_alt(bars, " ".join(tokens)))
numbers(partial(bars_table, bars), "training_bars")
story = write_story(llm, tokens, seed=1)
st.markdown("And this is how it writes on from there:")
sentence(tokens, story[len(tokens):], blank=False)
st.caption(f"The world says: {verdict_in_words(judge(world(), story))}.")

st.subheader("Where it looks", anchor=False)
config = llm.config
heads = {
    f"{layer + 1}.{head + 1}": (layer, head)
    for layer in range(config.num_layers) for head in range(config.num_heads)
}
# At first the head that, in the end, finds the colour for the last word.
finder = list(heads.values()).index(head_that_finds(START, ANSWER))
chosen = st.selectbox(
    "Head (layer.head)", list(heads), index=finder, key="training_head",
    bind="query-params",
)
seen = llm.trace(tokens)
shown = seen.tokens[-ATTENTION_HEIGHT:]
look = seen.attention(*heads[chosen])[-len(shown):, -len(shown):]
show(heatmap(len(shown)), heatmap_data(look, shown), heatmap_alt(look, shown))
places = numbered(shown)
numbers(partial(wide, look, places, places, "looks at →"), "training_attention")

st.subheader("What words mean to it", anchor=False)
points, map_said, beside = map_at(step)
show(word_map(tuple(dict.fromkeys(points["kind"])), 400), points, map_said)
st.caption(
    "Each word's row of the embedding table, seen from one side. At this step, "
    f"{beside:.0%} of the words have one of their own kind as their nearest neighbour."
)

st.header("What one step does", anchor=False)
st.markdown("""
The model reads a **batch** of stories. At every word it must say the next one, so the
**targets** are the inputs, one to the right. Its **loss** at a word is its surprise at
the right one: minus the logarithm of the probability that it gave. These are the first
three stories that it ever saw, read by the model at the step of the slider.
""")
batch = world().sample(np.random.default_rng(training["seed"]), 3)
row = st.segmented_control(
    "Story", ["1", "2", "3"], default="1", required=True, key="training_story",
    bind="query-params",
) or "1"
read_tokens = batch[int(row) - 1].tokens
inputs = [llm.tokenizer.ids_of(one.tokens[:-1]) for one in batch]
targets = [llm.tokenizer.ids_of(one.tokens[1:]) for one in batch]
read = [llm.logits(ids) for ids in inputs]
losses = [token_losses(*pair) for pair in zip(read, targets, strict=True)]
least = [
    -np.log(world().next_word_probabilities(read_tokens[:end])[read_tokens[end]])
    for end in range(1, len(read_tokens))
]
surprises = batch_data(list(read_tokens), losses[int(row) - 1], least)
show(batch_bars(), surprises, batch_alt(surprises))
numbers(
    partial(batch_table, surprises), "batch",
    "Inputs, targets and losses, as a table",
)

labels = [
    f"{place}. after '{before}' comes '{after}'"
    for place, (before, after) in enumerate(zip(read_tokens, read_tokens[1:]), start=1)
]
place = labels.index(st.selectbox(
    "One word of it, by hand", labels, index=min(4, len(labels) - 1),
    key=f"training_place_{row}",
))
logits, target = read[int(row) - 1], targets[int(row) - 1]
chance = float(np.exp(-losses[int(row) - 1][place]))
word = rf"\text{{{latex_word(read_tokens[place + 1])}}}"
together = np.concatenate(losses)
st.latex(rf"-\ln P({word}) = -\ln {chance:.4f} = {surprises.loss[place]:.4f}")
st.latex(
    rf"\text{{loss of the batch}} = \frac{{{together.sum():.2f}}}{{{len(together)}}}"
    rf" = {together.mean():.4f}"
)
st.markdown("""
And now the lesson in it: which way should each logit go? The answer is short. Take
**what was right** (1 for the target, 0 for all others) **minus what was said**. This is
the **gradient**, turned around to point downhill. It begins at the logits, and Keras
carries it on through every layer to every weight.
""")
gradient = logit_gradient(logits, target)[place]
pushes = pushes_data(llm.tokenizer.vocabulary, gradient)
show(push_bars(), pushes, pushes_alt(pushes))
numbers(pushes[["word", "push"]], "pushes")
show_source(token_losses, logit_gradient)

st.markdown(f"""
**What to notice**

- Nobody tells it what a colour or an animal is. It is told the next word, nothing else.
- Skills arrive one by one. {jump_in_words(biggest_jump(scores, "binding"), "binding")}
- It never gets below the floor. What is left there is chance, and no training helps.
""")

if section := go_deeper("downhill, in numbers", "walk"):
    with section:
        final = np.concatenate([llm.trace(one.tokens[:-1]).final for one in batch])
        all_targets = np.concatenate(targets)
        slope = output_gradient(final, np.concatenate(read), all_targets)
        distances = np.linspace(-1, 3, 33)
        walked = walk_data(distances, losses_along(
            final, llm.weights.output_kernel, llm.weights.output_bias, all_targets,
            slope, distances,
        ))
        st.markdown(f"""
        The output layer alone has {slope[0].size + slope[1].size:,} weights, so its
        gradient is a list of as many numbers: a **direction**. Its length,
        {gradient_length(slope):.3f}, says how steep it is: walk a short way against it,
        and the loss of this batch falls by so many nats for each unit walked. Walk far,
        and it rises again: a gradient knows only the slope where you stand. That is why
        steps are small, and why there are so many.
        """)
        show(walk_curve(), walked, walk_alt(walked))
        numbers(walked, "walk")
        show_source(output_gradient, losses_along)

if section := go_deeper("nine twins, each with one part removed", "twins"):
    with section:
        twins = record("twins")["twins"]
        full = twins["full"]
        end = full["scores"][-1]["step"]
        st.markdown(f"""
        What is each part good for? We took one out, or exchanged it, and trained anew:
        {end:,} steps on the same stories, nine times, and a full model as many steps
        beside them. They are compared with each other only; the tiny LLM above learned
        for longer.
        """)
        name = st.selectbox(
            "Twin", [twin for twin in TWINS if twin != "full"], key="twin",
            bind="query-params",
        )
        twin, there = twins[name], twin_llm(name)
        if name == PEEKING:
            unseen = scores_unseen(name)
            st.markdown(peeking_in_words(
                twin["curve"][-1][1], full["curve"][-1][1], unseen, full["scores"][-1],
                len(llm.tokenizer),
            ))
        else:
            unseen = twin["scores"][-1]
            found = difference(full["scores"][-1], unseen)
            st.markdown(found_in_words(name, found))
        curves = training_data(
            full=full["curve"], twin=twin["curve"],
            exact_floor=[[1, last["floor"]], [end, last["floor"]]],
        )
        show(
            training_curves(
                (("twin", MODEL), ("full", QUIET), ("exact floor", TRUTH)), "step",
                "training loss (nats)", dashed=("exact floor",), points=False,
            ),
            curves,
            training_alt(curves, "Training loss"),
        )
        numbers(partial(training_table, curves, "step"), "twin_curves")
        asked = [skill for skill in order if skill in unseen["skills"]]
        pairs = [
            {skill: one["skills"][skill]["accuracy"] for skill in asked}
            for one in (unseen, full["scores"][-1])
        ]
        data = compared_data(*pairs)
        show(
            compared_bars("this twin", "the full model", "right answers"), data,
            compared_alt(data, "Right answers of", "this twin", "full model"),
        )
        whole = twin_llm("full")
        both = [one.next_token(tokens) for one in (there, whole)]
        shown_words = rows_of(both[1], both[0], words=7)
        data = compared_data(*({w: one[w] for w in shown_words} for one in both))
        st.markdown("What both say after the start above, and how they write on:")
        show(
            compared_bars("this twin", "the full model", "probability"), data,
            compared_alt(data, "After the start,", "this twin", "full model"),
        )
        for label, one in (("This twin", there), ("The full model", whole)):
            story = write_story(one, tokens, seed=1)
            st.markdown(f"**{label}**: {verdict_in_words(judge(world(), story))}.")
            sentence(tokens, story[len(tokens):], blank=False)
        for label, one in (("this twin", there), ("the full model", whole)):
            blocks, (layer, head) = one.config, heads[chosen]
            layer = min(layer, blocks.num_layers - 1)
            head = min(head, blocks.num_heads - 1)
            look = one.trace(tokens).attention(layer, head)
            look = look[-len(shown):, -len(shown):]
            st.markdown(f"Attention of {label}, head {layer + 1}.{head + 1}:")
            causal = TWINS[name].causal or one is whole
            show(
                heatmap(len(shown)), heatmap_data(look, shown, causal),
                heatmap_alt(look, shown, causal),
            )

if section := go_deeper("all ten trainings in one table", "all_twins"):
    with section:
        twins = record("twins")["twins"]
        table = pd.DataFrame([
            table_row(name, twins[name], twins["full"]) for name in TWINS
        ])
        st.dataframe(
            table, hide_index=True,
            alt="Loss and skills of the full model and of every twin.",
        )
        st.caption(
            "On stories that none of them was trained on. The twin without a causal "
            "mask is given only the words before each word, as when it writes."
        )

check_yourself(
    "A model has reached the floor. What would more training bring?",
    {
        "It would guess every next word.": "Which animal a story is about is decided "
        "by chance; nobody can know it before.",
        "Nothing: the rest is chance in the stories themselves.": "The floor is what "
        "is left for one who knows every rule of the world.",
        "A loss of zero.": "Only by looking at the answers, as the twin without a mask "
        "does; and then it cannot write.",
    },
    answer="Nothing: the rest is chance in the stories themselves.",
    key="training_check",
)
keep_playing()
