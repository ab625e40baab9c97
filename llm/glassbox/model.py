"""The whole network: words in, a logit for every possible next word out."""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.block import BlockTrace, block
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.positions import learned_positions


@dataclass(frozen=True)
class Trace:
    """Everything that the network computed on the way, by name.

    Attributes:
        token_ids: (..., num_tokens)
        embeddings: (..., num_tokens, embed_dim), rows of the tokens.
        positions: (num_tokens, embed_dim), the rows of the positions.
        blocks: one `BlockTrace` a layer.
        final: (..., num_tokens, embed_dim), after the last LayerNorm.
        logits: (..., num_tokens, vocab_size)
        tokens: the words, if the caller knew them.
        dropped: how many tokens in front did not fit and were left out.
    """

    token_ids: np.ndarray
    embeddings: np.ndarray
    positions: np.ndarray
    blocks: tuple[BlockTrace, ...]
    final: np.ndarray
    logits: np.ndarray
    tokens: tuple[str, ...] = ()
    dropped: int = 0

    def queries_and_keys(self, layer, head):
        """Queries and keys of one head, each (..., num_tokens, head_dim)."""
        found = self.blocks[layer]
        return found.queries[..., head, :, :], found.keys[..., head, :, :]

    def values(self, layer, head):
        """The values of one head, (..., num_tokens, head_dim)."""
        return self.blocks[layer].values[..., head, :, :]

    def attention(self, layer, head):
        """The weights of one head, (..., num_tokens, num_tokens)."""
        return self.blocks[layer].attention_weights[..., head, :, :]

    def residuals(self):
        """The residual stream at every stop, from the embeddings to the end.

        Returns:
            A list of 2 * num_layers + 1 arrays (..., num_tokens, embed_dim).
        """
        stops = [self.embeddings + self.positions]
        for found in self.blocks:
            stops += [found.residual_between, found.residual_after]
        return stops


def trace(weights, token_ids, mask, ablation=NO_ABLATION):
    """Run the network and keep everything it computes.

    Args:
        weights: a `Weights`.
        token_ids: (..., num_tokens), whole numbers below vocab_size.
        mask: (num_tokens, num_tokens), False where a token must not look;
            None for a network that reads in both directions.
        ablation: what is taken out, to see what it did.

    Returns:
        A `Trace`.
    """
    token_ids = np.asarray(token_ids)
    embeddings = weights.token_embeddings[token_ids]
    num_tokens = token_ids.shape[-1]
    positions = learned_positions(weights.position_embeddings, num_tokens)
    residual = embeddings + positions
    blocks = []
    for layer, block_weights in enumerate(weights.blocks):
        blocks.append(block(residual, block_weights, mask, ablation, layer))
        residual = blocks[-1].residual_after
    final, logits = read_out(weights, residual)
    return Trace(
        token_ids, embeddings, positions, tuple(blocks), final, logits
    )


def read_out(weights, residual):
    """What the network would say, if the residual stream ended here.

    Args:
        weights: a `Weights`.
        residual: (..., embed_dim)

    Returns:
        final: (..., embed_dim), normalised.
        logits: (..., vocab_size)
    """
    norm = weights.final_norm
    final = layer_norm(residual, norm.scale, norm.shift)
    return final, final @ weights.output_kernel + weights.output_bias
