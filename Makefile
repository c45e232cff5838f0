# One-word commands. Each first makes what it needs: `.venv`, with the locked packages, checked by their hashes.
# The machine needs Python 3.11 or newer (with its venv module), make and git.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo run sync check backup restore copy test suite fmt texts screenshots bench duel simulate soak wheel release lock clean

VENV := .venv
BIN := $(VENV)/bin
# The system's own first: distributions compile Python with its optimizations. pyenv doesn't, which makes the computers'
# moves and the tests take a third longer.
PYTHONS ?= /usr/bin/python3 python3 python3.15 python3.14 python3.13 python3.12 python3.11
# Two tests at once for each core, up to eight, because half of them wait. The tests of a file stay together, since
# they may share a browser; tests/conftest.py decides which files come first.
AT_ONCE = -n $$($(BIN)/python -c 'import os; print(min(8, 2 * (os.cpu_count() or 1)))') --dist loadfile --no-loadscope-reorder
# Arguments for the command: make demo ARGS=--fresh
ARGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# pyright is in the lock; without these settings it would look for a newer version, or fetch another
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
unexport PYRIGHT_PYTHON_FORCE_VERSION PYRIGHT_PYTHON_PYLANCE_VERSION
# otherwise each process of the tests would compile everything it imports
unexport PYTHONDONTWRITEBYTECODE

help:  ## what there is to do (this list)
	@echo "make COMMAND [ARGS=...]"
	@sed -n 's/^\([a-z]*\):.*  ## /\1	/p' Makefile | while IFS='	' read -r name words; do \
		printf '  %-11s %s\n' "$$name" "$$words"; done

demo: $(VENV)/.run  ## play in the browser, without Discord (ARGS: --fresh, --no-browser)
	@$(BIN)/python -m bot demo $(ARGS)

run: $(VENV)/.run  ## serve Discord; needs ESCOBA_TOKEN, see .env.example
	@$(BIN)/python -m bot run $(ARGS)

sync: $(VENV)/.run  ## send the slash commands and the emojis to Discord now
	@$(BIN)/python -m bot sync $(ARGS)

check: $(VENV)/.run  ## replay every game and recount every standing (ARGS: another database)
	@$(BIN)/python -m bot check $(ARGS)

backup: $(VENV)/.run  ## back up the database file, while the bot runs (ARGS: the file to write)
	@$(BIN)/python -m bot backup $(ARGS)

restore: $(VENV)/.run  ## put a backup in the place of a stopped bot's database file (ARGS: which one)
	@$(BIN)/python -m bot restore $(ARGS)

copy: $(VENV)/.run  ## copy the database of a stopped bot, between a file and PostgreSQL (ARGS: from where, to where)
	@$(BIN)/python -m bot copy $(ARGS)

# The types of the tests and benchmarks are left to CI: they take pyright nearly as long as those of the bot. With more room
# for new objects, its Node collects garbage less often and needs an eighth less processor time.
TYPED = $(if $(THOROUGH)$(CI),,bot cogs)
test: $(VENV)/.dev  ## format, lint, types, layers and tests (ARGS go to pytest)
	@echo "test: format" && $(BIN)/ruff format --check .
	@echo "test: lint" && $(BIN)/ruff check --quiet .
	@echo "test: layers" && $(BIN)/lint-imports --no-logo >$(VENV)/layers.txt 2>&1 || { cat $(VENV)/layers.txt; exit 1; }
	@echo "test: types, while the tests run"
	@NODE_OPTIONS=--max-semi-space-size=256 $(BIN)/pyright --pythonpath $(BIN)/python $(TYPED) >$(VENV)/types.txt 2>&1 & types=$$!; \
		$(MAKE) --no-print-directory suite; tests=$$?; \
		wait $$types || { echo "test: types" && cat $(VENV)/types.txt; exit 1; }; exit $$tests

suite: $(VENV)/.dev  ## the tests alone; on another Python with VENV=.venv-3.13 PYTHONS=python3.13
	@echo "test: tests" && $(BIN)/python -m pytest $(AT_ONCE) $(ARGS)

fmt: $(VENV)/.dev  ## format the code and fix what the linter can
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .

BABEL = $(BIN)/python -m babel.messages.frontend -q
LOCALE = bot/platform/language/locale

texts: $(VENV)/.dev  ## update the catalogues after texts have changed, and say how complete they are (ARGS=nl starts one)
	@$(BABEL) extract -F pyproject.toml --no-default-keywords -k t -k plural:1,2 -k context:1c,2 -k N_ -k NC_:1c,2 \
		--add-location file --sort-output --no-wrap --project "Escoba for Discord" -o $(LOCALE)/bot.pot bot cogs
	@sed -i '/^"PO[T-].*-Date:/d' $(LOCALE)/bot.pot
	@$(BABEL) update -D bot -d $(LOCALE) -i $(LOCALE)/bot.pot --no-wrap --no-fuzzy-matching \
		--ignore-pot-creation-date $(ARGS:%=--init-missing -l %)
	@$(BIN)/python -m bot.platform.language.extraction

screenshots: $(VENV)/.dev  ## photograph whole matches in Chromium (ARGS: a folder, --presets, --language es, --readme)
	@$(BIN)/python -m tests.demo.screenshots $(ARGS)

bench: $(VENV)/.dev  ## measure the engine, a click, a picture, a table's memory and a computer's move
	@$(BIN)/python -m bench $(ARGS)

duel: $(VENV)/.dev  ## let two levels of computer players play each other, on all cores (ARGS="hard normal --decks 500")
	@$(BIN)/python -m bench.duel $(ARGS)

