package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/doctor"
	"cortex/lib/hint"
	"cortex/lib/listen"
	"cortex/lib/mcp"
	"cortex/lib/search"
	"cortex/lib/settings"
)

const doctorExamples = `cortex-serve doctor
cortex-serve doctor --json | jq -r '.findings[] | select(.state == "problem").cure'`

// examine returns the subcommand doctor.
func examine() cli.Command {
	var location config.Location
	var loader *config.Loader
	var asJSON bool
	return cli.Command{
		Name: "doctor", Summary: "look for what is wrong and say how to repair it; exit status 0 if all is well",
		Examples: doctorExamples,
		Flags: func(fs *pflag.FlagSet) {
			location.Flags(fs)
			fs.BoolVar(&asJSON, "json", false, "write one JSON object")
			loader = config.Flags(fs, "embedding")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			program, err := os.Executable()
			if err != nil {
				return err
			}
			m, _ := machine(env) // without a home folder, Examine says so
			opts := doctor.Options{Program: program, Machine: m, Sources: settings.Settings{Loader: loader, Environ: env.Environ}.Sources, Reach: listen.Reach}
			opts.Root, opts.Store = location.Find(env.Getenv)
			for _, path := range []*string{&opts.Root, &opts.Store} {
				if full, err := filepath.Abs(*path); err == nil {
					*path = full
				}
			}
			opts.Ask = func(ctx context.Context, byMeaning bool) error {
				return ask(ctx, byMeaning, options([]config.NamedLocation{{Location: location}}, loader, env))
			}
			report := doctor.Examine(ctx, opts)
			if asJSON {
				err = report.WriteJSON(env.Stdout)
			} else {
				err = report.Write(env.Stdout)
			}
			if err == nil && !report.OK {
				return cli.ErrNothingFound // status 1; the report says why
			}
			return err
		},
	}
}

// question is a tool call as a client sends it; %q stands for the mode.
const question = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cortex_search","arguments":{"query":"where is an error reported","limit":"1","mode":%q}}}`

// ask sends a question to a server in this process, and returns the error if the server's answer is one.
func ask(ctx context.Context, byMeaning bool, opts mcp.Options) error {
	mode := search.Auto
	if byMeaning {
		mode = search.Hybrid // in mode auto, an answer by words alone would hide a missing model
	}
	opts.Report, opts.Warn = func(error) {}, func(string, ...any) {} // the answer holds the error
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := mcp.Serve(ctx, in, out, opts)
		out.CloseWithError(errors.Join(err, io.ErrUnexpectedEOF))
		done <- err
	}()
	go fmt.Fprintf(ask, question+"\n", mode) // the write fails if the server has ended
	line, err := bufio.NewReader(answer).ReadBytes('\n')
	ask.Close()
	answer.Close()
	<-done
	if err != nil {
		return err
	}
	var message struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error struct{ Message string }
	}
	if err := json.Unmarshal(line, &message); err != nil {
		return err
	}
	if message.Error.Message != "" {
		return errors.New(message.Error.Message)
	}
	if message.Result.IsError && len(message.Result.Content) > 0 {
		text, advice, _ := strings.Cut(message.Result.Content[0].Text, "\nhint: ")
		return hint.Wrap(errors.New(text), advice)
	}
	return nil
}
