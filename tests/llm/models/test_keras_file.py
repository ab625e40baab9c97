"""The weights reader: a `.keras` file opened without Keras."""

import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from llm.models.keras_file import (
    WeightsError,
    config_of,
    from_arrays,
    paths,
    read,
    shapes,
)


def test_paths_inside_the_file_go_by_class_and_order():
    assert paths(2) == [
        "layers/embedding/vars/0",
        "layers/embedding_1/vars/0",
        "layers/layer_normalization/vars/0",
        "layers/layer_normalization/vars/1",
        "layers/multi_head_attention/query_dense/vars/0",
        "layers/multi_head_attention/query_dense/vars/1",
        "layers/multi_head_attention/key_dense/vars/0",
        "layers/multi_head_attention/key_dense/vars/1",
        "layers/multi_head_attention/value_dense/vars/0",
        "layers/multi_head_attention/value_dense/vars/1",
        "layers/multi_head_attention/output_dense/vars/0",
        "layers/multi_head_attention/output_dense/vars/1",
        "layers/layer_normalization_1/vars/0",
        "layers/layer_normalization_1/vars/1",
        "layers/dense/vars/0",
        "layers/dense/vars/1",
        "layers/dense_1/vars/0",
        "layers/dense_1/vars/1",
        "layers/layer_normalization_2/vars/0",
        "layers/layer_normalization_2/vars/1",
        "layers/multi_head_attention_1/query_dense/vars/0",
        "layers/multi_head_attention_1/query_dense/vars/1",
        "layers/multi_head_attention_1/key_dense/vars/0",
        "layers/multi_head_attention_1/key_dense/vars/1",
        "layers/multi_head_attention_1/value_dense/vars/0",
        "layers/multi_head_attention_1/value_dense/vars/1",
        "layers/multi_head_attention_1/output_dense/vars/0",
        "layers/multi_head_attention_1/output_dense/vars/1",
        "layers/layer_normalization_3/vars/0",
        "layers/layer_normalization_3/vars/1",
        "layers/dense_2/vars/0",
        "layers/dense_2/vars/1",
        "layers/dense_3/vars/0",
        "layers/dense_3/vars/1",
        "layers/layer_normalization_4/vars/0",
        "layers/layer_normalization_4/vars/1",
        "layers/dense_4/vars/0",
        "layers/dense_4/vars/1",
    ]


def flat(weights):
    """All arrays of a tree, in order."""
    for value in vars(weights).values():
        if isinstance(value, np.ndarray):
            yield value
        else:
            for part in value if isinstance(value, tuple) else [value]:
                yield from flat(part)


def test_every_array_is_read_into_its_place(tiny_path, keras_model):
    arrays = keras_model.get_weights()
    for found, expected in zip(flat(read(tiny_path)), arrays, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_sizes_and_shapes_are_those_of_the_model(tiny_path, tiny_config, keras_model):
    assert config_of(read(tiny_path)) == tiny_config
    assert shapes(tiny_config) == [array.shape for array in keras_model.get_weights()]


def test_half_precision_lists_are_read_for_the_training_lesson(keras_model):
    arrays = [array.astype(np.float16) for array in keras_model.get_weights()]
    weights = from_arrays(arrays, num_layers=2)
    assert weights.output_bias.dtype == np.float32
    np.testing.assert_array_equal(weights.token_embeddings, arrays[0])
    np.testing.assert_array_equal(weights.blocks[1].attention.value_bias, arrays[25])
    np.testing.assert_array_equal(weights.output_bias, arrays[-1])


def test_a_list_of_the_wrong_length_is_refused(keras_model):
    with pytest.raises(ValueError, match="3 blocks need 54 arrays, not 38"):
        from_arrays(keras_model.get_weights(), num_layers=3)


def test_reading_does_not_load_keras(tiny_path):
    code = (
        "import sys; from llm.models.keras_file import read; read(sys.argv[1]); "
        "sys.exit(bool({'keras', 'tensorflow'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code, tiny_path], check=True)


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(WeightsError, match="There is no weights file .*nothing.keras"):
        read(tmp_path / "nothing.keras")


def test_a_folder_is_no_weights_file(tmp_path):
    with pytest.raises(WeightsError, match="There is no weights file"):
        read(tmp_path)


@pytest.mark.parametrize("share", [0, 0.3, 0.9, 0.999])
def test_a_file_that_was_cut_short_is_damaged(tiny_path, tmp_path, share):
    whole = tiny_path.read_bytes()
    path = tmp_path / "cut.keras"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(WeightsError, match="damaged"):
        read(path)


def test_a_file_with_a_flipped_bit_is_damaged(tiny_path, tmp_path):
    flipped = bytearray(tiny_path.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    path = tmp_path / "flipped.keras"
    path.write_bytes(flipped)
    with pytest.raises(WeightsError, match="damaged"):
        read(path)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"\x00" * 5000])
def test_a_file_that_is_no_zip_is_damaged(tmp_path, content):
    path = tmp_path / "other.keras"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match="damaged"):
        read(path)


