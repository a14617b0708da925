"""Fits a net of `rules` to replayed decisions, and writes it as the CSV files that the bot reads.

The net learns by how much each legal action gains more or less than the mean of the legal ones: the mean of a decision
says how good the cards are, which no action changes, and is most of the noise.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from backalley.envs.errors import BackAlleyError
from backalley.policies.back_alley.rules_bid_inputs import BID_INPUTS, BID_NAMES
from backalley.policies.back_alley.rules_examples import Examples
from backalley.policies.back_alley.rules_inputs import INPUTS
from backalley.policies.back_alley.tables import PACKAGE, layer_text, load_layer, unit_names
from backalley.policies.files import write_atomically
from backalley.train.estimates import Estimate

WEIGHT_DECAY = 1e-2
WARM_UP, LAST_RATE = 200, 0.01
"""Steps in which the learning rate rises, and its share at the end, to which it falls in a line."""
JUDGED = 8192
"""Decisions judged at a time."""


@dataclass(frozen=True)
class Shape:
    """What a net is made of.

    Attributes:
        inputs: their names.
        hidden: units of the two hidden layers.
        n_outputs: how many.
        is_direct: inputs also act on the outputs by themselves.
        has_table: the outputs are added to the table's judgement, with a scale.
        unit: points that an output of 1 stands for, so that weights need not grow large.
    """

    inputs: tuple[str, ...]
    hidden: tuple[int, int]
    n_outputs: int
    is_direct: bool
    has_table: bool
    unit: float


SHAPES = {
    "bid": Shape(BID_INPUTS, (128, 32), len(BID_NAMES), is_direct=True, has_table=False, unit=10.0),
    "card": Shape(INPUTS, (64, 32), 1, is_direct=False, has_table=True, unit=1.0),
}


@dataclass(frozen=True)
class FitSettings:
    """How long and how fast to learn, and whether from the nets of the package; the same seed gives the same net."""

    epochs: int = 12
    learning_rate: float = 2e-3
    batch: int = 2048
    seed: int = 0
    start: bool = False


class Batch(NamedTuple):
    """Some examples as tensors: k decisions with m legal actions; see `Examples`."""

    inputs: Tensor  # (k or m, n_inputs) float32
    rows: Tensor  # (m,) where the inputs of each action are
    outputs: Tensor  # (m,)
    table: Tensor  # (m,)
    gains: Tensor  # (m,)
    counts: Tensor  # (k,) float32
    decision: Tensor  # (m,) 0..k-1


def take(examples: Examples, chosen: NDArray[np.int64]) -> Batch:
    """Return the decisions (k,) with all their actions."""
    counts = examples.counts[chosen]
    decision = np.repeat(np.arange(len(chosen)), counts)  # (m,)
    before = examples.counts.cumsum()[chosen] - counts  # actions of earlier decisions, among all and here
    actions = (before - (counts.cumsum() - counts))[decision] + np.arange(len(decision))  # (m,) among all
    by_action = len(examples.inputs) == len(examples.gains)
    return Batch(
        torch.from_numpy(examples.inputs[actions if by_action else chosen]).float(),
        torch.from_numpy(np.arange(len(actions)) if by_action else decision),
        torch.from_numpy(examples.outputs[actions]),
        torch.from_numpy(examples.table[actions]),
        torch.from_numpy(examples.gains[actions]),
        torch.from_numpy(counts).float(),
        torch.from_numpy(decision),
    )


class RulesNet(nn.Module):
    """A net of `rules`; values of actions are the table's, scaled, plus its outputs.

    Args:
        kind: `"bid"` or `"card"`.
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind, self.shape = kind, SHAPES[kind]
        n_inputs, n_outputs, (first, second) = len(self.shape.inputs), self.shape.n_outputs, self.shape.hidden
        self.first, self.second = nn.Linear(n_inputs, first), nn.Linear(first, second)
        self.last = nn.Linear(second, n_outputs)
        self.direct = nn.Linear(n_inputs, n_outputs, bias=False) if self.shape.is_direct else None
        self.table_scale = nn.Parameter(torch.tensor(1.0), requires_grad=self.shape.has_table)
        self.scale_outputs(0.0)  # so that it begins as the table

    @property
    def layers(self) -> tuple[nn.Linear, ...]:
        """The layers one after another."""
        return self.first, self.second, self.last

    def forward(self, batch: Batch) -> Tensor:
        """Return the values (m,) of the actions, in points."""
        return self.table_scale * batch.table + self.outputs(batch.inputs)[batch.rows, batch.outputs]

    def outputs(self, inputs: Tensor) -> Tensor:
        """Return the outputs (k, n_outputs) in points for inputs (k, n_inputs)."""
        found: Tensor = self.last(torch.relu(self.second(torch.relu(self.first(inputs)))))
        if self.direct is not None:
            found = found + self.direct(inputs)
        return found * self.shape.unit

    @torch.no_grad()
    def scale_outputs(self, factor: float) -> None:
        """Multiply the outputs by a number."""
        for linear in (self.last, self.direct):
            for weights in linear.parameters() if linear else ():
                weights.mul_(factor)

    @torch.no_grad()
    def load(self, folder: Traversable = PACKAGE) -> None:
        """Take over the net whose files lie in a folder."""
        names = self.shape.inputs
        for k, layer in enumerate(self.layers, start=1):
            weights, biases = load_layer(f"rules_{self.kind}_net_{k}.csv", names, folder)
            layer.weight.copy_(torch.from_numpy(weights.T.copy()))
            layer.bias.copy_(torch.from_numpy(biases))
            names = unit_names(biases)
        if self.direct is not None:
            weights, _ = load_layer(f"rules_{self.kind}_net_direct.csv", self.shape.inputs, folder)
            self.direct.weight.copy_(torch.from_numpy(weights.T.copy()))
        self.scale_outputs(1.0 / self.shape.unit)

    @torch.no_grad()
    def files(self) -> dict[str, str]:
        """Return the texts of the CSV files by their names; the bot adds the outputs to an unscaled table.

        Raises:
            BackAlleyError: the fit has turned the table upside down.
        """
        scale = float(self.table_scale)
        if scale <= 0.0:
            raise BackAlleyError(f"the fit gave the table the scale {scale:.3f}: draw more decisions, or learn slower")
        net = copy.deepcopy(self)
        net.scale_outputs(self.shape.unit / scale)
        found, names = {}, self.shape.inputs
        for k, layer in enumerate(net.layers, start=1):
            biases = layer.bias.numpy()
            found[f"rules_{self.kind}_net_{k}.csv"] = layer_text(names, layer.weight.numpy().T, biases)
            names = unit_names(biases)
        if net.direct is not None:
            none = np.zeros(self.shape.n_outputs, np.float32)
            text = layer_text(self.shape.inputs, net.direct.weight.numpy().T, none)
            found[f"rules_{self.kind}_net_direct.csv"] = text
        return found


