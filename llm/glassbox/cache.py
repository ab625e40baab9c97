"""The cache: write on without computing anything twice.

A causal network never changes its mind about earlier tokens: their keys and
values stay as they were. So they are kept, and each new token costs one row
of work. This holds while every token keeps its position. Positions are
learned, so once the window slides and each token moves up by one place,
everything is computed anew.

The step for one token is written a second time here, for speed; a test holds
it to `llm.glassbox.model.trace`. What can be done once is done beforehand,
and none of it changes a result:

- queries, keys and values of all heads come from one product, and the
  division by the square root of head_dim is already in the query part;
- the scale and shift of each LayerNorm are multiplied into the kernel that
  reads it;
- everything that is added to the residual stream has its mean taken off, so
  no LayerNorm needs to take it off again;
- the queries of all heads stand in one matrix, each in the columns of its own
  head with zeros beside it, so that one product scores all heads. A second
  one blends the values of all heads for each head, which keeps its own
  columns. That multiplies more, but at this size the number of calls is what
  takes time;
- each bias is the last row of its kernel, and each vector that a kernel reads
  ends in a 1 that meets it.
"""

from dataclasses import dataclass
from math import isnan

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.heads import join_heads
from llm.glassbox.layer_norm import EPSILON
from llm.glassbox.model import trace


@dataclass(frozen=True)
class FastBlock:
    """One block, made ready for one token at a time.

    Attributes:
        projections: (embed_dim + 1, 3 * num_heads * head_dim), of queries,
            keys and values.
        attention_output: (num_heads * head_dim + 1, embed_dim)
        hidden: (embed_dim + 1, feed_forward_dim)
        output: (feed_forward_dim + 1, embed_dim)
    """

    projections: np.ndarray
    attention_output: np.ndarray
    hidden: np.ndarray
    output: np.ndarray


@dataclass(frozen=True)
class FastNetwork:
    """A network, made ready for one token at a time.

    Attributes:
        weights: the `Weights` that it was made from.
        token_embeddings: (vocab_size, embed_dim), each row with mean 0.
        position_embeddings: (context_length, embed_dim), each row with mean 0.
        blocks: the blocks.
        read_out: (embed_dim + 1, vocab_size)
    """

    weights: object
    token_embeddings: np.ndarray
    position_embeddings: np.ndarray
    blocks: tuple[FastBlock, ...]
    read_out: np.ndarray


def fast_network(weights):
    """Make `Weights` ready for one token at a time."""
    norm = weights.final_norm
    return FastNetwork(
        weights,
        centred(weights.token_embeddings),
        centred(weights.position_embeddings),
        tuple(fast_block(block) for block in weights.blocks),
        after_norm(
            norm, with_bias(weights.output_kernel, weights.output_bias)
        ),
    )


def fast_block(weights):
    """Make a `BlockWeights` ready for one token at a time."""
    attention, thinking = weights.attention, weights.feed_forward
    embed_dim, _, head_dim = attention.query_kernel.shape
    queries = with_bias(attention.query_kernel, attention.query_bias)
    keys = with_bias(attention.key_kernel, attention.key_bias)
    values = with_bias(attention.value_kernel, attention.value_bias)
    queries = queries / np.sqrt(head_dim, dtype=np.float32)
    output = attention.output_kernel.reshape(-1, embed_dim)
    return FastBlock(
        after_norm(
            weights.attention_norm, np.hstack([queries, keys, values])
        ),
        centred(with_bias(output, attention.output_bias)),
        after_norm(
            weights.feed_forward_norm,
            with_bias(thinking.hidden_kernel, thinking.hidden_bias),
        ),
        centred(with_bias(thinking.output_kernel, thinking.output_bias)),
    )


def with_bias(kernel, bias):
    """Put the bias below the kernel, as its last row.

    Args:
        kernel: (inputs, ...)
        bias: (...)

    Returns:
        (inputs + 1, outputs)
    """
    return np.vstack([kernel.reshape(len(kernel), -1), bias.reshape(-1)])


def after_norm(norm, kernel):
    """Multiply a LayerNorm's scale and shift into the kernel that reads it.

    Args:
        norm: a `NormWeights`.
        kernel: (embed_dim + 1, outputs), the bias in its last row.
    """
    scaled = np.append(norm.scale, np.float32(1))[:, None] * kernel
    scaled[-1] += norm.shift @ kernel[:-1]
    return scaled


def centred(rows):
    """Take off the mean of each row, (..., embed_dim)."""
    return rows - rows.mean(axis=-1, keepdims=True)


def own_columns(rows):
    """Of each row, the columns of its own head; a view of the same memory.

    Args:
        rows: (num_heads, num_heads * head_dim), a row for each head.

    Returns:
        (num_heads, head_dim)
    """
    num_heads = len(rows)
    return np.einsum("hhd->hd", rows.reshape(num_heads, num_heads, -1))


