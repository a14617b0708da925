"""OpenSpiel's algorithms on Back Alley: one-card deals solved, with exact exploitability, and ISMCTS at our table.

    pip install backalley 'open_spiel>=1.6'
    python exact_and_search.py

The exact part plays all 42 · 41 = 1722 deals of one card for two players with the pack of 42 cards, spades trumps. Four
players with a card turned up have 42 · 41 · 40 · 39 · 38 deals, more than OpenSpiel walks in Python; there `decks=N`
makes a game of N deals, of which everything is exact again.
"""

import argparse
import time

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

from backalley.envs import Rules
from backalley.policies.open_spiel import BotPolicy, ismcts_bot
from backalley.train.evaluate import evaluate

ONE_CARD = "players:2;sides:individual;hand_max:1;deck:short42;trump_source:fixed_spades"


def solve(name, iterations):
    """Print how exploitable uniform play and the average policy of CFR+ are, in points per deal."""
    game = pyspiel.load_game(name)
    start = time.monotonic()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found = []
    for label, one in (("uniform", policy.UniformRandomPolicy(game)), (f"CFR+ {iterations}", solver.average_policy())):
        result = exploitability.nash_conv(game, one, return_only_nash_conv=False)
        gains = ", ".join(f"{gain:.4f}" for gain in result.player_improvements)
        print(f"{label:<10} NashConv {result.nash_conv:8.4f} = what each player could gain: {gains}", flush=True)
        found.append(result.nash_conv)
    print(f"{time.monotonic() - start:.0f} s for {name}", flush=True)
    assert found[1] < found[0] / 2, "CFR+ has learned nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=26)
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    decks = ",decks=30" if args.tiny else ""
    if args.tiny:
        args.sims, args.pairs = 10, 4
    solve(f"backalley(options={ONE_CARD},dealer=0{decks})", args.iterations)
    solve("backalley(hand_size=1,dealer=0,decks=4)", args.iterations)

    rules = Rules.preset("partnership", hand_max=4)
    bot = BotPolicy(ismcts_bot(args.sims), rules, name=f"OpenSpiel ISMCTS, {args.sims} simulations")
    for other in ("random", "simple"):
        result = evaluate(bot, other, rules, args.pairs)
        low, high = result.ci95
        print(f"{bot.name} v {other}: {result.mean:+.2f} [{low:+.2f}, {high:+.2f}], {result.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
