"""Training: how did it learn all this?"""

import numpy as np
import streamlit as st

from llm.models.parameters import count_parameters, total
from llm.studies.arrivals import arrivals, biggest_jump, last_to_arrive
from llm.studies.loss import one_step, token_losses
from llm.studies.sampling import judge, write_story
from pages.training.charts import run, skills_over_steps
from pages.training.measures import (
    LEARNING_RATE,
    first_story,
    model_at,
    step_on_first_story,
)
from pages.training.player import (
    keep_playing,
    nearest_in_words,
    step_shown,
    step_slider,
)
from pages.training.sections import (
    START,
    exam,
    step_in_detail,
    twins,
    what_words_mean,
    where_it_looks,
)
from pages.training.words import (
    batch_sizes_in_words,
    jump_in_words,
    last_replies,
    loss_meanwhile,
    mean_by_hand,
    optimisers_in_words,
    order_in_words,
    stands_in_words,
    step_in_words,
    surprise_by_hand,
    weight_by_hand,
)
from pages.ui.announce import announce
from pages.ui.chart import sentence, show
from pages.ui.charts.bars import next_words
from pages.ui.controls import sentence_input, world_says
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import record, world
from pages.ui.predict_first import check_yourself, guessed, pick_first, verdict
from pages.ui.skills import skills_popover
from pages.ui.source import show_source
from pages.ui.words import CHANCE, verdict_in_words

lesson(__file__)

training = record("tiny_llm")["training"]
scores, order = training["scores"], arrivals(training["scores"])
steps = [score["step"] for score in scores]

st.markdown(f"""
Before training, most weights are small random numbers. Then the network reads stories.
It guesses every next word of some of them, is told the right ones, and each weight
moves a little to make them more likely. That is one **step**. All weights were kept
{len(steps)} times in {steps[-1]:,} steps, so you can go back in time: move the slider,
or press *Play*.
""")
step = step_shown(steps)
step_slider(steps)
now, llm = scores[steps.index(step)], model_at(step)
if other := nearest_in_words(step):
    st.caption(other)
announce(f"Step {step:,}, loss {now['loss']:.2f}")
left, right = st.columns(2)
story_place, skills_place = st.container(), st.container()
with st.container(horizontal=True, gap="small"):
    with st.popover("Another start", type="tertiary", icon=":material/edit:"):
        tokens = sentence_input(START, key="training_start")
        truth = world_says(tokens, key="training_start")
    glossary("loss", "training step", "gradient", "fresh stories")
    skills_popover()
with left:
    show(run(scores, now), "run")
with right:
    show(next_words(llm.next_token(tokens), truth, words=5,
                    said=f"After '{' '.join(tokens) or '<start>'}' the tiny LLM of "
                    f"step {step:,} expects"), "training_bars")
with story_place:
    story = write_story(llm, tokens, seed=1)
    sentence(tokens, story[len(tokens):], blank=False)
    st.caption(f"How it continues the text (seed 1): "
               f"{verdict_in_words(judge(world(), story))}.")
st.markdown(stands_in_words(now))

late = last_to_arrive(scores)
guess = pick_first(
    "Which of the seven skills does it learn last?", list(order), key="training_guess",
    horizontal=True,
)
if guess:
    verdict(guess in late, last_replies(order, late)[guess])
if guessed(guess, "training_guess"):
    with skills_place:
        show(skills_over_steps(scores, list(order), step, CHANCE, guess),
             "skills_by_step")
    st.caption(f"{order_in_words(order)} *Agreement* is a choice between two words.")

st.header("What one step does", anchor=False)
st.markdown("""
A text is its own answer key: at each word, the **target** is the next word. One pass
corrects all words at once; the **causal mask** hides the later words, or the answer
could be seen. The **loss** at a word is the surprise at the target; that of a story is
the mean. In the first story it read, the worst word and the mean:
""")
words, there = first_story(), step_on_first_story(step)
worst = int(there.losses.argmax())
surprise = surprise_by_hand(
    float(np.exp(-there.losses[worst])), there.losses[worst], words[worst + 1]
)
mean = mean_by_hand(there.losses)
st.latex(rf"\begin{{gathered}}{surprise} \\ {mean}\end{{gathered}}")
weights, way = llm.weights, training["schedule"]
st.markdown(f"""
The **gradient** says for each weight how fast the loss rises with it. It is carried
back from the logits through all layers (**backpropagation**), and every weight takes a
small step against it; the **learning rate** η says how small. Here is the weight of the
output layer from number {there.number} of the vector to the logit of `{there.word}`:
""")
st.latex(weight_by_hand(there, LEARNING_RATE))
st.markdown(f"""
{step_in_words(there.losses.mean(), there.loss_after,
               weights.output_kernel.size + weights.output_bias.size)}
The real training does so in all layers, {total(count_parameters(llm.config)):,}
weights, for a **batch** of {batch_sizes_in_words(way)} rows of stories.
{optimisers_in_words(way)}
""")
show_source(token_losses, one_step)
jump = biggest_jump(scores, "binding")

st.markdown(f"""
**What to notice**

- Nobody tells it what a colour or an animal is. It is told the next word, nothing else.
- {jump_in_words(jump, "binding")} {loss_meanwhile(jump)}
- On fresh stories no model gets below the floor, on average: the rest is chance.
""")

deeper_sections((
    ("the exam, its floor, and what is still wrong", "exam", exam),
    ("where it looks at this step", "looks", where_it_looks),
    ("what words mean to it at this step", "meaning", what_words_mean),
    ("one step, word by word, and far downhill", "walk", step_in_detail),
    ("nine twins, each with one part removed or changed", "twins", twins),
), now, tokens)

check_yourself(
    "A model has reached the floor. What would more training bring?",
    {
        "It would guess every next word.": "Which animal a story is about is decided "
        "by chance; nobody can know it before.",
        "Nothing: the rest is chance in the stories themselves.": "The floor is what "
        "is left for someone who knows every rule of the world.",
        "A loss of zero.": "Only by looking at the answers, as the twin without a mask "
        "does; and then it cannot write.",
    },
    answer="Nothing: the rest is chance in the stories themselves.",
    key="training_check",
)
work_it_out("gradient", tokens)
keep_playing()
