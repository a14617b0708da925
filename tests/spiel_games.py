"""What the tests of our OpenSpiel games share; needs OpenSpiel only where a state of its is handed over."""

from backalley.envs.cards import parse_cards

TINY = (
    "backalley(options=players:2;sides:individual;hand_max:1;deck:short42;trump_source:fixed_spades,dealer=0,decks=24)"
)


def deal(game, draws):
    """Return a state behind its chance nodes."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(draws.choice(state.chance_outcomes())[0])
    return state


def play(game, draws, stop=1.0):
    """Yield the states of a random deal with the seat to act, each a clone; everybody passes at times."""
    state = deal(game, draws)
    while not state.is_terminal() and draws.random() < stop:
        if state.is_chance_node():
            state.apply_action(draws.choice(state.chance_outcomes())[0])
            continue
        yield state.clone()
        state.apply_action(draws.choice(state.legal_actions()))
    yield state


def put(state, cards):
    """Deal cards by name."""
    for card in parse_cards(cards):
        state.apply_action(card)
