"""`python -m llm bench`: how exact, how fast, how long to train.

Everything is measured within one run, and the fast things in turns, because
the speed of a machine changes from minute to minute. What counts is the ratio.
"""

import json
import math
import time

import numpy as np

from llm.models.tiny_llm import TinyLLM
from llm.studies.exam import evaluate, fresh_exam, log_probabilities

PROMPT = "the cat sat on the"
NUM_TOKENS = 50  # in one go; together with the prompt they fit into the window
ROUNDS = 20
TRAINING_STEPS = 40  # timed, after as many to warm up

# What design and README promise.
LIMITS = {
    "excess": ("at most", 0.0015),
    "predict_ratio": ("at least", 100),
    "compiled_ratio": ("at least", 3),
    "products_ratio": ("at most", 3),
    "difference": ("at most", 1e-4),
    "training_minutes": ("at most", 15),
}


def command(args):
    """Measure everything, and print it as a table or as one object."""
    llm = TinyLLM.load()
    found = measure(llm)
    print(json.dumps(found) if args.json else table(found))


def measure(llm):
    """All figures of the bench, by name."""
    exam = fresh_exam(llm.tokenizer)
    log_q = log_probabilities(llm.logits, exam)
    microseconds = token_times(llm)
    ours = microseconds["glassbox"]
    return {
        "excess": evaluate(exam, log_q, llm.tokenizer)["excess"],
        "token_microseconds": microseconds,
        "predict_ratio": microseconds["predict"] / ours,
        "compiled_ratio": microseconds["compiled"] / ours,
        "products_ratio": ours / microseconds["products"],
        "difference": largest_difference(llm, exam),
        "training_minutes": training_minutes(),
    }


def largest_difference(llm, exam, count=200):
    """The largest difference of any logit between glass box and Keras, over
    the words of some stories; what stands behind their ends is padding.
    """
    inputs, filled = exam.inputs[:count], exam.filled[:count]
    ours, keras = llm.logits(inputs), llm.logits(inputs, "keras")
    return float(abs(ours - keras)[filled].max())


def token_times(llm):
    """Microseconds for one token: medians of several rounds, taken in turns.

    Returns:
        A dictionary: `glassbox` is a whole token, its logits and its draw,
        once the prompt is read; `predict` and `compiled` are Keras's logits
        alone, by `model.predict` and by a compiled `tf.function`; `products`
        is nothing but the matrix products of the glass box.
    """
    window, engine = llm.window(PROMPT), llm.keras_engine
    padded = np.zeros((1, llm.config.context_length), np.int32)
    padded[0, : len(window.token_ids)] = window.token_ids
    products = bare_products(llm.weights, len(window.tokens) + NUM_TOKENS // 2)

    def writer():
        tokens = llm.generate(PROMPT, NUM_TOKENS + 1, stop_at_end=False)
        next(tokens)
        return tokens

    # What is timed: an iterable, one turn a token.
    contestants = {
        "glassbox": writer,
        "predict": lambda: (
            engine.model.predict(padded, verbose=0) for _ in range(1)
        ),
        "compiled": lambda: (
            engine.next_logits(window.token_ids) for _ in range(5)
        ),
        "products": lambda: (products() for _ in range(NUM_TOKENS)),
    }
    for turns in contestants.values():
        seconds_a_turn(turns())  # compiled, cached, warm
    times = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, turns in contestants.items():
            times[name].append(seconds_a_turn(turns()))
    return {
        name: 1e6 * float(np.median(found)) for name, found in times.items()
    }


def seconds_a_turn(turns):
    """How long an iterable takes for each of its turns, on average."""
    started = time.perf_counter()
    count = sum(1 for _ in turns)
    return (time.perf_counter() - started) / count


def bare_products(weights, num_tokens):
    """A function that does the matrix products of one token, and nothing else.

    Args:
        num_tokens: how many tokens attention looks back on.
    """
    vocab_size, embed_dim = weights.token_embeddings.shape
    pairs = []
    for block in weights.blocks:
        attention, thinking = block.attention, block.feed_forward
        _, num_heads, head_dim = attention.query_kernel.shape
        width, hidden_dim = num_heads * head_dim, len(thinking.hidden_bias)
        pairs += [
            (ones(embed_dim), ones(embed_dim, 3 * width)),
            (
                ones(num_heads, 1, head_dim),
                ones(num_heads, head_dim, num_tokens),
            ),
            (
                ones(num_heads, 1, num_tokens),
                ones(num_heads, num_tokens, head_dim),
            ),
            (ones(width), ones(width, embed_dim)),
            (ones(embed_dim), ones(embed_dim, hidden_dim)),
            (ones(hidden_dim), ones(hidden_dim, embed_dim)),
        ]
    pairs.append((ones(embed_dim), ones(embed_dim, vocab_size)))

    def products():
        for left, right in pairs:
            left @ right  # noqa: B018

    return products


def ones(*shape):
    return np.ones(shape, np.float32)


def training_minutes():
    """How long the training of the tiny LLM takes here, from a few of its
    steps.
    """
    import keras

    from llm.models.config import ModelConfig
    from llm.training.batches import made_ahead, packed_batches
    from llm.training.memory import keep_freed_memory
    from llm.training.model import build_packed_model
    from llm.training.schedule import (
        compile_for_stories,
        story_examples,
        training_world,
    )
    from llm.training.steps import train_steps
    from llm.training.tiny_llm import TINY

    keep_freed_memory()
    _, tokenizer = training_world()
    config = ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(0)
    model = build_packed_model(config)
    compile_for_stories(model, TINY)
    examples = story_examples(tokenizer, TINY)

    def seconds_a_step(batch_size):
        """How long a step with so many rows takes, once it is compiled, its
        batch made ahead as in the training.
        """
        batches = packed_batches(examples, batch_size, config.context_length)
        num_steps = 2 * TRAINING_STEPS
        warm, end = train_steps(
            model, made_ahead(batches, num_steps), num_steps,
            stops=[TRAINING_STEPS], every=math.inf,
        )
        return (end.seconds - warm.seconds) / TRAINING_STEPS

    seconds = sum(steps * seconds_a_step(size) for steps, size in TINY.parts)
    return seconds / 60


def table(found):
    """The figures as lines of text, each beside what is promised."""
    lines = {
        "excess": "loss above the exact floor, nats a token",
        "predict_ratio": "one token: times faster than model.predict",
        "compiled_ratio": "one token: times faster than a compiled step",
        "products_ratio": "one token: times the bare matrix products",
        "difference": "largest difference of a logit from Keras",
        "training_minutes": "training from nothing, minutes (estimated)",
    }
    rows = [f"{'':44}  {'found':>9}  promised"]
    for name, text in lines.items():
        bound, limit = LIMITS[name]
        rows.append(f"{text:44}  {found[name]:9.4g}  {bound} {limit:g}")
    times = found["token_microseconds"]
    rows.append("Microseconds for one token: " + ", ".join(
        f"{name} {time:,.0f}" for name, time in times.items()) + ".")
    return "\n".join(rows)
