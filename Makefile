# Everything a newcomer needs: `make demo`, `make test`. Each target installs and builds what it lacks.
PYTHON := /usr/bin/python3
PROGRAM := build/release/bin/quickselection
SOURCES = $(shell git ls-files '*.cpp' '*.h')

.PHONY: deps build demo test test-wheel test-sanitized wheel package bench lint format

deps:
	@scripts/install_deps.sh build test

build: deps
	@cmake --preset release > /dev/null
	@cmake --build --preset release

# Only what the demo needs; `make build` goes on in the same folder.
demo:
	@echo "1/3 packages for building"
	@scripts/install_deps.sh build
	@echo "2/3 the program"
	@cmake --preset program > /dev/null
	@NINJA_STATUS='[%f of %t, %e s] ' cmake --build --preset program
	@echo "3/3 the demo"
	@$(PROGRAM) demo

test: build
	@$(PYTHON) scripts/check_layers.py
	@$(PYTHON) scripts/check_layers_test.py
	@ctest --test-dir build/release --output-on-failure -j2
	@QUICKSELECTION_BIN=$(PROGRAM) PYTHONPATH=build/release/python $(PYTHON) -m pytest -q -p no:cacheprovider -n 3 --dist loadfile tests/cli tests/python tests/report tests/docs

# The wheel, as `pip install .` makes it, with the newest scikit-learn that can be had.
test-wheel: build
	@scripts/test_wheel.sh

# The unit tests once more under AddressSanitizer and UndefinedBehaviorSanitizer.
test-sanitized: deps
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan --target unit_tests fuzz_readers
	@ctest --test-dir build/asan --output-on-failure -j2

# A wheel that runs where none of the libraries are: build/wheel/*.whl.
wheel:
	@scripts/install_deps.sh build wheel
	@scripts/make_wheel.sh

# build/package/*.deb: the program, its man page and completions, the library for C++.
package:
	@scripts/install_deps.sh build package
	@cmake --preset package > /dev/null
	@cmake --build --preset package
	@cd build/package && cpack -G DEB > cpack.log || { cat cpack.log; exit 1; }
	@ls build/package/*.deb

bench: build
	@bench/run.sh

lint: deps
	@scripts/install_deps.sh lint
	@clang-format --dry-run --Werror $(SOURCES)
	@$(PYTHON) scripts/check_layers.py
	@tsc -p report
	@cmake --preset lint > /dev/null
	@printf '%s\n' $(filter src/% cli/%,$(filter %.cpp,$(SOURCES))) | xargs -P 2 -n 4 clang-tidy --quiet -p build/lint

format:
	@scripts/install_deps.sh lint
	@clang-format -i $(SOURCES)
