"""Keras: the networks, the steps, and each training. Only here do files import
Keras at their top.

batches.py: Stories to arrays: packed rows for training, padded rows for
    measuring.
encoder.py: The training of the encoder twin: blanks, pronouns, and a head that
    points.
lstm.py: The LSTM twin: a recurrent network of the same size, which reads word
    by word.
measurements.py: Records that need no training: counted in stories, or measured
    on trained models.
memory.py: Memory that a training keeps from one step to the next.
model.py: The tiny LLM in Keras: a decoder-only Transformer of built-in layers.
muon.py: Muon: each step moves a matrix about equally far in all its
    directions.
records.py: What a training writes down: curves, records, checkpoints.
run.py: A training that can be left and taken up again, in this process or in
    another.
schedule.py: What all trainings share: the world, the schedule, the progress
    bar.
steps.py: Training as a generator: whoever runs it sees it happen, and may stop
    at any time.
tiny_llm.py: The training of the tiny LLM: its weights, its learning curve and
    its checkpoints.
twins.py: The training of the twins: the tiny LLM with one part removed or
    exchanged.
"""
