package embed

import "cortex/lib/embed/provider"

// The types of package provider, for callers of this package.
type (
	Mode         = provider.Mode
	Embedder     = provider.Embedder
	Card         = provider.Card
	Config       = provider.Config
	PartialError = provider.PartialError
	Unreachable  = provider.Unreachable
)

// The modes, and values of Config.OnError.
const (
	Passage     = provider.Passage
	Query       = provider.Query
	OnErrorStop = provider.OnErrorStop
	OnErrorSkip = provider.OnErrorSkip
)
