"""备份: the whole installation in one file, made by itself or by hand, and put back on another laptop."""
