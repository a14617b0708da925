"""Models of other frameworks as policies, policies by `MODULE:FUNCTION`, exported networks."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium import spaces

from backalley.envs import Rules, Table
from backalley.envs.api.options import observation_space
from backalley.envs.errors import BackAlleyError, CheckpointError, UnknownName
from backalley.policies import registry
from backalley.policies.adapter import ModelPolicy
from backalley.policies.models import rllib_policy, sb3_policy
from backalley.train.evaluate import evaluate

RULES = Rules.preset("partnership")
SOLO = Rules.preset("solo")  # another layout
HIGHEST_FIRST = np.arange(89)[::-1]  # a preference for low numbers

# MODULE:FUNCTION

MODULE = """
from backalley.policies.adapter import ModelPolicy

def lowest(rules, text="mine"):
    return ModelPolicy(lambda observations, masks: masks.argmax(1), rules, name=text)

def broken(rules):
    return 3

LOWEST = 1
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bots.py").write_text(MODULE)
    (tmp_path / "needy.py").write_text("import a_module_that_is_not_there")
    yield "my_bots"
    for name in ("my_bots", "needy"):
        sys.modules.pop(name, None)


def play(policy, other, rules=RULES):
    """Assert that two policies choose alike wherever a table of random play comes."""
    table = Table(rules, 64, seed=5)
    rng = np.random.default_rng(0)
    n_choices = 0
    for _ in range(20):
        running = ~table.done
        views, legal = table.view()[running], table.legal()[running]
        assert np.array_equal(policy.act(views, legal, rng), other.act(views, legal, rng))
        n_choices += (legal.sum(1) > 1).sum()
        table.step(table.random_actions())
    assert n_choices > 300


def test_functions_of_a_module_in_the_current_folder_make_policies(module):
    path = list(sys.path)
    policy = registry.make(f"{module}:lowest", RULES)
    assert policy.name == "mine"
    assert registry.make(f"{module}:lowest:a:b", RULES).name == "a:b"
    assert sys.path == path
    play(policy, ModelPolicy(lambda observations, masks: masks.argmax(1), RULES))


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("my_bot:lowest", UnknownName, r"unknown policy 'my_bot:lowest': no policy and no module 'my_bot', neither"),
        ("my_bots.deep:lowest", UnknownName, "no module 'my_bots.deep'"),
        ("my_bots:lowst", UnknownName, "unknown function of my_bots 'lowst': did you mean 'lowest'"),
        ("my_bots:LOWEST", UnknownName, "unknown function of my_bots 'LOWEST'"),
        ("my_bots:broken", BackAlleyError, "broken returned int, which has no name and act: return a policy"),
        ("needy:make", BackAlleyError, "needs a_module_that_is_not_there, which is not installed"),
        ("searchx:worlds=10", UnknownName, r"unknown policy 'searchx:worlds=10' \(known: MODULE:FUNCTION, "),
    ],
)
def test_wrong_references_are_refused_in_one_line(module, name, error, message):
    with pytest.raises(error, match=message) as caught:
        registry.make(name, RULES)
    assert "\n" not in str(caught.value)


def test_the_command_line_takes_a_function(module, run, tmp_path):
    (tmp_path / "my_bots.py").write_text(MODULE)
    code, out, _ = run("eval", "my_bots:lowest", "simple", "--pairs", 26)
    assert code == 0
    assert "my_bots:lowest" in out
    code, _, err = run("eval", "my_bots:lowst", "simple", "--pairs", 26)
    assert code == 2
    assert err.count("\n") == 1


# Stable-Baselines3


class Predicts:
    """What `sb3_policy` asks of a model: it likes low numbers and refuses what it was not trained on."""

    def __init__(self, space):
        self.observation_space = space

    def predict(self, observations, *, action_masks, deterministic):
        assert deterministic
        assert action_masks.dtype == np.bool_
        if isinstance(self.observation_space, spaces.Dict):
            assert list(observations) == ["observation", "action_mask"]
            assert np.array_equal(observations["action_mask"], action_masks)
            observations = observations["observation"]
        assert observations.shape[1] == Table(RULES, 1).layout.size
        return np.where(action_masks, HIGHEST_FIRST, -1).argmax(1), None


@pytest.mark.parametrize("is_dict", [True, False])
def test_models_of_maskable_ppo_play(is_dict):
    space = observation_space(Table(RULES, 1))
    policy = sb3_policy(Predicts(space if is_dict else space["observation"]), RULES)
    assert policy.name == "sb3"
    play(policy, ModelPolicy(lambda observations, masks: masks.argmax(1), RULES))


def test_models_for_other_rules_are_refused():
    model = Predicts(observation_space(Table(SOLO, 1)))
    with pytest.raises(CheckpointError, match=r"trained on observations of .* give the rules"):
        sb3_policy(model, RULES)


