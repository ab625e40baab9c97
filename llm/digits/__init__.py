"""Is the first of thirty digits the same as the last? The course's own
experiment.

experiment.py: Is the first of 30 digits the same as the last? The course's own
    experiment.
lengths.py: How far back can each network look? The same task with longer and
    longer rows.
reader.py: The digit model in NumPy: what it answers, and where it looks.
run.py: One training of the experiment as a run, which a page watches and may
    stop.
train.py: Trains the experiments and writes what they found into `assets/`.
"""
