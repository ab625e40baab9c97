"""What the lesson on the block tries out on the trained model."""

import numpy as np
import streamlit as st

from llm.glassbox.ablation import Ablation
from llm.glassbox.softmax import softmax
from pages.block.words import Without
from pages.ui.models import tiny_llm


@st.cache_resource(show_spinner=False)
def without_layers(text, part):
    """What the tiny LLM says after a text, whole and without all layers of a kind.

    Args:
        text: words of the vocabulary.
        part: "attention" or "feed_forward".

    Returns:
        A `Without`.
    """
    llm = tiny_llm()
    cut = Ablation(layers={(layer, part) for layer in range(llm.config.num_layers)})
    whole, left = (softmax(run.logits[-1].astype(float))
                   for run in (llm.trace(text), llm.trace(text, cut)))
    best, other = int(whole.argmax()), int(np.argmax(left))
    words = llm.tokenizer.vocabulary
    return Without(text, words[best], float(whole[best]), float(left[best]),
                   words[other], float(left[other]))
