"""Memory that a training keeps from one step to the next.

The C library of Linux gives large arrays back to the system as soon as they
are freed. The next step asks for them again, and the system clears every page
of them first. In steps of 64 rows that was a quarter to a third of the time
(measured).
"""

import ctypes
import platform
import sys

# What `mallopt` sets, by the numbers in glibc's `malloc.h`.
TRIM_THRESHOLD, MMAP_MAX = -1, -4
NEVER = -1


def keep_freed_memory():
    """Let this process keep what it frees, to use it again.

    It then holds about as much memory as it has ever needed at once, until it
    ends. Only the C library of Linux (glibc) is told so; others are left as
    they are.

    Returns:
        Whether it was told.
    """
    # Elsewhere the question for glibc may itself go wrong.
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    # Large arrays come out of heaps that are kept, not each by itself.
    kept = library.mallopt(MMAP_MAX, 0), library.mallopt(TRIM_THRESHOLD, NEVER)
    return all(kept)
