"""How many numbers a Transformer has to learn, part by part.

The shapes of GPT-2 are those of Radford et al. 2019, the shapes of GPT-3 those
of Brown et al. 2020, table 2.1. Both read the logits out with the embedding
table itself, so they have no output table of their own.
"""

import math
from dataclasses import dataclass

from llm.models.config import ModelConfig

GPT_2_SMALL = ModelConfig(
    vocab_size=50_257, context_length=1024, embed_dim=768, num_heads=12,
    num_layers=12, feed_forward_dim=3072, tied_output=True,
)
GPT_3 = ModelConfig(
    vocab_size=50_257, context_length=2048, embed_dim=12_288, num_heads=96,
    num_layers=96, feed_forward_dim=49_152, tied_output=True,
)


@dataclass(frozen=True)
class PartCount:
    """One kind of part of a network.

    Attributes:
        name: what it is called.
        shapes: the shapes of its arrays.
        times: how often the network has it.
    """

    name: str
    shapes: tuple
    times: int = 1

    @property
    def each(self):
        """The numbers in one such part."""
        return sum(math.prod(shape) for shape in self.shapes)

    @property
    def total(self):
        """The numbers in all of them."""
        return self.times * self.each


def count_parameters(config):
    """Every part of a network, in the order in which a token meets them.

    Args:
        config: a `ModelConfig`.

    Returns:
        A list of `PartCount`; their totals add up to all parameters.
    """
    width, inner = config.embed_dim, config.feed_forward_dim
    heads = (config.num_heads, config.head_dim)
    projection = [(width, *heads), heads]
    parts = [
        PartCount("token embeddings", ((config.vocab_size, width),)),
        PartCount("position embeddings", ((config.context_length, width),)),
        PartCount("LayerNorm", ((width,), (width,)), 2 * config.num_layers),
        PartCount(
            "attention",
            (*3 * projection, (*heads, width), (width,)),
            config.num_layers,
        ),
        PartCount(
            "feed-forward",
            ((width, inner), (inner,), (inner, width), (width,)),
            config.num_layers,
        ),
        PartCount("last LayerNorm", ((width,), (width,))),
    ]
    if not config.tied_output:
        output = ((width, config.vocab_size), (config.vocab_size,))
        parts.append(PartCount("output table", output))
    return parts


def total(parts):
    """All parameters of a network, from the parts that `count_parameters`
    lists.
    """
    return sum(part.total for part in parts)
