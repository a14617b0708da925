"""The public checks must pass on our environments and fail on broken ones."""

import numpy as np
import pytest

from backalley.envs import Rules, Table, back_alley_v0
from backalley.envs.api.aec import BackAlley
from backalley.envs.api.conformance import check_aec, check_no_leak


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_no_leak_in_resampled_views(episode):
    table = Table(Rules.preset("partnership"), 64, seed=3, episode=episode)
    assert check_no_leak(table, 10_000, seed=1) >= 10_000


class Leaky(Table):
    def see(self, seats=None):
        observations, masks = super().see(seats)
        observations[:, 0] = self.states["stock"] & np.uint64(1)
        return observations, masks


class LeakyView(Table):
    def view(self, seats=None):
        views = super().view(seats)
        views["hands"][:, 3] = self.states["hands"][:, 3]
        return views


@pytest.mark.parametrize("leaky", [Leaky, LeakyView])
def test_a_leak_is_found(leaky):
    with pytest.raises(AssertionError, match="depends on cards hidden"):
        check_no_leak(leaky(Rules.preset("partnership"), 64, seed=3), 10_000)


class ShowsOthersMask(BackAlley):
    def observe(self, agent):
        return super().observe(agent) | {"action_mask": super().observe(self.agent_selection)["action_mask"]}


class TooWideMask(BackAlley):
    def observe(self, agent):
        observation = super().observe(agent)
        if observation["action_mask"].any():
            observation["action_mask"][0] = 1
        return observation


class SharedArrays(BackAlley):
    def observe(self, agent):
        if agent == self.agent_selection and not self.terminations[agent]:
            return {"observation": self._stepper.observation, "action_mask": self._stepper.mask}
        return super().observe(agent)


class Forgetful(BackAlley):
    def __deepcopy__(self, memo):
        other = Forgetful()
        other.reset(seed=0)
        return other


class ForgetfulClone(BackAlley):
    def clone(self):
        twin = super().clone()
        twin.table.reset()
        twin._stepper.bind()
        return twin


class SharingClone(BackAlley):
    def clone(self):
        twin = super().clone()
        twin.table.states = self.table.states
        twin._stepper.bind()
        return twin


class CloneSharesInfos(BackAlley):
    def clone(self):
        twin = super().clone()
        twin.infos = self.infos
        return twin


class TrustsMasksHandedOut(BackAlley):
    def step(self, action):
        if action is not None and self.infos[self.agent_selection]["action_mask"][action]:
            self._stepper.mask[action] = 1
        super().step(action)


class OldInfos(BackAlley):
    def step(self, action):
        agent = self.agent_selection
        info = self.infos[agent]
        super().step(action)
        if agent != self.agent_selection:
            self.infos[agent] = info


class NumpyFlags(BackAlley):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.terminations = dict.fromkeys(self.agents, np.False_)


class SeesPartner(BackAlley):
    def observe(self, agent):
        observation = super().observe(agent)
        partner = self.table.states["hands"][0, (self._seat_of[agent] + 2) % 4]
        observation["observation"][0] = partner & np.uint64(1)
        return observation


class Unseeded(BackAlley):
    def reset(self, seed=None, options=None):
        super().reset(None, options)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (ShowsOthersMask, "mask of player_"),
        (TooWideMask, "infos"),
        (SharedArrays, "changed the environment"),
        (Forgetful, "copy goes on differently"),
        (ForgetfulClone, "copy goes on differently|in the mask"),
        (SharingClone, "mask|no legal action|changed the original"),
        (CloneSharesInfos, "shares the mask"),
        (TrustsMasksHandedOut, "not in the mask but was accepted"),
        (OldInfos, "infos"),
        (NumpyFlags, "no bools"),
        (SeesPartner, "depends on cards hidden"),
        (Unseeded, "two different games"),
    ],
)
def test_broken_environments_are_found(broken, message):
    with pytest.raises(AssertionError, match=message):
        check_aec(broken, n_games=2, seed=11)


def test_a_table_with_nothing_to_hide_proves_nothing():
    table = Table(Rules.preset("partnership"), 8, seed=3)
    table.states["hands"] = 0
    table.states["stock"] = 0
    table.step = lambda actions: None
    with pytest.raises(AssertionError, match="proves nothing"):
        check_no_leak(table, 10)


def test_sound_environment_passes():
    check_aec(back_alley_v0.env, n_games=2, seed=11)
