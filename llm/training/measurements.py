"""Records that need no training: counted in stories, or measured on trained
models.
"""

import json

import numpy as np

from llm.glassbox.lstm import lstm_logits
from llm.models.shipped import load_checkpoints, load_lstm
from llm.models.tiny_llm import TinyLLM
from llm.models.tokenizer import Tokenizer
from llm.studies.distance import NUM_STORIES, skills_by_distance
from llm.studies.exam import fresh_exam, log_probabilities
from llm.studies.head_cuts import head_record
from llm.studies.sampling import sweep
from llm.studies.shortfall import shortfall_record
from llm.training.records import rounded, write_json
from llm.world.reading import stories_of


def train_pairs(out):
    """Count pairs of words in the stories that the tiny LLM has read, each as
    much as its story counted there.

    What `Schedule.at_decision` adds is left out: who knows one word only
    cannot tell the skill, and so the counts would be shifted.
    """
    record = json.loads((out / "tiny_llm.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer(record["vocabulary"])
    counts = np.zeros((len(tokenizer), len(tokenizer)))
    for story, weight in stories_of(record["training"]):
        ids = tokenizer.ids_of(story.tokens)
        np.add.at(counts, (ids[:-1], ids[1:]), weight)
    np.savez_compressed(out / "pairs.npz", counts=counts.astype(np.float32))


def measure_heads(out):
    """Measure what each head of the tiny LLM does, and what falls without it
    or without the feed-forward layers.
    """
    write_json(
        out / "heads.json", head_record(TinyLLM.load(out / "tiny_llm.keras"))
    )


def measure_distance(out):
    """Measure the skills of both networks by distance, for `distance.json`."""
    llm, lstm = TinyLLM.load(out / "tiny_llm.keras"), load_lstm(out)
    models = {
        "LSTM": lambda token_ids: lstm_logits(lstm, token_ids),
        "tiny LLM": llm.logits,
    }
    exam = fresh_exam(llm.tokenizer, NUM_STORIES)
    write_json(
        out / "distance.json", skills_by_distance(models, exam, llm.tokenizer)
    )


def measure_sweep(out):
    """Judge stories at many temperatures, for `sweep.json`."""
    write_json(out / "sweep.json", sweep(TinyLLM.load(out / "tiny_llm.keras")))


def measure_shortfall(out):
    """Measure what separates the tiny LLM from the truth at every kept step,
    for `shortfall.json`.
    """
    tokenizer = TinyLLM.load(out / "tiny_llm.keras").tokenizer
    exam, steps = fresh_exam(tokenizer), []
    for step, weights in load_checkpoints(out).items():
        llm = TinyLLM(weights, tokenizer.vocabulary)
        log_q = log_probabilities(llm.logits, exam)
        steps.append(
            {"step": step, **shortfall_record(exam, log_q, tokenizer)}
        )
    write_json(out / "shortfall.json", {"steps": rounded(steps, digits=9)})
