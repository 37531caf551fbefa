# SPDX-License-Identifier: GPL-2.0-only

SHELL := /bin/bash
BIN := .venv/bin
ARGS ?=
TIDY ?= clang-tidy
COUNT ?= 300
SEED ?= 1

.PHONY: help build wheel sdist reproduce test slow alone sanitize fuzz mutate bench format tidy docs clean

help: ## this list
	@sed -n 's/^\([a-z]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

build: ## install the pinned packages into .venv, build the modules into build/
	@cmake/bootstrap.sh run

wheel: ## a wheel with the compiled modules, into dist/, with those of the packages that PyPI has as sources only
	@cmake/bootstrap.sh wheel
	@cmake/wheel.sh dist
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --constraint constraints.txt --wheel-dir dist cppyy

sdist: ## the source distribution, into dist/
	@cmake/bootstrap.sh wheel
	@$(BIN)/python -c 'from setuptools.build_meta import build_sdist; build_sdist("dist")' >/dev/null
	@ls dist/relnet-*.tar.gz

reproduce: ## tables and figures of the papers into out/; ARGS="--quick" for a small scale
	@cmake/bootstrap.sh modules
	@$(BIN)/relnet reproduce $(ARGS)

test: ## formats, warnings, the ns-3 suites and pytest
	@cmake/bootstrap.sh test
	@cmake/checks.sh $(ARGS)

slow: ## the slow tests, which make test leaves out
	@cmake/bootstrap.sh test
	@cmake/checks.sh -m slow $(ARGS)

alone: ## read every source and every header alone, without precompiled headers; ARGS=FOLDER with the headers of another ns-3
	@cmake/alone.sh $(ARGS)

sanitize: ## the ns-3 suites and examples under AddressSanitizer, UndefinedBehaviorSanitizer and, for the search, ThreadSanitizer
	@cmake/sanitize.sh $(ARGS)

fuzz: ## libFuzzer on readers and protocol cores; MINUTES=10 in all, ARGS="TARGET ..."
	@cmake/fuzz.sh $(ARGS)

mutate: ## break rules one at a time, and count what the ns-3 suites notice; COUNT=300 SEED=1, ARGS="--groups pcode,eqa"
	@cmake/bootstrap.sh configure
	@PATH="$(BIN):$$PATH" $(BIN)/python cmake/mutate.py --count $(COUNT) --seed $(SEED) $(ARGS)

bench: ## benchmarks, each beside its baseline; ARGS="NAME ... --json FILE"
	@cmake/bootstrap.sh bench
	@bench/run $(ARGS)

format: ## bring all sources into the project's format
	@cmake/bootstrap.sh test
	@git ls-files -z '*.cc' '*.h' | xargs -0 -r $(BIN)/clang-format -i
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .
	@$(BIN)/python cmake/wscripts.py

tidy: ## ns-3's clang-tidy checks; TIDY=clang-tidy-16 for a program of another name
	@command -v $(TIDY) >/dev/null || { echo "relnet: $(TIDY) was not found; install it with: sudo apt install \
	clang-tidy, or name the program that is there, as in: make tidy TIDY=clang-tidy-16" >&2; exit 2; }
	@cmake/bootstrap.sh configure build-tidy -DRELNET_PRECOMPILE=OFF
	@set -o pipefail; git ls-files -z 'contrib/*.cc' | xargs -0 -n 4 -P "$${JOBS:-$$(nproc)}" \
	$(TIDY) -p build-tidy --quiet --warnings-as-errors='*' 2>&1 | sed '/^[0-9]* warnings* generated\.$$/d'

docs: ## the documentation site, into out/doc; after `make reproduce`, with its figures
	@cmake/bootstrap.sh run
	@cmake/docs.sh

clean: ## remove what was built; .venv, results and cached runs stay
	rm -rf build build-alone build-clang build-mutate build-sanitize build-sanitize-threads build-tidy
