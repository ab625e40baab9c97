"""Exercises on the families: who may look at whom."""

from llm.exercises.exercise import Exercise, Kind, Mistake, Number, OneOf
from llm.exercises.parts import (
    pick,
)
from llm.studies.families import BOTH, DECODER, ENCODER, family_mask


def mask_families(models, rng, words):
    read, written = int(rng.integers(2, 11)), int(rng.integers(3, 11))
    size = read + written
    pairs = {
        name: int(family_mask(family, size, read).sum())
        for name, family in zip(
            ("encoder", "decoder", "both"), (ENCODER, DECODER, BOTH)
        )
    }
    causal = size * (size + 1) // 2
    return Exercise(
        kind="mask_families",
        task=f"A text of {size} tokens: the first {read} are read, the other "
        f"{written} are being written. How many pairs of a word that looks "
        "and a word that is looked at are allowed\n\n"
        "- in an encoder, which takes all of them as one text to read,\n"
        "- in a decoder, which takes all of them as one text to write,\n"
        "- in an encoder-decoder, whose encoder has the first "
        f"{read}, and whose decoder may look at all of these and at what is "
        "written so far?",
        fields={
            "encoder": Number("pairs in the encoder"),
            "decoder": Number("pairs in the decoder"),
            "both": Number("pairs in the encoder-decoder"),
        },
        answer=pairs,
        hints=(
            "Draw a square: a row for each word that looks, a column for each "
            "that is looked at.",
            f"In the encoder-decoder, every row sees the first {read} "
            "columns, and a row of the second half also sees itself and what "
            "was written before it.",
        ),
        solution=f"Encoder: {size}² = **{pairs['encoder']}**. Decoder: "
        f"{size} · {size + 1} / 2 = **{pairs['decoder']}**. Both: {size} · "
        f"{read} + {written} · {written + 1} / 2 = **{pairs['both']}**.",
        mistakes=(
            Mistake(
                {"decoder": causal - size},
                "In a decoder each word may look at itself too.",
            ),
            Mistake(
                {"both": read * read + written * (written + 1) // 2},
                "What is being written may also look at all that was read: "
                "that is cross-attention.",
            ),
            Mistake(
                {"both": pairs["encoder"]},
                "The half that is being written still hides what comes later, "
                "and the text that was read never looks at it.",
            ),
            Mistake(
                {"encoder": causal},
                "An encoder has no causal mask: it looks both ways.",
            ),
        ),
        given={"read": read, "written": written},
        functions=(family_mask,),
    )


def which_family(models, rng, words):
    tasks = {
        "fill a blank in the middle of a sentence": "encoder",
        "decide whether an email is spam": "encoder",
        "continue a story": "decoder",
        "answer questions in a chat": "decoder",
        "translate a sentence": "encoder-decoder",
        "turn speech into text": "encoder-decoder",
    }
    why = {
        "encoder": "all of the text is there, and both sides of a word help",
        "decoder": "each word is written before the next one is known",
        "encoder-decoder": "one text is read as a whole while another is "
        "written",
    }
    task = pick(rng, tasks)
    right = tasks[task]
    options = tuple(why)
    wrong = {
        ("encoder", "decoder"): "A decoder can do it, but it would not see "
        "what comes after a word.",
        ("encoder", "encoder-decoder"): "Nothing has to be written, so the "
        "second half has no work.",
        ("decoder", "encoder"): "An encoder looks at later words, and while "
        "a text is written there are none.",
        ("decoder", "encoder-decoder"): "That would work, but there is no "
        "second text to read: the beginning is simply the start of the text.",
        ("encoder-decoder", "encoder"): "An encoder reads well, but it "
        "cannot write a text of another length.",
        ("encoder-decoder", "decoder"): "Large decoders do it too, but the "
        "design that was made for it reads one text in both directions and "
        "writes another.",
    }
    size = int(rng.integers(4, 9))
    pairs = {
        "encoder": int(family_mask(ENCODER, size).sum()),
        "decoder": int(family_mask(DECODER, size).sum()),
    }
    position = int(rng.integers(1, size - 1))
    seen = position + 1 if right == "decoder" else size
    return Exercise(
        kind="which_family",
        task=f"Which family was designed to {task}? And in it, how many "
        f"tokens may the token at position {position} (counted from 0) see "
        f"in a text of {size} tokens that it "
        f"{'writes' if right == 'decoder' else 'reads'}?",
        fields={
            "family": OneOf("the family", options),
            "seen": Number("tokens that it may see"),
        },
        answer={"family": right, "seen": seen},
        hints=(
            "Is the whole text there from the start, or is it being written? "
            "Is there one text or two?",
            "What is read may be seen as a whole; what is written only up to "
            "the token itself.",
        ),
        solution=f"**{right}**: {why[right]}. The token may see **{seen}** "
        "tokens, itself among them.",
        mistakes=(
            *(
                Mistake({"family": family}, said)
                for (wanted, family), said in wrong.items()
                if wanted == right
            ),
            Mistake(
                {"seen": seen - 1},
                "It may look at itself too.",
            ),
            Mistake(
                {"seen": size if right == "decoder" else position + 1},
                "This text is written: later tokens are not there yet."
                if right == "decoder"
                else "This text is read, so later tokens may be seen as well.",
            ),
        ),
        given={"size": size, "position": position, "pairs": pairs},
        functions=(family_mask,),
    )


FAMILIES = {
    "mask_families": Kind("families", "Count the masks", mask_families),
    "which_family": Kind("families", "Which family?", which_family),
}
