"""A person at the keyboard is an agent like any other."""

import sys
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from spielwerk.agents.agent import Choice, Decision, Resign, TakeBack, check_agent
from spielwerk.errors import SpielwerkError
from spielwerk.games.notation import describe_legal, move_name, move_noun, parse_move, player_names
from spielwerk.games.rules import Game, State, legal_moves, player
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option

HELP = "u undo · h hint · r resign · ? help · Ctrl-C leaves"


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

    hint: Annotated[str, Option("the agent that is asked for hints")] = "alphabeta"
    terminal: Terminal = field(default_factory=StandardTerminal, compare=False)
    is_person = True

    def check(self, game: Game) -> None:
        from spielwerk.agents.catalogue import parse_agent

        check_agent(parse_agent(self.hint), game)

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        names = " ".join(map(move_name, legal_moves(game, observation)))
        who = player_names(game)[player(game, observation)]
        while True:
            answer = self.terminal.ask(
                f"{who}, your {move_noun(game)} ({names}, ? for help): "
            ).strip()
            match answer.lower():
                case "u" | "undo":
                    return TakeBack()
                case "r" | "resign":
                    return Resign()
                case "h" | "hint":
                    self.terminal.say(self._hint(game, observation, rng))
                case "?" | "help":
                    self.terminal.say(f"{describe_legal(game, observation)}  {HELP}")
                case "":
                    continue
                case _:
                    try:
                        return Choice(parse_move(game, observation, answer))
                    except SpielwerkError as error:
                        self.terminal.say(str(error))

    def _hint(self, game: Game, observation: State, rng: Rng) -> str:
        from spielwerk.agents.catalogue import parse_agent

        # A copy of the stream: asking for a hint changes nothing in the game that follows.
        choice = parse_agent(self.hint).choose(game, observation, rng.copy())
        if not isinstance(choice, Choice):
            return f"{self.hint} would give up here."
        why = choice.notes.get(choice.move) or f"value {choice.values.get(choice.move, 0):+.2f}"
        return f"{self.hint} would play {move_name(choice.move)} ({why})."
