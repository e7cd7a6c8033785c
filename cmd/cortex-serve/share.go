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

// meet returns the group of servers that would answer alike, since they have the same program file, stores, settings
// and environment. One server of a group answers for all. meet returns nil if alone is set, or if the group cannot be
// formed.
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
	if err != nil { // without a group, each server opens the index itself
		return nil
	}
	return group
}
