"""Which models a player plays by."""

import hashlib
from typing import Any

from spielwerk.agents.agent import Agent
from spielwerk.errors import SpielwerkError
from spielwerk.store.store import KnownModel
from spielwerk.values.model import find_model, use_model

OPTIONS = ("model", "value")
"""Options of agents that may name a model."""


def models_of(agent: Agent) -> list[KnownModel]:
    """The models that an agent's options name, with the hash of each file."""
    found = []
    for option in OPTIONS:
        text: Any = getattr(agent, option, None)
        if not isinstance(text, str):
            continue
        try:
            path = find_model(text)
            model = use_model(text)
        except SpielwerkError:  # a value function with a name of its own
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        about = {"game": model.game, "features": model.features, "origin": model.origin}
        found.append(KnownModel(digest, path.stem, about))
    return found
