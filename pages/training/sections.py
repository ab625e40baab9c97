"""What goes deeper in the lesson on training; each section runs only while open."""

from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from llm.models.twins import TWINS
from llm.studies.arrivals import biggest_jump
from llm.studies.loss import (
    gradient_length,
    logit_gradient,
    losses_along,
    output_gradient,
)
from llm.studies.sampling import judge, write_story
from llm.studies.word_map import by_chance
from pages.training.charts import (
    FULL_MODEL,
    THIS_TWIN,
    draws,
    story_losses,
    walk,
)
from pages.training.measures import (
    first_story,
    head_that_finds,
    least_losses,
    map_at,
    model_at,
    said_and_possible,
    scores_unseen,
    shares_of_shortfall,
    step_on_first_story,
    twin_llm,
)
from pages.training.twins import (
    PEEKING,
    ends,
    found_in_words,
    peeking_in_words,
    shown,
    table_row,
)
from pages.training.words import (
    draws_in_words,
    floors_in_words,
    jump_in_words,
    map_in_words,
    said_again_in_words,
    shortfall_in_words,
    surprise_by_hand,
)
from pages.ui.chart import sentence, show
from pages.ui.charts.bars import bars, rows_of
from pages.ui.charts.lines import lines
from pages.ui.charts.matrix import matrix
from pages.ui.charts.word_map import word_map
from pages.ui.colours import DRAW, MODEL, QUERIES, QUIET
from pages.ui.controls import choose, choose_position
from pages.ui.models import record, tiny_llm, trainings, world
from pages.ui.source import show_source
from pages.ui.tell import tell
from pages.ui.words import numbered, percent, verdict_in_words

START = "tom has a red ball . mia has a blue kite . mia 's kite is"
ANSWER = "blue"
LIST_START, LISTED = ["mia", "says", ":"], ["cup", "hat", "fox"]
SHOWN = 18  # words in the picture of attention


def accuracies(score):
    """The skills that have right answers, with their share of them."""
    return {
        skill: found["accuracy"] for skill, found in score["skills"].items()
        if found["accuracy"] is not None
    }


def exam(now, tokens):
    """What the figures are measured on, and how low a loss can be."""
    training = record("tiny_llm")["training"]
    scores = training["scores"]
    st.markdown(floors_in_words(scores[-1], training["seen"],
                                training.get("world_floor")))
    st.markdown("""
    Each skill has places in stories at which it alone gives the right answer, and the
    likeliest word counts. An eighth skill, **frequency**, has no single right answer:
    it is measured by the **Kullback-Leibler divergence** from the truth, in nats, so
    less is better.
    """)
    show(
        lines(
            {"frequency": [(score["step"], score["skills"]["frequency"]["divergence"])
                           for score in scores]},
            "step", "divergence from the truth", at=now["step"],
        ),
        "training_frequency",
    )
    tell(draws_in_words(training["schedule"]))
    apart = max(after["step"] - before["step"] for before, after in pairwise(scores))
    st.markdown(
        "Where each of the other skills rose most in this training. (The steps that "
        f"were kept lie up to {apart:,} apart; what happened in between was not seen.)"
    )
    st.markdown("\n".join(
        f"- {jump_in_words(biggest_jump(scores, skill), skill)}"
        for skill in accuracies(now)
    ))
    still_wrong(now)


def still_wrong(now):
    """What separates the model of this step from the truth, and in which stories."""
    found = next(
        one for one in record("shortfall")["steps"] if one["step"] == now["step"]
    )
    parts = shares_of_shortfall(found["skills"])
    st.markdown(
        f"On the stories of the exam the model of this step is {now['excess']:.4f} "
        "nats above the floor. Here that is shared out by the skill that a story "
        "tests, and by what is wrong: probability for words that cannot come at a "
        "place, or wrong shares for those that can. All bars together are 100%."
    )
    show(
        bars(
            {skill: part.impossible for skill, part in parts.items()},
            "share of what is above the floor", "for words that cannot come",
            second={skill: part.possible for skill, part in parts.items()},
            second_name="among words that can",
            tick={skill: part.words for skill, part in parts.items()},
            tick_name="its share of all words", tick_colour=QUIET, domain=None,
            form=".1%", what="skill",
            said="What is above the floor, by the skill that a story tests",
        ),
        "shortfall",
    )
    st.markdown(shortfall_in_words(parts, found["said_again"]))
    llm, begun = model_at(now["step"]), [*LIST_START, *LISTED]
    possible = world().next_word_probabilities(begun)
    truth = said_and_possible(LISTED, possible, possible)
    given = said_and_possible(LISTED, llm.next_token(begun), possible)
    show(
        bars(
            given, "probability to come next", tick=truth, domain=None,
            said=f"What the model gives after '{' '.join(begun)}'",
        ),
        "said_again",
    )
    st.markdown(said_again_in_words(LISTED, given, truth))


