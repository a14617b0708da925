"""Who plays: scripted bots, networks and the registry of their names."""
