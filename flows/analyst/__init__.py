"""What analysts use: the history as SQL views, a query command, a catalog file, charts."""

from typing import Literal

Format = Literal["table", "csv", "json", "parquet"]
Chart = Literal["strength", "gold", "territory", "losses"]
