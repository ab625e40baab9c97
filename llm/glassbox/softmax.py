"""Softmax: any numbers become shares that add up to one."""

import numpy as np

LOWEST_TEMPERATURE = 1e-290


def softmax(logits):
    """Turn numbers into probabilities: the larger, the likelier.

    Adding the same number to a whole row changes nothing. So the largest is
    subtracted first, and exp cannot overflow.

    Args:
        logits: (..., num_choices), any numbers; -inf means never.

    Returns:
        (..., num_choices), each row sums to one.
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def log_softmax(logits):
    """The logarithm of softmax, without ever taking the logarithm of zero.

    Args:
        logits: (..., num_choices)

    Returns:
        (..., num_choices), never above 0.
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def softmax_with_temperature(logits, temperature):
    """Softmax that is bolder (temperature below 1) or more even (above 1).

    Args:
        logits: (..., num_choices).
        temperature: a number above 0; at 1 this is plain softmax.

    Returns:
        (..., num_choices), each row sums to one.
    """
    # In double precision, because logits divided by a very low temperature are
    # huge; below the lowest, they would be too huge even for that.
    logits = np.asarray(logits, np.float64)
    return softmax(logits / max(temperature, LOWEST_TEMPERATURE))
