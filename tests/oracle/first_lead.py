"""Who leads to the first trick (section 10)."""

from oracle.bidding import base, number
from oracle.options import side_of
from oracle.rainbow import announcers


def first_leader(options: dict, hand_size: int, bids: dict[int, str], levels: dict[int, int], left: int) -> int:
    """Return the leader of the first trick (BA-70): the first rule that names somebody.

    Args:
        options: complete options.
        hand_size: cards dealt to each player.
        bids: bid of each seat, in bidding order.
        levels: level of each all-tricks bid.
        left: the seat left of the dealer.
    """
    rainbow = announcers(options, bids) if options["rainbow_leads"] else []
    bostons = [seat for seat in bids if bids[seat] == "boston"]
    passed_out = all(base(bid) == "pass" for bid in bids.values())
    if options["first_lead"] == "left_of_dealer" or passed_out:  # BAW-19, BAW-13
        return [*rainbow, left][0]
    over_board = options["rainbow_over_board"]
    above = options["boston_rank"] == "above_board"
    candidates = [
        *(rainbow if over_board else []),
        *(bostons if above else []),
        *all_tricks_leader(options, hand_size, bids, levels),
        *rainbow,
        *bostons,
        *highest_number_leader(bids),
    ]
    return candidates[0]


def highest_number_leader(bids: dict[int, str]) -> list[int]:
    """Return the earliest of the highest number bids."""
    numbers = {seat: number(bid) for seat, bid in bids.items()}
    return [seat for seat in bids if numbers[seat] == max(numbers.values())][:1]


def all_tricks_leader(options: dict, hand_size: int, bids: dict[int, str], levels: dict[int, int]) -> list[int]:
    """Return the seat whose all-tricks bid leads, if there is one (BA-71)."""
    kind = options["all_tricks_bid"]
    boarders = [seat for seat in bids if seat in levels]  # in bidding order
    if options["board_leader"] == "earliest" and kind != "ladder":  # BAW-7
        return [seat for seat in bids if seat in levels or number(bids[seat]) == hand_size][:1]
    if not boarders:
        return []
    if kind == "raise_board":
        return [double_board_leader(options, boarders, levels)]
    if kind in ("board", "ladder"):  # each bid is a level above the one before, or as high as it gets
        return boarders[-1:]
    if kind in ("all", "bort") and options["all_tricks_tie"] == "last":
        return boarders[-1:]
    return boarders[:1]


def double_board_leader(options: dict, boarders: list[int], levels: dict[int, int]) -> int:
    """Return who leads to boards and double boards: of the highest level the one whose first turn was earliest.

    A side's double board is led by its raiser, or by the partner who bid the board.
    """
    doublers = [seat for seat in boarders if levels[seat] == 2]
    if not doublers:
        return boarders[0]
    if options["double_board_leader"] == "raiser":
        return doublers[0]
    doubled_sides = {side_of(options, seat) for seat in doublers}
    return next(seat for seat in boarders if side_of(options, seat) in doubled_sides and levels[seat] == 1)
