"""Independent re-checks of certificates, one file per kind: `check(statement, certificate) -> bool`."""
