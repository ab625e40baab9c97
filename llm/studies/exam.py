"""How right is a model? Its loss against the exact floor, and each skill by
itself.
"""

from dataclasses import dataclass, replace

import numpy as np

from llm.glassbox.entropy import entropy
from llm.glassbox.softmax import log_softmax
from llm.models.tokenizer import padded
from llm.world import SKILLS, World, held_out_pairs
from llm.world.words import HELD_OUT

FRESH_SEED = 1_000_003  # stories from this seed are never used for training
NUM_FRESH = 1000
NUM_OF_WORLD = 20_000  # stories for the floor of the world as a whole
# Skills whose answers are never a word of a held-out pair: `are`, `moos`,
# `yes`.
ANSWERED_OTHERWISE = ("agreement", "category")


@dataclass(frozen=True)
class Exam:
    """Stories with the exact truth at each of their tokens.

    Attributes:
        stories: the stories.
        inputs: (num_stories, num_tokens), padded token ids without each last
            token.
        filled: (num_stories, num_tokens), True where there is a next token.
        truth: (filled.sum(), vocab_size), the exact next-token probabilities.
    """

    stories: list
    inputs: np.ndarray
    filled: np.ndarray
    truth: np.ndarray


def make_exam(world, stories, tokenizer):
    """Prepare stories of a world for scoring any number of models."""
    token_ids = [tokenizer.ids_of(story.tokens) for story in stories]
    inputs = padded([ids[:-1] for ids in token_ids])
    lengths = np.array([len(ids) - 1 for ids in token_ids])
    filled = np.arange(inputs.shape[1]) < lengths[:, None]
    truth = np.zeros((lengths.sum(), len(tokenizer)), np.float32)
    row = 0
    for story in stories:
        for end in range(1, len(story.tokens)):
            distribution = world.next_word_probabilities(story.tokens[:end])
            truth[row, tokenizer.ids_of(distribution)] = list(
                distribution.values()
            )
            row += 1
    return Exam(stories, inputs, filled, truth)


def fresh_exam(tokenizer, count=NUM_FRESH):
    """Fresh stories of the world that the models were trained on."""
    world = World(held_out_pairs())
    stories = world.sample(np.random.default_rng(FRESH_SEED), count)
    return make_exam(world, stories, tokenizer)


def held_out_exam(tokenizer, skill, count=200):
    """Stories of the full world in which a held-out pair of this skill
    decides.

    Only the decisions that hang on the pair are kept: where the answer is one
    of the two words, or, in skills whose answers never are, all of the skill.
    """
    pairs, world = held_out_pairs([skill]), World()
    stories = world.stories(np.random.default_rng(FRESH_SEED))
    chosen = []
    while len(chosen) < count:
        story = next(stories)
        met = frozenset().union(*(story.pairs & pairs))
        decisions = tuple(
            decision
            for decision in story.decisions
            if met
            and decision.skill == skill
            and (
                skill in ANSWERED_OTHERWISE
                or story.tokens[decision.position] in met
            )
        )
        if decisions:
            chosen.append(replace(story, decisions=decisions))
    return make_exam(world, chosen, tokenizer)


def world_floor(world, count=NUM_OF_WORLD, seed=FRESH_SEED + 1):
    """The exact floor of a world as a whole, from a large sample of its
    stories.

    The floor of an exam is exact for its own stories; other stories have
    another.

    Returns:
        A dictionary: `nats` per token, `spread` (its standard error) and
        `stories`.
    """
    surprises, lengths = np.zeros((2, count))
    stories = world.stories(np.random.default_rng(seed))
    for number in range(count):
        tokens = next(stories).tokens
        lengths[number] = len(tokens) - 1
        surprises[number] = sum(
            entropy(list(world.next_word_probabilities(tokens[:end]).values()))
            for end in range(1, len(tokens))
        )
    floor = surprises.sum() / lengths.sum()
    # The standard error of a ratio of two means.
    apart = (surprises - floor * lengths).std() / lengths.mean()
    spread = apart / np.sqrt(count)
    return {"nats": float(floor), "spread": float(spread), "stories": count}


def log_probabilities(logits_of, exam, batch_size=100):
    """The model's log probability of every word at every position of an exam.

    Args:
        logits_of: a function from token ids (batch, num_tokens) to logits.

    Returns:
        (filled.sum(), vocab_size), in the order of `exam.truth`.
    """
    parts = []
    for start in range(0, len(exam.inputs), batch_size):
        rows = slice(start, start + batch_size)
        logits = np.asarray(logits_of(exam.inputs[rows]))[exam.filled[rows]]
        parts.append(log_softmax(logits))
    return np.concatenate(parts)


def log_probabilities_unseen(logits_of, exam):
    """The log probability of every word, from the words before it alone.

    The words before each position are given by themselves, so that a model
    without a causal mask cannot see what comes next. A model with one gives
    what it gives on whole stories.

    Args:
        logits_of: a function from token ids (batch, num_tokens) to logits.
        exam: an `llm.studies.exam.Exam`.

    Returns:
        (filled.sum(), vocab_size), in the order of `exam.truth`.
    """
    found = np.zeros((*exam.filled.shape, exam.truth.shape[-1]))
    for position in range(exam.filled.shape[1]):
        rows = exam.filled[:, position]
        logits = logits_of(exam.inputs[rows, : position + 1])[:, -1].astype(
            np.float64
        )
        found[rows, position] = log_softmax(logits)
    return found[exam.filled]