def centred(values: Tensor, batch: Batch) -> Tensor:
    """Return values (m,) without the mean of their decisions."""
    sums = torch.zeros(len(batch.counts)).index_add_(0, batch.decision, values)
    return values - (sums / batch.counts)[batch.decision]


def losses(values: Tensor, batch: Batch) -> Tensor:
    """Return the mean squared error of the centred values of each decision, (k,)."""
    errors = (centred(values, batch) - centred(batch.gains, batch)) ** 2
    return torch.zeros(len(batch.counts)).index_add_(0, batch.decision, errors) / batch.counts


@dataclass(frozen=True)
class Judgement:
    """How a net does on decisions: its loss, and what it gains per decision over the action that was taken."""

    loss: float
    gain: Estimate

    def __str__(self) -> str:
        half = self.gain.ci95[1] - self.gain.mean if self.gain.ci95 else float("nan")
        return f"loss {self.loss:.3f}, gain per decision {self.gain.mean:+.4f} ± {half:.4f}"


@torch.no_grad()
def judge(net: RulesNet, examples: Examples) -> Judgement:
    """Return how the net does when it takes the action that it values most, the first of equals."""
    errors, gained = [], []
    for start in range(0, len(examples.counts), JUDGED):
        chosen = np.arange(start, min(start + JUDGED, len(examples.counts)))
        batch = take(examples, chosen)
        values = net(batch)
        errors.append(losses(values, batch).numpy())
        first = examples.counts[chosen].cumsum() - examples.counts[chosen]
        order = np.lexsort((-values.numpy(), batch.decision.numpy()))  # stable: the first of equals stays first
        gains = batch.gains.numpy()
        gained.append(gains[order[first]] - gains[first + examples.taken[chosen]])
    return Judgement(float(np.concatenate(errors).mean()), Estimate.of(np.concatenate(gained).astype(np.float64)))


@torch.no_grad()
def fit_scale(net: RulesNet, examples: Examples) -> None:
    """Scale table and outputs together, which changes no choice, to fit the gains best (least squares).

    The numbers of the table are no points, and its scale is slow to learn.
    """
    batch = take(examples, np.arange(min(len(examples.counts), 8 * JUDGED)))
    values, gains = centred(net(batch), batch), centred(batch.gains, batch)
    scale = float(values @ gains / (values @ values).clamp(min=1e-9))
    if scale > 0.0:
        net.scale_outputs(scale)
        net.table_scale.mul_(scale)


def _new_net(kind: str, settings: FitSettings, train: Examples) -> RulesNet:
    """Return the net that the fit begins with."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        net = RulesNet(kind)
    if settings.start:
        net.load()
    if net.shape.has_table:
        fit_scale(net, train)
    return net


@contextmanager
def _one_thread() -> Iterator[None]:
    """Compute with one thread: for nets so small more are hardly faster, and far slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@_one_thread()
def fit(
    kind: str, train: Examples, held_out: Examples, settings: FitSettings, report: Callable[[str], None]
) -> RulesNet:
    """Return a net fitted to examples.

    Args:
        kind: `"bid"` or `"card"`.
        train, held_out: to learn from, and to judge by after each epoch.
        settings: see there.
        report: gets a line before the first epoch and after each.

    Raises:
        BackAlleyError: there are no decisions.
    """
    n, n_held_out = len(train.counts), len(held_out.counts)
    if not n or not n_held_out:
        raise BackAlleyError(f"{n} decisions for the {kind} net and {n_held_out} held out are too few: draw more")
    net = _new_net(kind, settings, train)
    optimizer = torch.optim.AdamW(net.parameters(), lr=settings.learning_rate, weight_decay=WEIGHT_DECAY)
    n_batches = max(1, n // settings.batch)
    n_steps = settings.epochs * n_batches
    warm_up = min(WARM_UP, n_steps // 4 + 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm_up) * max(LAST_RATE, 1.0 - step / n_steps)
    )
    rng = np.random.default_rng(settings.seed)
    report(f"{kind}: {n} decisions and {n_held_out} held out, before: {judge(net, held_out)}")
    for epoch in range(1, settings.epochs + 1):
        for chosen in np.array_split(rng.permutation(n), n_batches):
            batch = take(train, chosen)
            loss = losses(net(batch), batch).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
        report(f"{kind}: epoch {epoch}, table × {float(net.table_scale.detach()):.3f}, {judge(net, held_out)}")
    return net


def write_net(net: RulesNet, folder: Path) -> list[Path]:
    """Write the CSV files of a net into a folder and return their paths."""
    texts = net.files()
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in texts]
