"""Across events: a copy of one, the archive, the history of players and departments."""
