"""Who plays Back Alley: scripted bots as kernels, canonical Views, network inputs, duplicate pairs in one kernel."""
