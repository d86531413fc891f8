"""Orchestration and every side effect: files, locks, Prefect, the command line."""

import os

# Polars' allocator reads this when it is loaded, so it stands before any import of Polars. Memory
# that a step has freed waits ten seconds for the next step before it goes back to the system, in
# two pools instead of four a core: about a tenth of the processor time of a large turn.
os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:2,oversize_threshold:0,dirty_decay_ms:10000")
