"""LayerNorm: every vector is brought to the same size before it is read.

Ba, Kiros and Hinton 2016, "Layer Normalization".
"""

import numpy as np

EPSILON = 1e-3  # Keras's default; a test holds it to `llm.models.config`


def layer_norm(vectors, scale, shift):
    """Bring each vector to mean 0 and spread 1, then stretch and shift it.

    Args:
        vectors: (..., embed_dim)
        scale: (embed_dim,), learned; Keras calls it gamma.
        shift: (embed_dim,), learned; Keras calls it beta.

    Returns:
        (..., embed_dim)
    """
    return standardised(vectors) * scale + shift


def standardised(vectors):
    """Take off the mean of each vector, and divide by its spread.

    Args:
        vectors: (..., embed_dim)

    Returns:
        (..., embed_dim), each row with mean 0 and a variance just below 1.
    """
    centred = vectors - vectors.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    # Without epsilon, a vector whose numbers are all alike would divide by 0.
    return centred / np.sqrt(variance + EPSILON)
