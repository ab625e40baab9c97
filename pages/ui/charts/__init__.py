"""Pictures that two lessons use.

arcs.py: Arcs from each word to the words it looks at, and the matrix under
    them.
bars.py: Horizontal bars: a bar for each thing, and marks for what it is
    compared with.
lines.py: Curves over steps: one line a series, and the levels that they are
    held against.
matrix.py: Matrices of coloured cells: nothing looks like the page, and the
    most stands out.
sampler.py: The sampler in Vega's own language, so that bars move while a
    slider is dragged.
trainings.py: Trainings of several networks, every one shown.
word_map.py: A map of words: a mark for the kind of each, and its name where
    there is room.
"""
