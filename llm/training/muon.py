"""Muon: each step moves a matrix about equally far in all its directions.

Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks".
Adam moves mostly in the few directions in which the gradients are large; Muon
also in those that only rare words need.
"""

import keras
from keras import ops


class Muon(keras.optimizers.Muon):
    """Keras's Muon, also for kernels of attention, whose heads are an axis of
    their own.

    Biases, LayerNorms, embeddings and the layers in `exclude_layers` learn by
    Adam.
    """

    def _should_use_adamw(self, variable):
        if len(variable.shape) == 3:
            return False
        return "bias" in variable.path or super()._should_use_adamw(variable)

    def zeropower_via_newtonschulz5(self, x, steps):
        """The update of a kernel, with all its directions of like length."""
        update = super().zeropower_via_newtonschulz5(as_matrix(x), steps)
        return ops.reshape(update, x.shape)

    def lr_adjust(self, x):
        """The update as long as one of Adam's would be."""
        return ops.reshape(super().lr_adjust(as_matrix(x)), x.shape)


def as_matrix(kernel):
    """A kernel as a matrix, from the vector that it reads to the one it
    writes.

    Args:
        kernel: (embed_dim, num_heads, head_dim) of queries, keys or values,
            (num_heads, head_dim, embed_dim) of the output, or a matrix.

    Returns:
        (embed_dim, num_heads * head_dim), (num_heads * head_dim, embed_dim),
        or the matrix.
    """
    first, *_, last = kernel.shape
    inside = first > last
    return ops.reshape(kernel, (first, -1) if inside else (-1, last))