class KeyValueCache:
    """Answers "what comes next?" and computes only what is new.

    Args:
        network: a `FastNetwork` of a causal network.
    """

    def __init__(self, network):
        self.network = network
        self.token_ids = ()
        attention = network.weights.blocks[0].attention
        embed_dim, num_heads, head_dim = attention.query_kernel.shape
        context_length = len(network.position_embeddings)
        width = num_heads * head_dim
        kept = len(network.blocks), context_length
        # A row for each token, with the keys of all heads side by side.
        self.keys = np.zeros((*kept, width), np.float32)
        # A last column of ones beside the values adds up the shares. In double
        # precision, see `_attend`.
        self.values = np.ones((*kept, width + 1))
        self.layers = list(
            zip(network.blocks, self.keys, self.values, strict=True)
        )
        # Memory for the results of a step, so that none has to be asked for
        # each time. A vector that a kernel reads ends in a 1, which meets the
        # bias.
        feed_forward_dim = network.blocks[0].hidden.shape[1]
        self.normalised_and_one = np.ones(embed_dim + 1, np.float32)
        # One number; NumPy multiplies by an array of it faster.
        self.scale = np.ones((), np.float32)
        self.projections = np.ones(3 * width, np.float32)
        # Zeros that stay: a step writes each query only into its own columns.
        self.queries = np.zeros((num_heads, width), np.float32)
        # For each head the values of all heads, blended by its shares, and the
        # sum of these.
        self.blends_and_sums = np.zeros((num_heads, width + 1))
        self.blended_and_one = np.ones(width + 1, np.float32)
        self.hidden_and_one = np.ones(feed_forward_dim + 1, np.float32)
        self.zeros = np.zeros(feed_forward_dim, np.float32)
        # Views of this memory: the parts that a step writes or reads by
        # themselves.
        self.normalised = self.normalised_and_one[:-1]
        new_query, self.new_key, self.new_value = self.projections.reshape(
            3, width
        )
        self.new_query = new_query.reshape(num_heads, head_dim)
        self.own_queries = own_columns(self.queries)
        self.own_blends = own_columns(self.blends_and_sums[:, :-1])
        self.sums = self.blends_and_sums[:, -1:]
        self.head_outputs = self.blended_and_one[:-1].reshape(
            num_heads, head_dim
        )
        self.hidden = self.hidden_and_one[:-1]

    def next_logits(self, token_ids):
        """The logits of the token that follows.

        Args:
            token_ids: a tuple of whole numbers, at least one and at most
                context_length.

        Returns:
            (vocab_size,)
        """
        if self.token_ids and token_ids[:-1] == self.token_ids:
            logits = self._step(token_ids[-1], len(self.token_ids))
            # What is no number anywhere is no number here (see `_attend`).
            if isnan(logits[0]):
                logits = self._restart(token_ids)
        else:
            logits = self._restart(token_ids)
        self.token_ids = token_ids
        return logits

    def _restart(self, token_ids):
        """Compute everything anew, and keep the keys and values."""
        num_tokens = len(token_ids)
        whole = trace(self.network.weights, token_ids, causal_mask(num_tokens))
        for layer, block in enumerate(whole.blocks):
            self.keys[layer, :num_tokens] = join_heads(block.keys)
            self.values[layer, :num_tokens, :-1] = join_heads(block.values)
        return whole.logits[-1]

    def _step(self, token_id, position):
        """Compute the one new row, and keep its keys and values."""
        network = self.network
        residual = network.token_embeddings[token_id]
        residual = residual + network.position_embeddings[position]
        for block, keys, values in self.layers:
            normal = self._normalise(residual)
            normal.dot(block.projections, out=self.projections)
            self._attend(keys, values, position)
            residual += self.blended_and_one.dot(block.attention_output)
            before_relu = self._normalise(residual).dot(block.hidden)
            np.maximum(before_relu, self.zeros, out=self.hidden)
            residual += self.hidden_and_one.dot(block.output)
        return self._normalise(residual).dot(network.read_out)

    def _normalise(self, residual):
        """LayerNorm of a vector whose mean is zero already; a 1 at its end."""
        variance = float(residual.dot(residual)) / len(residual)
        self.scale[()] = (variance + EPSILON) ** -0.5
        np.multiply(residual, self.scale, out=self.normalised)
        return self.normalised_and_one

    def _attend(self, keys, values, position):
        """What the new token finds, looking at itself and all before it.

        Args:
            keys: (context_length, num_heads * head_dim), those of one block.
            values: (context_length, num_heads * head_dim + 1), the last column
                ones. Both get the row of the new token.
            position: where it stands.
        """
        keys[position] = self.new_key
        values[position, :-1] = self.new_value
        self.own_queries[:] = self.new_query
        scores = self.queries.dot(keys[: position + 1].T)
        # Softmax without taking off the largest score: in double precision
        # exp holds to 709, and a sum of 64 to scores of 705; those of the tiny
        # LLM stay below 100. Scores beyond 709 give no number, and then
        # `next_logits` starts anew.
        shares = np.exp(scores, dtype=np.float64)
        shares.dot(values[: position + 1], out=self.blends_and_sums)
        np.divide(
            self.own_blends, self.sums,
            out=self.head_outputs, casting="same_kind",
        )
