"""One lock for Keras: building, compiling and running a model, by one thread
at a time.

TensorFlow does not promise that one model may be run by many threads, and
Keras keeps global state while a model is built. The lessons of all students
run in one process.
"""

import threading

KERAS_LOCK = threading.RLock()
