"""Questions on the lessons from why to positions."""

import numpy as np

from llm.exercises.parts import owners_start, pick, pick_several
from llm.glassbox.ablation import Ablation
from llm.glassbox.attention import attend, attention_scores, causal_mask
from llm.glassbox.softmax import softmax
from llm.studies.link_effects import head_effects
from llm.studies.word_map import cosine_similarities, kinds_of, nearest_words
from pages.check.questions.parts import Question, accuracies, between, exactly, options


def path(models, rng):
    back = int(rng.integers(12, 60))
    return Question(
        f"A word needs a fact that stands {back} words before it. Through how many "
        "steps must the fact pass to get there?",
        options(
            (f"Recurrent network: {back}. Attention: 1.", "A recurrent network hands "
             "its state on from word to word, and each step can lose something. "
             "Attention looks straight at the word."),
            (f"Recurrent network: {back}. Attention: {back}.", "Attention does not "
             "walk past the words between. Every word is one step away, near or far."),
            (f"Recurrent network: 1. Attention: {back}.", "That is turned round: the "
             "recurrent network is the one that goes word by word."),
            (f"Recurrent network: {back}. Attention: {back**2:,}.", "The square is the "
             "price, the number of pairs that are compared. The path of a fact is "
             "something else."),
        ),
        f"Recurrent network: {back}. Attention: 1.",
    )


def pairs(models, rng):
    few, times = int(rng.integers(6, 30)), int(rng.integers(2, 6))
    # Counted on the real scores: every query meets every key.
    before, after = (
        attention_scores(np.zeros((count, 4)), np.zeros((count, 4))).size
        for count in (few, few * times)
    )
    growth = after // before
    return Question(
        f"A text of {few} words is made {times} times as long. How many times as many "
        "pairs does each head compare?",
        options(
            (f"{growth}", f"{few} × {few} = {before} pairs become {few * times} × "
             f"{few * times} = {after}. That is the price of attention, and why very "
             "long texts are costly."),
            (f"{times}", f"There are {times} times as many words that ask. But each "
             f"also meets {times} times as many words that answer."),
            (f"{2 * times}", "Both sides grow, but they do not add up: every word that "
             "asks meets every word that answers, so they multiply."),
            ("1, because all words go at the same time", "Side by side means at the "
             "same time, not for nothing: every pair still has to be computed and "
             "kept."),
        ),
        f"{growth}",
        functions=(attention_scores,),
    )


def nearest_row(models, rng):
    llm, table = models.llm, models.llm.weights.token_embeddings
    kinds = kinds_of(llm.tokenizer.vocabulary)
    colours = [word for word, kind in kinds.items() if kind == "colours"]
    # Only words whose nearest is of their own kind: the reply says why it is near.
    nearest = {word: nearest_words(word, table, llm.tokenizer, 1)[0]
               for word in colours}
    asked = pick(rng, [word for word in colours if nearest[word][0] in colours])
    near, cosine = nearest[asked]
    similar = cosine_similarities(table[llm.tokenizer.ids[asked]], table)
    thing = pick(rng, [w for w, kind in kinds.items() if kind == "things"])
    alike = next(
        (word for word in llm.tokenizer.nearest(asked)
         if word not in (asked, near, thing) and kinds.get(word) != "colours"),
        "<end>",
    )

    def of(word):
        return f"Cosine {similar[llm.tokenizer.ids[word]]:+.2f}, against {cosine:+.2f} "

    return Question(
        "In the embedding table of the tiny LLM: whose row points most nearly the "
        f"same way as that of `{asked}`?",
        options(
            (f"`{near}`", f"Cosine {cosine:+.2f}, the highest of all. What can stand "
             "in the same places, and is followed by the same things, gets a similar "
             "row."),
            (f"`{thing}`, which often stands just after it", of(thing)
             + f"for `{near}`. Standing beside each other does not make two rows "
             "alike; being used alike does."),
            (f"`{alike}`, which is spelled most like it", of(alike)
             + f"for `{near}`. The network never sees letters. To it a word is a "
             "number, and the number of a row."),
            ("The word with the next number", of(
                llm.tokenizer.vocabulary[
                    (llm.tokenizer.ids[asked] + 1) % len(llm.tokenizer)])
             + f"for `{near}`. The numbers only say which row; the list is in order of "
             "the alphabet here, and could be in any."),
        ),
        f"`{near}`",
        functions=(nearest_words, cosine_similarities),
    )


def ids_say_nothing(models, rng):
    ids = models.llm.tokenizer.ids
    animals = [w for w, k in kinds_of(models.llm.tokenizer.vocabulary).items()
               if k == "animals"]
    one, other = pick_several(rng, animals, 2)
    apart = abs(ids[one] - ids[other])
    return Question(
        f"`{one}` has the id {ids[one]}, `{other}` the id {ids[other]}. What does that "
        "say about the two words?",
        options(
            ("Nothing: an id only says which row of the table is looked up.",
             "Any other order of the vocabulary would do as well. What a word means is "
             "learned, and stands in its row."),
            (f"That they are {apart} apart in meaning.", "Ids are names and not "
             "amounts. How alike two words are is in their rows: see the cosine."),
            ("That the one with the smaller id comes more often.", "Some tokenizers "
             "sort that way, but the network cannot see it. It gets the row, not the "
             "number."),
            ("That the one with the larger id was learned later.", "All rows are there "
             "from the first step, filled with chance, and are learned together."),
        ),
        "Nothing: an id only says which row of the table is looked up.",
    )


