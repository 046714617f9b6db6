"""The name under which a stage keeps what was corrected after it took its entries from an earlier one."""

AFTER_CUT = "after_cut"
"""In the layout of the later stage: what was corrected since, the oldest first, each with what it was."""
