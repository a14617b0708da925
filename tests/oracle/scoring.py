"""Points of a deal (section 15)."""

from oracle.options import members, side_of


def number_points(score: str, bid: int, tricks: int) -> int:
    """Return the points of a number bid (BA-95 to BA-101)."""
    if bid == 0:  # BA-100
        return tricks
    made = tricks >= bid
    if score == "five_one":  # BA-95
        return 5 * bid + (tricks - bid) if made else -5 * bid
    if score == "ten_one":  # BA-96
        return 10 * bid + (tricks - bid) if made else -10 * bid
    if score == "three_one":  # BA-97
        return 3 * bid + (tricks - bid) if made else -3 * bid
    if score == "five_under":  # BA-98
        return 5 * bid + (tricks - bid) if made else -5 * (bid - tricks)
    return bid + tricks if made else -2 * bid  # BA-99


def side_points(
    options: dict,
    hand_size: int,
    bids: dict[int, str],
    multiples: dict[int, int],
    tricks_won: list[int],
    side: int,
) -> int:
    """Return the points of a side.

    Args:
        options: complete options.
        hand_size: cards dealt to each player.
        bids: bid of each seat: `pass`, a number, or `board`.
        multiples: multiple of each seat that bid a board (BA-48).
        tricks_won: tricks of each seat.
        side: the side to score.
    """
    seats = members(options, side)
    tricks = sum(tricks_won[seat] for seat in seats)
    boards = [multiples[seat] for seat in seats if seat in multiples]
    if boards:  # BA-50: the highest multiple counts, all other bids of the side do not
        stake = 10 * hand_size * max(boards)  # BA-102
        return stake if tricks == hand_size else -stake
    if multiples and options["opponents_of_board"] == "zero":  # BA-110
        return 0
    bid = sum(int(bids[seat]) for seat in seats if bids[seat] != "pass")  # BA-44
    if multiples and options["opponents_of_board"] == "tricks_only":  # BA-110
        bid = 0
    return number_points(options["score"], bid, tricks)


def deal_points(
    options: dict, hand_size: int, bids: dict[int, str], multiples: dict[int, int], tricks_won: list[int]
) -> list[int]:
    """Return, for each seat, the points of its side."""
    return [
        side_points(options, hand_size, bids, multiples, tricks_won, side_of(options, seat))
        for seat in range(options["players"])
    ]
