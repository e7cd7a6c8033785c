#!/usr/bin/env bash
# Deploys the shop.

. ./lib/common.sh
source "$ROOT/env.sh"

# Where the shop lives.
readonly SHOP_DIR=/srv/shop
declare -r LIMIT=5
declare -A ports=([web]=80 [api]=81)
declare -a queue
export PATH="$PATH:/opt/bin" LANG=C
VERSION=1.2 # of the shop
A=1 B=2
IFS=: read -r x y <<<"$PATH"
count=$(n=3; echo "$n")
names+=(one two)
(inner=1)

alias ll='ls -l' gs=status

# Prints an error
# and stops.
die() {
  local code=$1
  message="$2"
  exit "$code"
}

function build {
  step() { echo "$1"; }
  step one
}

function in_dir() (
  cd "$1" || exit
)

#######################################
# Deploys.
# Arguments: $1 - version
#######################################
shop::deploy() {
  :
}

if [[ $LANG == C ]]; then
  quiet=1
  log-line() { :; }
else
  log-line() { echo "$@"; }
fi

cat <<EOT
not_a_function() { :; }
EOT
main() { build; }; main "$@"
