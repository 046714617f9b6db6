"""The event file: one JSON document that holds a whole event.

`parsing` reads it, `dumping` writes it, `computing` and `checking` work on it without a database,
`simulating` makes one, `storing` carries it into the database and back.
"""
