"""Every link of a network cut, one at a time, and the answer really
recomputed.

A link that is cut gets no weight, and the other words of its row share what is
free. Only what can change is computed anew: in the block of the link the token
that looks, above it this token and those behind it, and at the end the token
that answers. So a sentence of 17 words and its thousand links take a fraction
of a second.
"""

import numpy as np

from llm.glassbox.attention import attention_weights, blend, causal_mask
from llm.glassbox.block import feed_forward_sublayer
from llm.glassbox.heads import project_from_heads, project_to_heads
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.model import read_out
from llm.glassbox.softmax import softmax

# Links with less attention are left alone: cutting them frees next to none.
LEAST = 0.01


def lost_by_cuts(weights, trace, word, other=None, least=LEAST):
    """How much of the answer is lost with each link of a causal network.

    Args:
        weights: the `Weights`.
        trace: its `Trace` of one sentence, with nothing removed.
        word: the number of the word that leads.
        other: the number of the word it is compared with; None for the logit
            alone.
        least: the smallest attention weight whose link is cut.

    Returns:
        (num_layers, num_heads, num_tokens, num_tokens): by how much the lead
        after the last token falls without the link from query (row) to key
        (column); nan where none was cut.
    """
    columns = [word] if other is None else [word, other]
    before = lead(trace.logits[-1, columns])
    lost = np.full(
        (len(trace.blocks), *trace.blocks[0].attention_weights.shape), np.nan
    )
    for layer, found in enumerate(trace.blocks):
        # The first token sees itself only; of the last block one row counts.
        first = 1 if layer + 1 < len(trace.blocks) else len(trace.final) - 1
        for query in range(max(first, 1), len(trace.final)):
            heads, keys = np.nonzero(
                found.attention_weights[:, query] >= least
            )
            logits = logits_without(weights, trace, layer, query, heads, keys)
            lost[layer, heads, query, keys] = before - lead(logits[:, columns])
    return lost


def lead(logits):
    """The first logit of (..., 1 or 2), less the second if there is one."""
    logits = np.asarray(logits, float)
    return logits[..., 0] - logits[..., 1:].sum(axis=-1)


def logits_without(weights, trace, layer, query, heads, keys):
    """The logits after the last token, each time without one link of one
    token.

    Args:
        layer, query: whose links they are.
        heads, keys: (num_cuts,), one link each.

    Returns:
        (num_cuts, vocab_size)
    """
    found, learned = trace.blocks[layer], weights.blocks[layer]
    rows = rows_without(found.scores[:, query, : query + 1], heads, keys)
    outputs = blend(rows[:, :, None], found.values[:, : query + 1])
    attention = learned.attention
    output = project_from_heads(
        outputs, attention.output_kernel, attention.output_bias
    )
    between = found.residual_before[query] + output
    changed = (
        between
        + feed_forward_sublayer(between, learned)["feed_forward_output"]
    )
    for number in range(layer + 1, len(weights.blocks)):
        last = number + 1 == len(weights.blocks)
        changed = next_block(
            trace.blocks[number], weights.blocks[number], query, changed, last
        )
    return read_out(weights, changed[:, -1])[1]


def rows_without(scores, heads, keys):
    """One token's attention in every head, each time with one link cut.

    Args:
        scores: (num_heads, num_keys)
        heads, keys: (num_cuts,)

    Returns:
        (num_cuts, num_heads, num_keys), rows sum to one.
    """
    left = np.repeat(scores[None], len(heads), axis=0)
    left[np.arange(len(heads)), heads, keys] = -np.inf
    return softmax(left)


def next_block(found, learned, first, changed, last_token_only=False):
    """One block, anew for the tokens from `first` on, many changes at once.

    Args:
        found: its `BlockTrace` with nothing changed.
        learned: its `BlockWeights`.
        first: the position of the first token that changed.
        changed: (num_cuts, num_changed, embed_dim), the streams of this token
            and of those behind it; those left out are as in the trace.
        last_token_only: whether only the last token's stream is wanted.

    Returns:
        (num_cuts, num_tokens - first or 1, embed_dim)
    """
    num_cuts, num_changed, _ = changed.shape
    behind = found.residual_before[first + num_changed :]
    behind = np.broadcast_to(behind, (num_cuts, *behind.shape))
    stream = np.concatenate([changed, behind], axis=1)
    norm, attention = learned.attention_norm, learned.attention
    vectors = layer_norm(stream, norm.scale, norm.shift)
    keys = project_to_heads(vectors, attention.key_kernel, attention.key_bias)
    values = project_to_heads(
        vectors, attention.value_kernel, attention.value_bias
    )
    if last_token_only:
        stream, vectors = stream[:, -1:], vectors[:, -1:]
    queries = project_to_heads(
        vectors, attention.query_kernel, attention.query_bias
    )
    unchanged = (
        np.broadcast_to(part[:, :first], (num_cuts, *part[:, :first].shape))
        for part in (found.keys, found.values)
    )
    keys, values = (
        np.concatenate(parts, axis=-2)
        for parts in zip(unchanged, (keys, values), strict=True)
    )
    mask = causal_mask(keys.shape[-2])[-queries.shape[-2] :]
    outputs = blend(attention_weights(queries, keys, mask), values)
    between = stream + project_from_heads(
        outputs, attention.output_kernel, attention.output_bias
    )
    return (
        between
        + feed_forward_sublayer(between, learned)["feed_forward_output"]
    )
