"""The layout of the observation: which blocks of binary features a rule set needs.

Seats are relative to the observer (me, then clockwise), counts are thermometers, scores are buckets. This is the only
place that knows names and sizes; `observation` writes the blocks in the same order.
"""

from __future__ import annotations

from backalley.envs.back_alley.episode import EPISODE_KINDS
from backalley.envs.back_alley.rules import Rules
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import unknown
from backalley.envs.layout import Block, Layout, product, thermometer

SCORE_BUCKETS = (-300, -200, -150, -100, -75, -50, -30, -20, -10, 0, 10, 20, 30, 50, 75, 100, 150, 200, 300)
"""Match points of my side minus the best other side; feature i is 1 when the difference is above bucket i."""

BAG_STEPS = 4  # features that show how near a seat is to the limit of its bags

_SEAT_NAMES = {
    "pairs": ("me", "left", "partner", "right"),
    "individual": ("me", "left", "second", "third", "fourth", "fifth"),
    "two_teams_of_3": ("me", "left", "partner 1", "opponent 2", "partner 2", "right"),
    "three_teams_of_2": ("me", "left", "second", "partner", "fourth", "right"),
}


def observation_layout(rules: Rules, episode: str = "deal") -> Layout:
    """Return the layout for a rule set and an episode kind; all sizes follow from them."""
    seats = _SEAT_NAMES[rules.sides][: rules.players]
    sides = (
        ("mine", "theirs")
        if rules.n_sides == 2
        else ("mine", *(f"side of {seat}" for seat in seats[1 : rules.n_sides]))
    )
    up_to_max = thermometer(rules.hand_max)
    has_jokers = rules.deck != "std52"
    units = seats if rules.score_unit == "player" else sides
    jokers = ("LB", "BB") if has_jokers else ()
    blocks = [
        Block("hand", "cards I hold", CARD_NAMES),
        Block("played", "cards played by each seat, this trick included", product(seats, CARD_NAMES)),
        Block("trick", "card of each seat in this trick", product(seats, CARD_NAMES)),
        Block(
            "cannot_hold",
            "cards that the plays of each other seat have excluded",
            product(seats[1:], CARD_NAMES),
        ),
        Block("turn_up", "the card turned up", CARD_NAMES),
        Block("discarded", "joker discarded in the exchange", jokers),
        Block("burned", "jokers burned", jokers),
        Block("unseen", "cards in other hands or in the stock", CARD_NAMES),
        Block("trick_card", "card that holds the trick", CARD_NAMES),
        Block("trick_holder", "seat that holds the trick", seats),
        Block("winners", "my legal cards that would take the lead in this trick", CARD_NAMES),
        Block("masters", "my cards that no unseen card of their suit beats", CARD_NAMES),
        Block("trump", "trump suit", ("S", "H", "D", "C", "none")),
        Block("hand_size", "cards dealt to each seat", up_to_max),
        Block("tricks_left", "tricks still to be decided", up_to_max),
        Block("bid_position", "my place in the bidding, 0 first", tuple(map(str, range(rules.players)))),
        Block("bids", "bid of each seat", product(seats, _bid_features(rules))),
        Block("tricks_won", "tricks won by each seat", product(seats, up_to_max)),
        Block("needs", "tricks each scoring unit still needs for its bid", product(units, up_to_max)),
        Block("beaten", "the bid of the unit cannot be made any more", units),
        Block("leader", "who led or is to lead", seats),
        Block("broken", "trumps are broken", ("yes",)),
        Block("forced", "the joker that was led asks for my highest or lowest trump", ("highest", "lowest")),
        Block("phase", "what is to be decided", ("bid", "play", *_more_phases(rules))),
    ]
    blocks += _special_blocks(rules, seats)
    if episode == "match":
        deals = tuple(f">deal {i + 1}" for i in range(rules.n_deals - 1))
        blocks.append(Block("deal_index", "deals of the match already scored", deals))
        if rules.bag_limit is not None:
            quarters = tuple(f"≥{k}/4 of the limit" for k in range(1, BAG_STEPS + 1))
            blocks.append(Block("bags", "overtricks counted against each seat", product(seats, quarters)))
        blocks.append(Block("score_difference", "match points ahead", tuple(f">{bucket}" for bucket in SCORE_BUCKETS)))
    elif episode not in EPISODE_KINDS:
        raise unknown("episode kind", episode, EPISODE_KINDS)
    return Layout(blocks)


def _bid_features(rules: Rules) -> tuple[str, ...]:
    """Return what is said of the bid of one seat."""
    kinds: tuple[str, ...] = ("pass", "number")
    kinds += ("board",) if rules.all_tricks_bid not in ("none", "implied") else ()
    kinds += ("boston",) if rules.boston else ()
    kinds += ("rainbow",) if rules.rainbow != "off" else ()
    return (
        *kinds,
        *thermometer(rules.hand_max, "number≥"),
        *thermometer(rules.n_levels, "level≥"),
    )


def _more_phases(rules: Rules) -> tuple[str, ...]:
    offer = ("redeal offer",) if rules.redeal_right and rules.redeal_timing == "before_bidding" else ()
    return offer + (("raise",) if rules.all_tricks_bid == "raise_board" else ())


def _special_blocks(rules: Rules, seats: tuple[str, ...]) -> list[Block]:
    """Return the blocks that only some rule sets have."""
    blocks = []
    if rules.can_cut:
        blocks.append(Block("cut", "trumps were fixed by a cut: the card shown is in play", ("yes",)))
    if rules.lead_rule == "high_two_run":
        blocks.append(Block("run", "seat with the right to go on leading trumps", seats))
    if rules.blind_sizes:
        blocks.append(Block("blind", "my hand is hidden from me", ("yes",)))
    return blocks
