"""The rules of the games as pure functions: tables and rules in, tables out.

Nothing here opens a file, reads a clock or rolls dice of its own; see
docs/architecture.md for the way the tables take.
"""
