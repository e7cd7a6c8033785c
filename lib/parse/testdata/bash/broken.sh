first() {
  echo one
}

if [ -f x ; then
  echo "unclosed"

# Survives.
second() {
  echo two
}

# Prints its arguments, one a line.
each() {
    for arg do printf '%s\n' "$arg"; done
}
