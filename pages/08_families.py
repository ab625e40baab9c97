"""Families: from Transformers to ChatGPT and Claude."""

import streamlit as st

from llm.studies.families import (
    FAMILIES,
    blank_truth,
    cross_attention,
    family_mask,
    patches,
    small_picture,
)
from pages.families.sections import (
    SENTENCE,
    ask_anything,
    both_fills,
    cross_attention_by_hand,
    guess_answered,
    hidden_word,
    made_larger,
    picture_in_patches,
    shown_mask,
    training_compared,
    writing_turns,
)
from pages.ui.controls import sentence_input
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

MOST_WORDS = 24  # a larger mask could not be read

st.markdown("""
The Transformer of 2017 had two halves: an **encoder** that reads a text, and a
**decoder** that writes one. Soon people found that each half is useful alone. So there
are three families today. Most of what tells them apart is one small table: the
**mask**, which says who may look at whom. Besides, the two halves together have a
second attention, from one text to the other (**cross-attention**), and an encoder
alone is trained on another task: to fill in hidden words.
""")
glossary("encoder", "decoder", "decoder-only", "mask", "cross-attention",
         "large language model")

st.header("Your guess first", anchor=False)
guess = pick_first(
    "`the animal didn't cross the street because the ___ was too tired .` The tiny LLM "
    "reads from the left and comes to the blank. What does it expect there?",
    ["`animal`, nearly surely", "`street`, nearly surely", "Both, each about as likely",
     "Neither"],
    key="families_guess",
)
if guess:
    st.markdown(guess_answered(guess))

st.header("Three masks, one sentence", anchor=False)
st.markdown("""
Switch the family. A row is a word that looks, a column a word that is looked at; pale
squares are forbidden. The framed row is the blank.
""")
family = st.segmented_control(
    "Family", FAMILIES, default=FAMILIES[0], required=True, key="family",
    bind="query-params",
) or FAMILIES[0]
picture = st.container()
with st.expander("Another sentence, another blank", key="other_blank",
                 type="compact"):
    tokens = sentence_input(SENTENCE, key="families_sentence", label="Sentence",
                            name="sentence")
    if len(tokens) > MOST_WORDS:
        st.info(f"This picture shows the first {MOST_WORDS} of {len(tokens)} words.")
    tokens = tokens[:MOST_WORDS] or SENTENCE.split()
    place = hidden_word(tokens)
with picture:
    shown_mask(family, tokens, place)

st.subheader("What the mask does", anchor=False)
st.markdown("""
Two networks of the same size, trained on stories of the same toy world. The tiny LLM
is a decoder. Its **encoder twin** has no mask, and was trained to fill in hidden words:
a hidden word is replaced by `[mask]`, which is only a token that stands for a blank and
has nothing to do with the mask above. The same blank, filled by both:
""")
both_fills(tokens, place)
st.markdown(training_compared())
show_source(family_mask)

st.header("Who is who", anchor=False)
st.markdown("""
| family | well-known ones | used for |
|---|---|---|
| encoder | BERT (2018), RoBERTa (2019), ModernBERT (2024) | search, classifying, comparing texts |
| encoder-decoder | the Transformer (2017), T5 (2019), BART (2019), Whisper (2022, from speech to text) | translating, summarising |
| decoder | GPT (2018), GPT-2 (2019), GPT-3 (2020), ChatGPT (2022), Claude (2023), Llama (2023) | writing, answering, programs, conversation |

Decoders became the large ones; such models are called **decoder-only**. Any text is an
exercise for them, and nobody has to mark it: the next word is already there. And a
model that can continue a text can do the work of the other two as well: it is given
*translate this:* and a sentence, and continues with the translation.
""")  # noqa: E501

