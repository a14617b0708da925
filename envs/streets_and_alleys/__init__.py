"""The patience games Streets and Alleys and Beleaguered Castle."""
