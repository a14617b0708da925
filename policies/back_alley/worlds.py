"""Worlds: open states that agree with all a View shows, each as likely as every other one.

A seat does not know where the unseen cards are. It knows how many of them each other hand has, that the rest is the
stock, and which cards a hand cannot hold any more (`cannot_hold`). `plan_worlds` counts the ways to deal them, and
`draw_world` picks one of these ways; nothing is tried and thrown away, so that a position is never too tight.

Method. Places that exclude the same cards are one *group*; group 0 excludes nothing and has the stock. Cards that the
same groups may hold are one *class*. A table of counts (how many cards of each class go to each group) can be dealt in
``prod(class size! / prod(count!)) * prod(group size!)`` over its places, in which only ``1 / prod(count!)`` depends on
the table. The sums of these weights over all tables, by the classes still to be dealt and the room left in each group,
are found from the last class backwards; a table is drawn class by class from them, and the cards by shuffling.

What else a View gives away is left to `belief`: bids, rainbows that were shown, and that no hand was void of trumps.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.rules import MAX_SEATS, Rules
from backalley.envs.back_alley.state import OPEN, STATE
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import N_CARDS, ONE, ZERO, bit, lowest, n_bits
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import Records, new_records
from backalley.envs.streams import Stream, draw_below, new_streams, uniform

STOCK = MAX_SEATS  # the place behind those of the seats
N_PLACES = MAX_SEATS + 1
FREE = 0  # the group that excludes nothing
NOT_DEALT = -1  # the group of a place that is known or full

_ONE_OVER_FACTORIAL = np.array([1.0 / factorial(n) for n in range(N_CARDS + 1)])

PLAN = np.dtype(
    [
        ("only_stock", np.uint64),  # unseen cards that no hand can hold
        ("n_groups", np.int64),
        ("group_of", np.int64, (N_PLACES,)),  # by place
        ("size", np.int64, (N_PLACES,)),  # unseen cards of each place; of the stock those that `only_stock` leaves
        ("excluded", np.uint64, (N_PLACES,)),  # by group
        ("room", np.int64, (N_PLACES,)),  # by group
        ("stride", np.int64, (N_PLACES,)),  # by group: step of a card in the index of rooms
        ("n_rooms", np.int64),  # of the tables
        ("n_classes", np.int64),
        ("cards", np.uint64, (N_CARDS,)),  # by class
        ("may_hold", np.int64, (N_CARDS,)),  # by class, the groups as bits
        # Scratch of `draw_world`.
        ("count", np.int64, (N_PLACES,)),
        ("deck", np.int8, (N_CARDS,)),
        ("pool", np.int8, (N_PLACES, N_CARDS)),
        ("n_pool", np.int64, (N_PLACES,)),
    ],
    align=True,
)
"""How the unseen cards of a View may lie."""


@kernel
def _group_places(rules: Any, view: Any, plan: Any, unseen: np.uint64) -> np.uint64:
    """Write size and group of each place; return the cards that a hand may hold."""
    nowhere = unseen
    n_stock = n_bits(unseen)
    for seat in range(MAX_SEATS):
        plan.size[seat] = 0
        if seat < rules.players:
            plan.size[seat] = view.hand_size - n_bits(view.played[seat] | view.hands[seat])
        if plan.size[seat] > 0:
            nowhere &= view.cannot_hold[seat]
            n_stock -= plan.size[seat]
    plan.only_stock = nowhere
    plan.size[STOCK] = n_stock - n_bits(nowhere)
    plan.group_of[STOCK] = FREE
    plan.n_groups = 1
    plan.room[FREE] = plan.size[STOCK]
    for seat in range(MAX_SEATS):
        plan.group_of[seat] = NOT_DEALT
        if plan.size[seat] > 0:
            excluded = view.cannot_hold[seat] & unseen & ~nowhere
            group = FREE if excluded == ZERO else 1
            while FREE < group < plan.n_groups and plan.excluded[group] != excluded:
                group += 1
            if group == plan.n_groups:
                plan.excluded[group] = excluded
                plan.room[group] = 0
                plan.n_groups += 1
            plan.group_of[seat] = group
            plan.room[group] += plan.size[seat]
    return unseen & ~nowhere


@kernel
def _sort_cards(plan: Any, cards: np.uint64) -> None:
    """Write the classes of `cards`."""
    plan.n_classes = 0
    if cards == ZERO:
        return
    plan.n_classes = 1
    plan.cards[0] = cards
    plan.may_hold[0] = 1
    for group in range(1, plan.n_groups):
        for i in range(plan.n_classes):
            held = plan.cards[i] & ~plan.excluded[group]
            if held == ZERO:
                continue
            if held != plan.cards[i]:  # split: the part that the group excludes is a class of its own
                plan.cards[plan.n_classes] = plan.cards[i] & ~held
                plan.may_hold[plan.n_classes] = plan.may_hold[i]
                plan.n_classes += 1
                plan.cards[i] = held
            plan.may_hold[i] |= 1 << group


@kernel
def _add_class(plan: Any, i: int, tables: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
    """Write `tables[i]`, the weights of classes i and behind, from `tables[i + 1]`.

    `sums[r]` (scratch) are those with r cards of class i, at first all of them in the free group.
    """
    n_rooms = plan.n_rooms
    size = n_bits(plan.cards[i])
    for r in range(size + 1):
        for at in range(n_rooms):
            sums[r, at] = tables[i + 1, at] * _ONE_OVER_FACTORIAL[r]
    for group in range(1, plan.n_groups):
        if plan.may_hold[i] >> group & 1 == 0:
            continue
        stride = plan.stride[group]
        for r in range(size, 0, -1):  # from above, as smaller r are read in their old form
            for at in range(n_rooms):
                most = min(r, at // stride % (plan.room[group] + 1))
                for k in range(1, most + 1):
                    sums[r, at] += sums[r - k, at - k * stride] * _ONE_OVER_FACTORIAL[k]
    for at in range(n_rooms):
        tables[i, at] = sums[size, at]


@kernel
def plan_worlds(rules: Any, view: Any, plan: Any, tables: NDArray[np.float64], sums: NDArray[np.float64]) -> bool:
    """Count the worlds that agree with a View; say whether there are any, as with every View of a real deal.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View; the own hand is open, or (bid blind) hidden like the others.
        plan: record of dtype PLAN, overwritten.
        tables, sums: from `Sampler`, overwritten.
    """
    _sort_cards(plan, _group_places(rules, view, plan, unseen_cards(rules, view)))
    plan.n_rooms = 1
    for group in range(1, plan.n_groups):
        plan.stride[group] = plan.n_rooms
        plan.n_rooms *= plan.room[group] + 1
    for at in range(plan.n_rooms):
        tables[plan.n_classes, at] = 0.0
    tables[plan.n_classes, 0] = 1.0
    for i in range(plan.n_classes - 1, -1, -1):
        _add_class(plan, i, tables, sums)
    return plan.size[STOCK] >= 0 and tables[0, plan.n_rooms - 1] > 0.0


@kernel
def _draw_counts(plan: Any, i: int, at: int, tables: NDArray[np.float64], stream: Stream) -> int:
    """Draw how many cards of class i go to each group, into `plan.count`; return the index of the rooms left."""
    size = n_bits(plan.cards[i])
    plan.count[:] = 0
    left = uniform(stream) * tables[i, at]
    n_out = 0  # cards outside the free group
    behind = at
    last = at
    while True:
        weight = tables[i + 1, behind] * _ONE_OVER_FACTORIAL[size - n_out]
        if weight > 0.0:
            for group in range(1, plan.n_groups):
                weight *= _ONE_OVER_FACTORIAL[plan.count[group]]
            left -= weight
            last = behind
            if left < 0.0:
                return last
        group = 1  # the next table: one card more for the first group that can take it, those before it start anew
        while group < plan.n_groups:
            stride = plan.stride[group]
            room = at // stride % (plan.room[group] + 1)
            if plan.may_hold[i] >> group & 1 and n_out < size and plan.count[group] < room:
                plan.count[group] += 1
                n_out += 1
                behind -= stride
                break
            n_out -= plan.count[group]
            behind += plan.count[group] * stride
            plan.count[group] = 0
            group += 1
        if group == plan.n_groups:  # rounding: the last table that has a weight
            return _read_counts(plan, at, last)


@kernel
def _read_counts(plan: Any, at: int, behind: int) -> int:
    """Write the counts that lead from one index of rooms to another one, which is returned."""
    for group in range(1, plan.n_groups):
        stride = plan.stride[group]
        width = plan.room[group] + 1
        plan.count[group] = at // stride % width - behind // stride % width
    return behind


@kernel
def _take(cards: NDArray[np.int8], first: int, n_cards: int, n_wanted: int, stream: Stream) -> None:
    """Bring `n_wanted` random ones of the cards from `first` on to the front."""
    if n_wanted < n_cards - first:
        for place in range(first, first + n_wanted):
            other = place + draw_below(stream, n_cards - place)
            card = cards[place]
            cards[place] = cards[other]
            cards[other] = card


@kernel
def _fill_pools(plan: Any, tables: NDArray[np.float64], stream: Stream) -> None:
    """Deal each class to the groups."""
    at = plan.n_rooms - 1
    plan.n_pool[:] = 0
    for i in range(plan.n_classes):
        size = 0
        cards = plan.cards[i]
        while cards != ZERO:
            plan.deck[size] = lowest(cards)
            cards &= cards - ONE
            size += 1
        if plan.may_hold[i] == 1 << FREE:
            plan.count[:] = 0
        else:
            at = _draw_counts(plan, i, at, tables, stream)
        place = 0
        for group in range(1, plan.n_groups):
            _take(plan.deck, place, size, plan.count[group], stream)
            for _ in range(plan.count[group]):
                plan.pool[group, plan.n_pool[group]] = plan.deck[place]
                plan.n_pool[group] += 1
                place += 1
        for j in range(place, size):
            plan.pool[FREE, plan.n_pool[FREE]] = plan.deck[j]
            plan.n_pool[FREE] += 1


@kernel
def draw_world(
    rules: Any, view: Any, plan: Any, tables: NDArray[np.float64], stream: Stream, worlds: Any, k: int
) -> None:
    """Write a world of the View into `worlds[k]`: the state with all hands and the stock.

    Args:
        rules, view, plan, tables: as `plan_worlds` left them.
        stream: (4,) the stream it is drawn from.
        worlds: records of dtype STATE.
        k: which of them is overwritten.
    """
    _fill_pools(plan, tables, stream)
    worlds[k] = view
    world = worlds[k]
    world.observer = OPEN
    world.stock = plan.only_stock
    plan.count[:] = 0  # cards of each pool that are gone
    for seat in range(rules.players):
        group = plan.group_of[seat]
        if group == NOT_DEALT:
            continue
        first = plan.count[group]
        _take(plan.pool[group], first, plan.n_pool[group], plan.size[seat], stream)
        for j in range(first, first + plan.size[seat]):
            world.hands[seat] |= bit(np.int64(plan.pool[group, j]))
        plan.count[group] += plan.size[seat]
    for j in range(plan.count[FREE], plan.n_pool[FREE]):
        world.stock |= bit(np.int64(plan.pool[FREE, j]))


@kernel
def _draw_worlds(
    rules: Any, views: Any, plan: Any, tables: NDArray[np.float64], sums: NDArray[np.float64], streams: Any, worlds: Any
) -> int:
    """Draw all `worlds` (n, m) of the Views (n,); return the first View without any, -1 if there is none."""
    for i in range(views.shape[0]):
        if not plan_worlds(rules[0], views[i], plan[0], tables, sums):
            return i
        for k in range(worlds.shape[1]):
            draw_world(rules[0], views[i], plan[0], tables, streams[i], worlds[i], k)
    return -1


class Sampler:
    """The memory that drawing worlds takes; make one and use it again.

    Args:
        rules: rule set.
    """

    def __init__(self, rules: Rules) -> None:
        others = rules.players  # blind deals hide the own hand too
        n_classes = min(2 ** (others - 1), N_CARDS)
        n_rooms = (rules.hand_max + 1) ** (rules.players - 1)
        self.rules = rules.record()
        self.plan = new_records(1, PLAN)
        # Memory is taken as it is used, and mostly little is: only hands that differ in what they exclude count.
        self.tables = np.empty((n_classes + 1, n_rooms))
        self.sums = np.empty((N_CARDS + 1, n_rooms))

    def draw(self, views: Records, n_worlds: int, seed: int | None = None) -> Records:
        """Return worlds of Views, (n, n_worlds) records of dtype STATE, each equally likely.

        Args:
            views: (n,) records, what each seat to act knows.
            n_worlds: how many of each.
            seed: int ≥ 0; None takes one from the operating system.

        Raises:
            BackAlleyError: no way to deal the unseen cards agrees with one of the Views.
        """
        worlds = new_records(len(views) * n_worlds, STATE).reshape(len(views), n_worlds)
        streams = new_streams(seed, len(views))
        wrong = _draw_worlds(self.rules, views, self.plan, self.tables, self.sums, streams, worlds)
        if wrong >= 0:
            raise BackAlleyError(f"View {wrong} contradicts itself: its unseen cards do not fit into the hands")
        return worlds
