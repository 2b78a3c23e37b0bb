"""The web table: FastAPI, hand-written ES modules, SVG. `spielwerk serve` runs it."""
