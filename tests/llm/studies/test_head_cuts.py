"""What falls without a head is measured, and belongs to the shipped model."""

import json

import pytest

from llm import TinyLLM
from llm.glassbox.ablation import Ablation
from llm.models.tiny_llm import ASSETS
from llm.studies.exam import fresh_exam
from llm.studies.head_cuts import accuracies


@pytest.fixture(scope="module")
def record():
    return json.loads((ASSETS / "heads.json").read_text(encoding="utf-8"))


def test_the_shipped_accuracies_are_those_of_the_shipped_model(record):
    llm = TinyLLM.load()
    exam = fresh_exam(llm.tokenizer, record["num_stories"])
    whole = accuracies(llm.weights, llm.tokenizer, exam)
    assert whole == pytest.approx(record["skills"]["whole"], abs=0.011)
    layer, head = 1, llm.config.num_heads - 1
    cut = accuracies(llm.weights, llm.tokenizer, exam, Ablation(heads={(layer, head)}))
    assert cut == pytest.approx(record["skills"]["without"][layer][head], abs=0.011)
    layers = {(n, "feed_forward") for n in range(llm.config.num_layers)}
    bare = accuracies(llm.weights, llm.tokenizer, exam, Ablation(layers=layers))
    assert bare == pytest.approx(record["skills"]["without_feed_forward"], abs=0.011)


def test_every_head_was_cut_and_every_skill_asked(record):
    config = TinyLLM.load().config
    without = record["skills"]["without"]
    assert [len(layer) for layer in without] == [config.num_heads] * config.num_layers
    for layer in without:
        for skills in layer:
            assert skills.keys() == record["skills"]["whole"].keys()
    assert "frequency" not in record["skills"]["whole"]
