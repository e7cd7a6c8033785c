// Package model holds the embedding model that is built into the commands.
package model

import _ "embed"

// Name identifies the model and its version. It changes whenever a vector does.
const Name = "cortex-code-8"

// Dimensions is the length of its vectors.
const Dimensions = 256

// File is the model as package bag reads it.
//
//go:embed cortex-code-8.bin
var File []byte

// Card says what the model was made of and what it is good for, in Markdown.
//
//go:embed MODEL-CARD.md
var Card string
