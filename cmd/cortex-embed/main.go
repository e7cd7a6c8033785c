// Command cortex-embed adds embeddings to chunks.
package main

import (
	"context"
	"errors"
	"io"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/record/jsonl"
)

func main() { cli.Main(command()) }

func command() cli.Command {
	var f flags
	return cli.Command{
		Name:     "cortex-embed",
		Summary:  "add embeddings to chunk records",
		Args:     "[FILE...]",
		Examples: examples,
		Filter:   true,
		Flags:    f.define,
		Run:      f.run,
		Commands: []cli.Command{serveCommand(), infoCommand(), similarCommand()},
	}
}

// run embeds the chunks of all inputs.
func (f *flags) run(ctx context.Context, env *cli.Env) (err error) {
	if !f.opts.Encoding.Valid() {
		return cli.Usagef("--encoding %q: expected base64 or float", f.opts.Encoding)
	}
	root := config.FindRoot(".")
	cfg, err := f.loader.Load(root, env.Environ, env.Warn)
	if err != nil {
		return err
	}
	e, err := embed.OpenCached(ctx, embed.Config(cfg.Embedding), env.Warn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	progress, meter := env.StartProgress("embedding"), embed.StartMeter(e)
	opts := f.opts
	opts.BatchSize, opts.Skip = cfg.Embedding.BatchSize, cfg.Embedding.OnError == embed.OnErrorSkip
	opts.Jobs, opts.Report, opts.Warn = env.Jobs, env.Report, env.Warn
	opts.Progress = func(p embed.Progress) { progress.Update(p.Files, p.FilesTotal, meter.Line(p)) }
	err = env.EachInput(func(name string, in io.Reader) error {
		return embed.Run(ctx, jsonl.NewReader(in, name), jsonl.NewWriter(env.Stdout), e, opts)
	})
	progress.Stop()
	if usage, ok := embed.UsageOf(e); ok {
		env.Warn("%s", usage)
	}
	return err
}
