# Two commands do everything: `make verify` and `make test`. They create their own virtual environment first.
# `make help` lists the others.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
EFFORT ?= standard
# One process for each file, which makes what the tests of a file share once.
ON_BOTH_CORES := -n 2 --dist loadfile --no-loadscope-reorder
# The language, the numerics, the heart of the kernel and the direction of imports.
FAST := tests/theory tests/numerics tests/proofs_check/test_kernel.py tests/proofs_check/test_products.py \
        tests/project/test_import_direction.py tests/project/test_kernel_boundary.py

.PHONY: help verify quick test deep docs bench clean

help:
	@echo 'make verify   verify the whole library and write the report'
	@echo 'make quick    before a commit: linters, types and the fast tests, within a minute and a half'
	@echo 'make test     everything but what is marked slow or left out of a sample: what must pass'
	@echo 'make deep     all tests and all cases, with the long searches of the soundness suite'
	@echo 'make docs     the documentation as a site, in build/docs'
	@echo 'make bench    speed as ratios against other libraries'

verify: $(VENV)/.installed
	$(BIN)/lemmascope verify --effort $(EFFORT)
	$(BIN)/lemmascope report --effort $(EFFORT) -o report

quick: $(VENV)/.installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ON_BOTH_CORES) $(FAST)

test: $(VENV)/.installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ON_BOTH_CORES)

deep: $(VENV)/.installed-for-tests
	LEMMASCOPE_PROFILE=deep $(BIN)/python -m pytest $(ON_BOTH_CORES)

docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python docs/site.py -o build/docs

bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench-fortran]' || \
	  echo "numbalsoda could not be built, so that peer is left out: it needs gfortran and cmake"
	$(BIN)/python benchmarks/run.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lemmascope needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@

$(VENV)/.installed-for-tests: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .lemmascope report build *.egg-info
