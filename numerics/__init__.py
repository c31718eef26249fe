"""What theory derived, compiled: kernels, trajectories, enclosures and surveys."""