def where_it_looks(now, tokens):
    """The attention of one head at the step of the slider."""
    llm = model_at(now["step"])
    names = llm.head_names()
    finder = head_that_finds(START, ANSWER)
    name = choose("Head (layer.head)", names, "training_head", default=finder,
                  kind="list", name="head")
    layer, head = llm.head_at(name)
    seen = llm.trace(tokens)
    weights = seen.attention(layer, head)[-SHOWN:, -SHOWN:]
    show(matrix(weights, numbered(seen.tokens)[-SHOWN:], hidden="later"),
         "training_attention")
    st.caption(
        f"Head {finder} is shown first because in the finished model it looks most "
        f"from the last word at `{ANSWER}`. From other first weights another head may "
        "do this."
    )


def what_words_mean(now, tokens):
    """The rows of the embedding table at the step of the slider."""
    there = map_at(now["step"])
    scores = record("tiny_llm")["training"]["scores"]
    beside = {score["step"]: map_at(score["step"]).beside for score in scores}
    best = max(beside, key=beside.get)
    skill = [
        score["skills"]["category"]["accuracy"]
        for score in scores if score["step"] in (best, scores[-1]["step"])
    ]
    st.markdown("Each word's row of the embedding table, seen from one side:")
    show(
        word_map(
            there.points, there.kinds,
            f"Map of {len(there.kinds)} words after {now['step']:,} steps; it keeps "
            f"{percent(there.kept)} of the variance. {percent(there.beside)} of the "
            "words have one of their own kind as nearest neighbour.",
            height=400,
        ),
        "training_map",
    )
    st.markdown(map_in_words(
        now["step"], beside, by_chance(list(there.kinds.values())),
        (skill[0], skill[-1]),
    ))


def step_in_detail(now, tokens):
    """The loss at every word, where a step pushes the logits, and far downhill."""
    llm, words = model_at(now["step"]), first_story()
    there = step_on_first_story(now["step"])
    st.markdown(
        "The first story that it read, word by word, as the model of this step sees it:"
    )
    show(story_losses(words[1:], there.losses, least_losses()), "batch")
    left, right = st.columns(2)
    with left:
        place = choose_position("One word of it, by hand", numbered(words)[1:],
                                "training_word", default=int(there.losses.argmax()),
                                name="word")
        target = words[place + 1]
        st.latex(surprise_by_hand(float(np.exp(-there.losses[place])),
                                  there.losses[place], target))
        st.markdown("""
        Which way should each logit go? Take **what was right** (1 for the target, 0 for
        all others) **minus what was said**: the gradient, turned around to point
        downhill.
        """)
    vocabulary = llm.tokenizer.vocabulary
    push = -logit_gradient(there.logits, llm.tokenizer.ids_of(words[1:]))[place]
    most = sorted(np.argsort(-abs(push), kind="stable")[:5], key=lambda n: -push[n])
    with right:
        show(
            bars({vocabulary[n]: float(push[n]) for n in most}, "right minus said",
                 colour=(MODEL, DRAW), domain=(-1, 1), form="+.3f",
                 said=f"Where a step pushes the logits when '{target}' comes"),
        )
    show_source(logit_gradient)
    downhill(now)