def test_missing_files_and_packages_are_named(tmp_path, monkeypatch, run):
    for name in ("nowhere", "nowhere.zip"):
        with pytest.raises(CheckpointError, match=r"there is no model nowhere\.zip: give the file that model\.save"):
            registry.make(f"sb3:{name}", RULES)
    with pytest.raises(CheckpointError, match="there is no checkpoint nowhere"):
        rllib_policy("nowhere", RULES)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.zip").write_bytes(b"no zip")
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(BackAlleyError, match=r"'sb3:model' needs sb3_contrib, .* pip install 'backalley\[sb3\]'"):
        registry.make("sb3:model", RULES)
    code, _, err = run("eval", "sb3:nowhere", "simple", "--pairs", 26)
    assert (code, err.count("\n")) == (2, 1)


def test_a_saved_model_plays_as_the_model(tmp_path, monkeypatch):
    contrib = pytest.importorskip("sb3_contrib")
    from backalley.envs.api.sb3 import make_native_vec_env

    envs = make_native_vec_env(8, seed=0)
    model = contrib.MaskablePPO("MultiInputPolicy", envs, n_steps=16, batch_size=64, device="cpu", seed=0)
    monkeypatch.chdir(tmp_path)
    model.save("model.zip")
    for name in ("sb3:model", "sb3:model.zip"):
        play(registry.make(name, RULES), sb3_policy(model, RULES))
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    with pytest.raises(CheckpointError, match=r"broken\.zip is no model of MaskablePPO"):
        registry.make("sb3:broken", RULES)


# RLlib, Tianshou


class Forwards:
    """What `rllib_policy` asks of a module."""

    observation_space = None

    def forward_inference(self, batch):
        import torch

        seen = batch["obs"]
        assert sorted(seen) == ["action_mask", "observations"]
        assert seen["observations"].dtype == torch.float32
        logits = torch.arange(89.0, 0, -1) * seen["action_mask"].float()
        return {"action_dist_inputs": logits}


def test_modules_of_rllib_play():
    play(rllib_policy(Forwards(), RULES), ModelPolicy(lambda observations, masks: masks.argmax(1), RULES))


def test_policies_of_tianshou_play(monkeypatch):
    import torch

    from backalley.policies.models import tianshou_policy

    monkeypatch.setitem(sys.modules, "tianshou.data", SimpleNamespace(Batch=SimpleNamespace))
    monkeypatch.setitem(sys.modules, "tianshou", SimpleNamespace(data=sys.modules["tianshou.data"]))

    def forward(batch):
        assert batch.obs.mask.dtype == np.bool_
        return SimpleNamespace(logits=torch.arange(89.0, 0, -1).expand(len(batch.obs.obs), 89))

    play(tianshou_policy(forward, RULES), ModelPolicy(lambda observations, masks: masks.argmax(1), RULES))


def test_a_missing_framework_is_named(monkeypatch):
    from backalley.policies.models import tianshou_policy

    monkeypatch.setitem(sys.modules, "tianshou", None)
    with pytest.raises(BackAlleyError, match=r"policy 'tianshou' needs tianshou.*pip install 'tianshou'"):
        tianshou_policy(None, RULES)


# ONNX


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A network with random weights, large enough to tell actions apart."""
    torch = pytest.importorskip("torch")
    from backalley.policies.checkpoint import NETWORK_FILE, save_network
    from backalley.policies.kits import kit_of
    from backalley.policies.network import ActorCritic

    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    network = ActorCritic(kit_of(RULES).n_features(RULES, "deal"), 89, [32, 16])
    torch.nn.init.normal_(network.policy_head.weight)
    save_network(folder / NETWORK_FILE, network, RULES, "deal", {})
    return folder


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")  # torch warns itself while exporting
def test_an_exported_network_makes_the_same_moves(checkpoint, tmp_path):
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    from backalley.train.cli import main

    file = tmp_path / "network.onnx"
    assert main(["export", str(checkpoint), str(file)]) == 0
    exported = registry.make(f"onnx:{file}", RULES)
    play(exported, registry.make(f"net:{checkpoint}", RULES))
    assert evaluate(exported, registry.make(f"net:{checkpoint}", RULES), RULES, pairs=26).mean == 0
    with pytest.raises(CheckpointError, match="trained on another layout"):
        registry.make(f"onnx:{file}", SOLO)
    with pytest.raises(CheckpointError, match=r"there is no model .*: write one by `backalley export NETWORK"):
        registry.make(f"onnx:{tmp_path / 'nowhere.onnx'}", RULES)


def test_export_names_what_is_missing(checkpoint, tmp_path, monkeypatch):
    from backalley.policies.onnx_export import export_network

    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(BackAlleyError, match=r"the export needs onnx, .* pip install 'backalley\[train,onnx\]'"):
        export_network(checkpoint, tmp_path / "network.onnx")
