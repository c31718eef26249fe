"""`python -m proofs_check` is the command line."""

import sys

from proofs_check.run.cli import main

sys.exit(main())
