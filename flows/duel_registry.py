"""Reads the folders of a duel registry: the core and the mods on top of it."""

from collections.abc import Sequence
from pathlib import Path

from flows.game import read_toml
from transforms.duel.model import Registry
from transforms.duel.parse import parse_registry
from transforms.errors import InputError


def load_registry(folders: Sequence[Path]) -> Registry:
    """The registry of `folders`: every *.toml in ascending name, not recursive, later ones on top.

    Errors: a folder without TOML files; see `parse_registry`.
    """
    return parse_registry([_parsed(folder) for folder in folders])


def _parsed(folder: Path) -> list[tuple[str, dict]]:
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; allowed: a folder with *.toml files")
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml" and path.is_file())
    if not paths:
        raise InputError(f"{folder}: found no *.toml file; allowed: a folder with at least one")
    return [(str(path), read_toml(path)) for path in paths]
