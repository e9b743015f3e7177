# The commands of the project. On a fresh Debian 12 machine `make demo` and `make test` need nothing
# first: they install what is missing, build, and run. The builds themselves are CMake presets
# (`cmake --list-presets`), so nothing here is needed to use CMake directly.

JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL = $(JOBS)
export CTEST_PARALLEL_LEVEL = $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz perf gpu-bundle check-all format tidy clean packages packages-tests packages-all

help: ## list these commands
	@echo "Ridge, a deep-learning compiler and runtime. Commands:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  make %-11s %s\n", $$1, $$2}'

demo: packages ## build the release binaries and train a vision transformer, compiled and eager
	@cmake --preset release -DRIDGE_BUILD_TESTS=OFF -DRIDGE_BUILD_BENCHMARKS=OFF >/dev/null
	@cmake --build --preset release --target ridge
	@build/release/bin/ridge demo

test: packages-tests ## build and run all tests: release, sanitizers, lint, format
	@tools/run_checks test

fuzz: packages-tests ## make random graphs and programs until stopped; what fails is left in build/fuzz
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target ridge_fuzz
	@build/release/bin/ridge_fuzz --forever --jobs=$(JOBS) --folder=build/fuzz

perf: packages-tests ## measure on this machine, alone: what dispatch, eager ops and predictions are worth
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@ctest --test-dir build/release -L perf --output-on-failure
	@build/release/bin/ridge_recompile_storm
	@tests/perf/run_cost_model build/release/bin/ridge

gpu-bundle: packages-tests ## pack tests and benchmarks for a GPU machine without a compiler: build/gpu-bundle
	@tools/gpu_bundle

check-all: packages-all ## everything in `test`, plus clang-tidy, stricter sanitizers, the dev build, LLVM 19, RIDGE_LLVM=OFF
	@tools/run_checks all

format: packages-tests ## rewrite the sources with clang-format
	@tools/format --fix

tidy: packages-all ## run clang-tidy over the sources
	@tools/tidy

clean: ## remove all build folders
	rm -rf build

packages:
	@tools/install_packages

packages-tests:
	@tools/install_packages --tests

packages-all:
	@tools/install_packages --all
