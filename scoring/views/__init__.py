"""The pages of results and standings."""
