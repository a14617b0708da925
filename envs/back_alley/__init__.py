"""Back Alley: rules → actions → state → deal → bidding → play → scoring → episode → view → observation → notation."""
