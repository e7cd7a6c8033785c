package embed

import "cortex/lib/embed/provider"

// What an embedder is, as the providers have it: the types of package provider.
type (
	Mode         = provider.Mode
	Embedder     = provider.Embedder
	Card         = provider.Card
	Config       = provider.Config
	PartialError = provider.PartialError
	Unreachable  = provider.Unreachable
)

// The modes, and the values of Config.OnError.
const (
	Passage     = provider.Passage
	Query       = provider.Query
	OnErrorStop = provider.OnErrorStop
	OnErrorSkip = provider.OnErrorSkip
)
