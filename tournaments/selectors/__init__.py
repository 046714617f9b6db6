"""What the pages read: events, people, teams, the log. Each function says how many queries it makes."""
