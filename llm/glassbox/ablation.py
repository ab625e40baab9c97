"""Ablation: take a part away, and see what changes."""

from dataclasses import dataclass

import numpy as np

PARTS = ("attention", "feed_forward")


@dataclass(frozen=True)
class Ablation:
    """What is taken out of the network, everything counted from 0.

    Attributes:
        heads: pairs (layer, head): this head finds nothing (all zeros).
        edges: (layer, head, query, key): this query cannot see this key. The
            score becomes -inf before softmax, so the row still sums to one
            and the other words share what is free. A query that could then
            see nothing at all still sees itself.
        layers: pairs (layer, part), the part being "attention" or
            "feed_forward": it adds nothing to the residual stream.
        positions: words that no other word can see, in any layer and head.
    """

    heads: frozenset = frozenset()
    edges: frozenset = frozenset()
    layers: frozenset = frozenset()
    positions: frozenset = frozenset()

    def __post_init__(self):
        for name, value in vars(self).items():
            object.__setattr__(self, name, frozenset(value))
        for _, part in self.layers:
            if part not in PARTS:
                raise ValueError(
                    f"A layer has the parts {PARTS}, not {part!r}."
                )

    def mask(self, mask, layer, num_heads, num_tokens):
        """Who may still look at whom in one layer.

        Args:
            mask: (num_tokens, num_tokens), or None if everyone may look
                everywhere.

        Returns:
            (num_heads, num_tokens, num_tokens), or `mask` itself if nothing
            is hidden in this layer.
        """
        edges = [edge for edge in self.edges if edge[0] == layer]
        if not edges and not self.positions:
            return mask
        allowed = np.ones((num_heads, num_tokens, num_tokens), bool)
        if mask is not None:
            allowed &= mask
        own = np.eye(num_tokens, dtype=bool)
        for position in self.positions:
            allowed[:, :, position] = False
        # A hidden word still sees itself.
        allowed |= own
        for _, head, query, key in edges:
            allowed[head, query, key] = False
        return allowed | (own & ~allowed.any(axis=-1, keepdims=True))

    def head_outputs(self, head_outputs, layer):
        """The outputs of a layer's heads, zeros for the heads that are cut.

        Args:
            head_outputs: (..., num_heads, num_tokens, head_dim)
        """
        cut = [head for cut_layer, head in self.heads if cut_layer == layer]
        if not cut:
            return head_outputs
        kept = np.ones((head_outputs.shape[-3], 1, 1), head_outputs.dtype)
        kept[cut] = 0
        return head_outputs * kept

    def output(self, output, layer, part):
        """What a part adds to the residual stream: zeros if it is cut."""
        if (layer, part) in self.layers:
            return np.zeros_like(output)
        return output


NO_ABLATION = Ablation()
