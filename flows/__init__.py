"""Orchestration and every side effect: files, locks, Prefect, the command line."""
