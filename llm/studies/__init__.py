"""What the lessons measure on the trained models, one question a file.

arrivals.py: What a training run did: when each skill arrived, and how two runs
    differ.
attribution.py: Showing the working: from one logit back to the words, as exact
    sums.
by_hand.py: Attention by hand: four words with four numbers each, small enough
    to follow.
distance.py: Distance: how far back does the word stand that decides, and who
    still finds it?
exam.py: How right is a model? Its loss against the exact floor, and each skill
    by itself.
families.py: The three families of Transformers: who may look at whom, and what
    they read.
flow.py: How an answer comes up from the words: the whole network as one flow.
head_cuts.py: What falls when one head is cut out: every skill, on fresh
    stories.
link_cuts.py: Every link of a network cut, one at a time, and the answer really
    recomputed.
link_effects.py: Is attention an explanation? What each link gives, and what is
    missed without it.
links.py: Which link carries the answer? Cut it, and see how much of the answer
    is left.
loss.py: The loss of a text, word by word, and its gradient at the output
    layer.
machine.py: The whole tiny LLM at work on one prompt: everything that its
    picture shows.
memory.py: Memory: how far back can a network look? The LSTM twin beside the
    tiny LLM.
order.py: Order: what a network can know about the order of its words.
roles.py: Roles: what each attention head does, measured over fresh stories.
sampling.py: Sampling: how far chance may go, and what temperature does to
    truth.
scaling.py: Why scores are divided by the square root of head_dim: the same
    words, more numbers.
shortfall.py: Shortfall: what still separates a model from the exact truth,
    and where.
stream.py: One token on its way up: what each part did to its vector, in order.
symmetry.py: Symmetry: two heads with equal first weights would stay equal for
    ever.
units.py: Inner units: what each one in the feed-forward layers fires for,
    measured.
word_map.py: The map of the words: which rows of the embedding table are alike.
word_pieces.py: Word pieces: a vocabulary for which no text is unknown.
"""
