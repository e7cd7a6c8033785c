package ask

import (
	"fmt"

	"cortex/lib/request"
)

// standpoint returns the standpoint of the user at a terminal.
func (a *Asker) standpoint() request.Standpoint {
	return request.Standpoint{Dir: ".", Root: a.Root, Elsewhere: a.Database != ""}
}

// pattern returns the pattern of --path relative to the root of the tree.
func (a *Asker) pattern(typed string) (string, error) {
	pattern, err := a.standpoint().Pattern(typed)
	if err != nil {
		return "", fmt.Errorf("--path %w", err)
	}
	return pattern, nil
}
