"""Specs that come from outside: the same language, with limits.

Models are named, never addressed: a shipped one, or one in the folder of the server's own runs.
"""

import os
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from spielwerk.agents.agent import Agent, check_agent, is_person
from spielwerk.agents.catalogue import AGENTS, parse_agent
from spielwerk.agents.kaggle import Submission
from spielwerk.agents.net import NetAgent
from spielwerk.agents.puct import PuctAgent
from spielwerk.agents.valuing import NET_PREFIX
from spielwerk.errors import SpecError, unknown_name
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import Game
from spielwerk.values.model import MODEL, shipped_models, use_model
from spielwerk.values.net import NET, shipped_nets
from spielwerk.web.settings import Settings

PLAIN_VALUES = ("even", "lines")
"""Value functions that are no models (`alphabeta:value=…`)."""
LONGEST = 300
"""Characters of a spec."""


@lru_cache(maxsize=256)
def game_of(text: str) -> Game:
    """The game that a spec from outside names."""
    if len(text) > LONGEST:
        raise SpecError(f"A spec has {LONGEST} characters at most.")
    return parse_game(text)


@lru_cache(maxsize=512)
def player_of(text: str, game: Game, settings: Settings) -> Agent:
    """The program that a spec from outside names, if it plays this game within the limits."""
    if len(text) > LONGEST:
        raise SpecError(f"A spec has {LONGEST} characters at most.")
    agent = parse_agent(text)
    if is_person(agent):
        raise SpecError("human is no program: people play in the browser.")
    if isinstance(agent, Submission):
        raise SpecError("kaggle runs a Python file: that is for the command line, not for a page.")
    agent = _with_models(agent, settings)
    _check_limits(agent, settings)
    _check_models(agent, game)
    check_agent(agent, game)
    return agent


def run_names(settings: Settings, file: str = MODEL) -> list[str]:
    """The runs in the server's folder that have a finished model, or net."""
    if not settings.runs.is_dir():
        return []
    return sorted(path.parent.name for path in settings.runs.glob(f"*/{file}"))


def _with_models(agent: Agent, settings: Settings) -> Agent:
    """The agent with names of models turned into what `find_model` understands."""
    changes: dict[str, Any] = {}
    for name, value in _texts(agent).items():
        if value in PLAIN_VALUES:
            continue
        prefix = NET_PREFIX if value.startswith(NET_PREFIX) else ""
        called, is_net = value.removeprefix(prefix), _is_net(agent, value)
        known = [*(shipped_nets() if is_net else shipped_models())]
        runs = run_names(settings, NET if is_net else MODEL)
        if called in known:
            continue
        if called not in runs:
            raise SpecError(unknown_name("net" if is_net else "model", called, [*known, *runs]))
        changes[name] = prefix + str(settings.runs / called)
    return replace(agent, **changes) if changes else agent  # type: ignore[type-var]


def _is_net(agent: Agent, value: str) -> bool:
    return isinstance(agent, NetAgent | PuctAgent) or value.startswith(NET_PREFIX)


def _check_models(agent: Agent, game: Game) -> None:
    """Refuse a model of another game before anything is tried: some attempts take seconds."""
    for value in _texts(agent).values():
        if value not in PLAIN_VALUES and not _is_net(agent, value):  # nets look for themselves
            trained = use_model(value).game
            if type(parse_game(trained)) is not type(game):
                raise SpecError(f"{Path(value).name} was trained for {trained}, not for this game.")


def _texts(agent: Agent) -> dict[str, str]:
    """Options whose value is any text: they name models."""
    if not is_dataclass(agent):
        return {}
    entry = next((entry for entry in AGENTS.values() if entry.build is type(agent)), None)
    free = {option.parameter for option in entry.options() if option.kind is str} if entry else None
    found = {}
    for field in fields(agent):
        value = getattr(agent, field.name)
        if isinstance(value, str) and (free is None or field.name in free):
            found[field.name] = value
    return found


def _check_limits(agent: Agent, settings: Settings) -> None:
    memory = getattr(agent, "memory", 0.0)
    if memory > settings.megabytes:
        raise SpecError(f"Here a player may use {settings.megabytes:g} megabytes, not {memory:g}.")
    threads, cores = getattr(agent, "threads", 1), os.cpu_count() or 1
    if threads > cores:
        raise SpecError(f"Here a player may use {cores} threads, not {threads}.")
