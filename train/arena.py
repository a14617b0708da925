"""Many policies against each other: all pairs on the same deals, on all cores or a cluster, resumable.

The work is cut into blocks: of pairs, see `arena_blocks`, and of deals whose cards are judged, see `regret`. Each block
that is done becomes one line of `results.jsonl` in the arena's folder, so an interrupted arena goes on where it was,
and policies or pairs can be added later. Deals and draws depend on the seed and the number of the pair or block alone:
the figures are the same for any number of workers, on any back end, and whether or not the arena was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import RuleSet
from backalley.policies.back_alley.bid_counts import COUNTS
from backalley.policies.back_alley.duel import margin_scale
from backalley.policies.back_alley.regret import check_can_judge
from backalley.train.arena_blocks import Block, Entrant, Key, Task, make_policy, parts_of
from backalley.train.arena_store import Store
from backalley.train.arena_workers import BACKENDS, Workers
from backalley.train.estimates import Estimate, nearest_preset
from backalley.train.ratings import Rating, rate
from backalley.train.regret import MOST_CARDS, PolicyRegret, RegretTask, sample

BLOCK = 2_600
"""Pairs in a block: a hundred schedules of 26 deals."""
ANCHOR = "simple"
"""The policy rated 0, if it takes part; else the one named first."""


@dataclass(frozen=True)
class Pairing:
    """The margin of A over B in points per deal, with 95 % intervals over pairs."""

    policy_a: str
    policy_b: str
    margin: Estimate
    by_hand_size: dict[int, Estimate]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        by_hand_size = {str(size): part.as_dict() for size, part in self.by_hand_size.items()}
        head = {"policy_a": self.policy_a, "policy_b": self.policy_b}
        return {**head, **self.margin.as_dict(), "by_hand_size": by_hand_size}


@dataclass(frozen=True)
class ArenaResult:
    """What `run_arena` measured; nothing in it depends on when, where and how fast it was played.

    Attributes:
        policies: names, in the order given.
        preset, options: the nearest preset, and the rule options that differ from it.
        seed: of the deals.
        pairs: played by each pairing; fewer than asked for if `until_ci` stopped the arena.
        anchor: the policy rated 0.
        ratings: the best first.
        misfit: root mean square by which the margins differ from the differences of the ratings.
        ratings_by_size: the same from the deals of each hand size.
        pairings: all pairs of policies, in the order given.
        split: for each pair what A's bids, and what A's cards, win against B with all else B's; empty unless asked for.
        bids: by policy and hand size the numbers of `bid_counts.COUNTS`, over all its pairings.
        regret: what each policy gave away against the solver, in the order given; empty unless asked for.
    """

    policies: list[str]
    preset: str
    options: dict[str, Any]
    seed: int
    pairs: int
    anchor: str
    ratings: list[Rating]
    misfit: float
    ratings_by_size: dict[int, list[Rating]]
    pairings: list[Pairing]
    split: list[tuple[Pairing, Pairing]]
    bids: dict[str, dict[int, dict[str, int]]]
    regret: list[PolicyRegret]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        by_size = {str(size): [one.as_dict() for one in part] for size, part in self.ratings_by_size.items()}
        bids = {name: {str(size): one for size, one in part.items()} for name, part in self.bids.items()}
        return {
            "policies": self.policies,
            "preset": self.preset,
            "options": self.options,
            "seed": self.seed,
            "pairs": self.pairs,
            "anchor": self.anchor,
            "ratings": [one.as_dict() for one in self.ratings],
            "misfit": self.misfit,
            "ratings_by_hand_size": by_size,
            "pairings": [one.as_dict() for one in self.pairings],
            "split": [{"bids": bidding.as_dict(), "cards": cards.as_dict()} for bidding, cards in self.split],
            "bids": bids,
            "regret": [one.as_dict() for one in self.regret],
        }


def run_arena(
    policies: Sequence[str],
    rules: RuleSet,
    pairs: int = 26_000,
    seed: int = 0,
    *,
    folder: Path,
    workers: int = -1,
    backend: str = "loky",
    until_ci: float | None = None,
    split: bool = False,
    regret: int = 0,
    regret_cards: int = MOST_CARDS,
    records: Path | None = None,
    block: int = BLOCK,
    progress: Callable[[int, int], None] | None = None,
) -> ArenaResult:
    """Play all pairs of policies on the same deals, or go on with an arena, and return the figures.

    Args:
        policies: two or more names of the registry, or `bids=A,cards=B`.
        rules: rule set.
        pairs: pairs of deals each pairing plays; the most, with `until_ci`.
        seed: int ≥ 0.
        folder: folder of the arena; what was played there with the same rules and seed is not played again.
        workers: processes or threads at work, -1 for one on each core.
        backend: one of `BACKENDS`; `ray` and `dask` use the cluster of RAY_ADDRESS and DASK_SCHEDULER_ADDRESS if set.
        until_ci: stop after the first block in which every margin is known to ± so many points.
        split: play also A's bids with B's cards, and B's bids with A's cards, against B.
        regret: deals in which every policy, at all four seats, is judged by the exact solver; 0 for none, else 2 or
            more.
        regret_cards: largest hands that are judged, which take the most time.
        records: file that a record of each play is written to at the end, pairing by pairing; replaced if it exists.
        block: pairs in a block.
        progress: called with the blocks done and the blocks in all.

    Raises:
        UnknownName, CheckpointError: a policy does not exist or cannot be loaded.
        BackAlleyError: anything else asked for wrongly, or the folder holds another arena.
    """
    rules = _check(policies, rules, pairs, seed, workers, backend, until_ci)
    chunks = _deals_to_judge(rules, regret, regret_cards)
    schedule = Schedule(list(policies), rules, pairs, seed, split, block, with_records=records is not None)
    judging = [RegretTask(rules, schedule.entrants[name], deals, seed) for name in policies for deals in chunks]
    store = Store(folder, rules, seed)
    n_blocks, n_pairings = len(schedule.spans), len(schedule.pairings)
    n_at_once = n_blocks if until_ci is None else 1  # whether to stop is asked after every block
    n_tasks = n_blocks * n_pairings + len(judging)
    with Workers(workers, backend) as pool:
        for n_before in range(0, n_blocks, n_at_once):
            n_played = n_before + n_at_once
            tasks = [task for k in range(n_before, n_played) for task in schedule.tasks(k)]
            _perform(tasks, pool, store, progress, n_before * n_pairings, n_tasks)
            if until_ci is not None and schedule.is_known_to(until_ci, store, n_played):
                break
        _perform(judging, pool, store, progress, n_blocks * n_pairings, n_tasks)
    if records is not None:
        store.records.join([key for pair in schedule.pairings for key in schedule.keys(pair, n_played)], records)
    judged = [
        PolicyRegret.of(name, [store.blocks[task.key] for task in judging if task.policy.name == name])
        for name in (policies if judging else ())
    ]
    return schedule.figures(store, n_played, judged)


def _perform(
    tasks: Sequence[Task | RegretTask],
    pool: Workers,
    store: Store,
    progress: Callable[[int, int], None] | None,
    n_before: int,
    n_in_all: int,
) -> None:
    """Do the tasks that were not done in an earlier run; `n_before` others of `n_in_all` are done."""
    missing = [task for task in tasks if not store.has(task)]
    with closing(pool.play(missing)) as results:
        for n_done, result in enumerate(results, n_before + len(tasks) - len(missing) + 1):
            store.add(result)
            if progress is not None:
                progress(n_done, n_in_all)


def _check(
    policies: Sequence[str],
    rules: RuleSet,
    pairs: int,
    seed: int,
    workers: int,
    backend: str,
    until_ci: float | None,
) -> Rules:
    """Refuse what cannot be played, and return the rules."""
    if not isinstance(rules, Rules):
        preset, _ = nearest_preset(rules)
        raise BackAlleyError(
            f"the arena is for games with sides, {preset} is a game for one: use backalley eval A B --preset {preset}"
        )
    if len(policies) < 2:
        raise BackAlleyError(f"the arena needs two policies or more, got {len(policies)}: name another, such as simple")
    for name in policies:
        if list(policies).count(name) > 1:
            raise BackAlleyError(f"policy {name!r} is named twice: name each once")
        make_policy(name, rules)
    if pairs < 2:
        raise BackAlleyError(f"pairs={pairs} gives no interval: play at least 2, 26000 for about ±0.1")
    if seed < 0:
        raise BackAlleyError(f"seed={seed} must be 0 or more")
    if workers < 1 and workers != -1:
        raise BackAlleyError(f"workers={workers} must be 1 or more, or -1 for one on each core")
    if backend not in BACKENDS:
        raise BackAlleyError(f"unknown back end {backend!r} (known: {', '.join(BACKENDS)})")
    if until_ci is not None and not until_ci > 0:
        raise BackAlleyError(f"until_ci={until_ci} must be more than 0 points")
    return rules


def _deals_to_judge(rules: Rules, n: int, most_cards: int) -> list[tuple[int, ...]]:
    """Return the numbers of the deals in which policies are judged, in chunks."""
    if not n:
        return []
    if n < 2:
        raise BackAlleyError(f"regret={n} gives no interval: judge at least 2 deals, such as 520, or 0 for none")
    check_can_judge(rules)
    return sample(rules, n, most_cards)


class Schedule:
    """Who plays whom on which pairs, and what follows from the blocks they played; arguments as for `run_arena`."""

    def __init__(
        self,
        policies: list[str],
        rules: Rules,
        pairs: int,
        seed: int,
        split: bool,
        block: int = BLOCK,
        *,
        with_records: bool = False,
    ) -> None:
        self.policies = policies
        self.rules = rules
        self.seed = seed
        self.spans = [(first, min(block, pairs - first)) for first in range(0, pairs, block)]
        # The pairing of two policies is the same however they are ordered on the command line.
        self.matches = [(min(a, b), max(a, b)) for a, b in combinations(policies, 2)]
        self.splits: list[tuple[str, str]] = []
        if split:
            whole = [(a, b) for a, b in combinations(policies, 2) if len(parts_of(a)) == len(parts_of(b)) == 1]
            for a, b in whole:
                self.splits += [(f"bids={a},cards={b}", b), (f"bids={b},cards={a}", b)]
        self.pairings = [*self.matches, *[pair for pair in self.splits if pair not in self.matches]]
        self.entrants = {name: Entrant.of(name) for pair in self.pairings for name in pair}
        self.with_records = with_records

    def tasks(self, k: int) -> list[Task]:
        """Return the tasks of block k, one for each pairing."""
        return [self._task(pair, k) for pair in self.pairings]

    def _task(self, pair: tuple[str, str], k: int) -> Task:
        a, b = (self.entrants[name] for name in pair)
        return Task(self.rules, a, b, *self.spans[k], self.seed, self.with_records)

    def keys(self, pair: tuple[str, str], n_blocks: int) -> list[Key]:
        """Return the keys of the first blocks of a pairing."""
        return [self._task(pair, k).key for k in range(len(self.spans[:n_blocks]))]

    def blocks(self, store: Store, pair: tuple[str, str], n_blocks: int) -> list[Block]:
        """Return the first blocks of a pairing."""
        return [store.blocks[key] for key in self.keys(pair, n_blocks)]

    def units(self, store: Store, pair: tuple[str, str], n_blocks: int) -> NDArray[np.int64]:
        """Return the margin of each pair of a pairing, (pairs,) in units of 1 / `margin_scale` points."""
        return np.concatenate([np.array(one["units"], np.int64) for one in self.blocks(store, pair, n_blocks)])

    def is_known_to(self, half_width: float, store: Store, n_blocks: int) -> bool:
        """Say whether the 95 % interval of every margin reaches at most that far from it."""
        scale = margin_scale(self.rules.n_sides)
        for pair in self.pairings:
            interval = Estimate.of(self.units(store, pair, n_blocks) / scale).ci95
            if interval is None or (interval[1] - interval[0]) / 2 > half_width:
                return False
        return True

    def figures(self, store: Store, n_blocks: int, regret: list[PolicyRegret]) -> ArenaResult:
        """Return what the first blocks of all pairings say, along with the regret."""
        scale = margin_scale(self.rules.n_sides)
        units = {pair: self.units(store, pair, n_blocks) for pair in self.pairings}
        n_pairs = len(units[self.matches[0]])
        sizes = np.array(self.rules.hand_sizes)[np.arange(n_pairs) % self.rules.n_deals]
        anchor = ANCHOR if ANCHOR in self.policies else self.policies[0]
        names, matches = sorted(self.policies), sorted(self.matches)  # for the same rounding, whatever the order
        numbers = [(names.index(a), names.index(b)) for a, b in matches]
        margins = np.stack([units[pair] for pair in matches])

        def ratings(where: NDArray[np.bool_]) -> list[Rating]:
            return rate(names, numbers, margins[:, where], scale, names.index(anchor), self.seed)

        def pairing(a: str, b: str) -> Pairing:
            values = (units[a, b] if (a, b) in units else -units[b, a]) / scale
            parts = {int(n): Estimate.of(values[sizes == n]) for n in np.unique(sizes)[::-1]}
            return Pairing(a, b, Estimate.of(values), parts)

        preset, options = nearest_preset(self.rules)
        rows = [pairing(a, b) for a, b in self.splits]
        pairings = [pairing(a, b) for a, b in combinations(self.policies, 2)]
        total = ratings(np.ones(n_pairs, np.bool_))
        return ArenaResult(
            policies=self.policies,
            preset=preset,
            options=options,
            seed=self.seed,
            pairs=n_pairs,
            anchor=anchor,
            ratings=total,
            misfit=_misfit(pairings, total),
            ratings_by_size={int(n): ratings(sizes == n) for n in np.unique(sizes)[::-1]},
            pairings=pairings,
            split=list(zip(rows[::2], rows[1::2], strict=True)),
            bids=self._bids(store, n_blocks),
            regret=regret,
        )

    def _bids(self, store: Store, n_blocks: int) -> dict[str, dict[int, dict[str, int]]]:
        """Return by policy and hand size the numbers of `COUNTS` over its pairings, those of `split` left out."""
        found: dict[str, dict[int, NDArray[np.int64]]] = {name: {} for name in self.policies}
        for pair in self.matches:
            for one in self.blocks(store, pair, n_blocks):
                for name, counts in zip(pair, one["counts"], strict=True):
                    for size, numbers in counts.items():
                        found[name][int(size)] = found[name].get(int(size), 0) + np.array(numbers)
        return {
            name: {size: dict(zip(COUNTS, part[size].tolist(), strict=True)) for size in sorted(part, reverse=True)}
            for name, part in found.items()
        }


def _misfit(pairings: Sequence[Pairing], ratings: Sequence[Rating]) -> float:
    """Return how far the margins are from the differences of the ratings, as a root mean square."""
    rating_of = {one.policy: one.rating for one in ratings}
    rest = [one.margin.mean - rating_of[one.policy_a] + rating_of[one.policy_b] for one in pairings]
    return float(np.sqrt(np.mean(np.square(rest))))
