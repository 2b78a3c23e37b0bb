"""Tournaments that are kept: every game is stored as it ends, and a stopped one goes on."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from spielwerk.arena.batch import Batch
from spielwerk.arena.plan import Plan, plan_from
from spielwerk.arena.ratings import rate
from spielwerk.arena.tournament import Tournament, play_tournament
from spielwerk.arena.workers import Workers
from spielwerk.errors import SpielwerkError
from spielwerk.store.models import models_of
from spielwerk.store.store import FINISHED, RUNNING, STOPPED, Run, Store

KIND = "arena"


@dataclass(frozen=True)
class Kept:
    """A plan with its place in the store, and what has been played of it."""

    store: Store
    run: int
    plan: Plan
    played: tuple[Batch, ...] = ()

    def play(
        self,
        workers: Workers,
        progress: Callable[[Tournament], None] = lambda tournament: None,
        record: Callable[[Batch], None] = lambda batch: None,
    ) -> Tournament:
        """Play what is missing; `record` is called with the new games, which are stored by then."""

        def store(batch: Batch) -> None:
            self.store.record(self.run, batch)
            record(batch)

        state = STOPPED
        try:
            tournament = play_tournament(self.plan, workers, progress, self.played, store)
            if tournament.complete:
                state = FINISHED
        finally:
            self.store.set_state(self.run, state)
        if tournament.played:
            self.store.rate(
                self.run, [(one.elo, one.low, one.high, one.games) for one in rate(tournament)]
            )
        return tournament


def begin(store: Store, plan: Plan) -> Kept:
    """Enter a tournament that has not begun."""
    plan.check()
    players = [
        (spec, models_of(agent)) for spec, agent in zip(plan.specs, plan.table.agents, strict=True)
    ]
    run = store.begin_run(KIND, plan.game, asdict(plan), plan.seed, plan.planned, players=players)
    return Kept(store, run, plan)


def resume(store: Store, plan: Plan, any_seed: bool = False) -> Kept:
    """The latest tournament by this plan, to go on with; its seed, too, if none is demanded.

    Nothing is played twice: its games are read from the store. One that is finished stays so.
    """
    wanted = asdict(plan)
    if any_seed:
        del wanted["seed"]
    run = latest(store, wanted)
    if run is None:
        raise SpielwerkError(
            "There is no tournament with these players and settings to go on with; without "
            "--resume a new one begins."
        )
    plan = replace(plan, seed=run.seed)
    for spec, agent, before in zip(
        plan.specs, plan.table.agents, store.models(run.id), strict=True
    ):
        if [model.sha256 for model in models_of(agent)] != before.split():
            raise SpielwerkError(
                f"The model of {spec} is not the one that run {run.id} was begun with: the games "
                "would not belong together. Without --resume a new tournament begins."
            )
    if run.state != FINISHED:
        store.set_state(run.id, RUNNING)
    return Kept(store, run.id, plan, tuple(store.batches(run.id)))


def latest(store: Store, settings: dict[str, object]) -> Run | None:
    """The latest tournament with these settings."""
    same = [
        run
        for run in store.runs(kind=KIND)
        if all(_plain(run.settings.get(name)) == _plain(value) for name, value in settings.items())
    ]
    return same[-1] if same else None


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def tournament_of(store: Store, number: int) -> Tournament:
    """A tournament as it stands in the store."""
    run = store.run(number)
    if run.kind != KIND:
        raise SpielwerkError(f"Run {number} is a {run.kind}, not a tournament.")
    found = Tournament(plan_from(run.settings))
    for batch in store.batches(number):
        found.add(batch)
    found.settle()
    return found
