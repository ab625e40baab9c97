"""The Transformer in plain NumPy, one idea a file: a box to look into.

Read in this order: softmax, attention, heads, embedding, positions,
layer_norm, feed_forward, block, model, sampling, cache. Every function takes
arrays with any number of leading axes, written `...`, so one sentence and a
hundred are the same to it.

Beside them: weights (every learned number, by name), ablation (a part taken
away), variants (LayerNorm elsewhere, no residual), entropy, and lstm.
"""
