"""Pictures that two lessons use.

arcs.py: Arcs over a sentence: from each word to the words it looks at.
bars.py: Bars for the probabilities of the next word, the model's beside the
    truth.
compared.py: Bars that compare two moments: a bar for what is now, a tick for
    what else was.
curves.py: Curves over steps, bars of amounts, and a map of words.
lines.py: Curves of trainings: several lines with a legend, some of them
    dashed.
matrix.py: Heat-maps: who looks at whom, for one head or for many at a glance.
softmax.py: Softmax with these very numbers in it.
spec.py: From a chart to the dictionary that the browser draws.
sums.py: Attention written out with its own numbers, in LaTeX.
words.py: What charts say in words, for those who cannot see them.
"""
