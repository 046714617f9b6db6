"""应急包: the sheets of each published version in one PDF, with the event file of that moment beside it."""
