"""A person at the keyboard is an agent like any other."""

import sys
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from spielwerk.agents.agent import (
    Agent,
    Choice,
    Decision,
    Resign,
    TakeBack,
    check_agent,
    is_person,
)
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.notation import (
    describe_legal,
    list_moves,
    move_noun,
    parse_move,
    player_names,
    say_move,
)
from spielwerk.games.rules import Game, State, legal_moves, player
from spielwerk.games.skipbo import SkipBo
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option

USUAL = "usual"
"""The hint that nobody asked for by name."""
HINTS: dict[type, str] = {SkipBo: "skipbo-mature"}
"""Who gives the usual hint, by game; `alphabeta` for all others."""
HELP = "u or undo · h or hint · r or resign · ? help · Ctrl-C leaves"


class Terminal(Protocol):
    """Where a person is asked."""

    def ask(self, prompt: str) -> str: ...

    def say(self, text: str) -> None: ...


class StandardTerminal:
    """Standard input and output."""

    def ask(self, prompt: str) -> str:
        return input(prompt)

    def say(self, text: str) -> None:
        sys.stdout.write(text + "\n")


@dataclass(frozen=True)
class Human:
    """Asks for a move until it gets a legal one."""

    hint: Annotated[
        str, Option("the agent that is asked for hints; usual: alphabeta, Skip-Bo: skipbo-mature")
    ] = USUAL
    terminal: Terminal = field(default_factory=StandardTerminal, compare=False)
    is_person = True

    def check(self, game: Game) -> None:
        """A hint that was asked for by name must be possible; the usual one may be missing."""
        if self.hint != USUAL:
            check_agent(self._adviser(game), game)

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        """Names of moves come first: on a wide board, h is a column, and `hint` the word."""
        moves = legal_moves(game, observation)
        legal = [say_move(game, observation, move) for move in moves]
        who = player_names(game)[player(game, observation)]
        listed = list_moves(game, observation, moves)
        prompt = f"{who}, your {move_noun(game)} ({listed}, ? for help): "
        while True:
            answer = self.terminal.ask(prompt).strip()
            command = "" if answer in legal else answer.lower()
            if command in ("u", "undo"):
                return TakeBack()
            elif command in ("r", "resign"):
                return Resign()
            elif command in ("h", "hint"):
                self.terminal.say(self._hint(game, observation, rng))
            elif command in ("?", "help"):
                self.terminal.say(f"{describe_legal(game, observation)}  {HELP}")
            elif answer:
                try:
                    return Choice(parse_move(game, observation, answer))
                except SpielwerkError as error:
                    self.terminal.say(str(error))

    def _hint(self, game: Game, observation: State, rng: Rng) -> str:
        adviser, name = self._adviser(game), self._adviser_name(game)
        try:
            check_agent(adviser, game)
        except SpielwerkError as error:
            return f"There is no hint: {error}"
        # A copy of the stream: asking for a hint changes nothing in the game that follows.
        choice = adviser.choose(game, observation, rng.copy())
        if not isinstance(choice, Choice):
            return f"{name} would give up here."
        why = choice.notes.get(choice.move)
        if why is None and choice.move in choice.values:
            why = f"value {choice.values[choice.move]:+.2f}"
        move = say_move(game, observation, choice.move)
        return f"{name} would play {move}{f' ({why})' if why else ''}."

    def _adviser_name(self, game: Game) -> str:
        return HINTS.get(type(game), "alphabeta") if self.hint == USUAL else self.hint

    def _adviser(self, game: Game) -> Agent:
        from spielwerk.agents.catalogue import parse_agent

        adviser = parse_agent(self._adviser_name(game))
        if is_person(adviser):
            raise SpecError("human: a hint comes from a program, not from another person.")
        return adviser
