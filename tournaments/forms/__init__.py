"""The shape of what officials type; rules are decided by services."""
