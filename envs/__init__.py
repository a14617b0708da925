"""Environments of Back Alley and the games that share its engine room.

`Rules` names the rules, `Table` steps many episodes together.
"""

from backalley.envs.back_alley.rules import Rules
from backalley.envs.table import RANDOM_ACTION, Table

__all__ = ["RANDOM_ACTION", "Rules", "Table"]
