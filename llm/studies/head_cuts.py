"""What falls when one head is cut out, or all feed-forward layers: every
skill, on fresh stories.
"""

import numpy as np

from llm.glassbox.ablation import NO_ABLATION, Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.studies.exam import (
    fresh_exam,
    log_probabilities,
    losses,
    skills,
)
from llm.studies.roles import NUM_STORIES, measured


def accuracies(weights, tokenizer, exam, ablation=NO_ABLATION):
    """The accuracy of every skill with something cut out.

    Args:
        weights: a `Weights`.
        exam: stories with their truth, from `llm.studies.exam.fresh_exam`.
        ablation: an `Ablation`.

    Returns:
        A dictionary from skill to accuracy. Frequency has none: nothing there
        is certain, so nothing is right or wrong.
    """
    def logits_of(token_ids):
        mask = causal_mask(token_ids.shape[1])
        return trace(weights, token_ids, mask, ablation).logits

    log_q = log_probabilities(logits_of, exam)
    found = skills(exam, log_q, np.subtract(*losses(exam, log_q)), tokenizer)
    return {
        skill: round(score["accuracy"], 4)
        for skill, score in found.items()
        if score["accuracy"] is not None
    }


def head_record(llm, num_stories=NUM_STORIES):
    """All that is measured about the heads of a model, for `heads.json`.

    Args:
        llm: a `TinyLLM`.

    Returns:
        A dictionary with `num_stories`, `roles` (see
        `llm.studies.roles.measured`) and `skills`: `whole`, the accuracies of
        the whole model, `without`, (num_layers, num_heads) of the accuracies
        with that one head cut out, and `without_feed_forward`, those without
        the feed-forward layers of all blocks.
    """
    weights, tokenizer = llm.weights, llm.tokenizer
    asked = fresh_exam(tokenizer, num_stories)

    def without(layer, head):
        ablation = Ablation(heads={(layer, head)})
        return accuracies(weights, tokenizer, asked, ablation)

    no_feed_forward = Ablation(
        layers={(n, "feed_forward") for n in range(llm.config.num_layers)}
    )

    return {
        "num_stories": num_stories,
        "roles": measured(weights, tokenizer, asked.stories),
        "skills": {
            "whole": accuracies(weights, tokenizer, asked),
            "without": [
                [without(layer, head) for head in range(llm.config.num_heads)]
                for layer in range(llm.config.num_layers)
            ],
            "without_feed_forward": accuracies(
                weights, tokenizer, asked, no_feed_forward
            ),
        },
    }
