"""Decision procedures for polynomial constraints, each in a process of its own."""
