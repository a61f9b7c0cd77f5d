# Everything starts from a fresh clone with git, make and Python 3.11 or later: each target sets up what it needs,
# once, in .venv, and again when pyproject.toml or constraints.txt change.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
ENOUGH := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

ifndef PYTHON
PYTHON := $(shell for name in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$name -c '$(ENOUGH)' >/dev/null 2>&1 && { echo $$name; break; }; done)
endif

# The pins hold for the build back end as well: pip reads the first name, newer pips the second.
PIP := PIP_CONSTRAINT=$(CURDIR)/constraints.txt PIP_BUILD_CONSTRAINT=$(CURDIR)/constraints.txt \
	$(BIN)/python -m pip --disable-pip-version-check install --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test lint docs bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/installed ## Learn to read handwriting from nothing but how good each guess was
	$(BIN)/kibitz demo

test: lint ## Check style, types and rooms, then run every test
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(VENV)/installed-dev ## Check style, types and the rooms' one-way imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/installed-docs ## Build the documentation into docs/_build/html
	$(BIN)/python docs/build_gallery.py
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html"

bench: $(VENV)/installed-dev ## Measure speed against the peers and the floor of memory traffic
	$(BIN)/kibitz bench

clean: ## Remove the environment and everything built
	rm -rf $(VENV) .numba .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build build dist
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/created:
	@$(or $(PYTHON),false) -c '$(ENOUGH)' 2>/dev/null || { \
		echo "Error: Kibitz needs Python 3.11 or later with its venv module: install it, or name one with make PYTHON=/path/to/python." >&2; \
		exit 2; }
	@echo "Setting up $(VENV) (once; it takes a minute or two) ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	@$(PIP) -e .
	@touch $@

$(VENV)/installed-dev: $(VENV)/created pyproject.toml constraints.txt
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-docs: $(VENV)/created pyproject.toml constraints.txt
	@$(PIP) -e '.[docs]'
	@touch $@
