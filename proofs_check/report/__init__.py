"""The site that a theorist opens: findings, papers, and a page for every statement, from disk and without a network."""
