"""Which cards a hand may lead, and which it may follow with (sections 11 to 13)."""

from oracle.cards import TRUMP, effective_suit, led_suit, strength


def legal_lead(options: dict, trump: str | None, hand: list[str], may_lead_trumps: bool) -> set[str]:
    """Return the cards a leader may lead.

    Trumps may be led once they are broken (BA-75) or by right of a board (BA-76): then `may_lead_trumps` is
    true. A leader who has nothing but trumps may lead any of them (BA-77). Anything goes in a no-trump deal
    (BA-74), except that a worthless joker waits until nothing else is left (BA-32).
    """
    suits = {card: effective_suit(card, trump, options["no_trump_joker"]) for card in hand}
    if trump is None:
        with_suit = {card for card in hand if suits[card] is not None}
        return with_suit or set(hand)
    if options["lead_rule"] == "free" or may_lead_trumps:  # BA-80
        return set(hand)
    non_trumps = {card for card in hand if suits[card] != TRUMP}
    return non_trumps or set(hand)


def legal_follow(
    options: dict, trump: str | None, hand: list[str], trick: list[str], leader_is_partner: bool
) -> set[str]:
    """Return the cards a hand may play to a trick that already holds `trick`, in order of play."""
    led = trick[0]
    trumps = [card for card in hand if effective_suit(card, trump, options["no_trump_joker"]) == TRUMP]
    trumps.sort(key=strength)
    if trump is not None and trumps and led == "BB":  # BA-87
        if leader_is_partner and options["bb_partner"] == "any_trump":  # BA-90
            return set(trumps)
        if leader_is_partner and options["bb_partner"] == "lowest":
            return {trumps[0]}
        return {trumps[-1]}
    if trump is not None and trumps and led == "LB":  # BA-88: BB only if it is the only trump
        return {trumps[0]}
    suit = led_suit(trick, trump, options["no_trump_joker"])
    if suit is None:  # only worthless jokers so far: no suit to follow
        return set(hand)
    following = {card for card in hand if effective_suit(card, trump, options["no_trump_joker"]) == suit}
    return following or set(hand)  # BA-82, BA-83
