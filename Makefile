# Short targets. `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
# Needs a model or a sound card: chosen by hand, for example PYTEST_ARGS='-m audio'.
TESTS := -m "not model and not audio"

.ONESHELL:
.SHELLFLAGS := -ec
.DEFAULT_GOAL := help
.PHONY: help up down dev system test check format format-check lint types imports docs bench bench-nexus eval-nexus eval-praxis lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(VENV)/runtime.stamp ## Prepare what is missing and start every part
	@$(BIN)/ecosystem up

down: ## Stop every part
	@if [ -x $(BIN)/ecosystem ]; then $(BIN)/ecosystem down; else echo "Nothing was installed, so nothing runs."; fi

dev: $(VENV)/dev.stamp ## Install what the checks need

test: system $(VENV)/dev.stamp ## Run every test that this machine can run
	$(BIN)/pytest $(TESTS) $(PYTEST_ARGS)

check: format-check lint types imports test ## Everything a change must pass

format: $(VENV)/dev.stamp ## Rewrite the code in the project's format
	$(BIN)/ruff check --select I --fix --quiet .
	$(BIN)/ruff format .

format-check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .

lint: $(VENV)/dev.stamp ## Look for mistakes
	$(BIN)/ruff check .

types: $(VENV)/dev.stamp ## Check types, strictly
	$(BIN)/basedpyright

imports: $(VENV)/dev.stamp ## Check who imports whom
	$(BIN)/lint-imports --no-cache

docs: $(VENV)/dev.stamp ## Write the pages that are made from the code
	$(BIN)/python -m ecosystem.reference
	$(BIN)/python -m ecosystem.contracts

bench: $(VENV)/dev.stamp ## Measure, and print the table
	$(BIN)/python -m bench

bench-nexus: $(VENV)/dev.stamp ## Measure how resolving names grows, beside other ways (SIZES=2000,50000)
	$(BIN)/python -m bench.names $(if $(SIZES),--sizes $(SIZES))

# REGISTRY and QUERIES name files; OUT, PURPOSE (read or mutate) and SCENARIOS may be left out.
eval-nexus: $(VENV)/dev.stamp ## Judge Nexus on a registry and labelled queries
	@test -n "$(REGISTRY)" -a -n "$(QUERIES)" || { echo "Usage: make eval-nexus REGISTRY=file QUERIES=file [OUT=answers.jsonl] [PURPOSE=read|mutate] [SCENARIOS=file]" >&2; exit 2; }
	$(BIN)/python -m tests.evaluation.nexus --registry "$(REGISTRY)" --queries "$(QUERIES)" \
		$(if $(OUT),--out "$(OUT)") $(if $(PURPOSE),--purpose "$(PURPOSE)") $(if $(SCENARIOS),--scenarios "$(SCENARIOS)")

eval-praxis: $(VENV)/dev.stamp ## Deliver recorded payloads to a fresh Praxis and say what it made of them
	@test -n "$(PAYLOADS)" || { echo "Usage: make eval-praxis PAYLOADS=folder [OUT=lines.jsonl]" >&2; exit 2; }
	$(BIN)/python -m tests.evaluation.praxis --payloads "$(PAYLOADS)" $(if $(OUT),--out "$(OUT)")

clean: down ## Stop everything and remove what the targets made
	rm -rf $(VENV) .coverage .hypothesis .import_linter_cache .pytest_cache .ruff_cache dist
	find src tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# Installing. Each stamp is newer than what it was made from, so a prepared `make up` calls no pip.
# The lock on this file makes a second `make` wait for the first and then find its work done.

define PREPARE
exec 9<Makefile; flock 9
if [ $@ -nt $(1) ] && [ $@ -nt pyproject.toml ]; then exit 0; fi
if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "Python 3.11 or newer is needed. On Debian: apt-get install python3 python3-venv" >&2; exit 1
fi
if ! [ -x $(BIN)/python ] && ! $(PYTHON) -m venv $(VENV); then
  rm -rf $(VENV)
  echo "No virtual environment could be made. On Debian: apt-get install python3-venv" >&2; exit 1
fi
echo "Installing what $(1) lists ..."
$(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes --requirement $(1)
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
endef

$(VENV)/runtime.stamp: requirements.lock pyproject.toml
	@$(call PREPARE,requirements.lock)
	touch $@

$(VENV)/dev.stamp: requirements-dev.lock pyproject.toml
	@$(call PREPARE,requirements-dev.lock)
	touch $(VENV)/runtime.stamp $@

# The Debian packages that the tests stand on: root gets them installed, others are told.
system:
	@missing=
	command -v flock > /dev/null || missing="$$missing util-linux"
	$(PYTHON) -c 'import ensurepip' 2> /dev/null || missing="$$missing python3-venv"
	if [ -n "$$missing" ]; then
	  echo "Needed: apt-get install$$missing" >&2
	  [ "$$(id -u)" = 0 ]
	  apt-get update --quiet && apt-get install --yes --quiet $$missing
	fi
	peers=
	command -v git > /dev/null || peers="$$peers git"
	command -v openssl > /dev/null || peers="$$peers openssl"
	command -v chromium > /dev/null || command -v chromium-browser > /dev/null || peers="$$peers chromium"
	command -v tmux > /dev/null || peers="$$peers tmux"
	command -v prometheus-alertmanager > /dev/null || peers="$$peers prometheus-alertmanager"
	[ -x /lib/systemd/systemd-journald ] || peers="$$peers systemd dbus dbus-user-session"
	if [ -z "$$peers" ]; then exit 0; fi
	if [ "$$(id -u)" = 0 ] && apt-get update --quiet && \
	  DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends $$peers
	then exit 0; fi
	echo "The tests beside these programs are left out; to run them: apt-get install$$peers" >&2

LOCK = $(VENV)/lock/bin/uv pip compile pyproject.toml --group build --universal --python-version 3.11 \
	--generate-hashes --no-annotate --no-header --quiet $(LOCK_ARGS)

lock: ## Resolve the dependencies anew (LOCK_ARGS=--upgrade for newer ones)
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCK) --output-file requirements.lock
	$(LOCK) --group dev --constraints requirements.lock --output-file requirements-dev.lock
	rm -rf $(VENV)/lock