simulate: $(VENV)/.dev  ## simulate the whole bot, decided by a seed (ARGS: --seed 42 --days 365; --cpu 600; --found)
	@$(BIN)/python -m tests.simulation $(ARGS)

soak: export PYTEST_ADDOPTS := -o faulthandler_timeout=0
soak: $(VENV)/.dev  ## kill, race, fault and fuzz the bot for about an hour
	@$(BIN)/python -m tests.wire.soak $(ARGS)
	@FUZZ=10000 $(BIN)/python -m pytest -q tests/played/test_fuzz.py
	@SIGKILL_STEPS=all $(BIN)/python -m pytest -q tests/played/test_sigkill.py
	@TWINS=1000 $(BIN)/python -m pytest -q tests/secrecy
	@ROUNDS=20000 $(BIN)/python -m pytest -q tests/players/test_fast_round.py
	@ROUNDS=2000 $(BIN)/python -m pytest -q tests/engine/test_random_play.py tests/engine/test_calibration.py
	@EXAMPLES=500 MATCHES_DEALT=5000 $(BIN)/python -m pytest -q tests/engine tests/tables/screens/test_scenes.py
	@SESSIONS=500 $(BIN)/python -m pytest -q tests/tables/test_sessions.py
	@BLIND=100 LEVELS=2000 LEVEL_ROUNDS=20 LEVEL_MATCHES=400 $(BIN)/python -m pytest -q tests/players/test_levels.py tests/players/test_characters.py
	@REASONS=2000 $(BIN)/python -m pytest -q tests/coach/test_reasons.py
	@DAYS=42 $(BIN)/python -m pytest -q tests/training/test_finding.py
	@EVENINGS=300 $(BIN)/python -m pytest -q tests/club
	@FAIRNESS=400 $(BIN)/python -m pytest -q tests/tables/test_fairness.py
	@RACES=20 CANCELLED=600 OPENINGS=60 $(BIN)/python -m pytest -q tests/tables/store/test_appends.py tests/tables/store/test_logs.py
	@STANDINGS=500 $(BIN)/python -m pytest -q tests/club/store/test_standings_by_hand.py tests/privacy/store/test_privacy.py
	@SEASON=2000 $(BIN)/python -m pytest -q tests/club/store/test_season.py
	@$(BIN)/python -m tests.wire.crowd --tables 2000 --minutes 20

wheel: $(VENV)/.dev  ## build the package that `pipx install escoba-discord` installs (ARGS: -t sdist, too)
	@$(BIN)/python -m hatchling build -t wheel -d dist $(ARGS)

# What has to succeed before anything is committed.
CHECKS ?= test wheel
release: $(VENV)/.dev  ## commit and tag a release, after all checks; pushes nothing (VERSION=1.0.1)
	@$(BIN)/python ops/release.py "$(VERSION)" $(CHECKS)

# One resolution for both, so that they never disagree on a version. ARGS=--upgrade takes newer releases, but none younger
# than AGE: a broken or malicious one is usually withdrawn within days. For a fix that can't wait: AGE="0 days".
AGE ?= 1 week
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --exclude-newer "$(AGE)" \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
lock: $(BIN)/pip  ## update the locks after a change in pyproject.toml (ARGS=--upgrade)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/uv.lock
	@echo uv | $(COMPILE) $(ARGS) -o requirements/uv.lock -
	@$(COMPILE) $(ARGS) --extra dev -o requirements/dev.lock pyproject.toml
	@$(COMPILE) -c requirements/dev.lock -o requirements/run.lock pyproject.toml

clean:  ## remove every .venv and cache; games in data/ stay
	@rm -rf $(VENV) .venv-* dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache $(LOCALE)/*/*/*.mo
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------------------------------------------------
# A stamp file says that its lock is installed; a lock that has changed is newer than its stamp and is installed again.
# uv needs seconds where pip needs up to a minute. If there is no uv for the machine, or it finds no packages (it reads its
# own settings, not pip's), pip installs them. If only texts have changed, they are compiled, and nothing is installed.

TEXTS := bot/platform/language/compiled.py $(wildcard $(LOCALE)/*/LC_MESSAGES/bot.po)
$(VENV)/.run: requirements/run.lock
$(VENV)/.dev: requirements/dev.lock
$(VENV)/.run $(VENV)/.dev: $(BIN)/pip $(TEXTS)
	@[ -z "$(filter-out $(TEXTS),$?)" ] || { echo "Installing $(filter %.lock,$^) into $(VENV) ..." && \
		$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/uv.lock && \
		$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(filter %.lock,$^); } || \
		{ echo "It doesn't work with uv; pip may take a minute ..."; $(BIN)/python -m pip install --quiet --require-hashes -r $(filter %.lock,$^); } || \
		{ echo "The packages can't be installed. Is the package index within reach? Then run the same command again." >&2; exit 1; }
	@$(BIN)/python -m bot.platform.language.compiled
	@touch $@

# Uses the first Python that is new enough and can make an environment. pip is installed last, so an environment whose
# creation was interrupted is made again.
$(BIN)/pip:
	@too_old=; for candidate in $(PYTHONS); do \
		"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		too_old=no; \
		"$$candidate" -c 'import ensurepip, venv' 2>/dev/null || continue; \
		echo "Making $(VENV) with $$("$$candidate" --version) ..."; \
		exec "$$candidate" -m venv --clear $(VENV); \
	done; \
	if [ -z "$$too_old" ]; then \
		echo "Python 3.11 or newer is needed; none of these is: $(PYTHONS)." >&2; \
	else \
		echo "This Python lacks its venv module; on Debian or Ubuntu: apt install python3-venv" >&2; \
	fi; exit 1
