"""The tiny LLM run by Keras itself, to compare the glass box with."""

import os

import numpy as np

from llm.models.keras_lock import KERAS_LOCK


class KerasEngine:
    """A `.keras` file opened by Keras, compiled once for one length.

    Args:
        path: the `.keras` file.
        context_length: every input is padded to this length, so that
            TensorFlow compiles the network only once. The mask is causal, so
            padding on the right changes nothing on its left.
    """

    def __init__(self, path, context_length):
        with KERAS_LOCK:
            os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
            import keras
            import tensorflow as tf

            self.context_length = context_length
            self.model = keras.saving.load_model(path, compile=False)
            self._run = tf.function(
                lambda token_ids: self.model(token_ids, training=False),
                input_signature=[
                    tf.TensorSpec((None, context_length), tf.int32)
                ],
            )

    def logits(self, token_ids):
        """The logits of the next token after each token.

        Args:
            token_ids: (..., num_tokens), num_tokens at most context_length.

        Returns:
            (..., num_tokens, vocab_size)
        """
        token_ids = np.asarray(token_ids, np.int32)
        *leading, num_tokens = token_ids.shape
        rows = token_ids.reshape(-1, num_tokens)
        padding = self.context_length - num_tokens
        with KERAS_LOCK:
            logits = self._run(np.pad(rows, ((0, 0), (0, padding)))).numpy()
        return logits[:, :num_tokens].reshape(*leading, num_tokens, -1)

    def next_logits(self, token_ids):
        """The logits of the token that follows, (vocab_size,)."""
        return self.logits(token_ids)[-1]
