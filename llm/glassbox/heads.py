"""Heads: several small attentions side by side, each with its own questions.

Vaswani et al. 2017, section 3.2.2.
"""


def project_to_heads(normalised, kernel, bias):
    """Make the queries (or keys, or values) of all heads at once.

    Every head reads the whole vector; the kernel decides what it takes.

    Args:
        normalised: (..., num_tokens, embed_dim)
        kernel: (embed_dim, num_heads, head_dim)
        bias: (num_heads, head_dim)

    Returns:
        (..., num_heads, num_tokens, head_dim)
    """
    embed_dim, num_heads, _ = kernel.shape
    # One wide product for all heads, then cut: the same as one product each.
    together = normalised @ kernel.reshape(embed_dim, -1) + bias.reshape(-1)
    return split_heads(together, num_heads)


def split_heads(together, num_heads):
    """Cut one wide vector a token into one narrow vector a head.

    Args:
        together: (..., num_tokens, num_heads * head_dim)

    Returns:
        (..., num_heads, num_tokens, head_dim)
    """
    *leading, num_tokens, width = together.shape
    cut = together.reshape(*leading, num_tokens, num_heads, width // num_heads)
    return cut.swapaxes(-3, -2)


def join_heads(head_outputs):
    """Put the heads' narrow vectors side by side again.

    Args:
        head_outputs: (..., num_heads, num_tokens, head_dim)

    Returns:
        (..., num_tokens, num_heads * head_dim)
    """
    *leading, num_heads, num_tokens, head_dim = head_outputs.shape
    side_by_side = head_outputs.swapaxes(-3, -2)
    return side_by_side.reshape(*leading, num_tokens, num_heads * head_dim)


def project_from_heads(head_outputs, kernel, bias):
    """Turn what the heads found into something to add to the residual stream.

    Args:
        head_outputs: (..., num_heads, num_tokens, head_dim)
        kernel: (num_heads, head_dim, embed_dim)
        bias: (embed_dim,)

    Returns:
        (..., num_tokens, embed_dim)
    """
    embed_dim = kernel.shape[-1]
    return join_heads(head_outputs) @ kernel.reshape(-1, embed_dim) + bias


def head_contributions(head_outputs, kernel):
    """What each head by itself adds to the residual stream.

    Args:
        head_outputs: (..., num_heads, num_tokens, head_dim)
        kernel: (num_heads, head_dim, embed_dim)

    Returns:
        (..., num_heads, num_tokens, embed_dim). Summed over the heads, and
        with the bias added, it is `project_from_heads`.
    """
    return head_outputs @ kernel
