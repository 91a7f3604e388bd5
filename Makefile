# Thin names for what there is to run; `make ci` is what CI runs.
.PHONY: build test long race fuzz soak bench variants scale microbench lint quality bounds wheels python bench-python release-files reproducible ci

build:
	CGO_ENABLED=0 go build -o w2v ./cmd/w2v

test:
	go test ./...
	cd lab && go test ./...

# The tests of all packages with the long ones, which read more text, try more settings or draw more samples.
long:
	W2V_LONG=1 go test -timeout 30m ./...

race:
	go test -race -short ./...
	cd lab && go test -race -short ./...

# A minute for each fuzz target.
fuzz:
	for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			go test -run '^$$' -fuzz "^$$f$$" -fuzztime 1m -fuzzminimizetime 10x $$p || exit 1; \
		done; \
	done

# Ten minutes of training, killing, resuming and comparing, after all 50 kills and 10
# cuts that docs/reliability.md speaks of.
SOAK = 10m
soak:
	cd lab/reliability && go test -count=1 -timeout 60m -run 'Test(Killed|Resume|Several|Term|Two|Damaged|Soak)' -soak $(SOAK)

# Against fastText, gensim and others, as far as they are here (docs/benchmarks.md):
# make bench CORPUS=text.gz EVAL=folder BENCH='-runs words -rounds 5'
CORPUS =
EVAL = ../shared/data/eval/en
BENCH =
bench:
	cd lab && go run ./bench $(if $(CORPUS),-corpus '$(abspath $(CORPUS))' -eval '$(abspath $(EVAL))') $(BENCH)

# The tables of docs/variants.md; about half an hour. What an interrupted run has made is
# not made again, and VARIANTS='-only cbow,hash' makes single rows anew.
VARIANTS =
variants:
	cd lab && go run ./variants -en ../../shared/data/en/norm.txt.gz -de ../../shared/data/de/norm.txt.gz -eval ../../shared/data/eval $(VARIANTS)

# Time, memory and disk against the length of the text and the size of the vocabulary:
# make scale SCALE='-cases 1e7:1e5,1e9:1e7 -folder /var/tmp'
SCALE =
scale:
	cd lab && go run ./scale $(SCALE)

microbench:
	go test -run '^$$' -bench . ./...

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
lint:
	test -z "$$(gofmt -l .)"
	go vet ./...
	go run $(STATICCHECK) ./...
	cd lab && go vet ./... && go run $(STATICCHECK) ./...

# Against fastText, gensim, pWord2Vec, word2vec and koan, each with its own defaults, as far as
# they are here (docs/benchmarks.md). What has been trained before is not trained again:
# make quality QUALITY='-kinds words -dims 100 -seeds 1'
QUALITY =
quality:
	cd lab && go run ./quality $(QUALITY)

# The scores that training must reach on real corpora; minutes, and only where they are.
bounds:
	cd lab && W2V_QUALITY=1 go test -count=1 -v -timeout 60m -run TestQuality ./interop

# The wheels of the Python package, for all systems, in python/dist.
wheels:
	python/wheels

# The Python package: built, installed into a fresh environment and tested there.
python:
	python/check

# End to end from Python, against gensim and fastText (docs/benchmarks.md):
# make bench-python CORPUS=text.gz BENCH='--tokens 5000000'
bench-python: build
	W2V_BINARY='$(abspath w2v)' PYTHONPATH=python/src /usr/bin/python3 lab/python/bench.py $(CORPUS) $(BENCH)

ci:
	.ci/run

# All files of a release of this commit, in dist/ and python/dist/ (docs/releases.md).
release-files:
	PATH="$$(packaging/tools):$$PATH" packaging/release "$${TAG:-$$(git describe --exact-match --tags --match "v[0-9]*")}"

# A release in two folders with two empty caches, compared byte by byte.
reproducible:
	.ci/release full
