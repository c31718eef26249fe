"""Who is asked, in which order and for how long; proofs step by step."""