def rest_of_row(models, rng):
    start, _, _ = owners_start(rng)
    run = models.llm.trace(start)
    rows = np.concatenate([block.attention_weights[:, -1] for block in run.blocks])
    two = np.sort(rows, axis=-1)[:, -2:].sum(axis=-1)
    # A row in which the two largest neither are all nor say little.
    row = rows[np.abs(two - 0.75).argmin()]
    first, second = np.argsort(-row, kind="stable")[:2]
    most, next_most = round(float(row[first]), 2), round(float(row[second]), 2)
    rest = f"{1 - most - next_most:.2f}"
    return Question(
        f"From `{start[-1]}`, a head gives {most:.2f} of its attention to "
        f"`{run.tokens[first]}` (position {first}) and {next_most:.2f} to "
        f"`{run.tokens[second]}` (position {second}). What do all other words get "
        "together?",
        options(
            (rest, "A row of attention weights always adds up to one, because softmax "
             "makes shares of 1."),
            ("That depends on their values", "Values decide what is handed over. How "
             "much of each is taken comes from queries and keys, and adds up to one."),
            (f"{1:.2f}, shared out among them", "The 1 is for the whole row. "
             "What two words have, the others cannot get."),
            (f"{0:.2f}, only the best two count", "Softmax never gives exactly "
             "nothing to a word that may be seen, however little it is."),
        ),
        rest, start, (softmax,),
    )


def future(models, rng):
    text = "the animal didn't cross the street because it was too tired".split()
    run = models.llm.trace(text)
    it, tired = (run.tokens.index(word) for word in ("it", "tired"))
    weight = max(
        float(block.attention_weights[:, it, tired].max()) for block in run.blocks
    )
    return Question(
        "The tiny LLM reads this sentence. How much attention does its word `it` give "
        "to `tired`?",
        options(
            (f"Exactly {weight:g}, in every head", "`tired` comes later, and the "
             "causal mask hides what comes later. Only a model that reads in both "
             "directions can look there."),
            ("A lot, because `tired` decides what `it` is", "It would help. But a "
             "model that writes must not see what it has not written yet: so it is "
             "hidden."),
            ("A little: the mask makes far words fainter", "A mask does not make "
             "anything fainter. Its score is −∞, and e to the −∞ is 0."),
            ("Nothing in the first block, more in the later ones", "The same mask "
             "holds in all blocks, otherwise the future would leak in through the "
             "last."),
        ),
        f"Exactly {weight:g}, in every head", tuple(text), (causal_mask,),
    )


def same_scores(models, rng):
    count, score = int(rng.integers(3, 9)), int(rng.integers(-9, -2))
    weight = softmax(np.full(count, float(score)))[0]
    return Question(
        f"A query fits none of {count} keys: the score of each is {score}. What "
        "weights come out of softmax?",
        options(
            (f"{weight:.3f} each", "Only differences between scores count. If all are "
             "alike, softmax shares evenly, be they high or low. A head cannot look at "
             "nothing."),
            ("0 each, since nothing fits", "Softmax always gives away all of 1. Where "
             "nothing fits, it spreads over everything, or rests on one word."),
            (f"{np.exp(score):.2g} each", f"That is e to the {score}. It still has to "
             "be divided by the sum of them all."),
            ("1 for the first, 0 for the others", "Equal scores get equal weights. "
             "Being first helps only if a position says so."),
        ),
        f"{weight:.3f} each", functions=(softmax,),
    )


def keys_and_values(models, rng):
    query, key = rng.normal(size=(2, 1, 4))
    share = float(softmax(attention_scores(query, np.concatenate([key, key])))[0, 0])
    return Question(
        "Two words have the same key but different values. What does a third word get "
        "from them?",
        options(
            (f"The same weight, {share:.2f} each if there are no others, but something "
             "different from each", "The weight comes from query and key alone; the "
             "value is what is then taken."),
            ("More from the one with the larger value", "Values play no part in how "
             "much is looked at. They only say what is handed over."),
            ("The same from both", "They are looked at alike, but what each hands over "
             "is its own value."),
            ("Nothing from the second: that key is taken", "Keys are no lockers. Any "
             "number of words may fit a query, and share its attention."),
        ),
        f"The same weight, {share:.2f} each if there are no others, but something "
        "different from each",
        functions=(attention_scores, softmax),
    )


