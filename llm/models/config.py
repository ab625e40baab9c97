"""The sizes of a model, in one frozen place that checks itself."""

from dataclasses import dataclass

# Keras's default, written down because the glass box must use the same.
LAYER_NORM_EPSILON = 1e-3


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a small Transformer.

    Attributes:
        vocab_size: number of different tokens.
        context_length: most tokens the model sees at once.
        embed_dim: width of the residual stream.
        num_heads: heads in each attention layer.
        num_layers: number of blocks.
        feed_forward_dim: inner width of the feed-forward layer.
        tied_output: whether the logits are read out with the embedding table
            itself, without a bias; else with a table of their own.
    """

    vocab_size: int
    context_length: int = (
        64  # the longest story of the toy world has 56 tokens
    )
    embed_dim: int = 64
    num_heads: int = 4
    num_layers: int = 3  # look-up needs two; the third makes it quick to learn
    feed_forward_dim: int = 256  # four times the width, as in the 2017 paper
    tied_output: bool = False

    def __post_init__(self):
        sizes = {name: value for name, value in vars(self).items()
                 if name != "tied_output"}
        for name, value in sizes.items():
            if not isinstance(value, int) or value < 1:
                raise ValueError(
                    f"{name} must be a whole number above 0, not {value!r}."
                )
        if self.embed_dim % self.num_heads:
            raise ValueError(
                f"embed_dim {self.embed_dim} must be a multiple of "
                f"num_heads {self.num_heads}: each head gets an equal share."
            )

    @property
    def head_dim(self):
        return self.embed_dim // self.num_heads
