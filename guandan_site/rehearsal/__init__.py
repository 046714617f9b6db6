"""演练: a copy of an event on which the officials practise the day with invented results."""
