"""The outside world's conventions: PettingZoo and Gymnasium faces of a table, rendering, public conformance tests."""
