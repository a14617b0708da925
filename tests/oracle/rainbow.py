"""Rainbows: hands with as many cards of each suit (section 8)."""

from oracle.bidding import RAINBOW
from oracle.cards import HIGH_TWOS, JOKERS, SUITS, TRUMP, Order


def is_rainbow(options: dict, order: Order, hand: list[str]) -> bool:
    """Return whether a hand just dealt is a rainbow (BA-61, BA-62)."""
    if options["rainbow"] == "off" or len(hand) not in options["rainbow_sizes"]:
        return False
    special = {*JOKERS, HIGH_TWOS[options["high_two"]]} & set(hand)
    if options["rainbow_joker"] == "never" and order.trump is not None and special:
        return False
    if order.trump is None:  # printed suits, a joker has none
        suits = [card[1] if card not in JOKERS else None for card in hand]
    else:
        suits = [order.trump if order.suit[card] == TRUMP else order.suit[card] for card in hand]
    return all(4 * suits.count(suit) == len(hand) for suit in SUITS)


def announcements(options: dict, hand_size: int, bids: set[str], holds_rainbow: bool) -> set[str]:
    """Return the bids with an announcement, given those without and what the bidder holds (BA-63 to BA-66)."""
    mode = options["rainbow"]
    if hand_size not in options["rainbow_sizes"] or mode in ("off", "auto"):
        return set()
    if mode == "claim":  # anybody may, even blind
        return {bid + RAINBOW for bid in bids if bid != "boston"}
    if not holds_rainbow or hand_size in options["blind_sizes"]:
        return set()
    if mode == "free":
        return {bid + RAINBOW for bid in bids if bid != "boston"}
    least = hand_size // 4  # the rainbow itself is a bid of n/4 tricks
    return {bid + RAINBOW for bid in bids if bid.isdigit() and int(bid) >= least}


def announcers(options: dict, bids: dict[int, str]) -> list[int]:
    """Return who announced a rainbow, in bidding order."""
    return [seat for seat, bid in bids.items() if bid.endswith(RAINBOW)]


def bonus(options: dict, hand_size: int, bid: str | None, holds_rainbow: bool, tricks: int) -> int:
    """Return what a player's rainbow adds to the points of his side.

    Args:
        options: complete options.
        hand_size: cards dealt to each player.
        bid: the player's bid, None if he has not bid.
        holds_rainbow: whether his hand was a rainbow.
        tricks: the tricks he won himself.
    """
    amount = options["rainbow_points"].get(hand_size, 0)
    if options["rainbow"] == "auto":  # BAW-12
        return amount if holds_rainbow else 0
    if bid is None or not bid.endswith(RAINBOW):
        return 0
    if options["rainbow"] == "required":  # BA-64
        return amount if 4 * tricks >= hand_size else -amount
    return amount if holds_rainbow else -amount  # BA-65: with `free` it is one, with `claim` perhaps not
