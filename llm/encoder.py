"""The encoder twin: the same network without the causal mask.

A decoder cannot let `it` look at `tired`, which comes later. This twin reads in both
directions, and it is asked two kinds of question about a story: which word was hidden
behind `[mask]` (Devlin et al. 2018), and which noun each `it` stands for. Both are
answered in the same way, by logits over the vocabulary at that place.
"""

import numpy as np

from llm.world import World, held_out_pairs

MASK = "[mask]"
MASKED_SHARE = 0.15  # of the words of a story, as in the 2018 paper
OTHERS_KEPT = 0.25  # of the stories in which no `it` stands for anything


def vocabulary(world):
    """The words of the world, and the blank."""
    return [*world.vocabulary(), MASK]


def examples(world, tokenizer, rng):
    """Stories with questions, without end, as (inputs, targets, weights).

    Half of the stories are cut off behind one of their full stops, so that what comes
    later cannot always give the answer away.
    """
    for story in world.stories(rng):
        if story.references or rng.random() < OTHERS_KEPT:
            yield question(story, tokenizer, rng)


def question(story, tokenizer, rng):
    """One story as (inputs, targets, weights), with some words masked."""
    tokens = list(story.tokens)
    if rng.random() < 0.5:
        stops = [place for place, token in enumerate(tokens) if token == "."]
        tokens = tokens[: rng.choice(stops) + 1]
    targets, weights = list(tokens), [0.0] * len(tokens)
    for place, noun in story.references.items():
        if place < len(tokens):
            targets[place], weights[place] = noun, 1.0
    hidden = np.flatnonzero(rng.random(len(tokens)) < MASKED_SHARE)
    for place in hidden[hidden > 0]:
        targets[place], weights[place] = tokens[place], 1.0
        tokens[place] = MASK
    return tokenizer.ids_of(tokens), tokenizer.ids_of(targets), weights


def blanks_and_pronouns(pairs, count, rng):
    """Sentences that end with the reason, asked in both ways.

    Args:
        pairs: only sentences in which one of these pairs meets; empty for any
            sentence of the world that the twin was trained on.
        count: how many of each kind.

    Returns:
        {"blank": [...], "it": [...]}, lists of (tokens, place, noun).
    """
    world = World() if pairs else World(held_out_pairs())
    found = {"blank": [], "it": []}
    for story in world.stories(rng):
        if not any(decision.skill == "reference" for decision in story.decisions):
            continue
        if pairs and not story.pairs & pairs:
            continue
        tokens = list(story.tokens[: story.tokens.index(".") + 1])
        place = tokens.index("was") - 1
        noun = story.references.get(place, tokens[place])
        kind = "it" if place in story.references else "blank"
        if kind == "blank":
            tokens[place] = MASK
        if len(found[kind]) < count:
            found[kind].append((tokens, place, noun))
        if all(len(questions) == count for questions in found.values()):
            return found


def accuracies(logits_of, tokenizer, pairs=frozenset(), count=300, seed=1_000_003):
    """How many blanks are filled, and how many `it` read, rightly.

    Args:
        logits_of: a function from token ids (batch, num_tokens) to logits.

    Returns:
        {"blank": accuracy, "it": accuracy}
    """
    questions = blanks_and_pronouns(pairs, count, np.random.default_rng(seed))
    return {
        kind: float(np.mean([
            logits_of(np.array([tokenizer.ids_of(tokens)]))[0, place].argmax()
            == tokenizer.ids[noun]
            for tokens, place, noun in asked
        ]))
        for kind, asked in questions.items()
    }


def held_out():
    """The pairs that test whether the twin generalises."""
    return held_out_pairs(["reference"])
