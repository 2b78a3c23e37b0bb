"""`spielwerk play GAME --players SPEC SPEC`: a match in the terminal."""

import json as json_module
import sys
from typing import Annotated, Any

import typer

from spielwerk.cli.options import (
    GameArgument,
    JsonOption,
    SeedOption,
    StartOption,
    choose_seed,
    read_start,
)
from spielwerk.cli.terminal import announce_compilation, log, out, paint
from spielwerk.errors import SpielwerkError

EXAMPLE = (
    "Example: `spielwerk play connect-four --players alphabeta random`\n\n"
    "You against a program: `spielwerk play tic-tac-toe --players human alphabeta`"
)


def command(
    game: GameArgument,
    players: Annotated[
        list[str],
        typer.Option(metavar="SPEC SPEC", help="Who plays, in the order of moves (see: agents)."),
    ],
    start: StartOption = "",
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each move.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show the end only.")] = False,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Play a match and watch it, or take part.

    A person types the name of a column or cell, or u (undo), h (hint), r (resign). Skip-Bo is for
    one person and programs, two to six; its moves are written as source>target (7>2).
    """
    from spielwerk.agents.agent import is_person
    from spielwerk.agents.catalogue import parse_agent
    from spielwerk.arena.match import play_match
    from spielwerk.games.catalogue import parse_game_for
    from spielwerk.games.rules import observation
    from spielwerk.kernels.dispatch import implements

    if step and (quiet or json):
        raise SpielwerkError("--step shows every move: it does not go with --quiet or --json.")
    announce_compilation()
    played = parse_game_for(game, len(players))
    agents = [parse_agent(spec) for spec in players]
    if (quiet or json) and any(map(is_person, agents)):
        raise SpielwerkError(
            "A person must see the board: human does not go with --quiet or --json."
        )
    begin = read_start(played, start)
    seed = choose_seed(seed)
    if not json:
        out.print(f"{game}: {' – '.join(players)}   (seed {seed})", style="dim", markup=False)
    people = [is_person(agent) for agent in agents]
    if sum(people) > 1 and implements(observation, played):
        raise SpielwerkError(
            "At one terminal only one person can play a game with hidden cards: two would see each "
            "other's."
        )
    onlooker = _Onlooker(played, players, people, silent=json or quiet, step=step)
    try:
        match = play_match(played, agents, seed, begin, onlooker)
    except (KeyboardInterrupt, EOFError) as error:
        log.print(f"\nLeft after {onlooker.played or 'no moves'}.", markup=False)
        raise typer.Exit(130 if isinstance(error, KeyboardInterrupt) else 1) from None
    if json:
        out.print_json(json_module.dumps(_as_json(match, players, seed, start)))
    else:
        if quiet:
            onlooker.draw(match.final)
        out.print(f"\n{_result(match, players)}", style="bold", markup=False)


class _Onlooker:
    """Shows each position, and what was thought of the move that led to it."""

    def __init__(
        self, game: Any, players: list[str], people: list[bool], silent: bool, step: bool
    ) -> None:
        self.people = people
        self.game, self.players, self.silent, self.step = game, players, silent, step
        self.played = ""
        self.before: Any = None

    def __call__(self, moment: Any) -> None:
        from spielwerk.games.notation import describe_outcome, format_moves

        self.played = format_moves(moment.moves)
        if self.silent:
            return
        remark = self._remark(moment)
        self.before = moment.state
        if remark:
            out.print(f"\n{remark}", markup=False)
        self.draw(moment.state)
        if self.step:
            status = describe_outcome(self.game, moment.state)
            out.print(f"{status}; Enter: go on", style="dim", end=" ", markup=False)
            if sys.stdin.readline() == "":
                raise EOFError

    def draw(self, state: Any) -> None:
        from spielwerk.games.connectx import ConnectX
        from spielwerk.games.notation import draw
        from spielwerk.games.skipbo import SkipBo

        seen = self._seen(state)
        if seen is not None:
            falls, cards = isinstance(self.game, ConnectX), isinstance(self.game, SkipBo)
            out.print(paint(draw(self.game, seen), falls, cards))

    def _seen(self, state: Any) -> Any:
        """What may be shown: where people play, programs do not show their cards.

        None if a game hides something and does not say what onlookers may see.
        """
        from spielwerk.games.rules import observation, player, public
        from spielwerk.kernels.dispatch import implements

        if not implements(observation, self.game):
            return state
        if any(self.people) and not self.people[player(self.game, state)]:
            return public(self.game, state) if implements(public, self.game) else None
        return observation(self.game, state)

    def _remark(self, moment: Any) -> str:
        from spielwerk.games.notation import player_names, say_move

        if moment.taken_back == 0:
            from spielwerk.games.rules import deal
            from spielwerk.kernels.dispatch import implements

            if implements(deal, self.game):
                return "Moves cannot be taken back here: new cards have been seen."
            return "There is nothing to take back."
        if moment.taken_back:
            return f"Taken back: {moment.taken_back} move{'s' if moment.taken_back > 1 else ''}."
        if moment.mover is None:
            return ""
        who = f"{player_names(self.game)[moment.mover]} ({self.players[moment.mover]})"
        move = say_move(self.game, self.before, moment.moves[-1])
        return f"{who} plays {move}{_thought(moment.choice)}"


def _thought(choice: Any) -> str:
    note, value = choice.notes.get(choice.move), choice.values.get(choice.move)
    if note:
        return f" ({note})"
    return "" if value is None else f" (value {value:+.2f})"


def _result(match: Any, players: list[str]) -> str:
    from spielwerk.games.notation import format_moves, player_names

    names = player_names(match.game)
    if match.resigned is not None:
        how = f"{names[match.resigned]} ({players[match.resigned]}) resigns"
        how += f" ({match.reason})" if match.reason else ""
    elif max(match.utilities) > 0:
        winner = match.utilities.index(max(match.utilities))
        how = f"{names[winner]} ({players[winner]}) wins"
    else:
        how = "Drawn"
    count = len(match.moves)
    return (
        f"{how} after {count} move{'' if count == 1 else 's'}: {format_moves(match.moves) or '–'}"
    )


def _as_json(match: Any, players: list[str], seed: int, start: str) -> dict[str, Any]:
    from spielwerk.games.catalogue import game_spec
    from spielwerk.games.notation import draw, format_moves

    return {
        "game": game_spec(match.game),
        "players": players,
        "start": start,
        "seed": seed,
        "moves": format_moves(match.moves),
        "utilities": list(match.utilities),
        "resigned": match.resigned,
        "reason": match.reason,
        "board": draw(match.game, match.final).split("\n"),
        "seconds": list(match.seconds),
    }
