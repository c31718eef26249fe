"""Covers: branch and bound over boxes with exact sign arguments, and the charts that make domains into boxes."""
