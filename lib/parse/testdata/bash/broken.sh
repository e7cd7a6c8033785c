first() {
  echo one
}

if [ -f x ; then
  echo "unclosed"

# Survives.
second() {
  echo two
}
