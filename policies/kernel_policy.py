"""Scripted bots as policies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.rule_set import Records, RuleSet, new_records
from backalley.policies.kits import kit_of


class KernelPolicy:
    """A scripted bot.

    Args:
        name: its name in the game's kit.
        rules: rule set.
    """

    def __init__(self, name: str, rules: RuleSet) -> None:
        kit = kit_of(rules)
        self.name = name
        self.bot = kit.bot(name)
        """Number by which kernels know the bot."""
        self.advance = kit.advance
        """Lets bots act on a table inside one kernel, see `Kit`; None in games for one."""
        self._record = rules.record()
        self._act_all = kit.loops.act_all
        self._legal = np.zeros(kit.game.n_words, np.uint64)

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        actions = np.empty(len(views), np.int16)
        stream = rng.integers(0, 2**64, 4, np.uint64)
        scratch = new_records(1, views.dtype)
        masks = np.ascontiguousarray(legal)
        self._act_all(self.bot, self._record, views, masks, stream, scratch, self._legal, actions)
        return actions
