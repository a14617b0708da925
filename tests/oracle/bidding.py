"""Which bids there are (sections 6 to 9).

A bid is a word: `pass`, `3`, `board`, `boston`, or the first three with an announced rainbow, as `3+rainbow`.
`board` is the all-tricks bid of the rules, at the level that the bids before it leave.
"""

from oracle.options import side_of

RAINBOW = "+rainbow"


def base(bid: str) -> str:
    """Return a bid without the announcement of a rainbow."""
    return bid.removesuffix(RAINBOW)


def number(bid: str) -> int:
    """Return the number of a bid, 0 if it is none."""
    return int(base(bid)) if base(bid).isdigit() else 0


def has_all_tricks_bid(options: dict, hand_size: int) -> bool:
    """Return whether an all-tricks bid keeps numbers below n (BA-43); the ladder does not, nor does BAW-15."""
    kind = options["all_tricks_bid"]
    if kind == "all":  # BA-56
        return hand_size <= options["all_max_cards"]
    return kind in ("board", "raise_board", "solo_board", "bort")


def highest_number(options: dict, hand_size: int) -> int:
    """Return the highest number that may be bid (BA-43)."""
    highest = hand_size
    if options["number_max"] == "cards_minus_1":
        highest = hand_size - 1
    if options["number_max"] == "auto" and has_all_tricks_bid(options, hand_size):
        highest = hand_size - 1
    if options["all_tricks_bid"] == "solo_board":  # n is the board (BA-57)
        highest = min(highest, hand_size - 1)
    cap = options["number_cap"]
    return highest if cap is None else min(highest, cap)  # BAW-4


def next_level(options: dict, hand_size: int, bids: dict[int, str], levels: dict[int, int], seat: int) -> int | None:
    """Return the level an all-tricks bid of this seat would have, None if it may not bid one.

    Args:
        options: complete options.
        hand_size: cards dealt to each player.
        bids: the bids so far.
        levels: level of each all-tricks bid so far.
        seat: the seat to bid.
    """
    kind = options["all_tricks_bid"]
    if kind == "board":  # BA-48, BA-49: the ordinal among the boards of the whole table; BA-52: the cap
        cap = options["board_multiple_cap"]
        return len(levels) + 1 if cap is None else min(len(levels) + 1, cap)
    if kind == "raise_board":  # BA-53: only the partner counts
        own_side = [levels[other] for other in levels if side_of(options, other) == side_of(options, seat)]
        return {0: 1, 1: 2}.get(max(own_side, default=0))
    if kind == "ladder":  # BA-60
        allowed = hand_size == 1 and "1" in bids.values() and len(levels) < 3
        return len(levels) + 1 if allowed else None
    return 1 if has_all_tricks_bid(options, hand_size) else None


def plain_bids(options: dict, hand_size: int, bids: dict[int, str], levels: dict[int, int], seat: int) -> set[str]:
    """Return the bids without a rainbow that a seat may choose from, whatever others bid (BA-41)."""
    found = {"pass"} | {str(count) for count in range(1, highest_number(options, hand_size) + 1)}
    only_one = options["all_tricks_bid"] == "ladder" and hand_size == 1 and not options["ladder_repeat_one"]
    if only_one and "1" in bids.values():
        found.discard("1")
    if next_level(options, hand_size, bids, levels, seat) is not None:
        found.add("board")
    if options["boston"] and hand_size >= options["boston_min_cards"]:  # BA-68
        found.add("boston")
    return found


def without_hooked(hand_size: int, bids: dict[int, str], choice: set[str]) -> set[str]:
    """Return the last bidder's choice without the bids that would make the sum of all bids n (BAW-18)."""
    rest = hand_size - sum(tricks_bid(hand_size, bid) for bid in bids.values())
    return {bid for bid in choice if tricks_bid(hand_size, bid) != rest} or choice


def tricks_bid(hand_size: int, bid: str) -> int:
    """Return how many tricks a bid is for."""
    return {"board": hand_size, "boston": 6}.get(base(bid), number(bid))


def raisers(options: dict, bids: dict[int, str]) -> list[int]:
    """Return the seats that may still double their partner's board, in bidding order (BA-54).

    They passed or bid a number before the board. A rainbow of the mode `required` stands (BA-66).
    """
    if options["all_tricks_bid"] != "raise_board":
        return []
    found = []
    order = list(bids)
    for i, seat in enumerate(order):
        replaceable = base(bids[seat]) == "pass" or number(bids[seat]) > 0
        if options["rainbow"] == "required" and bids[seat].endswith(RAINBOW):
            replaceable = False
        later = [other for other in order[i + 1 :] if side_of(options, other) == side_of(options, seat)]
        if replaceable and any(base(bids[other]) == "board" for other in later):
            found.append(seat)
    return found
