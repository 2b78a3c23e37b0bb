"""A tournament in tables: for people, for programs, as files.

What the files hold depends on the plan alone, so that equal tournaments are equal files; times,
which never are the same twice, are told, not written there.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.arena.batch import Batch
from spielwerk.arena.ratings import rate
from spielwerk.arena.score import Score
from spielwerk.arena.tournament import Tournament
from spielwerk.files import make_folder, write_whole
from spielwerk.games.catalogue import game_spec
from spielwerk.games.notation import format_moves

GAMES, PLAYERS, PAIRS, HEAT_MAP = "games.csv", "players.csv", "pairs.csv", "heat-map.png"
WHOLE = "tournament.json"


def order_of(tournament: Tournament) -> list[int]:
    """The best first; at one table, as they sit."""
    if tournament.plan.table.seats == 2:
        return tournament.ranking()
    return list(range(len(tournament.specs)))


def players_of(tournament: Tournament) -> list[dict[str, Any]]:
    """A row for each player."""
    ratings, rows = rate(tournament), []
    for index in order_of(tournament):
        total, rating = tournament.total(index), ratings[index]
        low, high = tournament.interval(index)
        row = {
            "spec": tournament.specs[index],
            "score": tournament.share(index),
            "low": low,
            "high": high,
            "games": total.games,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "elo": rating.elo,
            "elo_low": rating.low,
            "elo_high": rating.high,
        }
        if tournament.turns:
            row["points"] = int(tournament.points[index])
            row["cards_left"] = float(tournament.left[index] / max(total.games, 1))
        rows.append(row)
    return rows


def pairs_of(tournament: Tournament) -> list[dict[str, Any]]:
    """A row for every two players, both ways."""
    order = order_of(tournament)
    return [
        {
            "player": tournament.specs[one],
            "opponent": tournament.specs[other],
            **_score(tournament.against(one, other)),
        }
        for one in order
        for other in order
        if one != other and tournament.against(one, other).games
    ]


def _score(score: Score) -> dict[str, Any]:
    low, high = score.interval
    return {
        "score": score.share,
        "low": low,
        "high": high,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
    }


def summary_of(tournament: Tournament, speeds: bool = True) -> dict[str, Any]:
    """All of it, for programs; but for the speeds, the same whenever it is played."""
    players = players_of(tournament)
    if speeds:
        for row, index in zip(players, order_of(tournament), strict=True):
            row["moves_per_second"] = speed_of(tournament, index)
    played = tournament.plies[tournament.done]
    found = {
        "game": game_spec(tournament.game),
        "start": tournament.plan.start,
        "openings": tournament.plan.openings,
        "seed": tournament.plan.seed,
        "games": tournament.played,
        "complete": tournament.complete,
        "certain": tournament.certain,
        "different_games": len(tournament.different),
        "plies": {
            "mean": float(played.mean()) if played.size else 0.0,
            "least": int(played.min()) if played.size else 0,
            "most": int(played.max(initial=0)),
        },
        "players": players,
    }
    if tournament.plan.table.seats == 2:
        found["first_player"] = _score(tournament.first_player())
        found["pairs"] = pairs_of(tournament)
    if tournament.turns:
        found["seats"] = tournament.by_seat[:, 0].tolist()
        found["draws"] = tournament.played - int(tournament.won.sum())
        found["turns"] = tournament.turns / max(tournament.played, 1)
    return found


def speed_of(tournament: Tournament, index: int) -> float | None:
    """Moves per second of thinking; None if nothing was measured."""
    seconds = tournament.seconds[index]
    return float(tournament.made[index] / seconds) if seconds else None


def write_files(tournament: Tournament, batches: Iterable[Batch], folder: Path) -> None:
    """Games, players and the whole; where two play, also the pairs and the picture.

    Files of these names that do not belong to it are removed.
    """
    from spielwerk.arena.heat_map import draw_heat_map

    make_folder(folder)
    write_csv(folder / PLAYERS, players_of(tournament))
    write_csv(folder / GAMES, game_rows(tournament, batches))
    whole = json.dumps(summary_of(tournament, speeds=False), indent=2)
    write_whole(folder / WHOLE, f"{whole}\n")
    for name in (PAIRS, HEAT_MAP):
        (folder / name).unlink(missing_ok=True)
    if tournament.plan.table.seats == 2:
        write_csv(folder / PAIRS, pairs_of(tournament))
        draw_heat_map(tournament, folder / HEAT_MAP)


def game_rows(tournament: Tournament, batches: Iterable[Batch]) -> list[dict[str, Any]]:
    """A row for every game, in the order of numbers."""
    rows = []
    for batch in batches:
        for place, number in enumerate(batch.numbers.tolist()):
            specs = [tournament.specs[who] for who in batch.seats[place].tolist()]
            rows.append(
                {
                    "number": number,
                    **{f"seat_{seat}": spec for seat, spec in enumerate(specs, start=1)},
                    "seed": batch.seeds[place],
                    "opening": format_moves(batch.openings[place]),
                    "moves": format_moves(batch.moves[place]),
                    "result": " ".join(f"{one:g}" for one in batch.utilities[place]),
                }
            )
    return sorted(rows, key=lambda row: row["number"])


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Numbers with six digits after the point at most: enough, and the same everywhere."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _short(value) for name, value in row.items()})
    write_whole(path, text.getvalue())


def _short(value: Any) -> Any:
    return f"{value:.6f}" if isinstance(value, float | np.floating) else value
