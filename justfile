# The recipes call the scripts, which work without just.

# build the commands into bin/
build:
    scripts/build

# install the commands, their man pages and completions (default: ~/.local)
install *PREFIX:
    scripts/install {{PREFIX}}

# archives, Debian packages and their checksums, in dist/
release:
    scripts/release

# build the commands for linux/arm64 into bin/linux-arm64/ and run them under qemu
cross:
    scripts/cross

# remove bin/, dist/ and the index of this repository
clean:
    scripts/clean

# run all tests with the race detector
test *PACKAGES:
    scripts/test {{PACKAGES}}

# how much of each package its tests reach; the profile is bin/cover.out
cover *PACKAGES:
    scripts/cover {{PACKAGES}}

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
