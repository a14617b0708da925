"""PettingZoo's module form: `from backalley.envs import back_alley_v0; env = back_alley_v0.env()`."""

from backalley.envs.api.aec import env, raw_env

__all__ = ["env", "raw_env"]
