"""The shape of what officials type about results; services decide."""