st.header("How a large language model writes", anchor=False)
st.markdown("""
In a loop, like the tiny LLM here. One turn makes one token; then the whole text, one
token longer, goes in again. Nothing else *needs* to be kept: the text holds all that
the next turn depends on. In practice the keys and values of earlier words are kept, in
a **cache**, so that they are not computed again; the tiny LLM does so too. To draw, a
random number between 0 and 1 is taken; lesson 11 shows which word it falls on.
""")
writing_turns()

st.header("From a language model to an assistant", anchor=False)
st.markdown("""
1. **More of everything.** More text, more blocks, wider vectors. This long first part
   is called **pre-training**, and it is what you have seen: predict the next token.
""")
st.markdown(made_larger())
st.markdown("""
2. **Instructions.** A pre-trained model continues a text; asked a question, it may
   well write more questions. So it is trained further on **instruction data**: tasks
   with good answers. The training is the same, only the text is chosen.
3. **Feedback.** People are shown two answers and say which is better. A second network
   learns to predict their choice, and the model is trained to write answers that this
   network rates highly: learning from **human feedback** (InstructGPT, 2022). The aim
   is an assistant that is more **helpful, honest and safe**. Judgement can also come
   from a model that is given written principles (Constitutional AI, 2022, used for
   Claude).
4. **A frame.** Your question is put into a text such as *user: … assistant:*, and the
   model continues from there. It may also be given tools: search, a calculator, files.

Inside, it is a decoder that predicts the next token, from the first step to the last.
""")
glossary("pre-training", "instruction data", "human feedback", "hallucination")

st.markdown("""
**What to notice**

- The three families are one design. Without its mask a decoder is an encoder; it only
  has to be trained for that.
- A decoder pays for being able to write: at a blank it knows only half of the sentence.
- What makes an assistant is not another network, but more text and chosen text.
""")

if section := go_deeper("ask the tiny LLM something it cannot know", "ask_it"):
    with section:
        st.markdown("""
        It has read stories about cats and kites, and nothing else. It has had neither
        instructions nor feedback. Ask it anything:
        """)
        ask_anything()
        lesson_link("next_token", "More on making things up: Next token")

if section := go_deeper("how a decoder reads an encoder", "cross"):
    with section:
        st.markdown("""
        In an encoder-decoder, each block of the decoder has a second attention. Its
        **queries** come from the text that is being written, its **keys and values**
        from the text that was read: **cross-attention**. Nothing else about it is new.
        Here a German sentence was read. The vectors are chosen by hand, so that you can
        check each step with a pencil; what follows from them is computed.
        """)
        cross_attention_by_hand()
        show_source(cross_attention)

if section := go_deeper("beyond text: pictures, sound, proteins", "beyond_text"):
    with section:
        st.markdown("""
        A Transformer does not know what a word is. It gets a row of vectors. Whatever
        can be cut into a row of pieces can be read by one. Here is a picture of 32 × 32
        pixels:
        """)
        picture_in_patches()
        st.markdown(f"""
        - **Pictures**: the Vision Transformer (2020) cuts 224 × 224 pixels into patches
          of 16 × 16, which makes {(224 // 16) ** 2} tokens.
        - **Sound**: Whisper (2022) reads half a minute of speech as 1,500 tokens, each
          of a fiftieth of a second.
        - **Proteins**: a protein is a chain of 20 kinds of amino acids, so it is a text
          with 20 letters. AlphaFold 2 (2020) uses attention to tell how it folds.
        - **Mixtures**: patches and words in one row. That is how a chat model looks at
          your photograph (GPT-4 in 2023, Claude 3 in 2024). Another thing is a *mixture
          of experts*: several feed-forward layers side by side, of which each token
          uses a few.
        """)
        show_source(small_picture, patches)

if section := go_deeper("how exact can a blank be known?", "blank_truth"):
    with section:
        st.markdown("""
        Because we know the rules of the toy world, the truth ticks above are exact. A
        word is as likely in the blank as the world would be to tell the whole sentence
        with it:
        """)
        show_source(blank_truth)

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
