# The ways in: `make demo` and `make test` set up what they need by themselves; the rest does too.

BIN := .venv/bin
PYTHON_HERE := $(BIN)/python
# Two workers and one thread in each: more threads only get in each other's way on two cores.
QUIET_TEST := QT_QPA_PLATFORM=offscreen OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=
PYTEST := $(QUIET_TEST) $(PYTHON_HERE) -m pytest -n 2 --dist loadfile --no-loadscope-reorder -p no:cacheprovider

.PHONY: help setup ready demo test check fuzz bench bench-rules screenshots package clean
.DEFAULT_GOAL := help

help:
	@echo "make demo         opens the studio on the demo project (without a display: prints its table)"
	@echo "make test         runs all tests"
	@echo "make check        ruff, mypy and the layer contract"
	@echo "make fuzz         reads and renders 500 damaged files"
	@echo "make bench        measures speed and memory"
	@echo "make bench-rules  how often the code judge's rules say no to the shared decks"
	@echo "make screenshots  pictures of every page, into screenshots/"
	@echo "make package      builds the program folder dist/podium-studio/ and tries it"
	@echo "make setup        only the set-up that the others do when needed"
	@echo "make clean        removes what was built, and the virtual environment"

setup:
	@sh packaging/setup.sh --again

ready:
	@sh packaging/setup.sh

demo: ready
	@$(BIN)/studio demo

# First everything below the window with Qt made unimportable, then the window and whole stories.
test: ready
	@status=0; \
	echo "Without Qt: tests/unit" >&2; \
	$(PYTEST) -p tests.no_qt -p no:pytest-qt -W ignore::pytest.PytestConfigWarning tests/unit || status=$$?; \
	echo "With Qt: the other tests" >&2; \
	$(PYTEST) tests --ignore=tests/unit || status=$$?; \
	exit $$status

check: ready
	@$(PYTHON_HERE) -m studio.dev check

# FILES=2000 makes it more; the same number of a file always means the same damage.
fuzz: ready
	@PODIUM_FUZZ=$(or $(FILES),500) $(PYTEST) tests/fuzz

bench: ready
	@$(QUIET_TEST) $(PYTHON_HERE) -m tests.bench

bench-rules: ready
	@$(QUIET_TEST) $(PYTHON_HERE) -m tests.bench rules

screenshots: ready
	@QT_QPA_PLATFORM=offscreen $(PYTHON_HERE) -m studio.dev screenshots --out screenshots

package:
	@sh packaging/setup.sh --package
	@$(PYTHON_HERE) -m PyInstaller --noconfirm --clean --log-level WARN --distpath dist --workpath build packaging/studio.spec
	@cp packaging/podium-studio.desktop packaging/podium-studio.svg dist/podium-studio/
	@$(PYTHON_HERE) packaging/smoke_test.py dist/podium-studio

clean:
	rm -rf .venv .make build dist screenshots .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis
	find studio tests -name __pycache__ -type d -prune -exec rm -rf {} +
