# Two commands do everything: `make verify` and `make test`. They create their own virtual environment first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
EFFORT ?= standard

.PHONY: verify test deep docs bench clean

verify: $(VENV)/.installed
	$(BIN)/lemmascope verify --effort $(EFFORT)
	$(BIN)/lemmascope report --effort $(EFFORT) -o report

test: $(VENV)/.installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

deep: $(VENV)/.installed-for-tests
	LEMMASCOPE_PROFILE=deep $(BIN)/python -m pytest tests/quality

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
