"""What two lessons use, or the frame around all of them.

address.py: What stands in the address: one set of names, the same in all
    lessons.
announce.py: Says aloud what a press changed, for those who listen to the page.
chart.py: A picture in one value: how it is drawn, its numbers, its words and
    its table.
chart_sliders.py: Sliders inside a chart: they move in the browser, and tell us
    on release.
colours.py: One colour for each idea, the same on every page and in both
    themes.
compared.py: Trainings of two kinds side by side: verdicts that chance may have
    made.
concepts.py: The concept test: twelve ideas, asked before the course and after
    it.
controls.py: Inputs that two lessons need. Each returns a value that is already
    sound.
course.py: The list of lessons, in order: menu, previous and next links and
    tests read it.
deeper.py: Sections for those who want more; they run only while open.
exercise.py: One exercise on a page: the task, boxes to fill in, hints, and the
    way to it.
frame.py: What stands around every lesson: menu, title, previous and next, and
    a safety net.
glossary.py: The words of the field, each explained in one line where it is
    first used.
here.py: You are here: the machine in one line, with the part that a lesson
    explains.
kept_runs.py: Trained models kept for their owners for a while, so that a
    reload forgets nothing.
latex.py: Formulas with these very numbers in them, in LaTeX.
live_training.py: A training on a page: its buttons, its place in the queue,
    and what is said of it.
measures.py: What two lessons need measured on a trained model; once, for all
    students.
memory.py: Keeps the libraries out of the garbage collector's rounds.
models.py: Trained models and records: opened once, for all students.
notebook.py: A button that gives the calculation of a lesson as a notebook.
predict_first.py: Guess before you look: choices, a spread of 100%, and
    questions at the end.
progress.py: What a student has done: kept in this browser, and in a file if
    wished.
projector.py: Projector mode: larger type and wide plots, for a room that looks
    on.
skills.py: The seven skills of the toy world, with an example of each.
source.py: Shows the code that runs: never a copy of it.
tell.py: Writes a sentence only if there is one.
words.py: Words and figures in sentences: written alike everywhere, and safe to
    print.
written.py: Text that a model wrote, or that somebody typed: shown exactly as
    it is.
"""
