"""What an installed wheel must do with nothing else around: `PATH= VENV/bin/python check_wheel.py`.

The core imports without torch or any framework and, once its caches are warm, in less than two seconds; a PettingZoo
loop and an environment of `gymnasium.make` play a deal. `.ci/run` runs it with its own Python and with the newest that
it finds.
"""

import subprocess
import sys

import gymnasium
import numpy as np

from backalley.envs import back_alley_v0

MOST_SECONDS = 2.0
IMPORT = """
import sys, time
start = time.perf_counter()
import backalley.envs, backalley.envs.back_alley_v0
seconds = time.perf_counter() - start
extras = [name for name in ("torch", "stable_baselines3", "ray", "pyspiel", "matplotlib") if name in sys.modules]
assert not extras, f"the core imports {', '.join(extras)}"
print(seconds)
"""


def play_aec():
    """Play a deal at random and return its rewards."""
    env = back_alley_v0.env(preset="partnership")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards


def play_gymnasium():
    """Play a deal with the first legal action and return its reward."""
    env = gymnasium.make("backalley/BackAlley-v0", opponents="simple")
    observation, _ = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, reward, terminated, truncated, _ = env.step(action)
        total += float(reward)
        over = terminated or truncated
    return total


def import_seconds():
    """Import the core in a process of its own and return how long that took."""
    return float(subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout)


def main():
    rewards, reward = play_aec(), play_gymnasium()
    assert len(rewards) == 4, rewards
    assert sum(rewards.values()) == 0, rewards
    assert np.isfinite(reward)
    seconds = min(import_seconds() for _ in range(3))
    print(f"Python {sys.version.split()[0]}: {rewards['player_0']:+g} and {reward:+g}, import {seconds:.2f} s")
    assert seconds < MOST_SECONDS, f"the import takes {seconds:.2f} s"


if __name__ == "__main__":
    main()
