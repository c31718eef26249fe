"""One module for each command: `add_arguments(parser)` and `run(options)`, which returns the exit code."""
