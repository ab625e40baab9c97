"""Families: from Transformers to ChatGPT and Claude."""

import streamlit as st

from llm.studies.families import (
    BOTH,
    ENCODER,
    FAMILIES,
    blank_truth,
    family_mask,
)
from pages.families.charts import BLANK, blank_bars, mask_map
from pages.families.measures import (
    HIDDEN,
    SENTENCE,
    filled,
    left_and_both,
    training_compared,
)
from pages.families.sections import (
    ask_anything,
    cross_attention_by_hand,
    made_larger,
    picture_in_patches,
)
from pages.families.words import WHAT_FOR, blank_in_words, guess_replies
from pages.ui.chart import show
from pages.ui.colours import MODEL, VALUES
from pages.ui.controls import choose, choose_position, sentence_input
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import tiny_llm, world
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import numbered

lesson(__file__)

MOST_WORDS = 24  # a larger mask could not be read
NETWORKS = {ENCODER: ("encoder twin", VALUES)}

st.markdown("""
The Transformer of 2017 had two halves: an **encoder** that reads a text and a
**decoder** that writes one. Soon each half was used alone, so there are three families.
What tells them apart first of all is the **mask**: the table of who may look at whom.
Switch the family, and see what this does to a blank in the sentence.
""")
glossary("encoder", "decoder", "decoder-only", "mask", "cross-attention")
family = choose("Family", FAMILIES, "family")
masks, fills = st.columns(2)
below = st.container()
with st.container(horizontal=True):
    tokens = sentence_input(SENTENCE, key="families_sentence", label="Sentence",
                            name="sentence")
    if len(tokens) > MOST_WORDS:
        st.info(f"This picture shows the first {MOST_WORDS} of {len(tokens)} words.")
    tokens = tokens[:MOST_WORDS] or SENTENCE.split()
    place = choose_position("Hide this word", numbered(tokens), "hidden_word",
                            min(HIDDEN, len(tokens) - 1), width=200)
before = SENTENCE.split()[:HIDDEN]
replies, answer = guess_replies(tiny_llm().next_token(before),
                                world().next_word_probabilities(before))
guess = pick_first(
    f"`{' '.join(before)} {BLANK} was too tired .` The tiny LLM is a decoder. It reads "
    "from the left and comes to the blank. What does it expect there?",
    replies, answer=answer, key="families_guess",
)
seen = guessed(guess, "families_guess")

with masks:
    # With both halves, the words before the blank are read, the others written.
    num_read = place if family == BOTH else 0
    words = [*tokens[:place], BLANK, *tokens[place + 1:]]
    show(mask_map(family_mask(family, len(tokens), num_read), words, num_read, place,
                  family), "family_mask")
with fills:
    if family == ENCODER or seen:
        name, colour = NETWORKS.get(family, ("tiny LLM", MODEL))
        show(blank_bars(name, *filled(family, tokens, place), colour), "fills")
        if family == ENCODER and place == len(tokens) - 1:
            st.caption("The twin was trained on texts that end with a full stop, or "
                       "with the end of a story, and so expects that in the last "
                       "place. The exact truth counts stories that go on, too.")
        if family == BOTH:
            st.caption("We trained no network of this family, so only the exact truth "
                       "is drawn. At the blank, nothing is known of what follows.")
    else:
        st.info("What does it put into the blank? Your guess first, below.")
with below:
    st.markdown(f"{WHAT_FOR[family]} Pale is forbidden; `<start>` is not shown.")
    if seen:
        st.markdown(blank_in_words(tokens[place], *left_and_both(tokens, place)))

st.markdown(f"""
Who fills the blank? The tiny LLM, and a network of the same size, its **encoder twin**:
it has no mask, was trained to fill in hidden words, and one of its heads was trained to
point from `it` at its noun. {training_compared()} (BERT, a *masked language model*,
calls its blanks *mask*; that has nothing to do with the mask above.)
""")
show_source(family_mask, blank_truth)

st.markdown("""
| family | well-known ones | used for |
|---|---|---|
| encoder | BERT (2018), RoBERTa (2019), ModernBERT (2024) | search, classifying, comparing |
| encoder-decoder | the Transformer (2017), T5 (2019), BART (2019), Whisper (2022, speech to text) | translating, summarising |
| decoder | GPT (2018), GPT-3 (2020), Llama (2023); as far as is known, ChatGPT (2022) and Claude (2023) | writing, answering, programming |

The large ones are mostly **decoder-only**. Any text trains them, at
each of its words; an encoder learns only at the words that are hidden. And a model that can continue a text can do the work of the others, too:
it is given *translate this:* and a sentence, and continues with the translation.
""")  # noqa: E501

st.header("From a language model to an assistant", anchor=False)
st.markdown("""
1. **Pre-training.** Predict the next token, with far more text and parameters than the
   tiny LLM.
2. **Instructions.** A pre-trained model continues a text; asked a question, it may
   well write more questions. So it is trained further on **instruction data**: tasks
   with good answers.
3. **Feedback.** People are shown two answers and say which is better. A second network
   learns to predict their choice, and the model is trained to write answers that it
   rates highly: learning from **human feedback** (InstructGPT, 2022). The aim is an
   assistant that is **helpful, honest and safe**. Judgement can also come from a model
   that is given written principles (Constitutional AI, 2022, used for Claude).
4. **A frame.** Your question is put into a text such as *user: … assistant:*, and the
   model continues from there.
""")
st.markdown("""
**What to notice**

- Without its mask a decoder is an encoder; only its training differs. With both halves
  comes **cross-attention**, from one text to the other.
- A decoder pays for being able to write: at a blank it knows only the left side.
- An assistant is not another kind of network. It is trained further, and still predicts
  the next token.
""")

deeper_sections((
    ("the tiny LLM beside GPT-3", "larger", made_larger),
    ("ask the tiny LLM something it cannot know", "ask_it", ask_anything),
    ("how a decoder reads an encoder", "cross", cross_attention_by_hand),
    ("beyond text: pictures, sound, proteins", "beyond_text", picture_in_patches),
))

check_yourself(
    "You want a model that decides whether a film review is kind or unkind. Nothing is "
    "to be written. Why may an encoder do better than a decoder of the same size?",
    {
        "An encoder has more parameters.": "The two here have the same size. A mask "
        "has no parameters at all.",
        "In an encoder each word is understood from both sides.": "In `not bad at "
        "all`, `bad` can look at what follows. In a decoder only the later words know.",
        "A decoder can read only as many words as it has written.": "It reads any text "
        "that it is given; the mask only keeps each word from looking ahead.",
        "Decoders do not use attention.": "They do, with a mask.",
    },
    answer="In an encoder each word is understood from both sides.",
    key="families_check",
)
work_it_out("mask_families")
