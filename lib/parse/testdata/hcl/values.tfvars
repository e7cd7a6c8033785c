# Prod.
region = "eu-central-1"
rules = [
  "a",
]
