"""The longest texts and greatest numbers of an event file: what the database keeps and a page can show."""

from scoring.engine.levels import LOWEST, PASSED

# A test holds these equal to the lengths of the models' fields.
LONGEST_KEY = 60
LONGEST_NAME = 40
LONGEST_STAGE_NAME = 60
LONGEST_GROUP_NAME = 30
LONGEST_MATCH_KEY = 20
LONGEST_TITLE = 100
LONGEST_PHONE = 40
LONGEST_REASON = 200
LONGEST_REMARK = 400
LONGEST_OFFICIAL = 150
LONGEST_SCREEN_NAME = 40
LONGEST_NOTICE = 300
PAGE_SECONDS = 12
MOST_TEAM_NUMBER = 99_999
MOST_ROUNDS = 999
MOST_POINTS = 9_999
DEFAULT_ROUNDS = 4
YEARS = range(1900, 9000)
LEVELS = range(LOWEST, PASSED + 1)
