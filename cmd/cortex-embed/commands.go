package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/embed/serve"
)

const examples = `
cortex-parse . | cortex-chunk | cortex-embed | cortex-store
cortex-embed --provider ollama --model nomic-embed-text chunks.jsonl > embedded.jsonl
cortex-embed --encoding float < chunks.jsonl | jq '.embedding | length'
`

const serveExamples = `
cortex-embed serve
cortex-embed serve --provider bert --model ~/models/bge-small-en-v1.5 --listen 127.0.0.1:9000
curl -d '{"texts": ["open a file"], "mode": "query"}' -H 'Content-Type: application/json' localhost:8121/embed
`

// flags holds the flags of the pipeline stage.
type flags struct {
	loader *config.Loader
	opts   embed.Options
}

func (f *flags) define(fs *pflag.FlagSet) {
	f.loader = config.Flags(fs, "embedding", "embedding.passage_prefix", "embedding.batch_size", "embedding.concurrency",
		"embedding.max_tokens", "embedding.timeout", "embedding.price", "embedding.on_error")
	fs.StringVar((*string)(&f.opts.Encoding), "encoding", string(embed.Base64), "write embeddings in this `FORM`: base64, or float for jq")
	fs.BoolVarP(&f.opts.Force, "force", "f", false, "embed chunks again that have an embedding by the same model")
}

// open opens the embedder that the settings select, without the cache of vectors.
func open(ctx context.Context, env *cli.Env, loader *config.Loader) (embed.Embedder, config.Embedding, error) {
	cfg, err := loader.Load(config.FindRoot("."), env.Environ, env.Warn)
	if err != nil {
		return nil, cfg.Embedding, err
	}
	e, err := embed.Open(ctx, embed.Config(cfg.Embedding))
	return e, cfg.Embedding, err
}

func serveCommand() cli.Command {
	var loader *config.Loader
	opts := serve.Options{Address: serve.DefaultAddress}
	return cli.Command{
		Name: "serve", Summary: "serve embeddings over HTTP: /embed, /v1/embeddings, /api/embed, /health, /metrics",
		Examples: serveExamples, Service: true,
		Flags: func(fs *pflag.FlagSet) {
			loader = config.Flags(fs, "embedding", "embedding.query_prefix", "embedding.passage_prefix", "embedding.max_tokens")
			fs.StringVar(&opts.Address, "listen", opts.Address, "listen on this `HOST:PORT`")
			fs.BoolVar(&opts.Remote, "allow-remote", false, "allow an address that other machines can reach; no client needs a key")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			e, cfg, err := open(ctx, env, loader)
			if err != nil {
				return err
			}
			defer e.Close()
			opts.Jobs, opts.MaxTokens, opts.Report = env.Jobs, cfg.MaxTokens, env.Report
			opts.Ready = func(url string) { env.Warn("serving %s on %s", e.Model(), url) }
			return serve.Run(ctx, e, opts)
		},
	}
}

func infoCommand() cli.Command {
	var loader *config.Loader
	var card bool
	return cli.Command{
		Name: "info", Summary: "show the providers and the model: dimensions, licence, endpoint, prefixes",
		Examples: "cortex-embed info\ncortex-embed info --card\ncortex-embed info --provider ollama --model mxbai-embed-large",
		Flags: func(fs *pflag.FlagSet) {
			loader = config.Flags(fs, "embedding")
			fs.BoolVar(&card, "card", false, "show the model's card as well")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			e, cfg, err := open(ctx, env, loader)
			if err != nil {
				return err
			}
			defer e.Close()
			return embed.Describe(env.Stdout, e, embed.Config(cfg), card)
		},
	}
}

func similarCommand() cli.Command {
	var loader *config.Loader
	return cli.Command{
		Name: "similar", Args: "TEXT TEXT", Summary: "print the cosine of two texts",
		Examples: "cortex-embed similar 'open a file' 'func OpenFile(name string) (*File, error)'",
		Flags:    func(fs *pflag.FlagSet) { loader = config.Flags(fs, "embedding", "embedding.passage_prefix") },
		Run: func(ctx context.Context, env *cli.Env) error {
			if len(env.Args) != 2 {
				return cli.Usagef("expected two texts, got %d", len(env.Args))
			}
			e, _, err := open(ctx, env, loader)
			if err != nil {
				return err
			}
			defer e.Close()
			cosine, err := embed.Similarity(ctx, e, env.Args[0], env.Args[1])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "%.4f\n", cosine)
			return err
		},
	}
}
