"""What two lessons use, or the frame around all of them.

chart.py: Puts a chart on the page, with words and with the same numbers as a
    table.
chart_sliders.py: Sliders inside a chart: they move in the browser, and tell us
    on release.
colours.py: One colour for each idea, the same on every page and in both
    themes.
controls.py: Inputs that two lessons need. Each returns a value that is already
    sound.
course.py: The list of lessons, in order: menu, previous and next links and
    tests read it.
deeper.py: Sections for those who want more; they run only while open.
frame.py: What stands around every lesson: menu, title, previous and next, and
    a safety net.
glossary.py: The words of the field, each explained in one line where it is
    first used.
latex.py: Formulas with these very numbers in them, in LaTeX.
live_training.py: A training on a page: its buttons, its place in the queue,
    and the loop that runs it.
measures.py: What two lessons need measured on a trained model; once, for all
    students.
predict_first.py: Guess before you look: choices, a spread of 100%, and
    questions at the end.
source.py: Shows the code that runs: never a copy of it.
words.py: Words that a student typed, made safe to stand in a sentence.
"""
