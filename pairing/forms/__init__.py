"""The shape of what officials type about draws, stages and rules; services decide."""
