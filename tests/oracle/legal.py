"""Which cards a hand may lead, and which it may follow with (sections 11 to 13)."""

from oracle.cards import JOKERS, TRUMP, Order


def legal_lead(options: dict, order: Order, hand: list[str], may_lead_trumps: bool, has_run: bool) -> set[str]:
    """Return the cards a leader may lead.

    Args:
        options: complete options.
        order: the order of the cards in this deal.
        hand: the leader's cards.
        may_lead_trumps: whether trumps are broken (BA-75) or the leader's bid gives him the right (BA-76).
        has_run: whether the leader is on the run of the two of spades (BA-79).
    """
    suit = order.suit
    others = {card for card in hand if suit[card] != TRUMP}
    if order.trump is None:
        if not jokers_wait(options):  # BA-74: anything, only a worthless joker is led last (BA-32)
            return {card for card in hand if suit[card] is not None} or set(hand)
        return set(hand) if may_lead_trumps else others or set(hand)  # BAW-9
    rule = options["lead_rule"]
    if rule == "free" or not others:  # BA-80, and BA-77: nothing but trumps
        return set(hand)
    if rule == "high_two_run":  # BA-78
        return set(hand) if has_run else others | ({"2S"} & set(hand))
    if rule == "broken" and may_lead_trumps:  # BA-74; not so in tight_only, BAW-11
        return set(hand)
    return others


def jokers_wait(options: dict) -> bool:
    """Return whether in a no-trump deal jokers are led only when broken or tight (BAW-9)."""
    return (
        options["no_trump_joker_lead"] == "broken"
        and options["lead_rule"] == "broken"
        and options["no_trump_joker"] == "sole_trump"
    )


def legal_follow(options: dict, order: Order, hand: list[str], trick: list[str], leader_is_partner: bool) -> set[str]:
    """Return the cards a hand may play to a trick that already holds `trick`, in order of play."""
    suit = order.suit
    trumps = sorted((card for card in hand if suit[card] == TRUMP), key=order.strength.__getitem__)
    if order.trump is not None and trumps:
        forced = forced_trumps(options, trick[0], trumps, leader_is_partner)
        if forced:
            return forced
    led = order.led_suit(trick)
    if led is None:  # only worthless jokers so far: no suit to follow
        return set(hand)
    following = {card for card in hand if suit[card] == led}
    if following:  # BA-82
        return following
    if options["follow"] == "plain" or led == TRUMP or not trumps:  # BA-83, BA-85
        return set(hand)
    highest = max((order.strength[card] for card in trick if suit[card] == TRUMP), default=-1)  # BA-84
    return {card for card in trumps if order.strength[card] > highest} or set(hand)


def forced_trumps(options: dict, led: str, trumps: list[str], leader_is_partner: bool) -> set[str]:
    """Return what a blooper or high-two lead forces out of these trumps, lowest first; nothing if it forces nothing.

    BB asks for the highest trump (BA-87), of a partner perhaps less (BA-90); LB for the lowest, which is BB
    only if there is no other (BA-88); the two of spades for the highest (BA-91).
    """
    if led == "BB" and options["blooper_force"] != "none":  # BAW-10
        if leader_is_partner and options["bb_partner"] == "any_trump":
            return set(trumps)
        if leader_is_partner and options["bb_partner"] == "lowest":
            return {trumps[0]}
        return {trumps[-1]}
    if led == JOKERS[0] and options["blooper_force"] == "both":
        return {trumps[0]}
    if led == "2S" and options["lead_rule"] == "high_two_run":
        return {trumps[-1]}
    return set()
