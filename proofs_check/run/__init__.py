"""Where people start it: command line, workers, statement files, pytest, property tests."""