def rewritten(path, new_path, name, content):
    """A copy of a zip with one of its files written anew, or left out."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new_path, "w") as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
            elif content is not None:
                new.writestr(member, content)
    return new_path


@pytest.mark.parametrize("content", [None, b"", b"no numbers"])
def test_a_zip_without_sound_numbers_is_damaged(tiny_path, tmp_path, content):
    path = rewritten(tiny_path, tmp_path / "new.keras", "model.weights.h5", content)
    with pytest.raises(WeightsError, match="damaged"):
        read(path)


def changed(tiny_path, tmp_path, change):
    """A copy of the tiny file after `change` was called with its open numbers."""
    import h5py

    numbers = tmp_path / "numbers.h5"
    with zipfile.ZipFile(tiny_path) as archive:
        numbers.write_bytes(archive.read("model.weights.h5"))
    with h5py.File(numbers, "r+") as file:
        change(file)
    return rewritten(
        tiny_path, tmp_path / "new.keras", "model.weights.h5", numbers.read_bytes()
    )


def test_a_file_without_one_of_the_arrays_is_of_another_model(tiny_path, tmp_path):
    def change(file):
        del file["layers/dense/vars/1"]

    with pytest.raises(WeightsError, match="another model"):
        read(changed(tiny_path, tmp_path, change))


def test_a_file_with_one_array_more_is_of_another_model(tiny_path, tmp_path):
    def change(file):
        file["layers/lstm/vars/0"] = np.zeros(3)

    with pytest.raises(WeightsError, match="layers/lstm/vars/0 should not be there"):
        read(changed(tiny_path, tmp_path, change))


def test_an_array_of_another_shape_is_named(tiny_path, tmp_path):
    def change(file):
        del file["layers/dense_1/vars/0"]
        file["layers/dense_1/vars/0"] = np.zeros((12, 9))

    with pytest.raises(
        WeightsError, match=r"layers/dense_1/vars/0 has .* \(12, 9\) .* \(12, 8\)"
    ):
        read(changed(tiny_path, tmp_path, change))


def test_a_model_of_another_kind_is_refused(tmp_path):
    import keras

    path = tmp_path / "other.keras"
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]).save(path)
    with pytest.raises(WeightsError, match="another model"):
        read(path)


def test_the_file_opens_in_keras_with_nothing_of_ours(tiny_path, tmp_path):
    shutil.copy(tiny_path, tmp_path / "tiny.keras")
    code = (
        "import keras, sys; model = keras.saving.load_model('tiny.keras'); "
        "print(model.count_params()); sys.exit('llm' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True,
        capture_output=True, text=True, env={"TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    count = sum(array.size for array in flat(read(tiny_path)))
    assert int(done.stdout) == count
