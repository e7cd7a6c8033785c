# The recipes call the scripts, which work without just.

# build the commands into bin/
build:
    scripts/build

# run all tests with the race detector
test *PACKAGES:
    scripts/test {{PACKAGES}}

# everything that CI runs
check:
    .ci/run

# index a source tree (default: this repository)
index DIR='.':
    scripts/index {{DIR}}

# benchmarks of every package
bench PATTERN='.':
    go test -run '^$' -bench '{{PATTERN}}' -benchmem ./lib/...

# throughput by language against bare parsing, for source trees
parse-bench +DIRS:
    scripts/parse-bench {{DIRS}}

# regenerate the golden files; read the diff afterwards
update:
    UPDATE_GOLDEN=1 go test ./...
