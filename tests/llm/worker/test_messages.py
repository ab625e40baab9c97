"""Messages through a pipe."""

import io

import numpy as np
import pytest

from llm.worker.messages import Sender, receive


def sent(*args, **values):
    pipe = io.BytesIO()
    Sender(pipe).send(*args, **values)
    pipe.seek(0)
    return pipe


def test_what_is_sent_is_received():
    arrays = [np.arange(6, dtype=np.float32).reshape(2, 3), np.int64(7), np.zeros(0)]
    kind, values, found = receive(sent("report", arrays, step=3, name="ä", kind="x"))
    assert (kind, values) == ("report", {"step": 3, "name": "ä", "kind": "x"})
    for array, other in zip(arrays, found, strict=True):
        assert np.asarray(array).dtype == other.dtype
        np.testing.assert_array_equal(array, other)


def test_messages_stand_one_behind_the_other():
    pipe = io.BytesIO(sent("one").getvalue() + sent("two", [np.ones(3)]).getvalue())
    assert [receive(pipe)[0], receive(pipe)[0], receive(pipe)] == ["one", "two", None]


@pytest.mark.parametrize("length", [0, 3, 8, 20, 60])
def test_a_pipe_that_breaks_off_is_an_end(length):
    whole = sent("report", [np.ones(9)], step=1).getvalue()
    assert receive(io.BytesIO(whole[:length])) is None


def test_only_numbers_are_received():
    pipe = sent("report", [np.array([{}], dtype=object)])
    with pytest.raises(ValueError, match="no array of numbers"):
        receive(pipe)
