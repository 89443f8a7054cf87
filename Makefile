# Affray. `make serve` starts the service, `make test` runs every check and test.
PYTHON ?= python3
BIN := .venv/bin
# Use two processes for each core, at most 8, because half of the tests wait for a database or a browser.
# The tests of a file share a service and a database, so they run in one process. Slow files run first.
WORKERS := $(shell $(PYTHON) -c "import os; print(min(8, 2 * (os.cpu_count() or 1)))")
PYTEST := $(BIN)/pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Write bytecode even if the environment forbids it. Compiling the tests again takes 40 s of CPU.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve test test-all test-long test-others test-short test-browser test-firefox test-clients pictures check fuzz fuzz-coverage walks mutants soak order bench docs release sbom audit demo lock clean

serve: .venv/run.stamp  ## start on 127.0.0.1:8000 with the embedded PostgreSQL
	$(BIN)/affray serve

test: .venv/dev.stamp  ## check lint, format and types, and run all tests in their short forms
	$(MAKE) --no-print-directory -j 2 check test-short

test-all: test  ## run `make test`, then the long forms of tests
	$(MAKE) --no-print-directory test-long

test-long: .venv/dev.stamp  ## run the long forms of tests (marked `long`), and the tests of test-others
	$(PYTEST) -m long

test-others: .venv/dev.stamp  ## run the cases of sampled tests that `make test` leaves out; .ci/run runs them too
	$(PYTEST) -m other

test-short: .venv/dev.stamp
	$(PYTEST) -m "not long"

test-browser: .venv/dev.stamp  ## run only the tests that need a browser
	$(BIN)/pytest -q -m browser tests/console

test-firefox: .venv/dev.stamp  ## play a fight in Firefox; needs firefox-esr, Node.js and npm
	.ci/firefox

test-clients: .venv/dev.stamp  ## test the TypeScript clients; needs Node.js and npm
	.ci/clients

pictures: .venv/dev.stamp  ## take docs/pictures from real fights, and measure the page (URL=http://…)
	$(BIN)/python -m tests.console.pictures $(or $(URL),http://127.0.0.1:8000)

check: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: .venv/dev.stamp  ## fuzz the complete API and random play with long budgets (FUZZ=paths, EXAMPLES=100)
	AFFRAY_FUZZ=long AFFRAY_EXAMPLES=$(EXAMPLES) $(BIN)/pytest -q $(or $(FUZZ),tests/fuzz tests/rulesets)

fuzz-coverage: .venv/fuzz.stamp  ## fuzz imports and stored events, guided by coverage, until no new branch appears for TIME=3600 seconds (FUZZ=files or events)
	for kind in $(or $(FUZZ),events files); do $(BIN)/python -m tests.fuzz.coverage $$kind build/fuzz --flat $(or $(TIME),3600) || exit 1; done

walks: .venv/dev.stamp  ## play random fights with random rulings, then pairs of fights that differ only in the order of joining (COMMANDS=20000 for each rulebook, SEED=0)
	$(BIN)/python -m tests.walks --commands $(or $(COMMANDS),20000) --seed $(or $(SEED),0)
	$(BIN)/python -m tests.twins --commands $(or $(COMMANDS),20000) --seed $(or $(SEED),0)

.PHONY: simulate
simulate: .venv/dev.stamp  ## simulate the service above the store on a seeded event loop, with faults (SEEDS=10000, FROM=0)
	$(BIN)/python -m tests.simulation --seeds $(or $(SEEDS),10000) --from $(or $(FROM),0)

mutants: .venv/dev.stamp  ## list the lines of the domain that can change without failing a test (MUTATE=paths)
	$(BIN)/python -m tests.mutants $(or $(MUTATE),domain/engine domain/rulebook) $(if $(SAMPLE),--sample $(SAMPLE))

soak: .venv/dev.stamp  ## run the long proofs of docs/proofs.md, such as kills and a bad network (SOAK=name of one, SIZE=0.1 for a tenth)
	AFFRAY_SOAK=$(or $(SIZE),1) $(BIN)/pytest -q tests/service/test_proofs.py tests/service/test_listeners.py tests/service/test_failover.py tests/service/test_restore.py tests/upgrades/test_two_releases.py $(if $(SOAK),-k "$(SOAK)")

order: .venv/dev.stamp  ## prove the order of the log with a million events (EVENTS=100000 for fewer)
	$(BIN)/python -m tests.bench.order $(EVENTS)

bench: .venv/dev.stamp  ## measure the ratios of docs/performance.md
	$(BIN)/python -m tests.bench

docs: .venv/dev.stamp  ## build the documentation site and the JavaScript client into service/site; the service shows them at /docs
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs service/site
	mkdir -p service/site/packages
	(cd clients/typescript && npm ci --silent --no-audit --no-fund && npm pack --silent --pack-destination ../../service/site/packages) || echo "no Node.js or registry: the site has no client for JavaScript"

release: .venv/dev.stamp  ## build wheels, source archives and image of the last commit into dist/, and try them
	.ci/release

sbom: .venv/tools.stamp  ## write the list of all parts of a deployment into dist/, as CycloneDX
	mkdir -p dist
	.venv/tools/bin/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application --output-reproducible --short-PURLs -o dist/affray.cdx.json requirements.txt

audit: .venv/tools.stamp  ## look the locked dependencies up in a public database of vulnerabilities
	for file in requirements.txt requirements-embedded.txt; do .venv/tools/bin/pip-audit --strict --disable-pip --require-hashes -r $$file \
		|| { echo "$$file is not audited, or has a vulnerability: see above" >&2; exit 1; }; done

demo: .venv/run.stamp  ## play a fight against a running service
	$(BIN)/affray demo

lock: .venv/dev.stamp  ## update the locked requirements
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --upgrade --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-annotate --no-header --extra build pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --upgrade --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-annotate --no-header --extra build --extra embedded pyproject.toml -o requirements-embedded.txt
	$(BIN)/uv pip compile -q --upgrade --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-annotate --no-header --extra build --extra embedded --extra dev pyproject.toml -o requirements-dev.txt

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/tools.stamp: | .venv/bin/python
	$(PYTHON) -m venv .venv/tools
	.venv/tools/bin/pip install -q cyclonedx-bom==7.5.0 pip-audit==2.10.1
	touch $@

.venv/fuzz.stamp: .venv/dev.stamp  # not locked, because only Linux has wheels
	$(BIN)/python -m pip install -q --upgrade --only-binary :all: --no-deps --target .venv/fuzz atheris==3.0.0
	touch $@

.venv/run.stamp: requirements-embedded.txt pyproject.toml | .venv/bin/python
	test -f .venv/dev.stamp || $(BIN)/python -m pip install -q --require-hashes -r requirements-embedded.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@

.venv/dev.stamp: requirements-dev.txt pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install -q --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@ .venv/run.stamp

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info
