"""What a training frees, it gets again at once."""

import os
import platform
import subprocess
import sys

import pytest

BLOCKS = """
import resource
from llm.training.memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        b"x" * 40_000_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

before = faults()
assert keep_freed_memory()
faults()
print(before, faults())
"""


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc",
    reason="only glibc is told",
)
def test_kept_memory_need_not_be_cleared_again():
    plain = {name: value for name, value in os.environ.items()
             if not name.startswith(("MALLOC_", "GLIBC_TUNABLES", "LD_PRELOAD"))}
    told = subprocess.run(
        [sys.executable, "-c", BLOCKS], capture_output=True, text=True, check=True,
        env=plain,
    )
    before, after = map(int, told.stdout.split())
    if before < 100:
        pytest.skip("page faults are not counted here")
    assert after < before / 10


def test_where_there_is_no_glibc_nothing_is_told(monkeypatch):
    from llm.training import memory

    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: pytest.fail("told"))
    assert not memory.keep_freed_memory()
