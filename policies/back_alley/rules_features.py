"""What `rules` judges a card by, and with which weights.

The weights were fitted by replaying decisions. In 3 million positions of deals among such bots, and between them and
`simple`, every legal card was played out to the end of the same deal by the bots of the time. What each card gained or
lost against the mean of the legal ones was regressed on the features (ridge regression, points weighed down in long
deals, each stage drawn towards the fit of all stages). The bots with the new weights made the positions of the next
round, until duplicate pairs showed no gain; features that no pairs missed were left out. `rules_play.csv` holds the
result.
"""

from __future__ import annotations

from backalley.policies.back_alley.tables import load_table

FEATURES = (
    # The chance that my side wins the trick: by itself; when my side needs tricks, by how many of those left it can
    # spare; the same for the other side; when not both can get what they need; when my top cards then cover what my
    # side needs, and when they fall short; by the share of unseen cards in play; early in the deal; and by its doubt.
    "side_wins", "mine_spare_0", "mine_spare_1", "mine_spare_2", "mine_spare_more",
    "theirs_spare_0", "theirs_spare_1", "theirs_spare_2", "theirs_spare_more",
    "side_wins_conflict", "side_wins_secure", "side_wins_short", "side_wins_dense", "side_wins_early",
    "side_wins_unsure",
    # The chance that I win it and lead next: when my side needs tricks; when the other side does; early in the deal; by
    # the plain masters, top cards and master trumps that I hold beside; and by its doubt.
    "wins_needed", "wins_against", "wins_early", "wins_masters", "wins_tops", "wins_trumps", "wins_unsure",
    # Parting with a trump: by its rank; by my trumps, those that opponents may hold and are likely to hold; by my other
    # masters and tops; for a boarder; for a master, the big joker, and when I have more trumps than they.
    "trump_rank", "trump_length", "trump_possible", "trump_expected", "trump_top_expected", "trump_masters",
    "trump_tops", "trump_boarder", "trump_master", "trump_big_joker", "trump_longer",
    # Parting with a plain card: by the length of its suit, and what it might win later.
    "length", "single", "single_with_trumps", "double_with_trumps",
    "master", "master_safe", "master_out", "master_early", "master_needed", "master_against",
    "top", "top_expected", "top_out",
    # What is left in its suit: chances of tops, and of cards that only one card beats, with a lower one to guard them.
    "keeps_second", "keeps_trump_tops", "keeps_trump_second", "keeps_trump_bare",
    # Leads: what partner and opponents can do about a card, and what I lead away from.
    "partner_beats", "partner_ruffs", "partner_void", "left_ruffs", "right_ruffs", "opponents_void",
    "loses_to_partner", "loses_against", "under_master", "under_second",
    # Leads of trumps: whose trumps they draw.
    "draws_nothing", "draws_no_partner", "draws_bids", "draws_excess", "draws_partner_needs", "big_joker_draws",
    "little_joker_risk",
    # Following: taking over, ruffing, discarding.
    "overtakes", "takes_rank", "ruff_rank", "discard_rank", "discard_single",
)  # fmt: skip
"""Columns of the table, in its order."""
(
    SIDE_WINS, MINE_SPARE_0, MINE_SPARE_1, MINE_SPARE_2, MINE_SPARE_MORE, THEIRS_SPARE_0, THEIRS_SPARE_1,
    THEIRS_SPARE_2, THEIRS_SPARE_MORE, SIDE_WINS_CONFLICT, SIDE_WINS_SECURE, SIDE_WINS_SHORT, SIDE_WINS_DENSE,
    SIDE_WINS_EARLY, SIDE_WINS_UNSURE, WINS_NEEDED, WINS_AGAINST, WINS_EARLY, WINS_MASTERS, WINS_TOPS, WINS_TRUMPS,
    WINS_UNSURE, TRUMP_RANK, TRUMP_LENGTH, TRUMP_POSSIBLE, TRUMP_EXPECTED, TRUMP_TOP_EXPECTED, TRUMP_MASTERS,
    TRUMP_TOPS, TRUMP_BOARDER, TRUMP_MASTER, TRUMP_BIG_JOKER, TRUMP_LONGER, LENGTH, SINGLE, SINGLE_WITH_TRUMPS,
    DOUBLE_WITH_TRUMPS, MASTER, MASTER_SAFE, MASTER_OUT, MASTER_EARLY, MASTER_NEEDED, MASTER_AGAINST, TOP,
    TOP_EXPECTED, TOP_OUT, KEEPS_SECOND, KEEPS_TRUMP_TOPS, KEEPS_TRUMP_SECOND, KEEPS_TRUMP_BARE, PARTNER_BEATS,
    PARTNER_RUFFS, PARTNER_VOID, LEFT_RUFFS, RIGHT_RUFFS, OPPONENTS_VOID, LOSES_TO_PARTNER, LOSES_AGAINST,
    UNDER_MASTER, UNDER_SECOND, DRAWS_NOTHING, DRAWS_NO_PARTNER, DRAWS_BIDS, DRAWS_EXCESS, DRAWS_PARTNER_NEEDS,
    BIG_JOKER_DRAWS, LITTLE_JOKER_RISK, OVERTAKES, TAKES_RANK, RUFF_RANK, DISCARD_RANK, DISCARD_SINGLE,
) = range(len(FEATURES))  # fmt: skip

PLACES = 4
"""Places in the trick: leader to last."""
STAGES = (2, 4, 7)
"""Up to so many tricks left make a stage of the deal; the last stage has more."""
TABLE = load_table("rules_play.csv", FEATURES)
"""(PLACES * 4 stages, features)."""
