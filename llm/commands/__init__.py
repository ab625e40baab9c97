"""The commands of `python -m llm`, one a file.

bench.py: `python -m llm bench`: how exact, how fast, how long to train.
evaluate.py: `python -m llm evaluate`: how right is the model?
generate.py: `python -m llm generate`: write on, one token at a time.
notebook.py: `python -m llm notebook`: the calculation of a lesson as a
    notebook.
predict.py: `python -m llm predict`: what comes next, for the model and in
    truth.
train.py: `python -m llm train`: rebuild every trained asset from nothing.
"""
