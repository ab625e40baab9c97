"""What the lessons measure on the trained models, one question a file.

all_at_once.py: Reading in parallel, writing one by one: the same answers, not
    the same work.
attribution.py: Showing the working: from one logit back to the words, as exact
    sums.
by_hand.py: Attention by hand: four words, four numbers each, small enough to
    follow.
cross_attention.py: Cross-attention, small enough for a blackboard: one text
    reads another.
distance.py: Distance: how far back does the word stand that decides, and who
    still finds it?
draws.py: Many draws at once: how often each word comes, and how far chance may
    go.
exam.py: How right is a model? Its loss against the exact floor, and each skill
    by itself.
families.py: The three families of Transformers, which differ in who may look
    at whom.
flow.py: How an answer comes up from the words: the whole network as one flow.
head_cuts.py: What falls when one head is cut out: every skill, on fresh
    stories.
learning.py: What a training step is, and what a training run did: losses,
    gradient, arrivals.
link_effects.py: Is attention an explanation? What each link gives, and what is
    missed without it.
link_cuts.py: Every link of a network cut, one at a time, and the answer really
    recomputed.
links.py: Which link carries the answer? Cut it, and see how much of the answer
    is left.
machine.py: The whole tiny LLM at work on one prompt: everything that its
    picture shows.
memory.py: Memory: how far back can a network look? The LSTM twin beside the
    tiny LLM.
norm_places.py: LayerNorm before or after each part: what it does to the
    residual stream.
order.py: Order: what a network can know about the order of its words.
pictures.py: A picture as a row of tokens: cut it into patches.
roles.py: Roles: what each attention head does, measured over fresh stories.
scaling.py: Why scores are divided by the square root of head_dim: the same
    words, more numbers.
stream.py: One token on its way up: what each part did to its vector, in order.
sweep.py: What temperature does to truth: stories at many temperatures, each
    one judged.
units.py: Inner units: what each one in the feed-forward layers fires for,
    measured.
word_map.py: Embeddings: a word is a number, and the number of a row in a
    table.
word_pieces.py: Word pieces: a vocabulary for which no text is unknown.
"""
