"""Records that need no training: counted in stories, or measured on trained
models.
"""

import json

import numpy as np

from llm.glassbox.lstm import lstm_logits
from llm.models.shipped import load_lstm
from llm.models.tiny_llm import TinyLLM
from llm.studies.distance import NUM_STORIES, skills_by_distance
from llm.studies.exam import fresh_exam
from llm.studies.head_cuts import head_record
from llm.studies.sampling import sweep
from llm.training.records import write_json
from llm.training.schedule import stories_of


def train_pairs(out):
    """Count pairs of words in the stories that the tiny LLM has read, each as
    much as it counted there.
    """
    record = json.loads((out / "tiny_llm.json").read_text(encoding="utf-8"))
    size = len(record["vocabulary"])
    counts = np.zeros((size, size))
    for ids, weight in stories_of(record["training"]):
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