def evaluate(exam, log_q, tokenizer):
    """Loss, floor and skills of a model on an exam.

    Loss and floor are expectations over the exact next-token distribution at
    each position, in nats per token; so their difference, the excess, is the
    average Kullback-Leibler divergence, is never negative, and has little
    noise.

    Returns:
        A dictionary with `loss`, `floor`, `excess`, `num_tokens` and `skills`.
    """
    loss, floor = losses(exam, log_q)
    return {
        "loss": float(loss.mean()),
        "floor": float(floor.mean()),
        "excess": float((loss - floor).mean()),
        "num_tokens": len(loss),
        "skills": skills(exam, log_q, loss - floor, tokenizer),
    }


def losses(exam, log_q):
    """The loss of the model and the exact floor at each position, in nats.

    Returns:
        Two arrays of shape (filled.sum(),).
    """
    log_p = np.log(np.where(exam.truth > 0, exam.truth, 1.0))
    return -(exam.truth * log_q).sum(axis=-1), -(exam.truth * log_p).sum(
        axis=-1
    )


def skills(exam, log_q, divergence, tokenizer):
    """For each skill: accuracy and probability at its decision tokens.

    A decision is right if the model's likeliest word is the truth's likeliest,
    among the candidates where the decision names some.
    """
    right = {skill: [] for skill in SKILLS}
    sure = {skill: [] for skill in SKILLS}
    apart = {skill: [] for skill in SKILLS}
    for row, decision in decision_rows(exam):
        words = tokenizer.ids_of(decision.candidates) or slice(None)
        answer = exam.truth[row, words].argmax()
        right[decision.skill].append(log_q[row, words].argmax() == answer)
        sure[decision.skill].append(np.exp(log_q[row, words][answer]))
        apart[decision.skill].append(divergence[row])
    return {
        skill: {
            "accuracy": None
            if skill == "frequency"
            else float(np.mean(right[skill])),
            "probability": float(np.mean(sure[skill])),
            "count": len(right[skill]),
            **(
                {"divergence": float(np.mean(apart[skill]))}
                if skill == "frequency"
                else {}
            ),
        }
        for skill in SKILLS
        if right[skill]
    }


def decision_rows(exam):
    """Every decision of an exam: (row of `exam.truth`, decision)."""
    first_rows = np.concatenate([[0], exam.filled.sum(axis=1).cumsum()])
    for first_row, story in zip(first_rows, exam.stories):
        for decision in story.decisions:
            # The word at `position` is predicted from the position before it.
            yield first_row + decision.position - 1, decision


def evaluation(llm, record):
    """Everything that `python -m llm evaluate` prints.

    Args:
        llm: a `TinyLLM`.
        record: the contents of `assets/tiny_llm.json`.

    Returns:
        A dictionary; all losses in nats per token, on the same fresh stories.
        `floor` is exact for them, `world_floor` is that of the world as a
        whole. `seen_share` is the share of them that the training happened to
        write too, and `memorise` the excess on those and on the others.
        `held_out` is measured in the full world, where a pair of words meets
        that never met in training.
    """
    tokenizer, fresh = llm.tokenizer, fresh_exam(llm.tokenizer)
    log_q = log_probabilities(llm.logits, fresh)
    result = evaluate(fresh, log_q, tokenizer)
    seen = np.array(record["training"]["seen"], bool)
    seen_rows = np.repeat(seen, fresh.filled.sum(axis=1))
    excess = np.subtract(*losses(fresh, log_q))
    result["world_floor"] = record["training"].get("world_floor")
    result["seen_share"] = float(seen.mean())
    result["memorise"] = {
        "excess_on_seen": float(excess[seen_rows].mean()),
        "excess_on_unseen": float(excess[~seen_rows].mean()),
    }
    result["held_out"] = {
        skill: held_out_score(llm, skill) for skill in HELD_OUT
    }
    result["ladder"] = {**ladder(fresh, tokenizer), "tiny LLM": result["loss"],
                        "exact floor": result["floor"]}
    return result


def held_out_score(llm, skill):
    """Accuracy of one skill on stories with pairs of words that never met
    before.
    """
    asked = held_out_exam(llm.tokenizer, skill)
    log_q = log_probabilities(llm.logits, asked)
    found = evaluate(asked, log_q, llm.tokenizer)["skills"][skill]
    return {"accuracy": found["accuracy"], "count": found["count"]}


def ladder(fresh, tokenizer):
    """The losses of the simpler models that are shipped, in nats per token."""
    from llm.glassbox.lstm import lstm_logits
    from llm.models.shipped import load_lstm, load_pairs

    lstm = load_lstm()
    rungs = {
        "pairs of words": np.log(load_pairs())[fresh.inputs[fresh.filled]],
        "LSTM": log_probabilities(lambda ids: lstm_logits(lstm, ids), fresh),
    }
    return {
        name: float(losses(fresh, log_q)[0].mean())
        for name, log_q in rungs.items()
    }
