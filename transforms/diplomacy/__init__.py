"""Ghost-Diplomacy (source 4): a Diplomacy phase as tables, and what each nation may know of it."""
