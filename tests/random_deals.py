"""Random decks, cuts, moves and combinations of options, made so that special rules come into play often."""

from oracle.cards import JOKERS, pack
from oracle.options import KNOWN

from backalley.envs import Rules
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.errors import InvalidRules

PRESET_OPTIONS = {name: Rules.preset(name).differences() for name in PRESETS}
SOLO_SIZES = {f"solo_for_{n}": Rules.preset("solo", players=n).differences() for n in (2, 3)}
SEATINGS = [(4, "pairs"), *((n, "individual") for n in (2, 3, 4, 5, 6)), (6, "two_teams_of_3"), (6, "three_teams_of_2")]

FAVOURITES = (None, None, "board", "pass", "1", "boston", "2")


def random_options(rng):
    """Return options that may be combined: a rule set, or `partnership`, with up to eight options drawn anew."""
    while True:
        options = dict(PRESET_OPTIONS[rng.choice(list(PRESETS))] if rng.random() < 0.7 else {})
        for name in rng.sample(list(KNOWN), rng.randint(0, 8)):
            options[name] = rng.choice(KNOWN[name])
        if rng.random() < 0.3 or options.get("players", 4) != 4:
            options["players"], options["sides"] = rng.choice(SEATINGS)
        if options.get("redeal_right"):
            options["redeal_min_cards"] = rng.randint(1, 6)
        if options.get("void_redeal"):
            options["void_min_cards"] = rng.randint(2, 7)
        if options.get("schedule") == "list":
            options["hand_sizes"] = (rng.randint(1, 9), rng.randint(1, 9))
        elif rng.random() < 0.8:
            size = len(pack(options.get("deck", "std54"))) // options.get("players", 4)
            options["hand_max"] = min(13, size) if rng.random() < 0.6 else rng.randint(1, min(13, size))
        try:
            Rules.preset("partnership", **options)
        except InvalidRules:
            continue
        return options


def random_deck(rng, options, hand_size):
    """Return a shuffled deck; sometimes a joker or a high two is turned up, or a hand is a rainbow."""
    deck = pack(options.get("deck", "std54"))
    rng.shuffle(deck)
    players = options.get("players", 4)
    n_dealt = players * hand_size
    wanted = {}
    if rng.random() < 1 / 6 and n_dealt < len(deck):
        if JOKERS[0] in deck:
            jokers = rng.sample(JOKERS, 2)
            after = min(n_dealt + 1, len(deck) - 1)
            wanted = {n_dealt: jokers[0], rng.choice([after, rng.randrange(n_dealt)]): jokers[1]}
        else:
            wanted = {n_dealt: rng.choice(["2S", "2D"])}
    elif rng.random() < 1 / 2 and hand_size in (4, 8, 12):
        ranks = "TJQKA98765"
        cards = [ranks[i] + suit for suit in "SHDC" for i in rng.sample(range(5), hand_size // 4)]
        seat = rng.randrange(players)
        wanted = {seat + players * i: card for i, card in enumerate(cards)}
    for place, card in wanted.items():
        at = deck.index(card)
        deck[at], deck[place] = deck[place], deck[at]
    return deck


def random_cut(rng, options):
    """Return a suit card for the cut; the high twos more often than others."""
    cards = [card for card in pack(options.get("deck", "std54")) if card not in JOKERS]
    twos = [card for card in ("2S", "2D") if card in cards]
    return rng.choice(twos if twos and rng.random() < 0.15 else cards)


def random_move(rng, deal, favourite, player):
    """Return a legal move: bids by temperament, cards uniformly or jokers as soon as they may be played."""
    legal = sorted(deal.legal())
    if deal.phase != "play":
        announced = [move for move in legal if move.endswith("+rainbow")]
        if announced and rng.random() < 0.4:
            legal = announced
        for move in (favourite, f"{favourite}+rainbow"):
            if move in legal and rng.random() < 0.7:
                return move
    jokers = [move for move in legal if move in JOKERS]
    if player == "jokers" and jokers:
        return rng.choice(jokers)
    return rng.choice(legal)
