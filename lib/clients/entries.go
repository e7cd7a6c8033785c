package clients

import (
	"encoding/json"
	"maps"
	"slices"
)

// entries returns the servers in the client's file, by name.
func (c Client) entries(data []byte) (map[string]map[string]any, error) {
	var servers any
	if c.syntax == tomlSyntax {
		t, err := parseTOML(data)
		if err != nil {
			return nil, err
		}
		servers = t.at(c.table)
	} else {
		d, err := parseJSONC(data)
		if err != nil {
			return nil, err
		}
		if d.root == nil {
			return nil, nil
		}
		path := c.table
		if c.nested != "" && d.root.at(append(slices.Clone(path), c.nested)) != nil {
			path = append(slices.Clone(path), c.nested)
		}
		if n := d.root.at(path); n != nil {
			if err := json.Unmarshal([]byte(n.canonical(nil)), &servers); err != nil {
				return nil, err
			}
		}
	}
	table, _ := servers.(map[string]any)
	found := map[string]map[string]any{}
	for name, value := range table {
		if entry, ok := value.(map[string]any); ok {
			found[name] = entry
		}
	}
	return found, nil
}

func sorted(entries map[string]map[string]any) []string { return slices.Sorted(maps.Keys(entries)) }
