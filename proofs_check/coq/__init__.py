"""Export to Coq: statements, tactics with certificates, and the process that checks them."""
