"""Environments of Back Alley and the games that share its engine room.

`Rules` names the rules, `Table` steps many episodes together, `back_alley_v0` is PettingZoo's form. Importing the
package registers `backalley/BackAlley-v0` with Gymnasium and `backalley/back_alley-v0` with PettingZoo.
"""

from backalley.envs import back_alley_v0
from backalley.envs.api.registration import register_all
from backalley.envs.back_alley.rules import Rules
from backalley.envs.games import make_rules
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.table import RANDOM_ACTION, SKIP, Table

register_all()

__all__ = ["RANDOM_ACTION", "SKIP", "Rules", "StreetsRules", "Table", "back_alley_v0", "make_rules"]
