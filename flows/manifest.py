"""The manifest of a turn folder: what it was made from and what is in it. No clock, no host."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from transforms import schema
from transforms.errors import InputError

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class StoredTable:
    """What a manifest says about one file: rows, SHA-256, and whether it only adds rows."""

    rows: int
    sha256: str
    added: bool = False


@dataclass(frozen=True)
class Manifest:
    """One folder of work/ or history/.

    `inputs`: name → digest of everything the turn depends on. `tables`: the tables that lie in
    the folder itself. `steps`: `<nn>-<name>` → the tables that this step wrote, as they were then.
    """

    game: str
    turn: int
    version: str
    inputs: Mapping[str, str]
    tables: Mapping[str, StoredTable]
    steps: Mapping[str, Mapping[str, StoredTable]]

    def write(self, folder: Path, registry: str = "") -> None:
        """Write manifest.json; the columns of the tables are put down too, for other readers."""
        columns = {
            t: {c: str(d) for c, d in schema.schema_of(registry + t).items()} for t in self.tables
        }
        content = json.dumps(asdict(self) | {"schema": columns}, indent=1, ensure_ascii=False)
        (folder / MANIFEST).write_text(content + "\n", encoding="utf-8", newline="\n")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a turn folder. Errors: missing, not JSON, not a manifest."""
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Manifest(
            game=content["game"],
            turn=content["turn"],
            version=content["version"],
            inputs=content["inputs"],
            tables=_tables(content["tables"]),
            steps={step: _tables(tables) for step, tables in content["steps"].items()},
        )
    except FileNotFoundError as error:
        raise InputError(f"{path}: the manifest is missing") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: damaged manifest: {error}") from error


def _tables(content: Mapping[str, Mapping[str, Any]]) -> dict[str, StoredTable]:
    return {name: StoredTable(**stored) for name, stored in content.items()}
