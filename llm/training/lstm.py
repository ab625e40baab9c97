"""The LSTM twin: a recurrent network of the same size, which reads word by word.

One LSTM layer (Hochreiter and Schmidhuber 1997) between the same embedding and the
same final layer. It learns from the same stories, so that the two can be compared.
"""

NUM_UNITS = 149  # the size at which it has as many parameters as the tiny LLM
STORIES_IN_BATCH = 44  # about as many as fit into 16 packed rows


def build_lstm(vocab_size, embed_dim, num_units=NUM_UNITS):
    """Build the LSTM: token ids in, logits of the next token out.

    Returns:
        A model from (batch, num_tokens) to (batch, num_tokens, vocab_size).
    """
    import keras
    from keras import layers

    token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    embedded = layers.Embedding(vocab_size, embed_dim)(token_ids)
    states = layers.LSTM(num_units, return_sequences=True)(embedded)
    logits = layers.Dense(vocab_size)(states)
    return keras.Model(token_ids, logits, name="lstm_twin")


def padded_batches(examples, stories_in_batch):
    """Batches of whole stories, one a row, because an LSTM must start each anew.

    Args:
        examples: an iterator of (inputs, targets, weights).

    Yields:
        inputs, targets, weights, each (stories_in_batch, longest story).
    """
    import numpy as np

    from llm.training.batches import padded

    while True:
        batch = [next(examples) for _ in range(stories_in_batch)]
        inputs, targets, weights = zip(*batch, strict=True)
        yield padded(inputs), padded(targets), padded(weights).astype(np.float32)
