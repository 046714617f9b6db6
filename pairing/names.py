"""What groups are called."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def group_name(number: int) -> str:
    """A, B … Z for the first groups, then their number."""
    return LETTERS[number - 1] if number <= len(LETTERS) else str(number)
