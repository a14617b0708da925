"""How policies get better, and how good they are: self-play training, duplicate matches, the command line."""
