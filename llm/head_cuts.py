"""What falls when one head is cut out: every skill, measured on fresh stories."""

import numpy as np

from llm.evaluate import FRESH_SEED, fresh_exam, log_probabilities, losses, skills
from llm.glassbox.attention import causal_mask
from llm.glassbox.cuts import NOTHING, Cuts
from llm.glassbox.model import trace
from llm.roles import NUM_STORIES, measured
from llm.world import World, held_out_pairs

NUM_ASKED = 300  # stories on which skills are measured, once for every head


def accuracies(weights, tokenizer, exam, cuts=NOTHING):
    """The accuracy of every skill with something cut out.

    Args:
        weights: a `Weights`.
        exam: stories with their truth, from `llm.evaluate.fresh_exam`.
        cuts: a `Cuts`.

    Returns:
        A dictionary from skill to accuracy. Frequency has none: nothing there is
        certain, so nothing is right or wrong.
    """
    def logits_of(token_ids):
        mask = causal_mask(token_ids.shape[1])
        return trace(weights, token_ids, mask, cuts).logits

    log_q = log_probabilities(logits_of, exam)
    found = skills(exam, log_q, np.subtract(*losses(exam, log_q)), tokenizer)
    return {
        skill: round(score["accuracy"], 4)
        for skill, score in found.items()
        if score["accuracy"] is not None
    }


def head_record(llm, num_stories=NUM_STORIES, num_asked=NUM_ASKED):
    """Everything that is measured about the heads of a model, for `heads.json`.

    Args:
        llm: a `TinyLLM`.

    Returns:
        A dictionary with `num_stories`, `roles` (see `llm.roles.measured`), and
        `skills`: `whole`, the accuracies of the whole model, and `without`, a list
        (num_layers, num_heads) of the accuracies with that one head cut out.
    """
    weights, tokenizer = llm.weights, llm.tokenizer
    world = World(held_out_pairs())
    stories = world.sample(np.random.default_rng(FRESH_SEED), num_stories)
    asked = fresh_exam(tokenizer, num_asked)
    layers, heads = range(llm.config.num_layers), range(llm.config.num_heads)
    return {
        "num_stories": num_stories,
        "num_asked": num_asked,
        "roles": measured(weights, tokenizer, stories),
        "skills": {
            "whole": accuracies(weights, tokenizer, asked),
            "without": [
                [
                    accuracies(weights, tokenizer, asked, Cuts(heads={(layer, head)}))
                    for head in heads
                ]
                for layer in layers
            ],
        },
    }
