"""`spielwerk evaluate GAME SPEC`: strength against perfect play, or a named opponent."""

import json as json_module
from typing import Annotated, Any

import typer

from spielwerk.cli.options import GameArgument, JsonOption, SeedOption, choose_seed
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar, status
from spielwerk.errors import SpielwerkError, unknown_name

EXAMPLE = "Example: `spielwerk evaluate tic-tac-toe td:tic-tac-toe`"
PROTOCOLS = ("exact", "thesis", "distant", "second", "moves", "leaks")
SHOWN_LEAKS = 10


def command(
    game: GameArgument,
    agent: Annotated[str, typer.Argument(metavar="SPEC", help="Who is measured (see: agents).")],
    opponent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Against whom. [perfect play]")
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(PROTOCOLS)}. [exact where that can be, else distant]"),
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games (moves: positions), where it is not exact.")
    ] = 100,
    stones: Annotated[
        str | None,
        typer.Option(metavar="LEAST-MOST", help="moves: so many stones on the board. [any]"),
    ] = None,
    replies: Annotated[
        str | None, typer.Option(help="leaks: the opponent's best replies, or all. [best]")
    ] = None,
    plies: Annotated[
        int | None, typer.Option(min=1, help="leaks: give lines up after so many moves.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=256, help="leaks: threads. [1]")] = None,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Measure how strong an agent is.

    Success is the share of what a seat is worth that the agent gets: of the wins where it could win
    by perfect play, of the draws where no more than that can be had. Seats that are lost from the
    start do not count.

    * exact: every line against perfect play; learned agents of small games.
    * thesis: games; perfect play that takes any move of equal value for 12 plies, then the most
    stubborn one.
    * distant: games; the most stubborn perfect play from the first move on.
    * second: the agent moves second, the first player opens at random and then plays perfectly; how
    often what was given away is kept.
    * moves: in random positions in which it makes a difference, how often the move keeps the value.
    * leaks: every line with the opponent's best replies (or all): each position in which the agent
    lets something go. A proof, not a sample.

    With --json: success, low, high, games, protocol, seed, and what the protocol adds; leaks:
    positions, kept, proven, leaks, complete, plies, replies.
    """
    from spielwerk.agents.catalogue import parse_agent
    from spielwerk.games.catalogue import parse_game

    played, measured = parse_game(game), parse_agent(agent)
    against = None if opponent is None else parse_agent(opponent)
    if protocol is not None and protocol not in PROTOCOLS:
        raise SpielwerkError(unknown_name("protocol", protocol, PROTOCOLS))
    if protocol is not None and against is not None:
        raise SpielwerkError("A protocol is for perfect play; with --opponent there is none.")
    if stones is not None and protocol != "moves":
        raise SpielwerkError("--stones is for --protocol moves.")
    announce_compilation()
    chosen = choose_seed(seed)
    if protocol == "leaks":
        _leaks(played, measured, replies or "best", plies, threads or 1, json)
        return
    if (replies, plies, threads) != (None, None, None):
        raise SpielwerkError("--replies, --plies and --threads are for --protocol leaks.")
    with progress_bar("positions" if protocol == "moves" else "games", games) as done:
        if protocol in ("second", "moves"):
            bounds = None if stones is None else _bounds(stones)
            result, lines = _other_sides(protocol, played, measured, games, chosen, done, bounds)
        else:
            result, lines = _success(played, measured, games, chosen, against, done, protocol)
    if json:
        out.print_json(json_module.dumps(result | {"seed": chosen}))
        return
    out.print(lines[0], style="bold", markup=False)
    for line in lines[1:]:
        out.print(line, markup=False)
    if result["games"]:
        log.print(f"seed {chosen}", style="dim")


def _bounds(text: str) -> tuple[int, int]:
    """`4-30` as two numbers."""
    least, _, most = text.partition("-")
    if not (least.isdecimal() and most.isdecimal() and int(least) <= int(most)):
        raise SpielwerkError(f'--stones wants two numbers such as 4-30, not "{text}".')
    return int(least), int(most)


def _success(
    game: Any, agent: Any, games: int, seed: int, opponent: Any, done: Any, protocol: str | None
) -> tuple[dict[str, Any], list[str]]:
    from spielwerk.arena.evaluation import evaluate_agent

    found = evaluate_agent(game, agent, games, seed, opponent, done, protocol)
    result = {
        "success": found.success,
        "low": found.low,
        "high": found.high,
        "games": found.games,
        "protocol": found.protocol,
    }
    if found.exact is None:
        interval = f" (95 %: {found.low:.1%} to {found.high:.1%}, {found.games} games)"
        return result, [f"success {found.success:.1%}{interval}", found.protocol]
    exact = found.exact
    result |= {
        "points": list(exact.points),
        "worst": list(exact.worst),
        "mistakes": exact.mistakes,
        "positions": exact.positions,
    }
    lines = [f"success {found.success:.1%}", found.protocol]
    for seat, name in enumerate(("first", "second")):
        lines.append(
            f"as {name} player: {exact.points[seat]:.3f} points on the average, "
            f"{exact.worst[seat]:g} in the worst line; perfect play gets {exact.worth[seat]:g}"
        )
    lines.append(
        f"wrong moves in {exact.mistakes} of all {exact.positions} positions with a choice, also "
        "those that its own play never reaches"
    )
    return result, lines


def _other_sides(
    protocol: str,
    game: Any,
    agent: Any,
    games: int,
    seed: int,
    done: Any,
    stones: tuple[int, int] | None,
) -> tuple[dict[str, Any], list[str]]:
    from spielwerk.arena.sides import Share, kept_values, second_side

    def describe(share: Share) -> str:
        low, high = share.interval
        return f"{share.share:.1%} (95 %: {low:.1%} to {high:.1%}, {share.kept} of {share.offered})"

    if protocol == "moves":
        share = kept_values(game, agent, games, seed, done, stones)
        where = "" if stones is None else f" of {stones[0]} to {stones[1]} stones"
        lines = [
            f"value kept {describe(share)}",
            f"in {games} random positions{where} in which it makes a difference",
        ]
    else:
        found = second_side(game, agent, games, seed, done)
        both = Share(found.wins.kept + found.draws.kept, found.wins.offered + found.draws.offered)
        share = both
        lines = [
            f"kept {describe(both)}",
            f"wins {describe(found.wins)}",
            f"draws {describe(found.draws)}",
            f"as second player in {games} games against a random opening and then perfect play",
        ]
    low, high = share.interval
    result: dict[str, Any] = {
        "success": share.share if share.offered else None,
        "low": low,
        "high": high,
        "games": games,
        "protocol": protocol,
    }
    if protocol == "second":
        for name, part in (("wins", found.wins), ("draws", found.draws)):
            result[name] = {"kept": part.kept, "offered": part.offered}
    return result, lines


def _leaks(
    game: Any,
    agent: Any,
    replies: str,
    plies: int | None,
    threads: int,
    as_json: bool,
) -> None:
    from spielwerk.arena.leaks import find_leaks
    from spielwerk.games.notation import format_moves, move_name

    if replies not in ("best", "all"):
        raise SpielwerkError(unknown_name("replies", replies, ("best", "all")))
    with status("walking") as say:

        def progress(report: Any, waiting: int) -> None:
            stones = max(report.by_stones, default=0)
            say(
                f"{stones} stones: {report.positions:,} positions, {len(report.leaks)} leaks, "
                f"{waiting:,} of this length wait"
            )

        report = find_leaks(game, agent, replies, 0, plies, threads, progress)  # type: ignore
    if as_json:
        leaks = [
            {
                "moves": format_moves(leak.moves),
                "move": move_name(leak.move),
                "before": leak.before,
                "after": leak.after,
                "chance": leak.chance,
            }
            for leak in report.leaks
        ]
        result = {
            "positions": report.positions,
            "kept": report.kept,
            "proven": report.proven,
            "leaks": leaks,
            "complete": report.complete,
            "plies": report.plies,
            "replies": replies,
            "protocol": "leaks",
        }
        out.print_json(json_module.dumps(result))
        return
    count = len(report.leaks)
    out.print(
        f"{count} leak{'' if count == 1 else 's'} in {report.positions:,} positions", style="bold"
    )
    what = "every best reply" if replies == "best" else "every legal reply"
    where = "followed to its end" if report.complete else f"followed for {report.plies} plies"
    out.print(f"as first player, {what} {where}", markup=False)
    out.print(f"{report.kept:.1%} give nothing away, if the opponent draws its replies")
    if report.proven:
        out.print(f"{report.proven:,} lines end where it plays exactly from then on", markup=False)
    words = {1: "won", 0: "drawn", -1: "lost"}
    for leak in report.leaks[:SHOWN_LEAKS]:
        moves = format_moves(leak.moves) or "the beginning"
        out.print(
            f"after {moves}: {move_name(leak.move)}, "
            f"{words[leak.before]} before, {words[leak.after]} after",
            markup=False,
        )
    if count > SHOWN_LEAKS:
        out.print(f"… and {count - SHOWN_LEAKS} more (--json has all)", style="dim")
