// Package model holds the embedding model that is built into the commands.
package model

import _ "embed"

// Name identifies the model and its version. It must change whenever the model's vectors change.
const Name = "cortex-code-10"

// Dimensions is the length of its vectors.
const Dimensions = 256

// File is the model in the format of package bag.
//
//go:embed cortex-code-10.bin
var File []byte

// Card describes in Markdown how the model was made and what it is good for.
//
//go:embed MODEL-CARD.md
var Card string
