"""What the networks of the lesson on the families say about a blank."""

from llm.models.encoder_twin import MASK
from llm.studies.families import BOTH, ENCODER, blank_truth
from llm.training.batches import rows_of
from pages.families.charts import BLANK
from pages.families.words import twin_in_words
from pages.ui.models import encoder_twin, record, tiny_llm, world

SENTENCE = "the animal didn't cross the street because the animal was too tired ."
HIDDEN = 8  # in that sentence: the second `animal`
COPIED, COLOUR = "mia has a blue kite . mia 's kite is", "blue"


def filled(family, tokens, place):
    """A blank, filled by the network of a family, and by the truth it may know.

    Args:
        family: one of `llm.studies.families.FAMILIES`.
        tokens: the words.
        place: the index of the hidden one.

    Returns:
        said: a dictionary from every word to its probability; None where we have no
            network of this family.
        truth: the exact one for one who sees what the blank may look at.
    """
    before, after = list(tokens[:place]), list(tokens[place + 1:])
    if family == ENCODER:
        return by_twin(before, after), blank_truth(world(), before, after)
    truth = world().next_word_probabilities(before)
    return None if family == BOTH else tiny_llm().next_token(before), truth


def by_twin(before, after):
    """What the encoder twin puts into a blank between these words."""
    return encoder_twin().answers([*before, MASK, *after], len(before) + 1)


def left_and_both(tokens, place):
    """The exact truth of a blank, knowing the left side and knowing both."""
    before, after = list(tokens[:place]), list(tokens[place + 1:])
    return (world().next_word_probabilities(before),
            blank_truth(world(), before, after))


def training_compared():
    """How far the two networks may be compared, in sentences."""
    rows = [rows_of(record(name)["training"]["schedule"])
            for name in ("tiny_llm", "encoder")]
    before = COPIED.split()
    return twin_in_words(
        rows[0] / rows[1], record("encoder")["scores"]["binding"]["fresh"],
        f"{COPIED} {BLANK} .", COLOUR,
        by_twin(before, ["."])[COLOUR], tiny_llm().next_token(before)[COLOUR],
    )
