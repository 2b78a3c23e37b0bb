# The development commands. `make serve` plays, `make test` tests; both install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: install dev peers browser check test test-all serve docs clean

install: $(VENV)/.installed
dev: $(VENV)/.dev

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Spielwerk needs Python 3.11 or newer; call: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "Python cannot make virtual environments here. On Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: $(BIN)/python pyproject.toml
	@echo "Installing Spielwerk into $(VENV) (once; about half a minute) …"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	@echo "Installing what the tests need …"
	@$(PIP) --editable '.[dev]'
	@touch $@

# Other projects to measure and check against. Where they cannot be had, those tests are skipped;
# in CI they are demanded.
peers: $(VENV)/.dev
	@test -e $(VENV)/.peers || { $(PIP) --editable '.[peers]' \
	    && $(PIP) --no-deps 'kaggle-environments>=1.14' && touch $(VENV)/.peers; } \
	  || { test -z "$$CI" && echo "No peers for this machine: tests against them will be skipped."; }

check: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages are tested in a real browser. `.ci/run` installs it; elsewhere those tests are skipped.
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	  echo "No Chromium: tests of the web pages will be skipped. On Debian: apt-get install chromium"

PYTEST := $(BIN)/pytest -n auto --dist loadfile

test: check peers browser
	$(PYTEST) -m "not thorough"

# Everything, some minutes longer.
test-all: check peers browser
	$(PYTEST)

serve: install
	$(BIN)/spielwerk serve

docs: dev
	$(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html"

clean:
	rm -rf $(VENV) site dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
