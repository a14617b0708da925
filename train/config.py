"""Training configuration: YAML files checked field by field, with `a.b=c` overrides.

>>> load_config("quickstart", ["ppo.epochs=3"]).ppo.epochs
3
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backalley.envs import make_rules
from backalley.envs.errors import ConfigError, unknown
from backalley.envs.games import GAMES, game_of
from backalley.envs.rule_set import RuleSet
from backalley.policies.kits import kit_of

Positive = Annotated[int, Field(ge=1)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class GameConfig(_Section):
    """What is played."""

    preset: str = Field("partnership", description="Named rule set.")
    options: dict[str, Any] = Field(default_factory=dict, description="Rule options that override the preset.")
    limits: dict[str, int] = Field(default_factory=dict, description="After how much an episode is cut off.")

    def rules(self) -> RuleSet:
        """Return the rule set."""
        return make_rules(self.preset, **self.options)


class NetworkConfig(_Section):
    """The network."""

    kind: Literal["mlp", "piles"] = Field("mlp", description="piles is made for Streets and Alleys.")
    hidden: tuple[Positive, ...] = Field((512, 512), description="Width of each hidden layer.")


class OpponentConfig(_Section):
    """Who sits at the tables, as shares; the rest is self-play by the network on all seats."""

    simple: Fraction = Field(0.25, description="Share of tables with `simple` on one side.")
    rules: Fraction = Field(0.25, description="Share of tables with `rules` on one side.")

    def shares(self) -> dict[str, float]:
        """Return the share of each bot that has one."""
        return {name: share for name, share in self.model_dump().items() if share}


class PPOConfig(_Section):
    """The update."""

    epochs: Positive = Field(2, description="Passes over each batch.")
    minibatch: Positive = Field(8192, description="Decisions in a gradient step.")
    learning_rate: float = Field(7e-4, gt=0, description="Adam's rate at the start; falls in a line to the final one.")
    final_learning_rate: float = Field(1e-5, ge=0, description="Adam's rate at the end.")
    clip: float = Field(0.2, gt=0, description="Clipping range of the probability ratio.")
    value_weight: float = Field(0.5, ge=0, description="Weight of the value loss.")
    max_grad_norm: float = Field(0.5, gt=0, description="Gradients are scaled down to this norm.")
    gae_lambda: Fraction = Field(0.95, description="λ of the advantages at the start.")
    final_gae_lambda: Fraction = Field(1.0, description="λ at the end; rises in a line.")
    entropy_bid: float = Field(0.03, ge=0, description="Entropy bonus of bids at the start.")
    entropy_play: float = Field(0.02, ge=0, description="Entropy bonus of card plays at the start.")
    final_entropy_share: Fraction = Field(0.1, description="Share of both bonuses left at the end.")


class WarmStartConfig(_Section):
    """Imitation of a teacher before the first update; 0 decisions switches it off."""

    decisions: int = Field(0, ge=0, description="Decisions of the teacher to imitate.")
    teacher: str = Field("rules", description="Who is imitated: a policy of the game by name.")
    epochs: Positive = Field(1, description="Passes over the decisions to imitate.")
    learning_rate: float = Field(1e-3, gt=0, description="Adam's rate while imitating.")


class TrainConfig(_Section):
    """A whole training run."""

    name: str = Field("run", description="Name of the run; its folder lies under runs/ unless --out says otherwise.")
    seed: int = Field(0, ge=0, description="Seed of everything random.")
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="auto takes a GPU when there is one.")
    threads: int = Field(0, ge=0, description="Threads of torch; 0 measures one and all and takes the faster.")
    bf16: bool = Field(True, description="Run the network in bfloat16 autocast.")
    tables: Positive = Field(1024, description="Episodes played side by side.")
    rollout: Positive = Field(64, description="Decisions of each table between updates.")
    decisions: Positive = Field(8_000_000, description="Learning decisions in all; schedules run over them.")
    max_minutes: float = Field(
        0.0,
        ge=0,
        description="Budget of time beside that of decisions; the one nearer to its end counts; 0 none.",
    )
    reward_scale: tuple[float, float] = Field((4.0, 1.6), description="Rewards are divided by a + b · hand size.")
    evaluate_every: Positive = Field(20, description="Updates between evaluations and checkpoints.")
    evaluation_pairs: Positive = Field(1300, description="Duplicate pairs against each bot while training.")
    final_pairs: Positive = Field(26000, description="Duplicate pairs against each bot at the end.")
    game: GameConfig = GameConfig()
    network: NetworkConfig = NetworkConfig()
    opponents: OpponentConfig = OpponentConfig()
    ppo: PPOConfig = PPOConfig()
    warm_start: WarmStartConfig = WarmStartConfig()


def config_names() -> list[str]:
    """Return the names of the configurations that come with the package."""
    files = resources.files("backalley.configs").iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def load_config(name: str, overrides: Iterable[str] = ()) -> TrainConfig:
    """Return a configuration, checked.

    Args:
        name: a configuration of the package (`quickstart`, `baseline`) or the path of a YAML file.
        overrides: `a.b=c` assignments; values are read as YAML. `preset=c` stands for `game.preset=c`, and a rule
            option such as `players=3` for `game.options.players=3`.

    Raises:
        ConfigError: no such file, no YAML mapping, an unknown key or a value of the wrong type.
        UnknownName: no configuration has that name.
    """
    data = _read(name)
    data.setdefault("name", Path(name).stem)
    for override in overrides:
        _assign(data, override)
    return config_from_dict(data, name)


def config_from_dict(data: dict[str, Any], source: str = "configuration") -> TrainConfig:
    """Return the checked configuration of a mapping; see `load_config` for errors."""
    try:
        config = TrainConfig.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{source}: {'; '.join(_explain(item) for item in error.errors())}") from None
    rules = config.game.rules()
    if rules.players == 1 and (shares := config.opponents.shares()):
        raise ConfigError(
            f"{source}: nobody else sits at the table of {config.game.preset}: set opponents.{next(iter(shares))}=0"
        )
    teacher, teachers = config.warm_start.teacher, kit_of(rules).names()
    if config.warm_start.decisions and teacher.partition(":")[0] not in teachers:
        raise ConfigError(f"{source}: {unknown('teacher', teacher, teachers)}")
    game_of(rules).settings("deal", None, **config.game.limits)
    if config.opponents.simple + config.opponents.rules > 1:
        raise ConfigError(f"{source}: the shares opponents.simple and opponents.rules add up to more than 1")
    return config


def _read(name: str) -> dict[str, Any]:
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        if not path.is_file():
            raise ConfigError(f"there is no configuration file {name!r}; packaged ones: {', '.join(config_names())}")
        text = path.read_text(encoding="utf-8")
    else:
        if name not in config_names():
            raise unknown("configuration", name, config_names())
        text = (resources.files("backalley.configs") / f"{name}.yaml").read_text(encoding="utf-8")
    try:
        data = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{name} is no valid YAML: {str(error).replace(chr(10), ' ')}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{name} must hold keys and values, not {type(data).__name__}")
    return data


def _assign(data: dict[str, Any], override: str) -> None:
    key, separator, text = override.partition("=")
    if not separator or not key:
        raise ConfigError(f"override {override!r} must read key=value, for example ppo.epochs=3")
    *sections, last = key.split(".")
    if not sections and last == "preset":
        sections = ["game"]
    elif not sections and any(last in game.rules.OPTIONS for game in GAMES):
        sections = ["game", "options"]
    target = data
    for section in sections:
        target = target.setdefault(section, {})
        if not isinstance(target, dict):
            raise ConfigError(f"override {override!r}: {section!r} holds a value, not further keys")
    try:
        target[last] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"override {override!r}: {text!r} is no valid value") from None
    if isinstance(target[last], str):  # YAML 1.1 reads 1e-4 as text
        with suppress(ValueError):
            target[last] = float(target[last])


def _explain(item: Any) -> str:
    """Return one sentence for one finding of the validation."""
    where = ".".join(str(part) for part in item["loc"])
    if item["type"] != "extra_forbidden":
        return f"{where}={item['input']!r}: {item['msg'].lower()}"
    *sections, last = item["loc"]
    model: Any = TrainConfig
    for section in sections:
        model = model.model_fields[section].annotation
    return str(unknown(f"key {'.'.join(map(str, sections))}".rstrip(), str(last), model.model_fields))
