"""Learning dynamics, derived: losses, flows, maps, their equilibria, and statements about them."""
