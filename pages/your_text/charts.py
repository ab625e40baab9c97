"""The losses of a training, and bars for the next token."""

import numpy as np

from pages.ui.charts.bars import bars
from pages.ui.charts.lines import lines
from pages.ui.colours import MODEL, QUIET, VALUES
from pages.your_text.words import best_and_last, seen

TRAINING, VALIDATION, PAIRS = "your text", "the kept-back end", "counting pairs"
MODEL_NAME, REST = "your model", "all others"
MOST_BARS = 8


def loss_curves(run, by_pairs):
    """The loss on the text and on its kept-back end, step by step.

    Args:
        run: a `TextRun`.
        by_pairs: what counting pairs gets on the kept-back end, None if unknown.
    """
    curves = {TRAINING: run.curve, VALIDATION: run.losses}
    if by_pairs is not None:
        # So wide from the start as it will be in the end.
        curves[PAIRS] = [(0, by_pairs), (run.num_steps, by_pairs)]
    best = best_and_last(run)[0][0] if run.finished and run.losses else None
    return lines(
        curves, "step", "loss (nats a token)",
        colours={TRAINING: QUIET, VALIDATION: MODEL, PAIRS: VALUES}, dashed=(PAIRS,),
        at=best or None, points=False, height=260,
    )


def next_token_bars(vocabulary, by_model, by_pairs, start):
    """What the model expects next, beside counting pairs.

    Args:
        vocabulary: (vocab_size,) tokens.
        by_model, by_pairs: (vocab_size,) probabilities.
        start: the text before.
    """
    likeliest = np.argsort(-by_model, kind="stable")[:MOST_BARS]
    values = {seen(vocabulary[n]): float(by_model[n]) for n in likeliest}
    ticks = {seen(vocabulary[n]): float(by_pairs[n]) for n in likeliest}
    if len(vocabulary) > len(likeliest):
        values[REST] = max(0.0, 1 - sum(values.values()))
        ticks[REST] = max(0.0, 1 - sum(ticks.values()))
    return bars(
        values, "probability", MODEL_NAME, tick=ticks, tick_name=PAIRS,
        tick_colour=VALUES, what="token",
        said=f"After '{start}' your model expects",
    )
