package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/database"
	"cortex/lib/database/tree"
	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/record"
	"cortex/lib/status"
)

const statusExamples = `
cortex-query status
cortex-query status --json | jq -r '.sources[].state'  # up to date, changed or unknown
cortex-query status --database postgres://me@host/cortex --tree api
`

func statusCommand() cli.Command {
	var face face
	var asJSON bool
	return cli.Command{
		Name: "status", Summary: "show the state of the index, and whether files have changed since",
		Examples: statusExamples,
		Flags: func(fs *pflag.FlagSet) {
			face.locations(fs)
			fs.BoolVar(&asJSON, "json", false, "write one JSON object")
			face.loader = config.Flags(fs)
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			a, set, err := face.asker(env)
			if err != nil {
				return err
			}
			var s *status.Status
			if a.Database != "" {
				s, err = databaseStatus(ctx, a.Database, a.Trees)
			} else {
				_, dir := face.location.Find(env.Getenv)
				s, err = status.Read(ctx, dir, a.Root, set.Sources)
			}
			if err != nil {
				return err
			}
			face.tellAbove(env, &a)
			if embed.IsEarlier(s.Model) {
				env.Warn("questions are searched by words only, since this version does not know the embedding model of the index; %s", provider.Remake)
			}
			if asJSON {
				enc := json.NewEncoder(env.Stdout)
				enc.SetEscapeHTML(false)
				return enc.Encode(s)
			}
			return s.Write(env.Stdout)
		},
	}
}

// databaseStatus returns the status of trees of a database. A database does not record where the source trees are, so
// whether they have changed is unknown.
func databaseStatus(ctx context.Context, url string, trees []string) (*status.Status, error) {
	db, err := database.Open(ctx, url, database.Options{Conns: 1})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	list, err := tree.List(ctx, db, trees)
	if err != nil {
		return nil, err
	}
	s := &status.Status{Store: "database " + db.Name(), ChunksByType: map[record.ChunkType]int{}}
	most := 0 // the number of chunks embedded with s.Model
	byModel := map[string]int{}
	for _, t := range list {
		m := &t.Manifest
		s.Generation, s.GeneratedAt, s.Chunks = s.Generation+m.Generation, max(s.GeneratedAt, m.GeneratedAt), s.Chunks+m.Stats.Chunks
		for kind, n := range m.Stats.ChunksByType {
			s.ChunksByType[kind] += n
		}
		if byModel[m.Model] += m.Stats.Chunks; m.Dimensions > 0 && byModel[m.Model] > most {
			most, s.Model, s.Dimensions = byModel[m.Model], m.Model, m.Dimensions
		}
		s.Sources = append(s.Sources, status.Sources{Tree: t.Name, State: status.Unknown, Unknown: status.NotTold, Files: m.Trees[t.Name].Files,
			Generation: m.Generation, GeneratedAt: m.GeneratedAt, Chunks: m.Stats.Chunks})
	}
	return s, nil
}
