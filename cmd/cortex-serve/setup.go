package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/clients"
	"cortex/lib/config"
	"cortex/lib/hint"
)

const setupExamples = `cortex-serve setup cursor                                    # in the repository that Cursor is to search
cortex-serve setup claude-code --print                       # show what would be written, and where
cortex-serve setup codex --http=https://host:8137/mcp        # a server on another machine; the token is in $CORTEX_HTTP_TOKEN
cortex-serve setup claude-desktop --roots ~/src              # all repositories there
cortex-serve setup zed --remove`

// setup returns the subcommand setup.
func setup() cli.Command {
	var s struct {
		name, url            string
		roots, folders       []string
		print, remove, token bool
	}
	return cli.Command{
		Name:     "setup",
		Summary:  "write Cortex into the configuration of an assistant",
		Args:     "CLIENT",
		Words:    clients.Names(),
		Examples: setupExamples + "\n\nclients: " + strings.Join(clients.Names(), ", "),
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&s.url, "http", "", "name the server at `URL`, instead of a command that the client starts")
			fs.Lookup("http").NoOptDefVal = "http://" + clients.Address + "/mcp"
			fs.BoolVar(&s.token, "token", false, "send the token in $"+clients.TokenVariable+" (default: to servers on other machines)")
			fs.StringArrayVar(&s.roots, "root", nil, "`FOLDER` to search; may be repeated (default: the project, or . for clients that start servers elsewhere)")
			fs.StringArrayVar(&s.folders, "roots", nil, "search all repositories in `FOLDER`")
			fs.StringVar(&s.name, "name", "cortex", "`NAME` of the entry")
			fs.BoolVar(&s.print, "print", false, "only show what would be written")
			fs.BoolVar(&s.remove, "remove", false, "remove the entry")
		},
		Run: func(_ context.Context, env *cli.Env) error {
			switch {
			case len(env.Args) == 0:
				return hint.Wrap(cli.Usagef("no client given"), "the clients are "+strings.Join(clients.Names(), ", "))
			case len(env.Args) > 1:
				return cli.Usagef("unexpected argument %q", env.Args[1])
			case s.print && s.remove:
				return cli.Usagef("--print and --remove exclude each other")
			case s.name == "":
				return cli.Usagef("--name: expected a name")
			case s.url != "" && len(s.roots)+len(s.folders) > 0:
				return cli.Usagef("--http and --root exclude each other: the server on HTTP knows its folder")
			}
			c, err := clients.Find(env.Args[0])
			if err != nil {
				return err
			}
			m, err := machine(env)
			if err != nil {
				return err
			}
			if s.remove {
				file, done, err := c.Remove(m, s.name)
				return report(env, err, done, map[clients.Outcome]string{
					clients.Unchanged: fmt.Sprintf("%s has no entry %q\n", file, s.name),
					clients.Changed:   fmt.Sprintf("removed %q from %s\n", s.name, file),
				})
			}
			server := clients.Server{Name: s.name, URL: s.url, Token: s.token || s.url != "" && !clients.IsLocal(s.url)}
			if server.URL == "" {
				if server.Command, err = os.Executable(); err != nil {
					return err
				}
				if server.Args, err = rootArgs(c, s.roots, s.folders); err != nil {
					return err
				}
			}
			if s.print {
				text, err := c.Print(server)
				if err == nil {
					env.Warn("in %s:", c.File(m))
					_, err = fmt.Fprint(env.Stdout, text)
				}
				return err
			}
			file, done, err := c.Setup(m, server)
			what := strings.Join(append([]string{server.Command}, server.Args...), " ")
			if server.URL != "" {
				what = server.URL
			}
			then := fmt.Sprintf("  %s: %s\nthen: %s\n", s.name, what, c.Then)
			return report(env, err, done, map[clients.Outcome]string{
				clients.Unchanged: fmt.Sprintf("%s has this entry already\n%s", file, then),
				clients.Changed:   fmt.Sprintf("changed %s\n%s", file, then),
				clients.Created:   fmt.Sprintf("created %s\n%s", file, then),
			})
		},
	}
}

func report(env *cli.Env, err error, done clients.Outcome, texts map[clients.Outcome]string) error {
	if err == nil {
		_, err = fmt.Fprint(env.Stdout, texts[done])
	}
	return err
}

// rootArgs returns the arguments that name the server's folders. Without roots and folders there are none, except for
// clients that start servers outside of the project.
func rootArgs(c clients.Client, roots, folders []string) (args []string, err error) {
	if len(roots)+len(folders) == 0 && !c.Inside {
		roots = []string{config.FindRoot(".")}
	}
	for _, list := range []struct {
		flag    string
		folders []string
	}{{"--root", roots}, {"--roots", folders}} {
		for _, folder := range list.folders {
			full, err := filepath.Abs(folder)
			if err != nil {
				return nil, err
			}
			if info, err := os.Stat(full); err != nil {
				return nil, hint.Wrap(fmt.Errorf("%s: %w", list.flag, err), "name an existing folder")
			} else if !info.IsDir() {
				return nil, hint.Wrap(fmt.Errorf("%s %s: it is a file", list.flag, full), "name its folder")
			}
			args = append(args, list.flag, full)
		}
	}
	return args, nil
}

// machine says where the clients look for the user's configuration files.
func machine(env *cli.Env) (clients.Machine, error) {
	home := env.Getenv("HOME")
	if home == "" {
		return clients.Machine{}, hint.Wrap(fmt.Errorf("find the home folder: $HOME is not set"), "set HOME to it")
	}
	return clients.Machine{OS: runtime.GOOS, Home: home, Getenv: env.Getenv}, nil
}
