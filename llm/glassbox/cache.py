"""The cache: write on without computing anything twice.

A causal network never changes its mind about earlier tokens: their keys and values
stay as they were. So they are kept, and each new token costs one row of work. This
holds while every token keeps its position. Positions are learned, so once the window
slides and each token moves up by one place, everything is computed anew.

The step for one token is written a second time here, for speed; a test holds it to
`llm.glassbox.model.trace`. Three things are done once, beforehand, so that the step
has less to do (none of them changes a result):

- queries, keys and values of all heads come from one product, and the division by the
  square root of head_dim is already in the query part;
- the scale and shift of each LayerNorm are multiplied into the kernel that reads it;
- everything that is added to the residual stream has its mean taken off, so no
  LayerNorm needs to take it off again.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.layer_norm import EPSILON
from llm.glassbox.model import trace


@dataclass(frozen=True)
class FastBlock:
    """One block, made ready for one token at a time.

    Attributes:
        read_kernel, read_bias: embed_dim to 3 * num_heads * head_dim: queries,
            keys, values of all heads.
        join_kernel, join_bias: num_heads * head_dim to embed_dim.
        hidden_kernel, hidden_bias: embed_dim to feed_forward_dim.
        output_kernel, output_bias: feed_forward_dim to embed_dim.
    """

    read_kernel: np.ndarray
    read_bias: np.ndarray
    join_kernel: np.ndarray
    join_bias: np.ndarray
    hidden_kernel: np.ndarray
    hidden_bias: np.ndarray
    output_kernel: np.ndarray
    output_bias: np.ndarray


def centred(rows):
    """Take off the mean of each row, (..., embed_dim)."""
    return rows - rows.mean(axis=-1, keepdims=True)


def after_norm(norm, kernel, bias):
    """Multiply the scale and shift of a LayerNorm into the kernel that reads it.

    Args:
        norm: a `NormWeights`.
        kernel: (embed_dim, width)
        bias: (width,)
    """
    return norm.scale[:, None] * kernel, norm.shift @ kernel + bias


def fast_block(weights):
    """Make a `BlockWeights` ready for one token at a time."""
    attention, thinking = weights.attention, weights.feed_forward
    embed_dim, num_heads, head_dim = attention.query_kernel.shape
    scale = 1 / np.sqrt(np.float32(head_dim))
    kernel = np.stack(
        [attention.query_kernel * scale, attention.key_kernel, attention.value_kernel],
        axis=1,
    )
    bias = np.stack(
        [attention.query_bias * scale, attention.key_bias, attention.value_bias]
    )
    return FastBlock(
        *after_norm(
            weights.attention_norm, kernel.reshape(embed_dim, -1), bias.reshape(-1)
        ),
        centred(attention.output_kernel.reshape(-1, embed_dim)),
        centred(attention.output_bias),
        *after_norm(
            weights.feed_forward_norm, thinking.hidden_kernel, thinking.hidden_bias
        ),
        centred(thinking.output_kernel),
        centred(thinking.output_bias),
    )


class KeyValueCache:
    """Answers "what comes next?" and computes only what is new since last time.

    Args:
        weights: a `Weights` of a causal network.
    """

    def __init__(self, weights):
        self.weights = weights
        self.token_ids = []
        self.blocks = [fast_block(block) for block in weights.blocks]
        self.embeddings = centred(weights.token_embeddings)
        self.positions = centred(weights.position_embeddings)
        self.read_out = after_norm(
            weights.final_norm, weights.output_kernel, weights.output_bias
        )
        context_length, self.embed_dim = weights.position_embeddings.shape
        _, num_heads, head_dim = weights.blocks[0].attention.query_kernel.shape
        self.heads = (3, num_heads, head_dim)
        shape = (len(self.blocks), num_heads, context_length, head_dim)
        # Keys lie on their side, ready for the product with a query.
        self.keys = np.zeros(shape, np.float32).swapaxes(-1, -2).copy()
        self.values = np.zeros(shape, np.float32)

    def next_logits(self, token_ids):
        """The logits of the token that follows.

        Args:
            token_ids: a list of whole numbers, at least one and at most
                context_length.

        Returns:
            (vocab_size,)
        """
        if token_ids[:-1] == self.token_ids and self.token_ids:
            logits = self._step(token_ids[-1], len(self.token_ids))
        else:
            logits = self._restart(token_ids)
        self.token_ids = list(token_ids)
        return logits

    def _restart(self, token_ids):
        """Compute everything anew, and keep the keys and values."""
        num_tokens = len(token_ids)
        whole = trace(self.weights, token_ids, causal_mask(num_tokens))
        for layer, block in enumerate(whole.blocks):
            self.keys[layer, :, :, :num_tokens] = block.keys.swapaxes(-1, -2)
            self.values[layer, :, :num_tokens] = block.values
        return whole.logits[-1]

    def _step(self, token_id, position):
        """Compute the one new row, and keep its keys and values."""
        residual = self.embeddings[token_id] + self.positions[position]
        for layer, block in enumerate(self.blocks):
            residual = residual + self._attention(block, layer, residual, position)
            hidden = self._normalised(residual) @ block.hidden_kernel
            hidden += block.hidden_bias
            np.maximum(hidden, 0, out=hidden)
            residual += hidden @ block.output_kernel
            residual += block.output_bias
        kernel, bias = self.read_out
        return self._normalised(residual) @ kernel + bias

    def _attention(self, block, layer, residual, position):
        """What the new token finds when it looks at itself and all before it."""
        read = self._normalised(residual) @ block.read_kernel
        read += block.read_bias
        queries, keys, values = read.reshape(self.heads)
        self.keys[layer, :, :, position] = keys
        self.values[layer, :, position] = values
        scores = queries[:, None] @ self.keys[layer, :, :, : position + 1]
        scores -= scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores, out=scores)
        weights /= weights.sum(axis=-1, keepdims=True)
        found = weights @ self.values[layer, :, : position + 1]
        return found.reshape(-1) @ block.join_kernel + block.join_bias

    def _normalised(self, residual):
        """LayerNorm of a vector whose mean is zero already."""
        variance = residual.dot(residual) / self.embed_dim
        return residual * np.float32(1 / sqrt(variance + EPSILON))
