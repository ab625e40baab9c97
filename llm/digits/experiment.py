"""Is the first of 30 digits the same as the last? The course's own experiment.

A Transformer of one block (post-LayerNorm, as in the 2017 paper) against
recurrent networks that must carry the first digit through all the others.
"""

from dataclasses import dataclass

import numpy as np

# Rows of the embedding; the digits are 1 to 9, as in the course.
NUM_DIGITS = 10
TESTED_AT_ONCE = 500  # rows
# A row to look at: digits of pi, but the last one made the same as the first.
EXAMPLE_ROW = "314159265358979323846264338323"


@dataclass(frozen=True)
class Experiment:
    """The sizes of the experiment; the defaults are the course's.

    Attributes:
        length: digits in a row.
        num_rows: rows to learn from.
        num_test_rows: rows to test with.
        embed_dim: width of the residual stream.
        num_heads: heads of the attention layer.
        head_dim: width of one head; free, here half of `embed_dim`.
        feed_forward_dim: inner width of the feed-forward layer.
        epochs: how often every row is seen.
        batch_size: rows in a batch.
        seed: of the digits.
        draw: of the first weights, and of the order in which the rows are
            seen.
    """

    length: int = 30
    num_rows: int = 8000
    num_test_rows: int = 2000
    embed_dim: int = 32
    num_heads: int = 4
    head_dim: int = 16
    feed_forward_dim: int = 64
    epochs: int = 30
    batch_size: int = 64
    seed: int = 0
    draw: int = 0

    @property
    def steps_in_epoch(self):
        return -(-self.num_rows // self.batch_size)

    @property
    def num_steps(self):
        return self.epochs * self.steps_in_epoch


def make_rows(rng, count, length):
    """Random digits; in about half of the rows the last is made equal to the
    first.

    Args:
        rng: a NumPy generator.
        count: how many rows.
        length: digits in a row.

    Returns:
        rows: (count, length), whole numbers from 1 to 9.
        answers: (count,), 1 if the first is the same as the last. A little
            more than
            half are: chance makes some of the others equal too.
    """
    rows = rng.integers(1, 10, (count, length))
    same = rng.random(count) < 0.5
    rows[same, -1] = rows[same, 0]
    return rows.astype(np.int32), (rows[:, 0] == rows[:, -1]).astype(np.int32)


def split_rows(experiment):
    """Training rows, training answers, test rows, test answers: one after the
    other from one generator, as in the course.
    """
    rng = np.random.default_rng(experiment.seed)
    learned = make_rows(rng, experiment.num_rows, experiment.length)
    tested = make_rows(rng, experiment.num_test_rows, experiment.length)
    return *learned, *tested


def always_yes(experiment):
    """The accuracy of answering yes to every test row: what learning must
    beat.
    """
    return float(split_rows(experiment)[3].mean())


def build_transformer(experiment):
    """The course's model: embed, attend, think, average, answer."""
    import keras
    from keras import layers

    digits = keras.Input((experiment.length,), dtype="int32", name="digits")
    positions = keras.ops.cumsum(keras.ops.ones_like(digits), axis=-1) - 1
    table = layers.Embedding(experiment.length, experiment.embed_dim)
    embedding = layers.Embedding(NUM_DIGITS, experiment.embed_dim)
    x = embedding(digits) + table(positions)
    # x twice: the queries come from x, and so do the keys and values.
    attended = layers.MultiHeadAttention(
        experiment.num_heads, key_dim=experiment.head_dim
    )(x, x)
    x = layers.LayerNormalization()(x + attended)
    hidden = layers.Dense(experiment.feed_forward_dim, activation="relu")(x)
    x = layers.LayerNormalization()(
        x + layers.Dense(experiment.embed_dim)(hidden)
    )
    pooled = layers.GlobalAveragePooling1D()(x)
    answer = layers.Dense(1, activation="sigmoid", name="same")(pooled)
    return keras.Model(digits, answer, name="transformer")


def build_recurrent(experiment, layer):
    """A recurrent network with the same embedding and the same last layer.

    Args:
        layer: "SimpleRNN" or "LSTM".
    """
    import keras
    from keras import layers

    digits = keras.Input((experiment.length,), dtype="int32", name="digits")
    x = layers.Embedding(NUM_DIGITS, experiment.embed_dim)(digits)
    state = getattr(layers, layer)(experiment.embed_dim)(x)
    answer = layers.Dense(1, activation="sigmoid", name="same")(state)
    return keras.Model(digits, answer, name=layer.lower())


MODELS = {
    "Transformer": build_transformer,
    "LSTM": lambda experiment: build_recurrent(experiment, "LSTM"),
    "SimpleRNN": lambda experiment: build_recurrent(experiment, "SimpleRNN"),
}


def compiled(experiment, name="Transformer"):
    """A model ready to be trained, its first weights drawn anew for each draw.
    """
    import keras

    keras.utils.set_random_seed(experiment.draw)
    model = MODELS[name](experiment)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


def shuffled_batches(rows, answers, experiment):
    """All rows in a new order each epoch, in batches."""
    rng = np.random.default_rng(experiment.draw)
    for _ in range(experiment.epochs):
        order = rng.permutation(len(rows))
        for start in range(0, len(rows), experiment.batch_size):
            chosen = order[start : start + experiment.batch_size]
            yield rows[chosen], answers[chosen]


def answers_of(model, rows):
    """How sure the model is that first and last are the same, (num_rows,)."""
    return np.concatenate([
        model.predict_on_batch(rows[start : start + TESTED_AT_ONCE])[:, 0]
        for start in range(0, len(rows), TESTED_AT_ONCE)
    ])


def share_right(model, rows, answers):
    """The share of rows that the model answers rightly, a number from 0 to 1.
    """
    return float(((answers_of(model, rows) > 0.5) == answers).mean())
