// Forms measures what the two forms of the tools' answers cost: it asks each question for text and for JSON and prints the tokens of both.
//
// usage: go run ./scripts/forms --bin DIR --checkouts DIR --index DIR QUESTIONS.jsonl
//
// A line of QUESTIONS is {"repo","tool","arguments"}. CHECKOUTS/REPO holds the repository and INDEX/REPO its store.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"cortex/lib/search/show"
)

type question struct {
	Repo      string         `json:"repo"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

func main() {
	fs := pflag.NewFlagSet("forms", pflag.ExitOnError)
	bin := fs.String("bin", "bin", "where cortex-serve is")
	checkouts := fs.String("checkouts", "", "where the repositories are, one `DIR` each")
	index := fs.String("index", "", "where their stores are, one `DIR` each")
	list := fs.Bool("list", false, "print each question")
	_ = fs.Parse(os.Args[1:]) // which exits
	if fs.NArg() != 1 || *checkouts == "" || *index == "" {
		fs.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, fs.Arg(0), *bin, *checkouts, *index, *list); err != nil {
		fmt.Fprintln(os.Stderr, "forms:", err)
		os.Exit(1)
	}
}

// A sum is of the tokens of several answers.
type sum struct{ questions, text, json int }

func run(w io.Writer, file, bin, checkouts, index string, list bool) error {
	data, err := os.Open(file)
	if err != nil {
		return err
	}
	defer data.Close()
	servers, sums := map[string]*server{}, map[string]*sum{}
	for dec := json.NewDecoder(data); ; {
		var q question
		if err := dec.Decode(&q); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		s := servers[q.Repo]
		if s == nil {
			if s, err = start(bin, filepath.Join(checkouts, q.Repo), filepath.Join(index, q.Repo)); err != nil {
				return err
			}
			servers[q.Repo] = s
			defer s.in.Close()
		}
		var tokens [2]int
		for i, format := range []string{"text", "json"} {
			arguments := maps.Clone(q.Arguments)
			arguments["format"] = format
			answer, err := s.call(q.Tool, arguments)
			if err != nil {
				return fmt.Errorf("%s %v: %w", q.Repo, q.Arguments, err)
			}
			tokens[i] = show.Tokens(answer)
		}
		if list {
			fmt.Fprintf(w, "%6d %6d  %s %s %v\n", tokens[0], tokens[1], q.Repo, q.Tool, q.Arguments)
		}
		for _, key := range []string{q.Tool, q.Tool + " of " + q.Repo} {
			if sums[key] == nil {
				sums[key] = &sum{}
			}
			sums[key].questions++
			sums[key].text += tokens[0]
			sums[key].json += tokens[1]
		}
	}
	fmt.Fprintf(w, "%-24s %9s %12s %12s %6s\n", "", "questions", "tokens: text", "tokens: json", "share")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		s := sums[key]
		fmt.Fprintf(w, "%-24s %9d %12d %12d %6.2f\n", key, s.questions, s.text/s.questions, s.json/s.questions, float64(s.text)/float64(s.json))
	}
	return nil
}

// A server is a cortex-serve that answers one call after the other.
type server struct {
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func start(bin, root, store string) (*server, error) {
	cmd := exec.Command(filepath.Join(bin, "cortex-serve"), "--quiet", "--no-watch", "--root", root, "--store", store)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{in: in, out: bufio.NewReader(out)}
	_, err = s.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "forms", "version": "0"}})
	return s, err
}

// call is the text of the tool's answer.
func (s *server) call(tool string, arguments map[string]any) (string, error) {
	result, err := s.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return "", err
	}
	var answer struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return "", err
	}
	if answer.IsError || len(answer.Content) != 1 {
		return "", fmt.Errorf("answer %.300s", result)
	}
	return answer.Content[0].Text, nil
}

func (s *server) ask(method string, params any) (json.RawMessage, error) {
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, err
		}
		if m.ID == s.id {
			if m.Error != nil {
				return nil, errors.New(string(m.Error))
			}
			return m.Result, nil
		}
	}
}
