"""What a server may do, and how much of it."""

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """As `spielwerk serve` was called. `public`: strangers play here; the lab is read-only."""

    public: bool = False
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")
    """Names under which this server answers: a page of another name cannot reach it by ours."""
    runs: Path = Path("runs")
    """Folders of training runs; models that players name are looked for here alone."""
    results: Path = Path("results")
    """Reproduced tables, for the report."""
    store: str | None = None
    """Address of the database; None: the user's own."""
    think_seconds: float = 20.0
    """A program that has not moved by then is stopped."""
    thinkers: int = field(default_factory=lambda: max(4, 2 * (os.cpu_count() or 1)))
    """Threads that programs think in."""
    queue: int = 1000
    """Requests that may wait for one of them."""
    body_bytes: int = 64 * 1024
    matches: int = 500
    """Matches that may be running at once."""
    listeners: int = 1000
    """Open WebSockets."""
    megabytes: float = 256.0
    """Memory that a spec may ask for."""
    warm: bool = True
    """Compile the players of the menus in the background."""
