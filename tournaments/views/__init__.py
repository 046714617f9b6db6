"""The tournaments app's pages: permission, load, form, one service call, render or redirect."""
