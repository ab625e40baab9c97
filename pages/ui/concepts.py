"""The concept test: twelve ideas, asked before the course and after it.

Each idea has two questions of the same kind, so that the second is no memory of the
first. Every option has a line; the first option of each question is the right one, and
the page shows them in another order.
"""

from dataclasses import dataclass

import numpy as np

BEFORE, AFTER = "before", "after"


@dataclass(frozen=True)
class Concept:
    """One idea, asked in two forms.

    Attributes:
        name: as it stands in the table of results.
        lesson: the stem of the lesson that explains it.
        before, after: each a question and its options, the right one first.
        idea: the thought behind it, in a sentence.
    """

    name: str
    lesson: str
    before: tuple
    after: tuple
    idea: str

    def form(self, when):
        """The question and its options, the right one first.

        Args:
            when: `BEFORE` or `AFTER`.
        """
        return self.before if when == BEFORE else self.after

    def answer(self, when):
        """The right option."""
        return self.form(when)[1][0]

    def shuffled(self, when):
        """The options in an order that tells nothing, always the same."""
        options = self.form(when)[1]
        seed = [len(self.name), ord(self.name[0]), when == AFTER]
        order = np.random.default_rng(seed).permutation(len(options))
        return [options[number] for number in order]


CONCEPTS = {
    "qkv": Concept(
        "queries, keys, values", "queries_keys_values",
        ("Attention compares two things to find out how much one word looks at "
         "another. Which two?",
         ("the query of one word and the key of the other",
          "the value of one word and the value of the other",
          "the positions of the two words",
          "the probabilities of the two words")),
        ("Two words have the same key and different values. How does a third word "
         "look at them?",
         ("with the same weight, and it takes something different from each",
          "with more weight at the one with the larger value",
          "it takes the same from both",
          "it can look at one of them only")),
        "Queries and keys decide how much is taken, values what is taken.",
    ),
    "scaling": Concept(
        "dividing by √d", "queries_keys_values",
        ("Why are scores divided by the square root of the width?",
         ("because longer rows give larger sums, and softmax would give nearly all "
          "to one word",
          "so that the scores add up to one",
          "so that no score is negative",
          "because a mean divides by the number of terms")),
        ("In a network with very wide heads, somebody forgets to divide the scores "
         "by √d. What happens at first?",
         ("most of the attention of a word goes to a single word",
          "every word gets the same attention",
          "the attention of a word adds up to more than one",
          "nothing, as softmax divides anyway")),
        "Sums of many products are large, and large differences make softmax hard.",
    ),
    "softmax": Concept(
        "softmax", "queries_keys_values",
        ("Softmax is given the same number for each of several words. What comes "
         "out?",
         ("the same share for each",
          "zero for each, if the number is negative",
          "one for the first, zero for the others",
          "the number itself, for each")),
        ("The same amount is added to all logits. What does that change in the "
         "probabilities?",
         ("nothing: only differences count",
          "all of them rise",
          "the likeliest gains, the others lose",
          "they add up to more than one")),
        "Softmax turns differences into shares that add up to one.",
    ),
    "mask": Concept(
        "the causal mask", "attention",
        ("A model that writes reads a whole story in training. What may a word in "
         "the middle look at?",
         ("at itself and the words before it",
          "at all words of the story",
          "at the words after it",
          "at the word just before it, and no other")),
        ("Why can a model that writes not use `tired` to find out what an earlier "
         "`it` stands for, while it reads `it`?",
         ("the mask hides later words from earlier ones",
          "`it` is not in its vocabulary",
          "the words are too far apart",
          "attention looks at nouns only")),
        "A model that writes must not see what it has not written yet.",
    ),
    "heads": Concept(
        "several heads", "heads",
        ("A layer has several heads. How do they work together?",
         ("side by side, on the same vectors; their results are joined",
          "one after the other, each on the result of the one before",
          "each on a sentence of its own",
          "the best one is chosen for each word")),
        ("Can a head use what another head of the same layer has just found?",
         ("no, only later layers can",
          "yes, if it has a higher number",
          "yes, all heads share one result",
          "only if both look at the same word")),
        "The heads of a layer work at the same time; later layers build on them.",
    ),
    "order": Concept(
        "the order of words", "positions",
        ("A network of attention reads in both directions and has no positions. Two "
         "words of a sentence change places. What does it notice?",
         ("nothing: the vectors of the words stay the same",
          "that the sentence has another meaning",
          "that neighbours have changed",
          "that the first word is another one")),
        ("How does a Transformer come to know which word comes first?",
         ("a row for the position is added to the row of the word",
          "it reads the words one after the other",
          "the ids of the words are sorted",
          "softmax keeps the order")),
        "Attention is a sum and knows no order; positions bring it in.",
    ),
    "stream": Concept(
        "the residual stream", "block",
        ("What does a layer do with the vector of a word that comes in?",
         ("it adds something to it",
          "it puts another vector in its place",
          "it makes it shorter",
          "it sorts its numbers")),
        ("A feed-forward layer is made to put out zeros only. What leaves the "
         "block?",
         ("what came out of attention, unchanged",
          "zeros",
          "the embedding of the word",
          "random numbers")),
        "Every part adds to the stream, and nothing is overwritten.",
    ),
    "next_token": Concept(
        "the next token", "next_token",
        ("What does a language model compute for the start of a text?",
         ("a probability of coming next for each token",
          "the best next sentence",
          "whether the text is true",
          "the topic of the text")),
        ("A language model has just written a word. What does it do for the next "
         "one?",
         ("it does the same again, with a text that is one word longer",
          "it carries out the plan that it made at the beginning",
          "it looks up the sentence in its training text",
          "it asks a second model for the rest")),
        "Writing is predicting one token after another.",
    ),
    "temperature": Concept(
        "temperature", "sampling",
        ("The temperature is lowered. What happens?",
         ("likely words become likelier still",
          "all words become equally likely",
          "the model becomes more truthful",
          "the unlikely words are forbidden")),
        ("Which of these changes what the model has learned?",
         ("none of them: temperature, top-k, top-p",
          "temperature",
          "top-k",
          "top-p")),
        "Sampling settings change what is drawn, not what is known.",
    ),
    "floor": Concept(
        "the floor of the loss", "training",
        ("Can the loss of a perfect language model be zero?",
         ("only if the text is certain at every word",
          "yes, perfect means zero",
          "yes, with enough parameters",
          "no, because of rounding errors")),
        ("Two models stand at the exact floor of a world of stories. What sets them "
         "apart in that loss?",
         ("nothing: nobody gets below the floor on average",
          "the larger one is lower",
          "the one that was trained longer is lower",
          "the one that is surer is lower")),
        "Where the world itself is undecided, nobody can be sure.",
    ),
    "learning": Concept(
        "how it learns", "training",
        ("What is a language model told in training, at each word?",
         ("which word really came next",
          "the rules of grammar",
          "whether its sentence was good",
          "what the words mean")),
        ("After a training step, what has changed?",
         ("all weights, a little, so that the right words become likelier",
          "the entry of one word in a table",
          "the list of rules",
          "the order of the layers")),
        "It guesses the next word, is told, and every weight moves a little.",
    ),
    "explanation": Concept(
        "attention and explanation", "look_inside",
        ("A head gives most of its attention to one word. What does that show?",
         ("how much of its value this head took; not whether it mattered",
          "that the answer depends on that word",
          "that the word is the most important of the sentence",
          "what the model thinks")),
        ("How can you find out whether a link mattered for an answer?",
         ("cut it, and see what changes",
          "look whether its weight is large",
          "ask the model",
          "count how often the word occurs")),
        "What was read and what mattered are two questions; a cut answers the second.",
    ),
}


def result(concepts):
    """The results of both times side by side.

    Args:
        concepts: the part `concepts` of what a student has done: from `before:qkv` to
            [option, whether it was right].

    Returns:
        A list of (key, before, after), each True, False or None if not answered.
    """
    def right(when, key):
        held = concepts.get(f"{when}:{key}")
        return held[1] if held else None

    return [(key, right(BEFORE, key), right(AFTER, key)) for key in CONCEPTS]


def complete(concepts, when):
    """Whether all ideas were answered at one of the two times."""
    return all(f"{when}:{key}" in concepts for key in CONCEPTS)


def gained(rows):
    """What was gained, in a sentence.

    Args:
        rows: from `result`, with both times answered.
    """
    before = sum(first for _, first, _ in rows)
    after = sum(second for _, _, second in rows)
    new = sum(second and not first for _, first, second in rows)
    lost = sum(first and not second for _, first, second in rows)
    said = f"{before} of {len(rows)} ideas before the course, {after} after it"
    if new and lost:
        return f"{said}: {new} gained, {lost} lost."
    if new:
        return f"{said}: {new} gained."
    if lost:
        return f"{said}: {lost} lost."
    return f"{said}: the same ones."
