"""Arguments about trajectories: invariant sets, convergence, instability; each reduces a claim to plain goals."""
