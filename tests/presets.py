"""The presets of the specification (section 21 and section 3 of its supplement), as differences from `partnership`."""

ALONE = {"sides": "individual"}
STD52 = {"deck": "std52"}

GAMERULES = {"turning_deals": 1}
DOUBLE_BOARD = {"all_tricks_bid": "raise_board"}
BOSTON = {"boston": True}
RAINBOW = {"rainbow": "required", "rainbow_sizes": (4,)}
RAINBOW_8_12 = {"rainbow": "required", "rainbow_sizes": (4, 8, 12)}
RAINBOW_FREE = {"rainbow": "free", "rainbow_sizes": (4,), "rainbow_leads": False}
BLIND7 = {"blind_sizes": (7,), "joker_turned": "burn", "all_tricks_bid": "none", "score": "bid_plus_tricks"}
INDIVIDUAL_3 = {"players": 3, **ALONE}
INDIVIDUAL_4 = ALONE
INDIVIDUAL_5 = {"players": 5, **ALONE, "hand_max": 10}
SIX_2X3 = {"players": 6, "sides": "two_teams_of_3", "hand_max": 8}
SIX_3X2 = {"players": 6, "sides": "three_teams_of_2", "hand_max": 8}
BB_PARTNER_ANY = {"bb_partner": "any_trump"}
BB_PARTNER_LOWEST = {"bb_partner": "lowest"}
CONSTANT_13 = {"schedule": "constant", "constant_deals": 26}
TWO_OF_SPADES = {
    **STD52,
    "schedule": "up_down",
    "high_two": "spade2",
    "void_redeal": True,
    "all_tricks_bid": "ladder",
    "lead_rule": "high_two_run",
    "score": "ten_one",
    "score_unit": "player",
}
REDUCED_42 = {"deck": "short42", "hand_max": 10}
ALL_BID = {**STD52, "all_tricks_bid": "all"}
SPADES_TRUMPS = {"trump_source": "fixed_spades"}
REDEAL = {"redeal_right": True}
SOLO = {
    **STD52,
    **ALONE,
    "schedule": "down",
    "high_two": "diamond2",
    "all_tricks_bid": "solo_board",
    "all_pass": "same_dealer",
    "lead_rule": "free",
    "follow": "must_trump_over",
    "score": "three_one",
}
SOLO_18 = {
    **SOLO,
    "schedule": "down_up",
    "hand_max": 9,
    "solo_board_bonus": 10,
    "rainbow": "free",
    "rainbow_sizes": (4, 8),
    "rainbow_points": ((4, 5), (8, 10)),
    "rainbow_leads": False,
}
SOLO_TWO_TWOS = {**SOLO, "high_two": "diamond2_trump2"}
SOLO_26 = {
    **STD52,
    **ALONE,
    "all_tricks_bid": "bort",
    "score": "five_under",
    "rainbow": "claim",
    "rainbow_sizes": (4,),
    "rainbow_leads": False,
}

# ---- the supplement ----

EMW_DOUBLES = {"schedule": "up_down", "joker_turned": "burn"}
EMW_SINGLES = {**EMW_DOUBLES, "players": 3, **ALONE, "hand_min": 2}
BOOK_SPADES = SPADES_TRUMPS
BOOK_SPADES_SHORT = {
    **BOOK_SPADES,
    "schedule": "list",
    "hand_sizes": (13, 11, 9, 7, 5, 3, 1, 1, 3, 5, 7, 9, 11, 13),
}
BAB_ONLINE = {
    "schedule": "list",
    "hand_sizes": (12, 10, 8, 6, 4, 2, 1, 3, 5, 7, 9, 11, 13),
    "joker_turned": "keep",
    "no_trump_joker_lead": "broken",
    "number_max": "cards",
    "number_cap": 12,
    "side_bid_cap": "cards",
    "board_multiples": (2, 4, 8, 16),
    "board_trump_lead": "nobody",
    "blooper_force": "big_only",
    "bb_partner": "any_trump",
    "all_pass": "same_dealer",
    "score": "ten_one",
    "rainbow": "auto",
    "rainbow_sizes": (4,),
    "rainbow_points": ((4, 10),),
    "rainbow_reveal": "after_bidding",
    "rainbow_leads": False,
}
HFI_7 = {"hand_max": 7, "joker_turned": "burn"}
BIG_LITTLE = {
    **ALONE,
    "schedule": "up_down",
    "turning_deals": 1,
    "joker_turned": "burn",
    "all_tricks_bid": "none",
    "all_pass": "play",
    "lead_rule": "free",
    "blooper_force": "big_only",
    "score": "ten_one",
    "bag_limit": 10,
}
FIVE_HANDED = {
    **STD52,
    "players": 5,
    **ALONE,
    "hand_max": 10,
    "number_max": "cards",
    "board_unit": 6,
    "board_multiples": (1, 2, 3, 4, 5),
    "board_leader": "earliest",
    "board_trump_lead": "nobody",
    "all_pass": "play",
    "score": "three_one",
    "rainbow": "auto",
    "rainbow_sizes": (4,),
    "rainbow_points": ((4, 8),),
    "rainbow_reveal": "bid_turn",
    "rainbow_leads": False,
}
SHEET_13 = {
    **ALONE,
    "schedule": "down",
    "turning_deals": 1,
    "number_max": "cards",
    "all_pass": "play",
    "score": "three_one",
}
BACKALLEY_CALL = {
    "players": 6,
    **ALONE,
    "schedule": "up_down",
    "turning_deals": 1,
    "hand_max": 7,
    "joker_turned": "burn",
    "all_tricks_bid": "bort",
    "number_max": "cards",
    "board_leader": "earliest",
    "lead_rule": "tight_only",
    "blooper_force": "none",
    "all_pass": "play",
    "score": "three_one",
}
WEB_SOLO = {
    **STD52,
    "players": 5,
    **ALONE,
    "schedule": "up_down",
    "hand_max": 10,
    "cut_min_cards": 13,
    "all_tricks_bid": "solo_board",
    "one_card_board": 10,
    "solo_one_card_pass": "per_trick",
    "all_pass": "play",
    "lead_rule": "free",
    "score": "three_one",
}
KEEPER_TEN = {**ALONE, "all_tricks_bid": "none", "all_pass": "play", "score": "ten_one"}
THREE_TEAMS_9 = {
    "players": 6,
    "sides": "three_teams_of_2",
    "schedule": "up_down",
    "hand_max": 9,
    "all_tricks_bid": "implied",
    "score": "four_one",
}
EXACT_HOOK = {
    **STD52,
    **ALONE,
    "hand_max": 10,
    "all_tricks_bid": "none",
    "dealer_hook": True,
    "first_lead": "left_of_dealer",
    "all_pass": "play",
    "score": "exact_ten",
}
