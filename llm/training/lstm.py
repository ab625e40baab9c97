"""The LSTM twin: a recurrent network of the same size, which reads word by
word.

One LSTM layer (Hochreiter and Schmidhuber 1997) between the same embedding and
the same final layer. It learns from the same stories, so that the two can be
compared.
"""

from dataclasses import asdict, replace
from functools import partial
from itertools import islice

import keras
import numpy as np
from keras import layers

from llm.models.config import ModelConfig
from llm.models.tokenizer import padded
from llm.studies.exam import evaluate, fresh_exam, log_probabilities
from llm.training.records import rounded, smooth, write_json
from llm.training.schedule import (
    compile_for_stories,
    run,
    story_examples,
    training_world,
)
from llm.training.tiny_llm import TINY
from llm.world.reading import SEED, StoriesRead

NUM_UNITS = 149  # the size at which it has as many parameters as the tiny LLM
STORIES_A_ROW = 2.85  # as many as fit into a packed row on average
WORDS_A_STORY = 24  # targets of a story of the world on average, `<end>` too
SORTED_AT_ONCE = 32  # batches

# The stories of the tiny LLM, as many, each as much as it counts in the world.
# No other rate was tried with Muon.
LSTM = replace(TINY, peak=3e-3, at_decision=0.0)


def build_lstm(vocab_size, embed_dim, num_units=NUM_UNITS):
    """Build the LSTM: token ids in, logits of the next token out.

    Returns:
        A model from (batch, num_tokens) to (batch, num_tokens, vocab_size).
    """
    token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    embedded = layers.Embedding(vocab_size, embed_dim)(token_ids)
    states = layers.LSTM(num_units, return_sequences=True)(embedded)
    logits = layers.Dense(vocab_size)(states)
    return keras.Model(token_ids, logits, name="lstm_twin")


def padded_batches(examples, stories_in_batch, rng):
    """Batches of whole stories, one a row, because an LSTM must start each
    anew.

    Stories of about the same length go into one batch, so that little is
    padding.

    Args:
        examples: an iterator of (inputs, targets, weights).
        stories_in_batch: rows in a batch.
        rng: draws the order of the batches.

    Yields:
        inputs, targets, weights, each (stories_in_batch, longest story).
    """
    while True:
        pool = list(islice(examples, SORTED_AT_ONCE * stories_in_batch))
        pool.sort(key=lambda example: len(example[0]))
        for number in rng.permutation(SORTED_AT_ONCE):
            start = number * stories_in_batch
            batch = pool[start : start + stories_in_batch]
            inputs, targets, weights = zip(*batch, strict=True)
            counts = padded(weights, dtype=np.float32)
            yield padded(inputs), padded(targets), counts


def batches_like_rows(examples, num_rows, rng):
    """Batches of as many stories as fit into a number of packed rows.

    What a batch counts is divided by its number of stories and not by its
    number of words: these are few in a batch of short stories, and each of
    them must not count more for it. The sum is then the mean loss of a word,
    on average.
    """
    num_stories = round(STORIES_A_ROW * num_rows)
    for inputs, targets, counts in padded_batches(examples, num_stories, rng):
        yield inputs, targets, counts / (num_stories * WORDS_A_STORY)


def train_lstm(out, schedule=LSTM):
    """Train the LSTM twin: the same stories, about the same size."""
    _, tokenizer = training_world()
    config = ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model = build_lstm(len(tokenizer), config.embed_dim)
    read, losses = StoriesRead(), []
    batches = schedule.in_batches(
        story_examples(tokenizer, schedule, read),
        partial(batches_like_rows, rng=np.random.default_rng(SEED)),
    )
    # XLA is slower for an LSTM.
    compile_for_stories(model, schedule, xla=False, reduction="sum")
    for progress in run(model, batches, schedule, "the LSTM twin"):
        losses += progress.losses
    fresh = fresh_exam(tokenizer)
    log_q = log_probabilities(model.predict_on_batch, fresh)
    fresh_model = build_lstm(len(tokenizer), config.embed_dim)
    fresh_model.set_weights(
        model.get_weights()
    )  # without the optimiser's state
    fresh_model.save(out / "lstm.keras")
    write_json(out / "lstm.json", {
        "schedule": asdict(schedule), "curve": smooth(losses),
        "stories": read.count,
        "parameters": model.count_params(),
        "scores": rounded(evaluate(fresh, log_q, tokenizer)),
    })
