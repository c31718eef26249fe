"""Ways of looking for a counterexample: at points, on trajectories, and against claims of existence."""
