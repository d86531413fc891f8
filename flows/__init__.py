"""Orchestration and every side effect: files, locks, Prefect, the command line."""

import os

# Polars' allocator reads this when it is loaded. Memory that a step has freed stays for the next
# step, in one pool, instead of going back to the system at once: a sixth of a large turn's time.
os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:2,oversize_threshold:0,dirty_decay_ms:10000")
