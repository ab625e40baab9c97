"""The parts of the lesson `training` alone.

charts.py: Pictures of a training run: its loss, its skills, one batch, and the
    gradient.
checkpoints.py: The tiny LLM as it was at every kept step of its training,
    opened once for all.
player.py: A slider over the steps of a run that can also play by itself, with
    a pause.
twins.py: The retrained twins on a page: which part each lacks, and what that
    did.
"""
