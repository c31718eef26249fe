"""The picture that belongs to a statement: one module for each kind of picture, one style for all of them."""
