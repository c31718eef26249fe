"""The language of statements: what can be written, and what it means."""
