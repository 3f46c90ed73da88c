# make up: run the service.  make test: everything that CI checks.  PORT and DATA come from the environment.
VENV ?= .venv
BIN := $(VENV)/bin
FIND_PYTHON = for one in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
	if $$one -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$one; break; fi; done

.PHONY: up test openapi bench clean
.DELETE_ON_ERROR:

up: $(VENV)/installed
	@exec $(BIN)/ninja-rules serve

test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

openapi: $(VENV)/installed
	$(BIN)/ninja-rules openapi > $(VENV)/openapi.yaml
	mv $(VENV)/openapi.yaml openapi.yaml

bench: $(VENV)/installed-dev
	$(BIN)/pytest tests/benchmarks --benchmark-enable

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .import_linter_cache build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/created:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 or newer is needed; found: $$(python3 --version 2>/dev/null || echo none)." >&2; \
		echo "Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	rm -rf $(VENV); \
	"$$python" -m venv $(VENV) >/dev/null || \
	{ "$$python" -m venv --clear --without-pip $(VENV) && "$$python" -m pip --python $(BIN)/python install --quiet pip; } || { \
		rm -rf $(VENV); \
		echo "$$python cannot make a virtual environment; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; \
	}
	@touch $@

$(VENV)/installed: pyproject.toml $(VENV)/created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
