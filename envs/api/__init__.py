"""The outside world's conventions: PettingZoo, Gymnasium and rendering over `Table`."""
