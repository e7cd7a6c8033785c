#!/usr/bin/env bats

load test_helper

setup() {
  export SHOP=1
}

# Adds two books.
@test "adds books" {
  total=2
  run shop add "a"
  [ "$status" -eq 0 ]
}

helper() {
  echo help
}

@test 'handles } in names' {
  { echo one; }
}

# In one line.
@test "says \"no\"" { run shop; [ "$status" -eq 1 ]; }

@test bare {
  fails=1
}
