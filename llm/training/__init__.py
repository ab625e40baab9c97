"""Keras: the networks, the steps, and each training. Only here do files import
Keras at their top.

batches.py: Stories to arrays: packed rows for training, padded rows for
    measuring.
lstm.py: The LSTM twin: a recurrent network of the same size, which reads word
    by word.
model.py: The tiny LLM in Keras: a decoder-only Transformer of built-in layers.
records.py: What all trainings share: the world, the schedule, the progress
    bar, the records.
steps.py: Training as a generator: whoever runs it sees it happen, and may stop
    at any time.
"""
