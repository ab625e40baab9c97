"""Parameters counted by hand are the parameters that there are."""

import pytest

from llm.models.config import ModelConfig
from llm.models.parameters import GPT_2_SMALL, GPT_3, count_parameters, total


def test_the_parts_add_up_to_what_keras_counts(keras_model, tiny_config):
    assert total(count_parameters(tiny_config)) == keras_model.count_params()


def test_the_tiny_llm_adds_up_to_what_keras_counts():
    from llm.training.model import build_model
    from llm.world import World, held_out_pairs

    config = ModelConfig(len(World(held_out_pairs()).vocabulary()))
    counted = total(count_parameters(config))
    assert counted == build_model(config).count_params()
    assert 190_000 < counted < 200_000


def test_gpt_2_small_has_the_number_of_parameters_that_is_known():
    assert total(count_parameters(GPT_2_SMALL)) == 124_439_808


def test_gpt_3_has_the_175_billion_of_its_paper():
    counted = total(count_parameters(GPT_3))
    assert counted == 174_604_259_328
    assert counted == pytest.approx(175e9, rel=0.003)


def test_most_of_gpt_3_is_in_its_feed_forward_layers():
    parts = {part.name: part.total for part in count_parameters(GPT_3)}
    assert parts["feed-forward"] > 0.65 * sum(parts.values())
