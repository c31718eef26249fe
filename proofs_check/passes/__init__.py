"""From formulas with radicals, kinks and elementary functions to polynomial constraints, without losing a point."""