def cut_head(models, rng):
    llm = models.llm
    for _ in range(20):
        start, right, _ = owners_start(rng)
        word, config = llm.tokenizer.ids[right], llm.config
        effects = head_effects(llm, start, -1, word)
        head = np.unravel_index(effects.argmax(), effects.shape)
        before = softmax(llm.trace(start).logits[-1].astype(float))[word]
        ablation = Ablation(heads={tuple(int(n) for n in head)})
        after = softmax(llm.trace(start, ablation).logits[-1].astype(float))[word]
        if after < before / 2:
            break
    name = f"{head[0] + 1}.{head[1] + 1}"
    answer = f"This start needs head {name}, perhaps with others."
    return Question(
        f"The tiny LLM gives `{right}` a probability of {exactly(before)}. Head {name} "
        f"is cut, one of {config.num_layers * config.num_heads}, and {exactly(after)} "
        "is left. What follows from that?",
        options(
            (answer, "That much the cut shows. Whether the head finds the colour or "
             "only prepares it for another head, it does not."),
            (f"Head {name} finds the answer by itself.", "It may only prepare it: a "
             "look-up takes two heads in two blocks, and may fail if either is cut."),
            (f"The colour is stored in head {name}.", "The colour stands in the "
             "sentence. A head holds matrices that bring things over, not facts of "
             "this sentence."),
            ("All other heads could be left out.", "That would be another experiment: "
             "cut them, and see. Here they were all at work."),
        ),
        answer, start, (head_effects,),
    )


def same_layer(models, rng):
    layer = int(rng.integers(1, models.llm.config.num_layers + 1))
    return Question(
        f"Head {layer}.1 and head {layer}.2 stand in the same block. Can head "
        f"{layer}.2 use what head {layer}.1 has just found?",
        options(
            ("No: both read the same vectors. Only what comes after them can use it.",
             "All heads of a block work side by side. A trick of two steps needs two "
             "blocks: one head brings something, a later one looks for it."),
            ("Yes: heads work one after the other.", "They are numbered, but they run "
             "at the same time, on the same input."),
            ("Yes: it is in the residual stream already.", "What they find is added to "
             "the stream only when all of them are done."),
            ("Only if both look at the same word.", "Where a head looks makes no "
             "difference: none of them sees the result of another in its block."),
        ),
        "No: both read the same vectors. Only what comes after them can use it.",
    )


def shuffled_words(models, rng):
    ids, table = models.llm.tokenizer.ids, models.llm.weights.token_embeddings
    deed = pick(rng, ["bites", "chases", "sees", "helps", "hugs", "finds"])
    one, other = pick_several(rng, ["dog", "man", "cat", "bear", "girl"], 2)
    said = [table[[ids[w] for w in order]]
            for order in ((one, deed, other), (other, deed, one))]
    found = [attend(x, x, x)[1] for x in said]
    change = f"{np.abs(found[0] - found[1]).max():.3f}"
    return Question(
        f"A network reads in both directions and has no positions. `{one} {deed} "
        f"{other}` becomes `{other} {deed} {one}`. By how much does any number in the "
        f"new vector of `{deed}` change?",
        options(
            (f"By {change}", "Attention is a sum over words, and a sum has no order. "
             "Without positions, both sentences are the same bag of words to it."),
            ("A lot: who does it to whom has changed", "For us it has. The network "
             "gets the same three vectors, and adds them up with the same weights."),
            ("A little, because its neighbours have changed places", "Attention knows "
             "no neighbours. Only a position tells it what stands beside what."),
            ("Its sign turns round", "Nothing in queries, keys and values depends on "
             "the order, so nothing turns."),
        ),
        f"By {change}", functions=(attend,),
    )


def causal_order(models, rng):
    record = models.record("twins")
    without, whole = (
        {skill: between(accuracies(record, name, skill))
         for skill in ("word order", "repetition")}
        for name in ("no positions", "full")
    )
    return Question(
        "A model that writes has a causal mask. Its positions are taken away. Can it "
        "still tell one order of words from another?",
        options(
            ("Partly: the mask lets each word see how many came before it.", "A word "
             "that sees only itself must be the first. Twins without positions reach "
             f"{without['word order']} in word order, twins with them "
             f"{whole['word order']}."),
            ("No: without positions order is invisible.", "That holds for a model that "
             "reads in both directions. A causal mask is different for each position, "
             "and that gives something away."),
            ("Yes, as well as before.", "In our twins, repetition ends at "
             f"{without['repetition']} without positions and at "
             f"{whole['repetition']} with them. How many words came before is a coarse "
             "measure."),
            ("Yes: the ids of the words tell the order.", "An id says which word it "
             "is, wherever it stands."),
        ),
        "Partly: the mask lets each word see how many came before it.",
    )


ATTENTION = {
    "path": ("why", path),
    "pairs": ("why", pairs),
    "nearest_row": ("embeddings", nearest_row),
    "ids": ("embeddings", ids_say_nothing),
    "rest_of_row": ("attention", rest_of_row),
    "future": ("attention", future),
    "same_scores": ("queries_keys_values", same_scores),
    "keys_and_values": ("queries_keys_values", keys_and_values),
    "cut_head": ("heads", cut_head),
    "same_layer": ("heads", same_layer),
    "shuffled": ("positions", shuffled_words),
    "causal_order": ("positions", causal_order),
}
