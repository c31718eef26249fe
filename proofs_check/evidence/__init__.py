"""What is remembered: the ledger, fingerprints of the code, and replaying what was stored."""
