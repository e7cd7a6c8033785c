package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"cortex/lib/cli"
	"cortex/lib/clients"
	"cortex/lib/config"
	"cortex/lib/share"
)

// meet is where servers meet that would answer alike: of the same file, the same stores and the same settings. It is nil where nobody can, or alone is set.
func meet(env *cli.Env, locations []config.NamedLocation, loader *config.Loader, alone, noWatch bool) *share.Group {
	program, err := os.Executable()
	if err != nil || alone {
		return nil
	}
	info, err := os.Stat(program)
	if err != nil {
		return nil
	}
	key := []string{cli.Version, program, fmt.Sprint(info.Size(), info.ModTime().UnixNano(), noWatch)}
	for i := range locations {
		root, dir := treeOf(&locations[i].Location, env)
		key = append(key, locations[i].Name, root, dir)
	}
	key = append(key, embedFlags(loader)...)
	var variables []string
	for _, variable := range env.Environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "CORTEX_") && name != clients.TokenVariable || slices.Contains([]string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}, name) {
			variables = append(variables, variable)
		}
	}
	slices.Sort(variables)
	group, err := share.At(env.Getenv, strings.Join(append(key, variables...), "\x00"))
	if err != nil { // each serves itself then
		return nil
	}
	return group
}
