"""Who plays Streets and Alleys: a greedy bot, an exact solver, network inputs."""
