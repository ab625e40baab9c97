"""Variants of the network: LayerNorm elsewhere or nowhere, no residual.

The tiny LLM normalises before each part ("pre"), as GPT-2 did. The Transformer
of 2017 normalised after each addition ("post"). To see what a part is good
for, a twin can be trained without any LayerNorm, or without the residual
stream: then each part replaces its input instead of adding to it.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.block import BlockTrace, feed_forward, multi_head_attention
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.model import Trace, read_out
from llm.glassbox.positions import learned_positions


@dataclass(frozen=True)
class Variant:
    """What a network is made of; the defaults are the tiny LLM's.

    Attributes:
        positions: "learned", "sinusoidal" or "none".
        causal: whether a token is kept from looking at later ones.
        scaled: whether scores are divided by the square root of head_dim.
        residual: whether each part adds to its input, or replaces it.
        norm: "pre" (before each part), "post" (after each addition) or "none".
        num_heads: heads in each attention layer.
        num_layers: number of blocks.
    """

    positions: str = "learned"
    causal: bool = True
    scaled: bool = True
    residual: bool = True
    norm: str = "pre"
    num_heads: int = 4
    num_layers: int = 3

    def before(self, vectors, norm):
        """What a part reads, (..., num_tokens, embed_dim)."""
        return normalised(vectors, norm) if self.norm == "pre" else vectors

    def after(self, vectors, output, norm):
        """What leaves a part, (..., num_tokens, embed_dim).

        Args:
            vectors: (..., num_tokens, embed_dim), what came in.
            output: (..., num_tokens, embed_dim), what the part made of it.
            norm: a `NormWeights`.
        """
        joined = vectors + output if self.residual else output
        return normalised(joined, norm) if self.norm == "post" else joined


def normalised(vectors, norm):
    """LayerNorm with the learned scale and shift of one place."""
    return layer_norm(vectors, norm.scale, norm.shift)


def variant_block(
    residual, weights, mask, variant, ablation=NO_ABLATION, layer=0
):
    """One block of a network that is put together in another way.

    Args:
        residual: (..., num_tokens, embed_dim)
        weights: a `BlockWeights`.
        mask: (num_tokens, num_tokens), False where a token must not look.
        variant: a `Variant`, which says how.
        ablation: what is taken out, an `Ablation`.
        layer: the number of this block.

    Returns:
        A `BlockTrace`.
    """
    norm = weights.attention_norm
    attention_input = variant.before(residual, norm)
    attention = multi_head_attention(
        attention_input, weights.attention, mask, ablation, layer
    )
    between = variant.after(residual, attention["attention_output"], norm)
    norm = weights.feed_forward_norm
    thinking_input = variant.before(between, norm)
    thought = feed_forward(
        thinking_input, weights.feed_forward, ablation, layer
    )
    return BlockTrace(
        residual_before=residual,
        attention_input=attention_input,
        **attention,
        residual_between=between,
        feed_forward_input=thinking_input,
        **thought,
        residual_after=variant.after(
            between, thought["feed_forward_output"], norm
        ),
    )


def variant_trace(weights, token_ids, mask, variant, ablation=NO_ABLATION):
    """Run a network of another design, and keep everything it computes.

    Args:
        weights: a `Weights`, with stand-ins for LayerNorms that are not there.
        token_ids: (..., num_tokens), whole numbers below vocab_size.
        mask: (num_tokens, num_tokens), False where a token must not look;
            None for a network that reads in both directions.
        variant: a `Variant`.
        ablation: what is taken out, an `Ablation`.

    Returns:
        A `Trace`.
    """
    token_ids = np.asarray(token_ids)
    embeddings = weights.token_embeddings[token_ids]
    positions = learned_positions(
        weights.position_embeddings, token_ids.shape[-1]
    )
    residual, blocks = embeddings + positions, []
    for layer, block_weights in enumerate(weights.blocks):
        blocks.append(
            variant_block(
                residual, block_weights, mask, variant, ablation, layer
            )
        )
        residual = blocks[-1].residual_after
    if variant.norm == "pre":
        final, logits = read_out(weights, residual)
    else:
        # The other designs have no LayerNorm after the last block.
        final = residual
        logits = final @ weights.output_kernel + weights.output_bias
    return Trace(
        token_ids, embeddings, positions, tuple(blocks), final, logits
    )
