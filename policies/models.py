"""Models trained with other frameworks as policies: two lines each.

    from backalley.policies.models import sb3_policy
    evaluate(sb3_policy("model.zip", rules), "simple", rules)

Any other model takes `adapter.ModelPolicy` and a function. All of them see observations and masks as the environments
show them, and play the most probable legal action. The files of these frameworks are pickles, which can run any code:
load those only that you trust.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.errors import CheckpointError
from backalley.envs.games import game_of
from backalley.envs.rule_set import RuleSet
from backalley.policies.adapter import ModelPolicy
from backalley.policies.extras import needed

Mask = NDArray[np.int8]


def _existing(path: str | Path, what: str, how: str) -> Path:
    """Return a path that exists.

    Raises:
        CheckpointError: it does not.
    """
    if not Path(path).exists():
        raise CheckpointError(f"there is no {what} {path}: {how}")
    return Path(path)


def _check_size(name: str, size: int, rules: RuleSet, episode: str) -> None:
    """Refuse a model made for another observation.

    Raises:
        CheckpointError: another size than the layout of these rules has.
    """
    expected = game_of(rules).layout(rules, episode).size
    if size != expected:
        raise CheckpointError(
            f"the model of {name} was trained on observations of {size} features, these rules have {expected} in an "
            f"episode={episode!r}: give the rules (--preset, --rule) it was trained on, or train it anew"
        )


def sb3_policy(model: Any, rules: RuleSet, *, episode: str = "deal", name: str | None = None) -> ModelPolicy:
    """Return a model of MaskablePPO (SB3-contrib) as a policy.

    Args:
        model: the model, or the file that `model.save` wrote (the ending `.zip` may be left out, as there).
        rules: the rule set.
        episode: episode kind it was trained on.
        name: name in results; else `sb3:PATH`, or `sb3`.

    Raises:
        CheckpointError: no such file, not a model of MaskablePPO, or one for other observations.
        BackAlleyError: SB3-contrib is not installed.
    """
    path = str(model) if isinstance(model, str | Path) else None
    name = name or (f"sb3:{path}" if path else "sb3")
    if path is not None:
        model = _load_sb3(path)
    spaces = getattr(model.observation_space, "spaces", None)
    is_dict = spaces is not None
    _check_size(name, (spaces["observation"] if spaces else model.observation_space).shape[0], rules, episode)

    def decide(observations: NDArray[np.int8], masks: Mask) -> Any:
        seen = {"observation": observations, "action_mask": masks} if is_dict else observations
        return model.predict(seen, action_masks=masks.astype(np.bool_), deterministic=True)[0]

    return ModelPolicy(decide, rules, episode=episode, name=name)


def _load_sb3(path: str) -> Any:
    """Return the model of a file."""
    file = path if Path(path).exists() or str(path).endswith(".zip") else f"{path}.zip"
    _existing(file, "model", f"give the file that model.save({path!r}) wrote")
    maskable = needed("sb3_contrib", "backalley[sb3]", f"policy 'sb3:{path}'").MaskablePPO
    try:
        return maskable.load(file, device="cpu")
    except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise CheckpointError(
            f"{file} is no model of MaskablePPO ({error}): save one by model.save, or seat another algorithm by "
            "backalley.policies.adapter.ModelPolicy"
        ) from None


def rllib_policy(
    module: Any, rules: RuleSet, *, module_id: str = "shared", episode: str = "deal", name: str | None = None
) -> ModelPolicy:
    """Return an RLModule of RLlib with action masking as a policy.

    Args:
        module: the module (`algorithm.get_module("shared")`), or the folder of a checkpoint, of the algorithm or of the
            module alone.
        rules: the rule set.
        module_id: name of the module in a checkpoint of the algorithm.
        episode: episode kind it was trained on.
        name: name in results; else `rllib:PATH`, or `rllib`.

    Raises:
        CheckpointError: no such folder, or a module for other observations.
        BackAlleyError: RLlib or torch is not installed.
    """
    path = str(module) if isinstance(module, str | Path) else None
    name = name or (f"rllib:{path}" if path else "rllib")
    if path is not None:
        folder = _existing(path, "checkpoint", "give the folder that algorithm.save_to_path wrote").absolute()
        inner = folder / "learner_group" / "learner" / "rl_module" / module_id
        rl_module = needed("ray.rllib.core.rl_module.rl_module", "ray[rllib]", f"policy {name!r}").RLModule
        module = rl_module.from_checkpoint(str(inner if inner.exists() else folder))
    torch = needed("torch", "backalley[train]", f"policy {name!r}")
    spaces = getattr(module, "observation_space", None)
    if spaces is not None and hasattr(spaces, "spaces"):
        _check_size(name, spaces["observations"].shape[0], rules, episode)

    def decide(observations: NDArray[np.int8], masks: Mask) -> Any:
        seen = {"observations": _floats(torch, observations), "action_mask": _floats(torch, masks)}
        with torch.inference_mode():
            return module.forward_inference({"obs": seen})["action_dist_inputs"].numpy()

    return ModelPolicy(decide, rules, episode=episode, name=name)


def tianshou_policy(policy: Any, rules: RuleSet, *, episode: str = "deal", name: str = "tianshou") -> ModelPolicy:
    """Return a policy of Tianshou 2 for discrete actions (`algorithm.policy`) as a policy of ours.

    Args:
        policy: the policy; what it computes of a batch has `logits` (n, n_actions), as those of actors and Q-networks.
        rules: the rule set.
        episode: episode kind it was trained on.
        name: name in results.

    Raises:
        BackAlleyError: Tianshou or torch is not installed.
    """
    batch = needed("tianshou.data", "tianshou", f"policy {name!r}").Batch
    torch = needed("torch", "backalley[train]", f"policy {name!r}")

    def decide(observations: NDArray[np.int8], masks: Mask) -> Any:
        with torch.inference_mode():
            answer = policy(batch(obs=batch(obs=observations, mask=masks.astype(np.bool_)), info=batch()))
        return answer.logits.cpu().numpy()

    return ModelPolicy(decide, rules, episode=episode, name=name)


def _floats(torch: Any, rows: NDArray[np.int8]) -> Any:
    """Return rows as a float32 tensor."""
    return torch.from_numpy(rows).to(torch.float32)