def downhill(now):
    """How the loss changes along the gradient, near and far."""
    llm, story = model_at(now["step"]), first_story()
    trace, targets = llm.trace(story[:-1]), llm.tokenizer.ids_of(story[1:])
    slope = output_gradient(trace.final, trace.logits, targets)
    distances = np.linspace(-1, 3, 33)
    st.markdown(f"""
    The output layer has {slope[0].size + slope[1].size:,} weights, so its gradient is a
    list of as many numbers: a **direction**. Its length, {gradient_length(slope):.3f},
    says how steep it is: walk a short way against it, and the loss of this story falls
    by so many nats for each unit walked. Walk far, and the loss may rise again: a
    gradient knows only the slope where it was taken. That is why steps are small, and
    why there are so many.
    """)
    show(
        walk(distances, losses_along(
            trace.final, llm.weights.output_kernel, llm.weights.output_bias, targets,
            slope, distances,
        )),
        "walk",
    )
    show_source(output_gradient, losses_along)


def twins(now, tokens):
    """What one part is good for: the network without it, trained several times."""
    full, skills = trainings("full"), list(accuracies(now))
    last = full[0]["scores"][-1]
    st.markdown(f"""
    What is each part good for? We took one out, or exchanged it, and trained the
    network anew: {last["step"]:,} steps, all on the same stories and by Adam alone,
    beside a full model trained in the same way. The tiny LLM above learned for longer,
    from other stories of the same world, and also by Muon. Every dot is one training,
    from first weights of its own.
    """)
    names = [name for name in TWINS if name != PEEKING]
    show(
        draws([(shown(name), "one training", ends(name)) for name in names],
              "nats above the exact floor", "Each network at the end of its training",
              log=True, table=lambda: all_twins(skills)),
        "twins_excess",
    )
    name = choose("Twin", [twin for twin in TWINS if twin != "full"], "twin",
                  kind="list", format_func=shown)
    twin = trainings(name)
    if name == PEEKING:
        peek(twin, last)
    else:
        st.markdown(found_in_words(name, full, twin, skills))
        excess = {
            label: [[(score["step"], score["excess"]) for score in one["scores"]
                     if score["step"]] for one in part]
            for label, part in ((FULL_MODEL, full), (THIS_TWIN, twin))
        }
        show(
            lines(
                {label: [(steps[0][0], float(np.mean([value for _, value in steps])))
                         for steps in zip(*part, strict=True)]
                 for label, part in excess.items()},
                "step", "nats above the exact floor", log_y=True, points=False,
                colours={FULL_MODEL: QUERIES, THIS_TWIN: MODEL},
                dots={label: [point for one in part for point in one]
                      for label, part in excess.items()},
                said="On fresh stories, mean of the trainings, above the exact floor",
            ),
            "twin_losses",
        )
        show(
            draws(
                [(skill, label, ends(one, skill)) for skill in skills
                 for label, one in ((THIS_TWIN, name), (FULL_MODEL, "full"))],
                "right answers at the end", "Right answers on fresh stories", ".0%",
            ),
            "twin_skills",
        )
    both = twin_llm(name).next_token(tokens), twin_llm("full").next_token(tokens)
    words = rows_of(both[1], both[0], words=6)
    st.markdown("What the first training of each says after the start above, and how "
                "it continues:")
    show(
        bars({word: both[0].get(word, 0.0) for word in words}, "probability", THIS_TWIN,
             second={word: both[1].get(word, 0.0) for word in words},
             second_name=FULL_MODEL, said="After the start above"),
        "twin_words",
    )
    for label, one in ((THIS_TWIN, name), (FULL_MODEL, "full")):
        story = write_story(twin_llm(one), tokens, seed=1)
        st.markdown(f"{label[0].upper()}{label[1:]}: "
                    f"{verdict_in_words(judge(world(), story))}.")
        sentence(tokens, story[len(tokens):], blank=False)


def all_twins(skills):
    """All networks as a table, first the two skills in which they differ most.

    The twin without a causal mask is given only the words before each word, as when it
    writes.
    """
    skills = sorted(skills, key=lambda skill: skill not in ("binding", "repetition"))
    return pd.DataFrame([table_row(name, skills) for name in TWINS])


def peek(twin, last):
    """The twin that saw the answers: its training, and what it is worth."""
    curve = twin[0]["curve"]
    st.markdown(peeking_in_words(
        curve[-1][1], scores_unseen(PEEKING), last, len(tiny_llm().tokenizer)
    ))
    show(
        lines({"training loss": curve}, "step", "loss in nats per token", points=False,
              floor=last["floor"], floor_name="exact floor of the exam"),
        "twin_peeking",
    )
