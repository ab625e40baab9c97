"""The parts of the lesson `training` alone.

charts.py: Pictures of a training run: its loss, its skills, and the draws of its
    twins.
measures.py: The tiny LLM as it was at every kept step, and what is measured on it;
    once for all.
player.py: A slider over the steps of a run that can also play by itself, with
    a pause.
sections.py: What goes deeper in the lesson on training; each section runs only
    while open.
twins.py: What each twin lacks, what that part is for, and what its trainings
    showed.
words.py: What the figures of the lesson on training mean, in sentences and in
    LaTeX.
"""
