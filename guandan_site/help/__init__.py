"""The guide (docs/guide/) as pages of the program: one chapter a page, and which chapter helps where."""
