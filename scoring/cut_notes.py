"""The names under which a stage keeps what was changed after others were made from it."""

AFTER_CUT = "after_cut"
"""In the layout of the later stage: what was corrected since, the oldest first, each with what it was."""

AFTER_DRAW = "after_draw"
"""In the layout of a Swiss stage: the same, each with the number of the newest round then `drawn`."""
